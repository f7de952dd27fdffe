"""Games of bots on several threads: in order, the same as one after another, and given up when nobody wants them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from small_games import CARDS, load_game

import interpreter
from interpreter.bots import Stream, make_bot
from interpreter.simulate.games import play_all, play_many


@pytest.fixture
def game(tmp_path: Path) -> Any:
    return interpreter.game_of(load_game(tmp_path, CARDS).program, engine="wasm")


def test_any_number_of_threads_gives_the_same_games(game: Any) -> None:
    bots = [make_bot(name, game) for name in ("ismcts:3", "random", "greedy")]
    alone = list(play_many(game, 5, 2, bots, limit=8))
    assert list(play_all(game, 5, 2, bots, limit=8, threads=2)) == alone


class Counting:
    """Counts its choices."""

    def __init__(self) -> None:
        self.choices = 0

    def choose(self, state: Any, decision: Any, stream: Stream) -> int:
        self.choices += 1
        return 0


def test_whoever_stops_listening_stops_the_games(game: Any) -> None:
    bot = Counting()
    results = play_all(game, 1, 10_000, [bot] * game.players, threads=2)
    first = next(results)
    results.close()
    assert first.index == 0
    assert bot.choices < 1_000
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("games")]
