"""Searches of hostile games end, and searches use nothing that their seat may not see."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, load_program
from test_bots import GUESS, TOP

import interpreter
from interpreter.bots import Stream, make_bot
from interpreter.bots.experience import Worlds
from interpreter.simulate.games import play_one
from interpreter.wasm.engine import WasmGame
from interpreter.wasm.search import Search, Settings
from rulelang.limits import Limits

ENDLESS = corpus("endless/mill")
"""Whatever is chosen, what follows takes hours: no sum of two squares is one less than a multiple of four."""


@pytest.mark.parametrize("name", ["ismcts:40", "greedy", "flat:40"])
def test_a_search_that_takes_too_long_is_given_up(tmp_path: Path, name: str) -> None:
    """The fault is that of the game itself, and names the rule."""
    program = load_program(tmp_path, ENDLESS)
    game = interpreter.game_of(program, engine="wasm", limits=Limits(work=1_000_000_000))
    result = play_one(game, 1, [make_bot(name, game)] * 2)
    assert result.fault is not None and "grind" in result.fault


@pytest.mark.parametrize("text", [GUESS, TOP], ids=["in another's hand", "on the deck"])
def test_searches_of_states_that_look_alike_are_equal_byte_by_byte(tmp_path: Path, text: str) -> None:
    game: Any = interpreter.game_of(load_program(tmp_path, text), engine="wasm")
    assert isinstance(game, WasmGame)
    secrets, memories, found = set(), set(), []
    for seed in range(6):
        state = game.start(seed)
        secrets.add(str(state.view(None)) + str(state.position.cells))

        def search(state: Any = state) -> None:
            one = Search(game, Worlds.of(game, state).drawn(8, Stream(2)), Settings(), 3, 500)
            one.seek(500)
            memories.add(hashlib.sha256(game.steps.searching.bytes).hexdigest())
            found.append(one.judged())

        thread = threading.Thread(target=search)  # which gets a memory of its own
        thread.start()
        thread.join()
    assert len(secrets) > 2
    assert len(memories) == 1 and all(one == found[0] for one in found) and len(found) == 6
