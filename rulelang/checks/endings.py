"""Winners: a game in which players score says how the winner is found."""

from __future__ import annotations

from .. import program as ir
from ..diagnostics import Sink
from ..program.analysis.index import Index


def check(index: Index, sink: Sink) -> None:
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
        help="Add, for example, `winner most score[p], then shared`.",
    )
