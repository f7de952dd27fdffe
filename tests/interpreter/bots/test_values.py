"""Values of positions: fitted the same everywhere, brought to other rule sets, and used where they win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.bots.experience import Experience
from interpreter.bots.greedy_bot import Foresight, GreedyBot
from interpreter.simulate.games import play_one
from interpreter.wasm.engine import WasmGame
from interpreter.wasm.value import Value, words_of

RULES = Path("rules")


def loaded(path: Path) -> WasmGame:
    game = interpreter.load(path, players=2, engine="wasm")
    assert isinstance(game, WasmGame)
    return game


@pytest.fixture(scope="module")
def kalah() -> WasmGame:
    return loaded(RULES / "kalah")


def test_a_value_is_the_same_each_time_and_another_in_each_training(kalah: WasmGame) -> None:
    one, again, other = (Value.of(kalah, seed, short=8) for seed in (0, 0, 1))
    assert one is not None and again is not None and other is not None

    def told(value: Value) -> list[Any]:
        return [(key, weights.tolist()) for key, weights in value.weights.items()]

    assert told(one) == told(again) != told(other)
    assert set(one.weights) <= set(words_of(kalah))


def test_a_player_who_judges_by_it_beats_one_who_looks_who_is_ahead(kalah: WasmGame) -> None:
    known = Foresight.of(kalah, None)
    assert known.value is not None
    ahead = GreedyBot(kalah, quick=True, foresight=Foresight(0, known.scale))
    won = 0
    for number in range(60):
        seats = [ahead, ahead]
        seats[number % 2] = GreedyBot(kalah, quick=True)
        won += number % 2 in play_one(kalah, number, seats).winners
    assert won > 33


def test_players_of_a_comparison_bring_their_value_to_the_house_rule(kalah: WasmGame) -> None:
    trained = [Foresight.of(kalah, Experience(kalah, training)).value for training in (1, 1, 2)]
    assert trained[0] is trained[1] is not trained[2]
