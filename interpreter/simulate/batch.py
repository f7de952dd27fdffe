"""Batches of games as rows of numbers, in the form the fast engine returns them.

Nothing heavy is imported here, so that a first batch can be played as soon as its machine code is available.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

LIMIT = 100_000
"""Default number of decisions after which a game is stopped."""

Record: TypeAlias = tuple[Any, ...]
"""A game as index, seed, finished, turns, decisions, the score of each seat, the seats that won, fault or None."""


class Batch(NamedTuple):
    """Games ``first``, ``first + 1``, ... of a simulation from ``seed``, none of them with a fault.

    ``rows`` has for each game 4 + ``players`` signed 32-bit words, the lowest byte first: whether it finished (1 or 0),
    turns, decisions, the winners (bit s for seat s), and the scores by seat. ``fired``: how often each rule ran in all
    of them together.
    """

    seed: int
    first: int
    players: int
    rows: bytes
    fired: Mapping[str, int]

    @property
    def width(self) -> int:
        """Words per row."""
        return 4 + self.players

    @property
    def games(self) -> int:
        return len(self.rows) // (4 * self.width)

    def keys(self) -> list[tuple[bytes]]:
        """The raw rows, for counting equal ones; ``values`` decodes them."""
        return list(struct.iter_unpack(f"{4 * self.width}s", self.rows))

    def values(self, key: tuple[bytes]) -> tuple[int, ...]:
        return struct.unpack(f"<{self.width}i", key[0])

    def records(self, seats: int) -> Iterator[Record]:
        """The games as records; ``seats`` is the number of players, as for one game by itself."""
        from .. import chance
        from ..bots import mix

        assert seats == self.players
        columns = zip(*struct.iter_unpack(f"<{self.width}i", self.rows), strict=True)
        finished, turns, decisions, winners, *scores = columns
        indices = range(self.first, self.first + self.games)
        # ``mix(seed, index)``, with its first half computed once for all games.
        half, step = mix(self.seed), chance.step
        seeds = (step(half ^ index)[1] for index in indices)
        won = map(seats_of, winners)
        nothing = (None,) * self.games
        return zip(indices, seeds, map(bool, finished), turns, decisions, *scores, won, nothing, strict=True)


@cache
def seats_of(mask: int) -> tuple[int, ...]:
    """The seats whose bits are set."""
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)
