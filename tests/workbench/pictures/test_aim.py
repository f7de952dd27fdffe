"""Addresses of options: exact where the rules say so, and enough to reach them by clicks."""

from __future__ import annotations

from pathlib import Path

from paths import RULES
from small_games import corpus, write_game

import interpreter
from benchmarks.clicks import effort, measured, seen
from interpreter.game import State
from workbench.pictures.option_addresses import Aim, aim
from workbench.pictures.scene import nodes


def aimed(state: State) -> Aim:
    assert state.decision is not None
    return aim(state.position.blueprint.program, state.decision)


def test_a_field_of_a_board_is_its_option() -> None:
    state = interpreter.load(RULES / "hex").start(seed=1)
    found = aimed(state)
    for number, option in enumerate(state.decision.options if state.decision else ()):
        if option.id == "lay" and option.value is not None:
            assert found.at[f"Cell:{option.value['with']['c']}"] == {number}


def test_a_card_in_hand_is_meant_by_the_hand_it_is_in() -> None:
    state = interpreter.load(RULES / "whist").start(seed=1)
    assert state.decision is not None
    assert not aimed(state).apart
    seat = state.position.blueprint.program.seats[state.decision.player]
    assert all(address.startswith(f"hand[{seat}]:") for address in aimed(state).at)


LEFT = corpus("left")


def test_a_member_of_a_set_is_meant_where_the_set_is_drawn(tmp_path: Path) -> None:
    state = interpreter.load(write_game(tmp_path, LEFT)).start(seed=1)
    found = aimed(state).within(seen(state))
    assert not found.apart and {effort(found, number) for number in range(state.option_count)} == {"one"}


STALLS = corpus("stalls")


def test_a_number_in_a_condition_is_no_place_but_says_which_where_nothing_else_does(tmp_path: Path) -> None:
    state = interpreter.load(write_game(tmp_path / "stalls", STALLS)).start(seed=1)
    decision = state.decision
    assert decision is not None
    numbers = {option.text: number for number, option in enumerate(decision.options)}
    found = aimed(state).at
    assert found["shelf[north]"] == {numbers["buy north"]}
    assert "price[north]" not in found and "coins[red]" not in found
    assert found["open[south]"] == {numbers["close south"]}


SHELVES = """
game shelves
  players 2

enum Gem: red, blue
enum Shelf: upper, lower

the game has
  bank: pool of Gem = {g: 5 for g in Gem}
  chest: pool of Gem = {g: 5 for g in Gem}

each Player and Shelf has
  goods: pool of Gem

rule play
  repeat at most 2
    each p in Player
      p chooses s in Shelf, g in Gem where goods[p, s][g] < 5
        surely move 1 of g from bank to goods[p, s]
        do pay(red)

rule pay(g: Gem)
  move up to 1 of g from chest to bank
"""


def test_an_empty_place_of_a_player_is_there_and_names_of_other_rules_are_their_own(tmp_path: Path) -> None:
    state = interpreter.load(write_game(tmp_path, SHELVES)).start(seed=1)
    found = aimed(state).within(seen(state))
    gems = {at for at in found.at if at.startswith("bank:")}
    assert {"goods[player_1, upper]", "goods[player_1, lower]", *gems} == set(found.at) and len(gems) == 2
    assert all(len(found.at[gem]) == 2 for gem in gems)


def test_what_cannot_be_seen_is_left_to_a_button() -> None:
    state = interpreter.load(RULES / "whist").start(seed=1)
    assert state.decision is not None
    assert len(aimed(state).within(()).apart) == len(state.decision.options)
    assert not aimed(state).within(seen(state)).apart


def test_two_clicks_narrow_what_one_does_not() -> None:
    found = Aim({"a": frozenset({0, 1}), "b": frozenset({1, 2}), "c": frozenset({0})}, (3,))
    assert [effort(found, option) for option in range(4)] == ["one", "two", "list", "button"]


def test_every_option_on_a_board_takes_two_clicks_at_most() -> None:
    counts = measured(str(RULES / "classics" / "breakthrough"), None, games=1, decisions=12)
    assert set(counts) <= {"one", "two"}


def test_addresses_are_taken_apart_as_they_are_made() -> None:
    place = nodes.place("temple", ["north", "medes"])
    assert place == "temple[north, medes]"
    for exact in (nodes.kind(place, "wood"), nodes.position(place, 3), nodes.square(place, 2, -1)):
        assert nodes.around(exact) == place
    assert nodes.around("Field:f3") == "Field"


def test_changed_cells_are_named() -> None:
    before = {"goods": {"red": {"wood": 1}, "blue": {"wood": 2}}, "steps": 1}
    after = {"goods": {"red": {"wood": 1}, "blue": {"wood": 3}}, "steps": 2}
    assert nodes.changed({"goods": 1, "steps": 0}, before, after) == {"goods[blue]", "steps"}
