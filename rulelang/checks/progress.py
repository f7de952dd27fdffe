"""Progress: each pass of ``take turns`` must meet a decision or chance, and loops must have an end."""

from __future__ import annotations

from collections.abc import Iterator

from .. import program as ir
from ..diagnostics import Sink
from ..program.analysis.effects import effect, is_chance
from ..program.analysis.index import Index
from ..program.walk import statements


def check(index: Index, sink: Sink) -> None:
    for id_, nodes in index.nodes.items():
        for node in nodes:
            if isinstance(node, ir.TakeTurns) and not _pauses(index, node):
                sink.error(
                    "R0507",
                    node.span,
                    "Nobody chooses anything in these turns, and nothing is left to chance.",
                    help="Let somebody choose in the turn, or go through the players once with `each p in Player`.",
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


def _reached(index: Index, loop: ir.TakeTurns | ir.Repeat) -> Iterator[ir.Statement]:
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


def _pauses(index: Index, loop: ir.TakeTurns | ir.Repeat) -> bool:
    return any(effect(index.program, s).asks or is_chance(index.program, s) for s in _reached(index, loop))


def _ends(index: Index, loop: ir.TakeTurns | ir.Repeat) -> bool:
    return any(isinstance(s, ir.Stop) or effect(index.program, s).ends for s in _reached(index, loop))
