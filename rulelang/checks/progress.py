"""Progress: turns without a decision or chance use something up, and loops have an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import program as ir
from ..diagnostics import Sink
from ..program.analysis.effects import ProgramIndex, effect, is_chance
from ..program.walk import nested, statements
from ..types import NumberType
from .facts import Knowledge, about_places


def check(index: ProgramIndex, sink: Sink) -> None:
    for id_, nodes in index.nodes.items():
        for node in nodes:
            if isinstance(node, ir.TakeTurns) and not _pauses(index, node) and not _uses_up(index, node):
                sink.error(
                    "R0507",
                    node.span,
                    "These turns may go on without end: nobody chooses anything, nothing is left to chance, and nothing"
                    " is used up in every turn.",
                    help="Let somebody choose in the turn, move a piece or count something in every turn"
                    " (`increase NAME by 1`), or go through the players once with `each p in Player`.",
                    rule=id_,
                )
            elif isinstance(node, ir.TakeTurns) and node.until is None and not _ends(index, node):
                sink.error(
                    "R0510",
                    node.span,
                    "These turns never end.",
                    help="Add `until ...`, or end them with `stop`, `end the game` or `... wins`.",
                    rule=id_,
                )
            elif isinstance(node, ir.Repeat) and node.word == "falling" and not _ends(index, node):
                sink.error(
                    "R0510",
                    node.span,
                    "Nothing ends this `repeat falling`.",
                    help="Give somebody the choice to `stop`, or write `repeat at most ...`.",
                    rule=id_,
                )


def _reached(index: ProgramIndex, loop: ir.TakeTurns | ir.Repeat) -> Iterator[ir.Statement]:
    """All statements that a pass of the loop may run."""
    program = index.program
    seen: set[str] = set()
    bodies = [loop.body, *(program.rules[watcher].body for watcher in program.watchers)]
    while bodies:
        for statement in statements(program, bodies.pop()):
            yield statement
            for called in effect(program, statement).calls:
                if called not in seen:
                    seen.add(called)
                    bodies.append(program.rules[called].body)


def _pauses(index: ProgramIndex, loop: ir.TakeTurns | ir.Repeat) -> bool:
    return any(effect(index.program, s).asks or is_chance(index.program, s) for s in _reached(index, loop))


def _ends(index: ProgramIndex, loop: ir.TakeTurns | ir.Repeat) -> bool:
    return _stops(index.program, loop.body) or any(effect(index.program, s).ends for s in _reached(index, loop))


def _stops(program: ir.Program, body: Sequence[ir.Statement]) -> bool:
    """Whether a ``stop`` in the body leaves the loop around it: one in an inner loop leaves only that one."""
    for s in body:
        if isinstance(s, ir.Stop):
            return True
        if isinstance(s, (ir.Repeat, ir.TakeTurns, ir.Together)):
            continue
        if any(_stops(program, part) for part in _bodies(program, s)):
            return True
    return False


def _bodies(program: ir.Program, s: ir.Statement) -> list[Sequence[ir.Statement]]:
    """The bodies in a statement, those of the rules and options that stand in it included."""
    match s:
        case ir.Branch():
            return [s.then, s.otherwise]
        case ir.Each():
            return [s.body]
        case ir.Choose():
            return [s.body or (), s.otherwise]
        case _:  # all others run rules or options, if anything
            return [program.rules[id_].body for id_ in nested(s)]


# ---------------------------------------------------------------- what is used up


def _uses_up(index: ProgramIndex, loop: ir.TakeTurns) -> bool:
    """Whether every turn moves something in one direction only: as all has bounds, that comes to an end."""
    program = index.program
    left = Knowledge(program).facts(loop.until, negated=True) if loop.until is not None else frozenset()
    filled = {fact.place.variable for fact in about_places(left) if fact.kind == "size" and not fact.place.indices}
    certain = {found for s in _certain(program, loop.body) for found in _directions(program, s, filled)}
    for s in _reached(index, loop):
        certain -= {(variable, -way) for variable, way in _directions(program, s, None)}
        if isinstance(s, ir.SetValue):
            certain -= {(s.target.variable, way) for way in (1, -1)}
    return bool(certain)


def _certain(
    program: ir.Program, body: Sequence[ir.Statement], around: frozenset[str] = frozenset()
) -> Iterator[ir.Statement]:
    """The statements that every pass of a body runs. ``around``: the rules that are running already."""
    for s in body:
        yield s
        called = s.rule if isinstance(s, (ir.NamedRule, ir.Do)) else None
        if called is not None and called not in around and program.rules[called].guard is None:
            yield from _certain(program, program.rules[called].body, around | {called})
        if isinstance(s, (ir.Stop, ir.EndGame, ir.Wins)):
            return


def _directions(program: ir.Program, s: ir.Statement, filled: set[str] | None) -> list[tuple[str, int]]:
    """The variables that a statement makes larger (1) or smaller (-1).

    With ``filled``, only where it certainly does; the places in it are not empty. Without, wherever it may.
    """
    if isinstance(s, ir.Move) and s.source.variable != s.target.variable:
        least = s.amount.type.low if s.amount is not None and isinstance(s.amount.type, NumberType) else 0
        some = least > 0 and not s.up_to and s.what in ("number", "number of", "at")
        some = some or ((s.what == "all" or least > 0) and s.kind is None and s.source.variable in (filled or ()))
        if some or filled is None:
            return [(s.source.variable, -1), (s.target.variable, 1)]
    if isinstance(s, (ir.Change, ir.Score)):
        variable = s.target.variable if isinstance(s, ir.Change) else program.score
        bounds = s.amount.type
        if variable is None or not isinstance(bounds, NumberType):
            return []
        ways = [(variable, way * s.sign) for way, end in ((1, bounds.high), (-1, -bounds.low)) if end > 0]
        kept = program.variables[variable]
        clamped = (kept.not_below if s.sign < 0 else kept.not_above) is not None
        steady = bounds.low > 0 and not clamped
        return ways if filled is None or steady else []
    if filled is None and isinstance(s, (ir.Pay, ir.Shuffle)):
        return [(name, way) for name in effect(program, s).writes for way in (1, -1)]
    return []
