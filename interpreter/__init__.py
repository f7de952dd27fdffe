"""Running a checked game: states, decisions, engines.

``load`` reads a game's folder; everything else is reached through the game it gives. ``docs/python.md`` shows how.
What ``__all__`` lists is public and stays; so are the members of the classes in it, but for those that say otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rulelang  # noqa: F401  (before anything else: it notes when this process began to import the code)

from .loading import ENGINES, game_of, load

if TYPE_CHECKING:
    from .adapters.pettingzoo import pettingzoo_env
    from .bots import Bot, Stream, make_bot
    from .comparing.one_call import compare
    from .comparing.results import Comparison
    from .data import Condition, Decision, Event, Explanation, Option, View
    from .errors import ChanceError, GameError, IllegalChoice, InvariantBroken, RuleFault, SaveError
    from .game import Game, State
    from .simulate.batch import GameResult
    from .simulate.games import play_games, play_many, simulated
    from .simulate.tally import Summary

__all__ = [
    "ENGINES",
    "Bot",
    "ChanceError",
    "Comparison",
    "Condition",
    "Decision",
    "Event",
    "Explanation",
    "Game",
    "GameError",
    "GameResult",
    "IllegalChoice",
    "InvariantBroken",
    "Option",
    "RuleFault",
    "SaveError",
    "State",
    "Stream",
    "Summary",
    "View",
    "compare",
    "game_of",
    "load",
    "make_bot",
    "pettingzoo_env",
    "play_games",
    "play_many",
    "simulated",
]

_HOMES = {
    "Game": "game",
    "State": "game",
    **dict.fromkeys(("Condition", "Decision", "Event", "Explanation", "Option", "View"), "data"),
    "Bot": "bots",
    "Stream": "bots",
    "make_bot": "bots",
    "compare": "comparing.one_call",
    "Comparison": "comparing.results",
    "GameResult": "simulate.batch",
    "Summary": "simulate.tally",
    "play_games": "simulate.games",
    "play_many": "simulate.games",
    "simulated": "simulate.games",
    "pettingzoo_env": "adapters.pettingzoo",
}
"""The modules of what is no error; each is imported when it is first asked for."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        import importlib

        return getattr(importlib.import_module(f".{_HOMES.get(name, 'errors')}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
