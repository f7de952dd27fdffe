"""Results of games: one game by itself, or a batch of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

import attrs

from .batch import Batch, Record


@attrs.frozen
class GameResult:
    """One game. ``scores`` are final only when it ``finished``; ``fault`` says why the rules could not go on.

    ``replayed``: why it could not be played in one go, as playouts are, and was played again decision by decision.
    """

    index: int
    seed: int
    finished: bool
    turns: int
    decisions: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    fired: Counter[str]
    fault: str | None = None
    replayed: str | None = attrs.field(default=None, eq=False)

    @property
    def games(self) -> int:
        return 1

    def records(self, seats: int) -> Iterator[Record]:
        """The game as one record; a game that never began has no scores."""
        scores = self.scores or (None,) * seats
        yield self.index, self.seed, self.finished, self.turns, self.decisions, *scores, self.winners, self.fault


Part: TypeAlias = GameResult | Batch
"""A part of a simulation's results; parts follow one another without a gap."""
