"""``take turns`` goes on for ever, so each pass must meet a decision or chance; ``repeat falling`` must be left."""

from __future__ import annotations

from .. import program as ir
from ..diagnostics import Sink
from ..program.analysis.index import Index
from ..program.walk import walk

_PAUSES = (ir.Choose, ir.Menu, ir.Pay, ir.Roll, ir.Shuffle)


def check(index: Index, sink: Sink) -> None:
    for id_, nodes in index.nodes.items():
        for node in nodes:
            if isinstance(node, ir.TakeTurns) and not _pauses(index, node):
                sink.error(
                    "R0507",
                    node.span,
                    "In these turns nobody decides and nothing is left to chance, so they would never end.",
                    help="Let somebody choose in the turn, or use `each p in Player`.",
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
                    "Nothing leaves this `repeat falling`.",
                    help="Give somebody the choice to `stop`, or write `repeat at most ...`.",
                    rule=id_,
                )


def _reached(index: Index, loop: ir.TakeTurns | ir.Repeat) -> list[object]:
    """All nodes that a pass of the loop may run."""
    found: list[object] = []
    todo: list[str] = list(index.program.watchers)
    for statement in loop.body:
        for node in walk(statement):
            found.append(node)
            if isinstance(node, (ir.NamedRule, ir.Do)):
                todo.append(node.rule)
            elif isinstance(node, ir.Menu):
                todo.extend(node.options)
            elif isinstance(node, ir.Announce):
                todo.extend(index.program.handlers.get(node.event, ()))
    seen: set[str] = set()
    while todo:
        id_ = todo.pop()
        if id_ in seen:
            continue
        seen.add(id_)
        for part in index.inside[id_]:
            found.extend(index.nodes[part])
        todo.extend(callee for callee, _, _ in index.called[id_])
    return found


def _pauses(index: Index, loop: ir.TakeTurns | ir.Repeat) -> bool:
    return any(isinstance(n, _PAUSES) or _draws(index.program, n) for n in _reached(index, loop))


def _draws(program: ir.Program, node: object) -> bool:
    return isinstance(node, ir.Move) and program.variables[node.source.variable].kind == "bag" and node.what == "number"


def _ends(index: Index, loop: ir.TakeTurns | ir.Repeat) -> bool:
    return any(isinstance(n, (ir.Stop, ir.EndGame, ir.Wins)) for n in _reached(index, loop))
