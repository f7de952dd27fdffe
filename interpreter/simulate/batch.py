"""Batches of games as rows of numbers, in the form the fast engine returns them.

Nothing heavy is imported here, so that a first batch can be played as soon as its machine code is available.
"""

from __future__ import annotations

import struct
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import attrs

from ..wasm.host import interrupt

if TYPE_CHECKING:
    from concurrent.futures import Future

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


# Work on several threads, collected in the order in which it was handed out.


T = TypeVar("T")


def in_order(work: Iterable[Callable[[], T]], threads: int, stop: Callable[[], object] = lambda: None) -> Generator[T]:
    """The results of pieces of work, in their order. Each thread has one in progress and one waiting; ``work`` is asked
    for the next one only then. Closing the iterator calls ``stop`` and ends whatever runs in the fast engine."""
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[T]] = deque()
    pool = ThreadPoolExecutor(threads, "games")
    try:
        for piece in work:
            waiting.append(pool.submit(piece))
            if len(waiting) == 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException:
        stop()
        interrupt()  # nobody waits for what the other threads are at
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# Results of games: one game by itself, or a batch of them; and how often each side won.


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
