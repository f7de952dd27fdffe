"""Games of bots side by side, each on a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import attrs

from .threads import in_order

if TYPE_CHECKING:
    from ..bots import Bot, Stream
    from ..bots.simple import Seating
    from ..bots.streams import Streams
    from ..data import Decision
    from ..game import State
    from ..wasm.state import WasmState
    from .results import GameResult


class _Stopped(Exception):
    """Nobody wants to know how the game ends."""


class TimeIsUp(Exception):
    """There was no time to play all the games."""


def check_time(until: float | None) -> None:
    """Raises TimeIsUp after that moment, by ``time.monotonic()``."""
    if until is not None and time.monotonic() > until:
        raise TimeIsUp


@attrs.frozen
class _Stoppable:
    """A bot that leaves its game once it should, or the time is up."""

    bot: Bot
    stop: threading.Event
    until: float | None

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        self._check()
        return self.bot.choose(state, decision, stream)

    def whole_game(self, seed: int, streams: Streams, limit: int) -> WasmState | None:
        self._check()
        play = getattr(self.bot, "whole_game", None)
        return None if play is None else play(seed, streams, limit)

    def _check(self) -> None:
        if self.stop.is_set():
            raise _Stopped
        check_time(self.until)


def play_beside(
    play: Callable[[int, Sequence[Bot]], GameResult], games: int, bots: Sequence[Bot], threads: int
) -> Generator[GameResult]:
    """Games 0 to ``games - 1`` in their order; ``play`` plays the one with a number. Closing the iterator ends those
    that are being played at their next decision."""
    seated, stop = stoppable(bots)
    work = (partial(play, number, seated) for number in range(games))
    return in_order(work, threads, stop)


def stoppable(bots: Sequence[Bot]) -> tuple[list[Bot], Callable[[], None]]:
    """The same bots, and what ends all games that they are playing, each at its next decision."""
    seated, stop = stoppable_in(lambda _: bots)
    return list(seated(0)), stop


def stoppable_in(seats: Seating, until: float | None = None) -> tuple[Seating, Callable[[], None]]:
    """The same for bots that are others from game to game. ``until``: by ``time.monotonic()``, when they raise
    TimeIsUp."""
    stop = threading.Event()

    def seated(number: int) -> list[Bot]:
        check_time(until)  # they may have to be trained first
        return [_Stoppable(bot, stop, until) for bot in seats(number)]

    return seated, stop.set
