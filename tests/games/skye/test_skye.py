"""Isle of Skye: random games, and that nobody sees what is hidden."""

from __future__ import annotations

import random
from typing import Any

import pytest
from every_game import findings, report
from paths import RULES

import interpreter

GAME = RULES / "skye"
COUNTS = (2, 3, 4, 5)


@pytest.fixture(scope="module", params=COUNTS)
def game(request: Any) -> Any:
    return interpreter.load(GAME, players=request.param, invariants=True)


@pytest.fixture(scope="module")
def three() -> Any:
    return interpreter.load(GAME, players=3)


def play(state: Any, choices: random.Random) -> Any:
    while state.decision is not None:
        state.choose(choices.randrange(len(state.decision.options)))
    return state


def seen(state: Any, seat: int) -> tuple[Any, list[Any]]:
    """All that a seat is shown: its view, with its options, and its log."""
    return state.view(seat), [e for e in state.log if e.seats is None or seat in e.seats]


def test_the_rules_have_no_mistakes() -> None:
    assert {code for code, _ in findings(GAME)} == {"R0801"}  # the tiles of which two readings differ


def test_there_are_many_examples() -> None:
    assert len(report(GAME).results) >= 55


def test_a_random_game_comes_to_its_end(game: Any) -> None:
    for seed in (1, 2):
        state = play(game.start(seed), random.Random(seed))
        assert state.over
        assert state.winners
        assert state.fired["income"] == (5 if game.players == 5 else 6)


@pytest.mark.parametrize("reading", ["single_first", "pairs_first"])
def test_readings_can_be_switched(reading: str) -> None:
    chosen = {"schedule_of_five": reading, "unplaceable": "out_of_the_game", "around_a_farm": "four_tiles"}
    game = interpreter.load(GAME, players=5, options=chosen, invariants=True)
    assert play(game.start(1), random.Random(1)).over


# ---------------------------------------------------------------- what is hidden


def pricing(three: Any, gold: tuple[int, int, int]) -> Any:
    """The third phase with the same tiles for everybody, and gold as given."""
    state = three.blank(4)
    for player, amount in enumerate(gold):
        state.set(f"gold[{three.program.seats[player]}]", amount)
    state.run("offers")
    return state


def choose(state: Any, *texts: str) -> Any:
    for text in texts:
        state.choose([o.text for o in state.decision.options].index(text))
    return state


def test_the_gold_of_others_is_hidden(three: Any) -> None:
    poor, rich = pricing(three, (9, 8, 8)), pricing(three, (9, 30, 17))
    for choices in (("left", "3", "4"), ("middle", "1", "2"), ("right", "2", "2")):
        assert seen(poor, 0) == seen(rich, 0)
        choose(poor, *choices)
        choose(rich, *choices)
    assert seen(poor, 0) == seen(rich, 0)
    for seat in (1, 2):
        assert seen(poor, seat) != seen(rich, seat)


def test_prices_are_secret_until_all_are_set(three: Any) -> None:
    low, high = pricing(three, (20, 20, 20)), pricing(three, (20, 20, 20))
    choose(low, "left", "1", "1")
    choose(high, "right", "9", "11")
    for seat in (1, 2):
        assert seen(low, seat) == seen(high, seat)
    assert [o.text for o in low.decision.options] == [o.text for o in high.decision.options]
    assert low.view(0)["state"]["stake"] != high.view(0)["state"]["stake"]
    for state in (low, high):
        choose(state, "left", "5", "5", "middle", "2", "3")
    assert high.view(2)["state"]["stake"]["red"] == {"left": 9, "middle": 11, "right": 0}
    texts = [e.text for e in high.log if e.seats is None or 2 in e.seats]
    assert "stake[red, middle] is 11" in texts
    assert low.view(2) != high.view(2)
