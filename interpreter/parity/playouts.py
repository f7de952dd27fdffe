"""Playouts of the fast engine, whole random games in one go: stepping must give the same results.

The module is called directly. ``interpreter.simulate.playouts`` would replay a faulty game step by step, which hides
whether both stop at the same point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from ..errors import GameError
from ..wasm.host import Trap
from ..wasm.layout.addresses import RESULTS_ROOM, TRACE_LENGTH

if TYPE_CHECKING:
    from ..wasm.engine import WasmGame

WORD = 4


@attrs.frozen
class Row:
    """The end of a game, in the fields that stepping through it gives. ``fault``: what stopped it."""

    finished: bool = False
    turns: int = 0
    decisions: int = 0
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    fault: GameError | None = None

    def __str__(self) -> str:
        if self.fault is not None:
            return f"fault: {self.fault}"
        end = "finished" if self.finished else "left"
        return (
            f"{end} after {self.turns} turns and {self.decisions} decisions, "
            f"scores {self.scores}, winners {self.winners}"
        )


def playouts(game: WasmGame, seed: int, first: int, number: int, limit: int) -> list[Row]:
    """Games ``first``, ``first + 1``, ... of a simulation with random bots, up to ``number``; none after a fault."""
    compiled = game.playouts
    instance, memory = compiled.ready(), compiled.memory
    size = 4 + game.players
    number = min(number, RESULTS_ROOM // (WORD * size))
    fault: GameError | None = None
    try:
        made = instance.call("play", seed % 2**64, first, number, limit)
    except Trap as trap:
        fault = compiled.fault(instance, trap)
        made = instance.word(memory.scratch + TRACE_LENGTH)
    rows = []
    for i in range(made):
        at = (memory.results >> 2) + i * size
        finished, turns, decisions, mask, *scores = instance.words[at : at + size]
        winners = tuple(p for p in range(game.players) if mask >> p & 1) if finished else ()
        rows.append(Row(bool(finished), turns, decisions, winners, tuple(scores)))
    return rows if fault is None else [*rows, Row(fault=fault)]
