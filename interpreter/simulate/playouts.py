"""Playouts: whole random games inside the module, in batches, on one thread or several.

A game that traps is replayed decision by decision, so that its result and its message are those of ``play_one``. Its
result says that it was replayed, and why.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ..bots.streams import BY_QUESTION, BY_SEAT
from ..wasm.host import Trap
from ..wasm.layout.addresses import FAULT, NO_FAULT, RESULTS_ROOM, TRACE_LENGTH, WORD
from .batch import LIMIT, Batch
from .threads import in_order

if TYPE_CHECKING:
    from ..game import Game
    from ..wasm.compiled import Compiled
    from .results import GameResult, Part

CALL_SECONDS = 0.05
"""Target seconds per call: few calls for many games, but short enough to stop promptly and to update a progress bar."""

_FIRST = 1
"""Games of the first stretch: how long one takes is not known yet."""

MOST_DECISIONS = 2**31 - 1


def play_range(game: Game, seed: int, first: int, count: int, limit: int = LIMIT) -> list[Part]:
    """Games ``first`` to ``first + count - 1`` of the simulation from ``seed``, all seats choosing at random.

    The results are those of ``simulate.play_one`` on this engine: batches, with single games in between where the rules
    could not be carried out.
    """
    return list(play_batches(game, seed, count, first=first, limit=limit))


def play_batches(
    game: Game, seed: int, games: int, *, first: int = 0, limit: int = LIMIT, threads: int = 1
) -> Generator[Part]:
    """As ``play_range``, part by part in the order of the games. The results do not depend on ``threads``, only the
    division into parts does. Closing the iterator stops each thread within one call."""
    from ..wasm.engine import WasmGame

    assert isinstance(game, WasmGame)
    run = Run(game.playouts, game.players, game.rules, seed % 2**64, min(limit, MOST_DECISIONS))
    with closing(in_pieces(run, first, games, threads)) as pieces:
        for piece in pieces:
            yield piece if isinstance(piece, Batch) else _by_itself(game, seed, piece, limit)


def in_pieces(run: Run, first: int, games: int, threads: int) -> Generator[Batch | Trapped]:
    """Batches of games in order, and between them the games that trapped. Closing it stops each thread soon."""
    end = first + games
    return _in_turn(run, first, end) if threads == 1 else _in_threads(run, first, end, threads)


def _by_itself(game: Game, seed: int, trapped: Trapped, limit: int) -> GameResult:
    import attrs

    from .games import at_random, game_seed, play_one

    found = play_one(game, game_seed(seed, trapped.game), at_random(game), limit, trapped.game)
    return attrs.evolve(found, replayed=trapped.reason)


def _in_turn(run: Run, at: int, end: int) -> Generator[Batch | Trapped]:
    size = _FIRST
    while at < end:
        done = run.stretch(at, min(size, end - at))
        at, size = at + done.games, done.next_size
        yield from done.pieces


def _in_threads(run: Run, at: int, end: int, threads: int) -> Generator[Batch | Trapped]:
    size = _FIRST

    def stretches() -> Iterator[Callable[[], _Stretch]]:
        begin = at
        while begin < end:
            games = min(size, end - begin)
            yield partial(run.stretch, begin, games)
            begin += games

    with closing(in_order(stretches(), threads)) as found:
        for done in found:
            size = done.next_size
            yield from done.pieces


class Trapped(NamedTuple):
    """The number of a game that could not be played in one go, and why."""

    game: int
    reason: str


class _Stretch(NamedTuple):
    """A run of games: batches in order, and between them the games that trapped. ``next_size``: the games that the next
    stretch should have so that a call takes the target time."""

    games: int
    pieces: list[Batch | Trapped]
    next_size: int


class Run(NamedTuple):
    """Data shared by the calls of one simulation."""

    compiled: Compiled
    players: int
    rules: tuple[str, ...]
    seed: int
    limit: int
    words: int = 0
    """Words of a row of results, where it has more than a ``Batch`` tells of."""
    streams: int = BY_SEAT
    """The version of the streams of chance. Others than the first are known to modules that record."""

    def stretch(self, first: int, games: int) -> _Stretch:
        """Play games on the calling thread's own instance."""
        started = time.perf_counter()
        row = WORD * (self.words or 4 + self.players)
        most = max(1, RESULTS_ROOM // row)
        addresses = self.compiled.addresses
        pieces: list[Batch | Trapped] = []
        at, end = first, first + games
        size = most
        while at < end:
            instance = self.compiled.instance
            if self.words:
                instance.call("by_question", self.streams == BY_QUESTION)
            count = min(size, end - at)
            instance.write(addresses.fired, bytes(WORD * len(self.rules)))
            instance.put_word(addresses.scratch + FAULT, NO_FAULT)
            try:
                instance.call("play", self.seed, at, count, self.limit)
            except Trap as trap:
                # The rule counts of the games before the one that trapped are known only by playing them without it.
                size = instance.word(addresses.scratch + TRACE_LENGTH)
                if size == 0:
                    pieces.append(Trapped(at, str(self.compiled.fault(instance, trap))))
                    at, size = at + 1, most
                continue
            rows = instance.read(addresses.results, count * row)
            times = struct.unpack(f"<{len(self.rules)}I", instance.read(addresses.fired, WORD * len(self.rules)))
            fired = {rule: n for rule, n in zip(self.rules, times, strict=True) if n}
            pieces.append(Batch(self.seed, at, self.players, rows, fired))
            at, size = at + count, most
        pace = (time.perf_counter() - started) / games
        return _Stretch(games, pieces, max(1, min(int(CALL_SECONDS / pace), 4 * games, most)))
