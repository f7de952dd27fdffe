"""Isle of Skye and its druids: random games, with and without the variants, and what is hidden."""

from __future__ import annotations

import random
from typing import Any

import pytest
from paths import RULES

import interpreter
from interpreter.examples import run_examples

GAME = RULES / "skye"
COUNTS = (2, 5)
ROUNDS = {2: 6, 3: 6, 4: 6, 5: 5}
FIXES_CHANCE_OF_THE_SETUP = {"setup.first_decision", "round.the_first_one"}
"""Examples of the base game that fix what chance brings: the row is drawn before."""
GOES_ON_AFTER_BUYING = {
    "buy.price_and_stake_go_to_the_seller",
    "buy.in_turn_order",
    "buy.leftovers_are_kept_and_paid_to_the_bank",
}
"""Examples of the base game that end with the first pass."""


@pytest.fixture(scope="module", params=COUNTS)
def game(request: Any) -> Any:
    return interpreter.load(GAME, players=request.param, invariants=True)


@pytest.fixture(scope="module", params=COUNTS)
def druids(request: Any) -> Any:
    return interpreter.load(GAME, players=request.param, variants=["druids"], invariants=True)


def play(state: Any, choices: random.Random) -> Any:
    while state.decision is not None:
        state.choose(choices.randrange(len(state.decision.options)))
    return state


def seen(state: Any, seat: int) -> tuple[Any, list[Any]]:
    """All that a seat is shown: its view, with its options, and its log."""
    return state.view(seat), [e for e in state.log if e.seats is None or seat in e.seats]


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


def choose(state: Any, *texts: str) -> Any:
    for text in texts:
        state.choose([o.text for o in state.decision.options].index(text))
    return state


def revealed(state: Any) -> int:
    return 36 - int(state.view(0)["state"]["druid_tiles"]["count"])


# ---------------------------------------------------------------- the druids


@pytest.mark.slow  # it runs every example of the base game again; the druids have examples of their own
def test_the_base_game_is_changed_only_where_it_should_be() -> None:
    with_them = run_examples(GAME, variants=["druids"])
    assert {r.name for r in with_them.results if r.failures} == FIXES_CHANCE_OF_THE_SETUP | GOES_ON_AFTER_BUYING


def test_a_random_game_with_the_druids(druids: Any) -> None:
    for seed in (1, 2):
        state = play(druids.start(seed), random.Random(seed))
        assert state.over
        assert state.winners
        assert state.fired["pass_two"] == ROUNDS[druids.players] * druids.players
        # Five at first; then one a round, and one for each tile that was bought.
        bought = state.fired["pass_two.dolmen"]
        assert revealed(state) == 5 + ROUNDS[druids.players] + bought
        assert revealed(state) <= 5 + ROUNDS[druids.players] * (1 + druids.players) <= 35


def test_the_stacks_hold_when_everybody_buys_from_the_row(druids: Any) -> None:
    """Nobody sets a price above the lowest, and everybody buys from the row whenever they can."""
    state = druids.start(3)
    choices = random.Random(3)
    while state.decision is not None:
        texts = [o.text for o in state.decision.options]
        wanted = [n for n, text in enumerate(texts) if text.startswith("pass_two.dolmen")]
        if wanted:
            state.choose(choices.choice(wanted))
        elif "buy.nothing" in texts:
            choose(state, "buy.nothing")
        elif texts[0] == "1":
            state.choose(0)
        else:
            state.choose(choices.randrange(len(texts)))
    assert state.over
    assert state.fired["pass_two.dolmen"] > 2 * druids.players
    assert revealed(state) == 5 + ROUNDS[druids.players] + state.fired["pass_two.dolmen"] <= 35


@pytest.mark.parametrize("reading", ["after_all_turns", "at_once"])
def test_a_random_game_with_the_journeyman(reading: str) -> None:
    options = {"bonus_at_the_start": "everybody", "second_purchase": reading}
    game = interpreter.load(GAME, players=3, variants=["journeyman"], options=options, invariants=True)
    state = play(game.start(1), random.Random(1))
    assert state.over
    assert state.fired["second_turn"] == 18
    assert state.fired["buy_by_the_bank"] > 0


def test_the_other_readings_can_be_played() -> None:
    options = {
        "last_tablets": "too_late",
        "own_tile_paid": "from_hand",
        "own_tile_when": "before_or_after",
        "unplaceable_druid": "to_the_stacks",
        "row_refilled": "after_the_pass",
        "line_counts": "each_stretch",
        "diagonal_length": "widest_span",
        "drawn_tiles": "private",
        "lake_houses_count": "each_lake",
    }
    game = interpreter.load(GAME, players=4, variants=["druids"], options=options, invariants=True)
    assert play(game.start(1), random.Random(1)).over


# ---------------------------------------------------------------- what is hidden


@pytest.mark.parametrize(("drawn", "alike"), [("private", True), ("open", False)])
def test_tiles_drawn_unseen_are_seen_by_who_drew_them(drawn: str, alike: bool) -> None:
    game = interpreter.load(GAME, players=2, variants=["druids"], options={"drawn_tiles": drawn})
    states = []
    for other in (1, 2):
        state: Any = game.blank(1)
        cells, bag = state.position.cells, state.position.blueprint.layout.places["tiles"].offset
        cells[bag] = tuple(int(n in (0, other)) for n in range(len(cells[bag])))
        state.set("gold[red]", 5)
        state.run("pass_two", ["red"])
        states.append(choose(state, "pass_two.bag"))
    assert (seen(states[0], 1) == seen(states[1], 1)) is alike
    assert seen(states[0], 0) != seen(states[1], 0)
    for state in states:
        choose(state, "t01")
    assert (seen(states[0], 1) == seen(states[1], 1)) is alike
