"""Who wins is decided: a game that keeps a score and ends by counting says how the winner is found."""

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
        "Points are scored, but nothing says that they decide who wins.",
        help="Add `winner most score[p], then shared`.",
    )
