"""Play by itself: the choices of bots, and those of which everybody knows that there is only one option.

Where others do not know it, a person presses a button, and a bot thinks as long as ever: how soon somebody chooses must
not tell what only that one knows.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from . import sights
from .access import Page, Refused, Unwritable
from .line import Choice, played
from .work import BY_ITSELF, GivenUp

if TYPE_CHECKING:
    from interpreter.chance import Stream
    from interpreter.game import Game, State

    from .line import Line
    from .table import Table

LOG = logging.getLogger("rulelang.table")

_used: Callable[[], float] = getattr(time, "thread_time", time.monotonic)
"""Seconds of processor time that this thread has taken; in a browser, of any time."""

_RETRY = 5.0
"""Seconds until bots try again to go on when the disk was full."""

_SHORTEST = 1 / 16

USUAL_BOT = "greedy"
"""Plays the seats that nobody takes, and for those who skip what they know."""


@attrs.define
class Tempo:
    """How long bots think at a table whose rules hide something, in seconds by seat: each as long as it ever did,
    rounded up to 1/16, 1/8, 1/4 and so on. The first time does not count, in which bots get to know the game."""

    _usual: dict[int, float] = attrs.field(factory=dict)

    def after(self, seat: int, thought: float) -> float:
        """How long a bot is to think in all that has thought so long."""
        if seat not in self._usual:
            self._usual[seat] = _SHORTEST
            return _rounded(thought)
        self._usual[seat] = max(self._usual[seat], _rounded(thought))
        return self._usual[seat]


def _rounded(seconds: float) -> float:
    found = _SHORTEST
    while found < seconds:
        found *= 2
    return found


@attrs.frozen
class Skip:
    """Somebody who learns is played for until there is a lesson about another rule than those that are ``known``, after
    ``since`` events of the log; in the language ``lang``."""

    lang: str | None
    known: frozenset[str]
    since: int


def skip(table: Table, page: Page, known: frozenset[str]) -> None:
    """Plays for somebody alone with bots until something is new to them."""
    from .view.window import Window

    seat = page.guest.seat
    if seat is None or table.people != {seat}:
        raise Refused("not_alone")
    table.skips[seat] = Skip(page.lang, known, len(Window.of(table.own(page.guest), seat).log))
    table.introduce()
    table.moved.set()


async def play(table: Table) -> None:
    """Makes such choices at a table, as long as the server runs."""
    BY_ITSELF.set(True)
    tempo = Tempo()
    while True:
        while (seat := _waiting(table)) is not None:
            try:
                await _play_for(table, seat, tempo)
            except GivenUp as problem:
                table.halt(str(problem))
            except Exception:
                LOG.exception("a choice by itself has failed")
                table.halt(str(Refused("own_mistake")))
        await table.moved.wait()
        table.moved.clear()


def _waiting(table: Table) -> int | None:
    """The seat for which the server is to choose now."""
    state = table.line.state
    seat = state.player
    if seat is None or table.fault is not None or table.pending is not None:
        table.stop_skipping()
        return None
    if seat in table.skips and _is_new(table, seat):
        table.stop_skipping()
    return seat if _bot(table, seat) is not None or state.forced else None


def _is_new(table: Table, seat: int) -> bool:
    """Whether there is a lesson for somebody who is played for until there is one."""
    from .view.lessons import lessons
    from .view.window import Window, worded

    skip, window = table.skips[seat], Window.of(table.line.state, seat)
    found = lessons(worded(table.line.game.program, skip.lang), window, window.log[skip.since :])
    return any(lesson["id"] not in skip.known for lesson in found)


def _bot(table: Table, seat: int) -> str | None:
    return table.bots.get(seat, USUAL_BOT if seat in table.skips else None)


async def _play_for(table: Table, seat: int, tempo: Tempo) -> None:
    line, turn, bot = table.line, table.turn, _bot(table, seat)
    choices = [Choice(0, seat)]
    if bot is not None:
        choices = await _decided(table, line, seat, bot, tempo)
    try:
        for choice in choices:
            async with table.change(turn):
                if _bot(table, seat) != bot:
                    return
                await table.make(choice)
                turn = table.turn
    except Unwritable as unwritable:
        problem = sights.unwritable(unwritable)
        table.tell(lambda page: problem)
        await asyncio.sleep(_RETRY)
    except GivenUp:
        raise
    except Refused:  # the position has changed meanwhile, or everybody has been told of a fault
        pass


async def _decided(table: Table, line: Line, seat: int, bot: str, tempo: Tempo) -> list[Choice]:
    """The choices of a bot until others can see that it has chosen, once it has taken its time."""
    began, pace = time.monotonic(), 0.0 if table.skips else table.pace
    if pace:
        await asyncio.sleep(pace)
    if line.state.forced:
        return [Choice(0, seat)]

    def thought() -> tuple[list[Choice], float]:
        start = _used()
        found = _stretch(line, seat, bot, table.chance, alone=table.referee, turn=table.turn)
        return found, _used() - start

    choices, seconds = await table.work.search(thought)
    if not line.game.blueprint.knowers.all_in_the_open:
        await asyncio.sleep(began + pace + tempo.after(seat, seconds) - time.monotonic())
    return choices


def _stretch(
    line: Line, seat: int, bot: str, luck: Callable[..., int], *, alone: bool, turn: int
) -> list[Choice]:  # fmt: skip
    """The choices of a bot up to the first that others see: while players decide together, all that it decides.

    ``luck``: gives a luck for each, the same after a restart. ``alone``: chance is entered by hand, so that only the
    next choice is known.
    """
    from interpreter.errors import GameError

    choices: list[Choice] = []
    state: State = line.state
    while True:
        number = len(choices)
        option = chosen(line.game, bot, state.copy(), luck("bot", line.number, turn, number))
        choices.append(Choice(option, seat, luck=None if alone else luck("done by a bot", line.number, turn, number)))
        if alone or state.position.secret is None:
            return choices
        try:
            state = played(state, choices[-1])
        except GameError:  # which everybody is told when it is made
            return choices
        if state.player != seat or state.position.secret is None:
            return choices


def chosen(game: Game, bot: str, state: State, seed: int) -> int:
    """The option that a bot takes. ``seed``: of the bot's own chance in this decision."""
    from interpreter.bots import Stream, make_bot, mix

    decision = state.decision
    assert decision is not None
    if len(decision.options) > 1:
        return make_bot(bot, game).choose(state, decision, Stream(mix(seed)))
    if not state.forced:
        imagined = _with_a_choice(game, state, Stream(seed))
        if imagined is not None and imagined.decision is not None:
            make_bot(bot, game).choose(imagined, imagined.decision, Stream(mix(seed)))
    return 0


_TRIES = 20


def _with_a_choice(game: Game, state: State, stream: Stream) -> State | None:
    """A position as others imagine it in which the seat has a choice, so that a bot can think as long about that as it
    would about one of its own; None where none is found."""
    from interpreter.redraw import CannotRedraw, Redraw, Seen

    redraw = Redraw(game.blueprint, Seen.of(state, None))
    try:
        for _ in range(_TRIES):
            imagined = game.state_of(redraw.draw(stream))
            if imagined.option_count > 1:
                return imagined
    except CannotRedraw:
        pass
    return None
