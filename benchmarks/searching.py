"""Search: iterations of ISMCTS per CPU second, beside the playouts they contain, for every game in ``rules/``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from benchmarks.rows import Row, progress
from benchmarks.subjects import FAST, ROOT, SEED, missing_engine

if TYPE_CHECKING:
    from interpreter.wasm.engine import WasmGame
    from interpreter.wasm.state import WasmState

SECTION = "iterations of ISMCTS per CPU second, beside playouts from the same positions"
AIM = 1 / 2
ITERATIONS = 1_000
"""Iterations of a search, which is how large its tree gets. The first of many are those that cost least."""

_POSITIONS = 3
_PLAYOUT = 0
"""Choices that a tree is deep where there is none: then an iteration is a playout."""


@attrs.define
class Game:
    """A game with positions to search from; ``best``: the highest rates seen, of playouts and of iterations."""

    name: str
    game: WasmGame
    worlds: list[list[WasmState]]
    best: dict[str, float] = attrs.field(factory=dict)

    def measure(self, seconds: float) -> None:
        """Searches from each position, without a tree and with one, for about so many CPU seconds each."""
        from interpreter.wasm.search import DEEPEST

        for by, depth in (("playouts", _PLAYOUT), ("iterations", DEEPEST)):
            done, spent = 0, 0.0
            while spent < seconds:
                for number, worlds in enumerate(self.worlds):
                    iterations, took = self._search(worlds, depth, done + number, seconds)
                    done, spent = done + iterations, spent + took
            self.best[by] = max(self.best.get(by, 0.0), done / spent)

    def _search(self, worlds: list[WasmState], depth: int, seed: int, seconds: float) -> tuple[int, float]:
        from interpreter.wasm.search import Search, Settings

        search = Search(self.game, worlds, Settings(depth=depth), seed, ITERATIONS)
        started = time.process_time()
        while search.iterations < ITERATIONS and search.seek(50):
            if time.process_time() - started > seconds:
                break
        return search.iterations, time.process_time() - started


def measure(seconds: float, repetitions: int, rows: list[Row]) -> None:
    """Adds a row for each game. A game that cannot be searched gets a row that says why."""
    from tests.tools.parity.setups import games_below

    why = missing_engine(FAST)
    for folder in games_below(ROOT / "rules"):
        progress(f"searching {folder.name}")
        try:
            found = _loaded(folder) if why is None else why
            if isinstance(found, Game):
                for _ in range(repetitions):
                    found.measure(seconds)
        except Exception as error:  # the other games are still measured
            found = f"{type(error).__name__}: {error}"
        rows.append(_row(folder.name, found))
    progress("")


def _loaded(folder: Path) -> Game:
    """The game, with the first decision that leaves a choice and some later ones of a random game."""
    import interpreter
    from interpreter.bots import Stream
    from interpreter.bots.experience import Worlds, fast

    loaded = interpreter.load(folder, engine=FAST)
    decisions = [state for state in _played(loaded) if state.option_count > 1]
    chosen = [decisions[len(decisions) * part // _POSITIONS] for part in range(_POSITIONS)]
    worlds = [Worlds.of(loaded, state).drawn(8, Stream(SEED)) for state in chosen]
    return Game(folder.name, fast(loaded), worlds)


def _played(game: Any) -> list[Any]:
    from interpreter.bots import Stream

    chance, state = Stream(SEED), game.start(SEED)
    found = []
    while not state.over:
        found.append(state.copy())
        state.choose(chance.below(state.option_count))
    return found


def _row(name: str, found: Game | str) -> Row:
    if isinstance(found, str):
        return Row(SECTION, name, FAST, None, "/s", to="playouts", aim=AIM, note=found)
    playouts, iterations = found.best["playouts"], found.best["iterations"]
    return Row(SECTION, name, FAST, iterations, "/s", iterations / playouts, "playouts", AIM)
