"""Whole games from rule texts, played at random on the reference engine, with every invariant checked."""

from __future__ import annotations

import contextlib
import copy
import functools
import gc
import json
import random
from typing import Any

import pytest
from paths import RULES

import interpreter
from interpreter.errors import GameError, SaveError


@functools.cache
def load(players: int) -> Any:
    return interpreter.load(RULES / "meduris", players=players, invariants=True)


def test_copies_saves_and_explanations_at_every_decision() -> None:
    game = load(3)
    state, dice = game.start(11), random.Random(11)
    for n in range(120):
        other = state.copy()
        if n % 20 == 0:
            again = game.resume(json.loads(json.dumps(game.save(state))))
            assert again.key() == state.key()
            assert again.decision == state.decision
            assert again.log == state.log
            other = again
        for i, option in enumerate(state.decision.options[:12]):
            assert state.why(i).allowed
            values = option.value["with"] if option.id else option.value or {}
            assert state.why_not(option.id, values).allowed, option
        index = dice.randrange(len(state.decision.options))
        state.choose(index)
        other.choose(index)
        assert other.key() == state.key()


def damaged(data: Any, dice: random.Random) -> Any:
    """A copy of saved data with one value somewhere replaced or left out."""
    data = copy.deepcopy(data)
    place = data
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return data
        key = dice.choice(keys)
        inner = place[key]
        if isinstance(inner, (dict, list)) and inner and dice.random() < 0.85:
            place = inner
            continue
        if dice.random() < 0.2:
            del place[key]
        else:
            place[key] = dice.choice([None, -1, 3, 10**9, True, "x", [], {}, [[1]], {"list": [1]}, {"set": [[]]}, 1.5])
        return data


@pytest.mark.parametrize("with_choices", [True, False])
def test_damaged_saves_are_refused_or_play_on(with_choices: bool) -> None:
    """Whatever is wrong with a save, people get a SaveError; never anything else, and never a broken state."""
    game = load(2)
    state, dice = game.start(4), random.Random(4)
    for _ in range(40):
        state.choose(dice.randrange(len(state.decision.options)))
    data = game.save(state)
    if not with_choices:
        del data["choices"]
        data["state"]["edited"] = True
    refused = 0
    for _ in range(150):
        try:
            again = game.resume(damaged(data, dice))
        except SaveError as error:
            assert str(error)
            refused += 1
            continue
        assert again.over or again.decision.options
        again.view(0)
        with contextlib.suppress(GameError):
            for _ in range(40):
                if again.over:
                    break
                again.choose(dice.randrange(len(again.decision.options)))
    assert refused > 60


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "format 99"),
        ({"language": "4.0"}, "version `4.0` of the rules language; this program plays version 3"),
        ({"language": [1]}, r"version \[1\] of the rules language"),
        ({"game": "chess"}, "of the game `chess`"),
        ({"players": 3}, "for 3 players"),
        ({"version": "0"}, "rules have changed"),
        ({"variants": ["x"]}, "with the variants"),
        ({"settings": {}}, "other settings"),
        ({"seed": 5}, "damaged"),
    ],
)
def test_saves_of_something_else_say_so(change: dict[str, Any], message: str) -> None:
    game = load(2)
    state = game.start(4)
    state.choose(0)
    with pytest.raises(SaveError, match=message):
        game.resume(game.save(state) | change)


def test_a_save_of_another_version_of_the_language_goes_on_where_it_is_the_same_game() -> None:
    game = load(2)
    data = game.save(game.start(4))
    for version in ("1.99", "2.99"):
        assert game.resume(data | {"language": version}).key() == game.start(4).key()
    del data["language"]
    with pytest.raises(SaveError, match="saved with an unknown version of the rules language"):
        game.resume(data)


@pytest.mark.parametrize("garbage", [None, [], "x", {}, {"format": 1}, {"format": 1, "game": "meduris"}])
def test_garbage_is_not_a_save(garbage: Any) -> None:
    with pytest.raises(SaveError):
        load(2).resume(garbage)


def test_play_leaves_nothing_to_the_garbage_collector() -> None:
    """A circle of references in every decision once made whole games a fifth slower."""
    game = load(2)
    play_on(game.start(1), 60)  # makes what a game remembers
    gc.freeze()  # what other tests left behind would take seconds to look through
    gc.disable()
    try:
        decisions = play_on(game.start(2), 150)
        assert gc.collect() < decisions  # others in this process may leave a few
    finally:
        gc.enable()
        gc.unfreeze()


def play_on(state: interpreter.State, most: int) -> int:
    """Plays so many decisions at most; how many there were."""
    decisions = 0
    while state.decision is not None and decisions < most:
        state.choose(len(state.decision.options) // 2)
        decisions += 1
    return decisions
