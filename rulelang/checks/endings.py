"""Winners: a game in which players score says how the winner is found."""

from __future__ import annotations

from .. import program as ir
from ..diagnostics import Sink
from ..fixes import Below, Fix, Help
from ..program.analysis.effects import ProgramIndex

_MOST = Fix("The most points win: add `winner`", (Below("winner most score[p], then shared", past="item"),))


def check(index: ProgramIndex, sink: Sink) -> None:
    program = index.program
    if program.ranks or program.score is None:
        return
    nodes = [node for found in index.nodes.values() for node in found]
    if any(isinstance(node, ir.Wins) for node in nodes) or not any(isinstance(node, ir.Score) for node in nodes):
        return
    sink.error(
        "R0415",
        program.variables[program.score].span,
        "Players score points, but nothing says that points decide who wins.",
        help=Help("Add, for example, `winner most score[p], then shared`.", (_MOST,)),
    )
