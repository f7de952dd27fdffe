"""Counting the ways a game can go inside the module: the same numbers as choice by choice."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from every_game import GAMES
from small_games import corpus, load_game

import interpreter
from interpreter.errors import RuleFault
from interpreter.position.state import PositionState

WIDE = 200
"""Options of a decision from which a test looks only one choice ahead."""

SECRETS = corpus("sealed_secrets")

RISKY = corpus("risky_perft")


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_the_same_as_choice_by_choice(path: Path) -> None:
    game, dice = interpreter.load(path, engine="wasm"), random.Random(5)
    state = game.start(5)
    for _ in range(3):
        depth = 2 if state.option_count < WIDE else 1
        before = state.key()
        assert state.sequences(depth + 1) == sum(
            after.sequences(depth) for index in range(state.option_count) for after in [_after(state, index)]
        )
        assert state.sequences(2) == PositionState.sequences(state, 2)
        assert state.key() == before
        for _ in range(15):
            if state.option_count:
                state.choose(dice.randrange(state.option_count))


def _after(state: interpreter.State, index: int) -> interpreter.State:
    after = state.copy()
    after.choose(index)
    return after


def test_what_is_decided_together(tmp_path: Path) -> None:
    state = load_game(tmp_path, SECRETS, engine="wasm").start(0)
    assert [state.sequences(depth) for depth in (1, 2, 3, 4)] == [3, 9, 27, 0]


def test_a_fault_on_the_way_is_told_and_harms_nothing(tmp_path: Path) -> None:
    state = load_game(tmp_path, RISKY, engine="wasm").start(0)
    assert state.sequences(3) == 8
    with pytest.raises(RuleFault, match="score"):
        state.sequences(4)
    assert state.sequences(3) == 8
