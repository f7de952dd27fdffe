"""Bots: players that decide for themselves.

A bot returns the index of an option. It has its own stream of chance, apart from the game's, so that letting a bot play
a seat never changes the dice of a game. No bot uses anything its seat may not see: those that try options out do so in
positions redrawn from what the seat knows (``interpreter.redraw``).

The names of bots are ``random``, ``learned``, ``greedy``, ``epsilon-greedy``, ``flat`` and ``ismcts``; the last two can
take a number of playouts per decision, or of seconds: ``ismcts:500``, ``ismcts:2s``. ``epsilon-greedy:0.1`` takes any
option one time in ten. ``greedy:quick`` plays four games in the time of one of ``greedy``, and worse. ``people:FOLDER``
chooses as people did in the evenings that ``rulelang evening`` wrote there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..chance import Stream, mix
from .greedy_bot import EPSILON, GreedyBot
from .simple import Bot, RandomBot

if TYPE_CHECKING:
    from ..game import Game

__all__ = [
    "BOTS",
    "PEOPLE",
    "SEARCHING",
    "Bot",
    "GreedyBot",
    "RandomBot",
    "Stream",
    "by_the_clock",
    "make_bot",
    "misnamed",
    "mix",
]

QUICK = "greedy:quick"
MOST_PLAYOUTS = 1_000_000
MOST_SECONDS = 600


def _flat(game: Game, playouts: int | None = None, seconds: float | None = None) -> Bot:
    from .tree_search import PLAYOUTS, SearchBot

    return SearchBot(game, playouts or PLAYOUTS, seconds, depth=1)


def _ismcts(game: Game, playouts: int | None = None, seconds: float | None = None) -> Bot:
    from .tree_search import PLAYOUTS, SearchBot

    return SearchBot(game, playouts or PLAYOUTS, seconds)


def _learned(game: Game) -> Bot:
    from .learned_bot import LearnedBot

    return LearnedBot(game)


SEARCHING: Mapping[str, Callable[[Game, int | None, float | None], Bot]] = {"flat": _flat, "ismcts": _ismcts}
"""Makers of bots that search, by name: for a game, with a number of playouts per decision, or seconds."""

BOTS: Mapping[str, Callable[[Game], Bot]] = {
    "random": RandomBot,
    "learned": _learned,
    "greedy": GreedyBot,
    "epsilon-greedy": lambda game: GreedyBot(game, EPSILON),
    "flat": _flat,
    "ismcts": _ismcts,
}
"""Makers of bots, by name."""

PEOPLE = "people"
"""Whoever chooses as people did, from a file: ``people:FOLDER``. Nobody at a table may name files, so it is not among
the others."""


def misnamed(text: str) -> str | None:
    """Why the text does not name a bot, for people to read; None when it does."""
    name, colon, number = text.partition(":")
    if name == PEOPLE:
        return _unknown_people(text)
    if name not in BOTS:
        return f"there is no bot `{name}`"
    if not colon or text == QUICK:
        return None
    if name == "epsilon-greedy":
        if re.fullmatch(r"0?\.[0-9]{1,6}|[01](\.0{1,6})?", number):
            return None
        return f"`{text}` must have a chance from 0 to 1, for example {name}:{EPSILON}"
    if name not in SEARCHING:
        return f"`{name}` does not run playouts; leave out `:{number}`"
    if _read(number) == (None, None):
        return (
            f"`{text}` must have a number of playouts from 1 to {MOST_PLAYOUTS:,} or of seconds up to {MOST_SECONDS}, "
            f"for example {name}:200 or {name}:2s"
        )
    return None


def _unknown_people(text: str) -> str | None:
    from rulelang.diagnostics import UnusablePath

    from .people import read

    try:
        read(text)
    except UnusablePath as problem:
        return str(problem)
    return None


def by_the_clock(text: str) -> bool:
    """Whether the bot of this name thinks for a time, so that what it does depends on the machine."""
    return _read(text.partition(":")[2])[1] is not None


def _read(text: str) -> tuple[int | None, float | None]:
    """Playouts or seconds; neither when the text says something else."""
    if not re.fullmatch(r"[0-9]{1,7}|[0-9]{1,3}(\.[0-9]{1,3})?s", text):
        return None, None
    if text.endswith("s"):
        seconds = float(text[:-1])
        return None, seconds if 0 < seconds <= MOST_SECONDS else None
    return int(text) if 1 <= int(text) <= MOST_PLAYOUTS else None, None


def make_bot(text: str, game: Game) -> Bot:
    """The bot with a name like ``greedy`` or ``ismcts:500``, for a game. Raises ValueError when there is none."""
    wrong = misnamed(text)
    if wrong is not None:
        raise ValueError(wrong)
    name, colon, number = text.partition(":")
    if name == PEOPLE:
        from .people import PeopleBot

        return PeopleBot.named(text, game)
    if text == QUICK:
        return GreedyBot(game, quick=True)
    if colon and name == "epsilon-greedy":
        return GreedyBot(game, float(number))
    return SEARCHING[name](game, *_read(number)) if colon else BOTS[name](game)
