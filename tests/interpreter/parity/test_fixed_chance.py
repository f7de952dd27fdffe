"""Fixed outcomes of chance, and rules that run by themselves, do the same on both engines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import corpus, load_game

from interpreter.errors import ChanceError, GameError
from interpreter.game import State
from interpreter.loading import ENGINES

GAME = corpus("lots")


@pytest.fixture
def games(tmp_path: Path) -> list[Any]:
    return [load_game(tmp_path, GAME, engine=engine) for engine in ENGINES]


def alike(states: list[State]) -> None:
    reference, fast = states
    assert fast.key() == reference.key()
    assert fast.values() == reference.values()
    assert fast.fixed_chance == reference.fixed_chance
    assert fast.fired == reference.fired


def test_rolls_and_draws_come_out_as_fixed(games: list[Any]) -> None:
    states = [game.blank(5) for game in games]
    for state in states:
        state.fix_chance([2, 5, "clay", "wool", "wood"])
        state.run("throw")
        assert [state.get(name) for name in ("one", "other", "recent")] == [2, 5, "clay"]
        assert state.fixed_chance == ("wool", "wood")
        state.run("take", [3])
        assert state.get("held")[:2] == ["wool", "wood"]
    alike(states)


def test_chance_goes_on_where_the_outcomes_end(games: list[Any]) -> None:
    for seed in range(8):
        states = [game.blank(seed) for game in games]
        for state in states:
            state.fix_chance([1, 6])
            state.run("mix")  # an order is nothing that can be fixed
            assert (state.get("one"), state.get("other"), state.fixed_chance) == (1, 6, ())
            state.run("take", [2])
        alike(states)


def test_they_are_kept_until_a_step_needs_them(games: list[Any]) -> None:
    states = [game.start(3) for game in games]
    for state, game in zip(states, games, strict=True):
        state.fix_chance([3, 4, "wood", 5, 6, "wool"])
        again = state.copy()
        state.choose(1)
        assert state.scores == (10, 0) and state.fixed_chance == (5, 6, "wool")
        assert again.fixed_chance[:2] == (3, 4)
        resumed = game.resume(game.save(state))
        resumed.choose(2)
        assert resumed.scores == (10, 21) and resumed.fixed_chance == ()
        assert state.scores == (10, 0)
    alike(states)


@pytest.mark.parametrize(
    ("rule", "arguments", "outcomes", "message"),
    [
        ("throw", [], [5, 7], "5 7 cannot come up in rule throw"),
        ("throw", [], [5], "5 cannot come up in rule throw"),
        ("throw", [], [1, 2, "brick"], "brick cannot come up in rule throw"),
        ("take", [2], ["clay"], "clay cannot come up in rule take"),
        ("take", [3], ["wool", "wool"], "wool cannot come up in rule take"),
    ],
)
def test_what_cannot_come_up(games: list[Any], rule: str, arguments: list[Any], outcomes: Any, message: str) -> None:
    told = set()
    for game in games:
        state = game.blank()
        state.fix_chance(outcomes)
        before = state.key()
        with pytest.raises(ChanceError, match=message) as problem:
            state.run(rule, arguments)
        assert state.key() == before
        told.add(str(problem.value))
        state.run("note", [None, {}, []])  # and the next step is as if nothing had been
    assert len(told) == 1


def test_playouts_know_nothing_of_them(games: list[Any]) -> None:
    state = games[ENGINES.index("wasm")].start(3)
    before = [state.playout(seed, 500) for seed in range(5)]
    state.fix_chance([1, 2, "wood"] * 3)
    assert [state.playout(seed, 500) for seed in range(5)] == before
    assert len(state.fixed_chance) == 9


def test_a_rule_by_itself_takes_values_of_every_kind(games: list[Any]) -> None:
    for arguments in (
        ["wool", {"wool": 4}, [3, 98, 7]],
        [None, {}, []],
    ):
        states = [game.blank() for game in games]
        for state in states:
            state.run("note", arguments)
            assert state.get("recent") == arguments[0]
            assert state.get("many") == 10 * sum(arguments[1].values()) + len(arguments[2])
        alike(states)


def test_a_rule_by_itself_may_ask(games: list[Any]) -> None:
    states = [game.blank(1) for game in games]
    for state in states:
        state.run("turn", [state.position.blueprint.program.seats[1]])
        assert state.player == 1 and state.option_count == 3
        with pytest.raises(GameError, match="rule turn is still running"):
            state.run("throw")
        state.fix_chance([1, 2, "wood"])
        state.choose(2)
        assert state.decision is None and state.scores == (0, 5)
    alike(states)
