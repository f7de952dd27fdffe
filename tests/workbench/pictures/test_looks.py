"""Looks, what they change in a picture, and addresses of options in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import RULES
from small_games import SACK, corpus, write_game

import interpreter
import rulelang
from benchmarks.clicks import effort, measured, seen
from interpreter.game import State
from workbench.checking import check_game
from workbench.pictures import draw, scene_of
from workbench.pictures.layout.page import place
from workbench.pictures.looks.find import formatted
from workbench.pictures.option_addresses import Aim, aim
from workbench.pictures.scene import nodes
from workbench.pictures.scene.look import safe
from workbench.pictures.scene.nodes import Node, Scene


def kinds(scene: Scene) -> set[str]:
    return {node.kind for node in scene.root.walk()}


def find(scene: Scene, address: str) -> Node:
    return next(node for node in scene.root.walk() if node.address == address)


def test_labels_are_in_the_language_asked_for() -> None:
    state = interpreter.load(RULES / "meduris", players=2).start(seed=1)
    assert find(scene_of(state, 0, "nl"), "supply").label == "bergflanken"
    assert find(scene_of(state, 0, "de"), "supply").label == "Berghänge"
    assert find(scene_of(state, 0), "supply").label == "supply"


def test_a_look_of_a_variant_counts_with_the_variant_only() -> None:
    with_it = interpreter.load(RULES / "skye", players=2, variants=["druids"]).start(seed=1)
    supply = find(scene_of(with_it, 0, "nl"), "tablet_supply")
    assert supply.label == "voorraad stenen tabletten"
    assert {"rune-stone", "swap-bag"} <= {str(child.look.get("symbol")) for child in supply.children}


def test_across_puts_the_players_on_both_sides() -> None:
    scene = scene_of(interpreter.load(RULES / "babel").start(seed=1), 0)
    facing = next(node for node in scene.root.children if node.kind == "facing")
    assert [row.look["side"] for row in facing.children] == ["far", "middle", "near"]


def test_a_tile_has_its_regions_roads_and_things() -> None:
    state = interpreter.load(RULES / "skye", players=2).start(seed=1)
    castle = find(scene_of(state, 0), "land[red]@0,0").children[0]
    assert castle.kind == "tile"
    assert len(castle.look["regions"]) == 3
    assert castle.look["roads"]


YARD = corpus("yard")


def test_tokens_can_be_larger_and_a_stack_can_grow_upwards(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "yard", YARD)
    state = interpreter.load(folder).start(seed=1)
    plain = place(scene_of(state, 0), 600).height
    (folder / "yard.look").write_text("look of yard\n\nStone\n  amber: large\nheap: upwards\n", encoding="utf-8")
    page = place(scene_of(state, 0), 600)
    tokens = [(y, box.width) for _, y, box in page.walk() if box.form == "token" and box.address.startswith("heap")]
    assert page.height > plain + 30
    assert [width for _, width in sorted(tokens)] == [38, 27, 38], "the lowest stone is drawn last"


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("Stone: upwards", "`upwards` changes nothing here: it is for stacks."),
        ("heap: chequered", "`chequered` changes nothing here: it is for boards."),
        ("heap: at 1 1", "`at` changes nothing here: it is for members."),
        ("Stone\n  amber: named", "`named` changes nothing here: it is for enums, tables and boards."),
        ("Stone\n  amber: at 1 1", "`at` changes nothing as long as `jet` has no place."),
    ],
)
def test_what_changes_nothing_is_said_to(phrase: str, message: str, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "yard", YARD)
    (folder / "yard.look").write_text(f"look of yard\n\n{phrase}\n", encoding="utf-8")
    found = [one for one in check_game(folder).diagnostics if one.code == "R1003"]
    assert [(one.message, one.severity) for one in found] == [(message, "warning")]


BAD = (
    "",
    "look of\n",
    "look of sack\n\nnothing: hidden\n",
    "look of sack\n\n  left\n",
    "look of sack\nx: icon <script>\n",
)


@pytest.mark.parametrize("text", BAD)
def test_a_bad_look_never_spoils_a_picture(text: str, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "sack", SACK)
    plain = draw(interpreter.load(folder).start(seed=1), 0)
    (folder / "sack.look").write_text(text, encoding="utf-8")
    assert draw(interpreter.load(folder).start(seed=1), 0) == plain


def test_a_changed_look_changes_the_picture_at_once(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "sack", SACK)
    state = interpreter.load(folder).start(seed=1)
    before = draw(state, 0)
    name = next(v.name for v in state.position.blueprint.program.variables.values() if not v.owners)
    (folder / "sack.look").write_text(f"look of sack\n\n{name}: hidden\n", encoding="utf-8")
    assert draw(state, 0) != before


def test_symbols_hold_drawing_commands_only() -> None:
    assert safe("M0 0L10 10z") == "M0 0L10 10z"
    assert safe('M0 0"/><script>alert(1)</script>') is None
    assert safe("url(http://example.com)") is None


def test_names_in_pictures_are_escaped(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "sack", SACK)
    name = next(iter(rulelang.load(folder).variables))
    (folder / "sack.look").write_text(f'look of sack\n\n{name}: en "<b>&"\n', encoding="utf-8")
    assert "<b>" not in draw(interpreter.load(folder).start(seed=1), 0, "en")


def test_layout_is_canonical_and_stays_so() -> None:
    text = "look of pile\n\n\n\nWood :\n      oak:brown ,icon  log   # why\n"
    assert formatted(text) == "look of pile\n\nWood:\n  oak: brown, icon log  # why\n"
    assert formatted(formatted(text)) == formatted(text)


def test_many_members_stay_a_small_picture(tmp_path: Path) -> None:
    rows = "\n".join(f"    m{i}: {i % 9}" for i in range(3000))
    text = f"""game big
  title "Big"
  players 1

table Thing
  worth: 0..9
  rows
{rows}

the game has
  heap: pool of Thing = {{t: 1 for t in Thing}}

rule play
  take turns p from first(Player)
    p chooses one of
      option stop
        end the game
"""
    svg = draw(interpreter.load(write_game(tmp_path / "big", text)).start(seed=1), 0)
    assert len(svg) < 150_000
    assert "+2,910" in svg


def test_a_game_with_nothing_to_draw_has_its_players(tmp_path: Path) -> None:
    text = """game bare
  title "Bare"
  players 1

rule play
  take turns p from first(Player)
    p chooses one of
      option stop
        end the game
"""
    assert kinds(scene_of(interpreter.load(write_game(tmp_path / "bare", text)).start(seed=1), 0)) >= {"panel"}


# Addresses of options: exact where the rules say so, and enough to reach them by clicks.


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
