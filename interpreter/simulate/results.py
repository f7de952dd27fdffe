"""Results of games: one game by itself, or a batch of them; and how often each side won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
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


@attrs.define
class Wins:
    """How finished games came off. Each counts 1: as a win of one side, as parts of a win that some sides share, as a
    draw, or as a loss where all are on one side.

    ``side``: by seat, the number of its side (see ``rulelang.program.sides``). ``alone``: by side, the games that it
    won alone; ``parts``: by side and number of winning sides, those it won with others. ``drawn``, ``lost`` and
    ``shared``: how many games were drawn, lost, and won by some sides together.
    """

    side: tuple[int, ...]
    alone: Counter[int] = attrs.field(factory=Counter)
    parts: Counter[tuple[int, int]] = attrs.field(factory=Counter)
    drawn: int = 0
    lost: int = 0
    shared: int = 0

    def count(self, winners: Collection[int], times: int = 1) -> None:
        """Adds games that these seats won."""
        from rulelang.program.sides import settled

        won = {self.side[seat] for seat in settled(self.side, winners)}
        if len(won) == 1:
            self.alone[won.pop()] += times
        elif won:
            self.shared += times
            self.parts.update({(one, len(won)): times for one in won})
        elif len(set(self.side)) > 1:
            self.drawn += times
        else:
            self.lost += times

    @property
    def wins(self) -> tuple[float, ...]:
        """By seat, the games that it won; the members of a team have an equal part each of what the team won."""
        sizes = Counter(self.side)
        return tuple(self.alone[one] / sizes[one] if sizes[one] > 1 else self.alone[one] for one in self.side)

    @property
    def shares(self) -> tuple[float, ...]:
        """By seat, its parts of the games that some sides won together: half a win where two did."""
        return tuple(
            sum(times / number for (who, number), times in self.parts.items() if who == one) / self.side.count(one)
            for one in self.side
        )
