"""Isle of Skye: random games, and that nobody sees what is hidden."""

from __future__ import annotations

import json
import random
from typing import Any

import attrs
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


def play(state: Any, choices: random.Random, until: Any = lambda state: False) -> Any:
    while state.decision is not None and not until(state):
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


@pytest.mark.slow
def test_fifty_random_games_come_to_their_end(game: Any) -> None:
    for seed in range(50):
        assert play(game.start(seed), random.Random(seed)).over


def test_a_saved_game_goes_on_as_it_would_have(three: Any) -> None:
    """Saved in the middle of the secret prices, where one player has decided and another has begun."""
    state = play(three.start(5), random.Random(5), lambda s: s.fired["offers"] == 3 and s.decision.player == 1)
    again = three.resume(json.loads(json.dumps(three.save(state))))
    assert again.key() == state.key()
    ends = [play(s, random.Random(9)) for s in (state, again)]
    assert ends[0].key() == ends[1].key()
    assert ends[0].scores == ends[1].scores


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


def test_what_others_can_pay_is_hidden_while_they_buy(three: Any) -> None:
    """The others are told the same whether the second player could have bought something or nothing."""
    states = []
    for gold in (3, 60):
        state = pricing(three, (9, gold, 8))
        choose(state, "left", "3", "4", "middle", "1", "2", "right", "2", "2")
        state.run("buying")
        choose(state, "buy.nothing")
        states.append(state)
    assert [len(s.decision.options) for s in states] == [1, 5]
    for seat in (0, 2):
        assert seen(states[0], seat) == seen(states[1], seat)
    for state in states:
        choose(state, "buy.nothing")
    for seat in (0, 2):
        assert seen(states[0], seat) == seen(states[1], seat)


def test_what_lies_in_the_bag_is_hidden(three: Any) -> None:
    """Another state of chance, and other tiles in the bag: the same to every seat."""
    state = play(three.start(8), random.Random(8), lambda s: s.fired["offers"] == 2)
    other = state.copy()
    position = other.position
    bag = position.blueprint.layout.places["tiles"].offset
    position.chance += 1
    counts = list(position.cells[bag])
    there, gone = counts.index(1), counts.index(0)
    counts[there], counts[gone] = 0, 1
    position.cells[bag] = tuple(counts)
    assert other.key() != state.key()
    for seat in range(3):
        assert seen(other, seat) == seen(state, seat)
        assert "tiles" not in state.view(seat)["state"] or set(state.view(seat)["state"]["tiles"]) == {"count"}


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


def test_random_games_show_nothing_hidden(three: Any) -> None:
    """At every decision, other gold and other chance leave what a seat is shown, and offered, as it was."""
    choices = random.Random(11)
    state = three.start(11)
    for _ in range(70):
        for seat in range(3):
            other = with_other_gold(state.copy(), {0, 1, 2} - {seat})
            assert other.view(seat) == state.view(seat)
            if state.decision.player == seat:
                position = other.position
                asked = position.asked
                assert asked.question.offers(position.cells, position.frames[-1].local) == asked.raws
        state.choose(choices.randrange(len(state.decision.options)))


def with_other_gold(state: Any, seats: set[int]) -> Any:
    position = state.position
    gold = position.blueprint.layout.places["gold"].offset
    position.chance += 1
    before = list(position.secret.before) if position.secret is not None else []
    for cells in (position.cells, before):
        for seat in seats if cells else ():
            cells[gold + seat] += 3
    if position.secret is not None:
        position.secret = attrs.evolve(position.secret, before=tuple(before))
    return state
