"""Running a checked game: states, decisions, engines.

``load`` reads a game's folder; everything else is reached through the game it gives. ``docs/python.md`` shows how.
What ``__all__`` lists is public and stays; so are the members of the classes in it, but for those that say otherwise.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang.program import Program

    from .adapters.pettingzoo import pettingzoo_env
    from .bots import Bot, Stream, make_bot
    from .game import (
        ChanceError,
        Condition,
        Decision,
        Event,
        Explanation,
        Game,
        GameError,
        IllegalChoice,
        InvariantBroken,
        Option,
        RuleFault,
        SaveError,
        State,
        View,
    )
    from .position.blueprint import Blueprint
    from .simulate.games import GameResult, Summary, play_games, play_many

__all__ = [
    "ENGINES",
    "Bot",
    "ChanceError",
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
    "game_of",
    "load",
    "make_bot",
    "pettingzoo_env",
    "play_games",
    "play_many",
]

_HOMES = {
    "Bot": "bots",
    "Stream": "bots",
    "make_bot": "bots",
    "GameResult": "simulate.games",
    "Summary": "simulate.games",
    "play_games": "simulate.games",
    "play_many": "simulate.games",
    "pettingzoo_env": "adapters.pettingzoo",
}
"""The modules of what is not in ``game``; each is imported when it is first asked for."""

IMPORTED = time.time()
"""When this process began to import the package."""

ENGINES = ("reference", "wasm")


def load(
    path: str | Path,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    variants: Sequence[str | Path] = (),
    engine: str = "reference",
    invariants: bool = False,
) -> Game:
    """The game in a folder, for a number of players (None: the fewest), ready to play.

    ``options``: values of options and readings by name; ``variants``: names or files of house rules; ``engine``:
    ``reference`` explains everything, ``wasm`` is fast; ``invariants``: check them after every choice. Raises
    ``rulelang.RulesError`` for mistakes in the rules, ``rulelang.UnusablePath`` for a path that cannot be read or
    settings that do not exist, GameError for an engine that does not.
    """
    _check_engine(engine)
    if engine == "wasm":
        from .wasm.engine import WasmGame

        return WasmGame.load(path, players, options or {}, variants, _reference, invariants=invariants)
    import rulelang

    program = rulelang.load(path, players=players, settings=dict(options or {}), variants=variants)
    return game_of(program, engine=engine, invariants=invariants)


def game_of(program: Program, engine: str = "reference", invariants: bool = False) -> Game:
    """A checked program, ready to play."""
    _check_engine(engine)
    if engine == "wasm":
        from .wasm.engine import WasmGame

        return WasmGame.of(program, _reference, invariants=invariants)
    from .reference.engine import ReferenceGame

    return ReferenceGame(program, invariants=invariants)


def _reference(blueprint: Blueprint) -> Game:
    """The game that the fast engine asks for a log, or to run a single rule."""
    from .reference.engine import ReferenceGame

    return ReferenceGame.of(blueprint)


def _check_engine(engine: str) -> None:
    if engine not in ENGINES:
        from .game import GameError

        raise GameError(f"there is no engine {engine!r}; there is {', '.join(ENGINES)}")


def __getattr__(name: str) -> Any:
    if name in __all__:
        import importlib

        return getattr(importlib.import_module(f".{_HOMES.get(name, 'game')}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
