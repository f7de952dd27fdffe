"""Players that decide by themselves.

A bot is asked for the index of an option. It is given its own stream of chance, apart from the game's, so that
whether a seat is played by a bot never changes what the dice of a game show. No bot uses what its seat may not see:
those that try options out do so in positions drawn anew from what the seat knows (``interpreter.redraw``).

A bot is named by ``random``, ``greedy``, ``flat`` or ``ismcts``; the last two may say how many playouts they make for
a decision: ``ismcts:500``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..chance import Stream, mix
from .simple import Bot, GreedyBot, RandomBot, uncovers

if TYPE_CHECKING:
    from ..game import Game

__all__ = ["BOTS", "SEARCHING", "Bot", "GreedyBot", "RandomBot", "Stream", "make_bot", "misnamed", "mix", "uncovers"]

MOST_PLAYOUTS = 1_000_000


def _flat(game: Game, playouts: int | None = None) -> Bot:
    from .flat import FlatBot
    from .search import PLAYOUTS, Settings

    return FlatBot(game, Settings(playouts or PLAYOUTS))


def _ismcts(game: Game, playouts: int | None = None) -> Bot:
    from .ismcts import IsmctsBot
    from .search import PLAYOUTS, Settings

    return IsmctsBot(game, Settings(playouts or PLAYOUTS))


SEARCHING: Mapping[str, Callable[[Game, int | None], Bot]] = {"flat": _flat, "ismcts": _ismcts}
"""Makes a bot that searches, by its name: for a game, with a number of playouts for each decision."""

BOTS: Mapping[str, Callable[[Game], Bot]] = {"random": RandomBot, "greedy": GreedyBot, "flat": _flat, "ismcts": _ismcts}
"""Makes a bot of each name for a game."""


def misnamed(text: str) -> str | None:
    """Why the text does not name a bot, in words for people; None when it does."""
    name, colon, number = text.partition(":")
    if name not in BOTS:
        return f"there is no bot `{name}`"
    if not colon:
        return None
    if name not in SEARCHING:
        return f"`{name}` makes no playouts; leave out `:{number}`"
    if not (number.isascii() and number.isdigit() and len(number) < 8 and 1 <= int(number) <= MOST_PLAYOUTS):
        return f"`{text}` has no number of playouts from 1 to {MOST_PLAYOUTS:,}; write for example {name}:200"
    return None


def make_bot(text: str, game: Game) -> Bot:
    """The bot that a text like ``greedy`` or ``ismcts:500`` names, for a game. Raises ValueError when it names none."""
    wrong = misnamed(text)
    if wrong is not None:
        raise ValueError(wrong)
    name, colon, number = text.partition(":")
    return SEARCHING[name](game, int(number)) if colon else BOTS[name](game)
