"""Playouts from a position, which go on without leaving the module: stepping by the same chance must end alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from paths import RULES
from small_games import GAMES, load_game

import interpreter
from interpreter.bots import Stream, mix
from tests.tools.parity.setups import games_below

_LIMIT = 3_000


def compare(game: Any, seeds: int) -> None:
    """Rolls on from positions of random games, to the end and from close to it."""
    for seed in range(seeds):
        chance = Stream(mix(seed))
        state = game.start(seed)
        for _ in range(12):
            if state.over:
                break
            stepped, stream = state.copy(), Stream(seed + 99)
            for _ in range(_LIMIT):
                if stepped.over:
                    break
                stepped.choose(stream.below(stepped.option_count))
            expected = (stepped.scores, stepped.winners) if stepped.over else None
            assert state.playout(seed + 99, _LIMIT) == expected
            for _ in range(1 + chance.below(7)):
                if not state.over:
                    state.choose(chance.below(state.option_count))


@pytest.mark.parametrize("folder", games_below(RULES), ids=lambda folder: folder.name)
def test_rolling_on_is_stepping_by_chance(folder: Path) -> None:
    compare(interpreter.load(folder, engine="wasm"), 1)


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_so_it_is_in_small_games(tmp_path: Path, number: int) -> None:
    program = load_game(tmp_path, GAMES[number]).program
    compare(interpreter.game_of(program, engine="wasm"), 4)
