"""Check that a game begins with a number of pieces, and has a state, that machines can hold."""

from __future__ import annotations

from ..diagnostics import Sink
from ..limits import standard
from ..program.analysis.cardinality import cell_bytes, pieces_at_start, pieces_by_sort, state_bytes
from ..program.analysis.effects import ProgramIndex
from ..types import describe


def check(index: ProgramIndex, sink: Sink) -> None:
    program, limits = index.program, standard()
    pieces = pieces_by_sort(program)
    for sort, number in pieces.items():
        if number > limits.pieces:
            places = [v for v in program.variables.values() if v.element == sort]
            most = max(places, key=pieces_at_start)
            sink.error(
                "R0404",
                most.span,
                f"The game may begin with {number:,} pieces of {describe(sort)}; the limit is {limits.pieces:,}.",
                help=f"Begin with fewer in `{most.name}`, or count them with a number instead.",
            )
            return  # the state is too large for the same reason
    size = state_bytes(program)
    if size > limits.state:
        largest = max(program.variables.values(), key=lambda v: v.cells * cell_bytes(v, pieces))
        sink.error(
            "R0404",
            largest.span,
            f"A state of the game takes {size:,} bytes; the limit is {limits.state:,}.",
            help=f"`{largest.name}` takes the most; let it hold less (`at most ...`), or keep it for fewer things.",
        )
