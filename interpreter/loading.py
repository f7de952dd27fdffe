"""Load a game: from its folder, or from a checked program, for one of the engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from rulelang.limits import Limits
    from rulelang.program import Program

    from .game import Game
    from .position.blueprint import Blueprint
    from .reference.engine import ReferenceGame

ENGINES = ("reference", "wasm")


def load(
    path: str | Path,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    variants: Sequence[str | Path] = (),
    engine: str = "reference",
    invariants: bool = False,
    limits: Limits | None = None,
) -> Game:
    """The game in a folder, for a number of players (None: the fewest), ready to play.

    ``options``: values of options and readings by name; ``variants``: names or files of house rules; ``engine``:
    ``reference`` explains everything, ``wasm`` is fast; ``invariants``: check them after every choice;
    ``limits``: what the rules may cost, by default ``rulelang.limits.standard()``. Raises
    ``rulelang.RulesError`` for mistakes in the rules, ``rulelang.UnusablePath`` for a path that cannot be read or
    settings that do not exist, GameError for an engine that does not.
    """
    _check_engine(engine)
    if engine == "wasm":
        from .wasm.engine import WasmGame

        return WasmGame.load(path, players, options or {}, variants, reference_of, invariants=invariants, limits=limits)
    import rulelang

    program = rulelang.load(path, players=players, settings=dict(options or {}), variants=variants)
    return game_of(program, engine=engine, invariants=invariants, limits=limits)


def game_of(
    program: Program, engine: str = "reference", invariants: bool = False, limits: Limits | None = None
) -> Game:
    """A checked program, ready to play."""
    _check_engine(engine)
    if engine == "wasm":
        from .wasm.engine import WasmGame

        return WasmGame.of(program, reference_of, invariants=invariants, limits=limits)
    from .reference.engine import ReferenceGame

    game = ReferenceGame(program, invariants=invariants, limits=limits)
    game.blueprint.count = lambda: _beside(game.blueprint)
    return game


def reference_of(blueprint: Blueprint) -> ReferenceGame:
    """The game that the fast engine asks for a log, or to run a single rule."""
    from .reference.engine import ReferenceGame

    return ReferenceGame.of(blueprint)


def _beside(blueprint: Blueprint) -> Game:
    """The game on the fast engine."""
    from .wasm.engine import WasmGame

    return WasmGame.beside(blueprint, reference_of)


def _check_engine(engine: str) -> None:
    if engine not in ENGINES:
        from .errors import GameError

        raise GameError(f"there is no engine {engine!r}; there is {', '.join(ENGINES)}")
