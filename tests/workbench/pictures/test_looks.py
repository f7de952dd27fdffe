"""Looks: what they change in a picture, what variants add, and that bad ones never spoil a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import RULES
from small_games import SACK, corpus, write_game

import interpreter
import rulelang
from workbench.checking import check_game
from workbench.pictures import draw, scene_of
from workbench.pictures.layout.page import place
from workbench.pictures.looks.find import formatted
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
