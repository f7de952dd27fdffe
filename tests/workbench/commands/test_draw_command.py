"""``rulelang draw`` and ``rulelang look``: forms of pictures, files, and mistakes on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paths import RULES
from small_games import write_game
from syrupy.assertion import SnapshotAssertion

MEDURIS = RULES / "meduris"


def test_svg_on_standard_output(pile: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from workbench.cli import run

    assert run(["draw", str(pile)]) == 0
    assert capfdbinary.readouterr().out.startswith(b"<svg")


@pytest.mark.parametrize(("form", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("json", b"{")])
def test_every_form_is_written_to_a_file(rulelang, pile: Path, tmp_path: Path, form: str, start: bytes) -> None:
    file = tmp_path / f"picture.{form}"
    assert rulelang("draw", pile, "--to", form, "--out", file).status == 0
    assert file.read_bytes().startswith(start)


def test_scene_of_a_setup(rulelang, snapshot: SnapshotAssertion) -> None:
    scene = json.loads(rulelang("draw", RULES / "babel", "--to", "json").out)
    assert scene == snapshot


def test_scene_of_a_board(rulelang, snapshot: SnapshotAssertion) -> None:
    scene = json.loads(rulelang("draw", RULES / "classics" / "reversi", "--to", "json").out)
    assert scene["alt"] == snapshot


def test_steps_of_an_example_keep_what_changes(rulelang) -> None:
    ran = rulelang("draw", MEDURIS, "--example", "yield.scarce_top_first.e13", "--format", "json")
    steps = json.loads(ran.out)["steps"]
    assert [step["title"] for step in steps] == ["example yield.scarce_top_first.e13", "run small_yield(R)"]
    assert all(part["kind"] != "ring" for part in steps[1]["scene"]["children"])


def test_changes_have_a_ring_of_two_tones(rulelang, tmp_path: Path) -> None:
    file = tmp_path / "steps.svg"
    rulelang("draw", MEDURIS, "--example", "yield.scarce_top_first.e13", "--out", file)
    svg = file.read_text(encoding="utf-8")
    assert svg.count('class="rl-ring"') == svg.count('class="rl-halo" stroke-width="6"') == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "9"], "there is no such seat; choose one of 1 red"),
        (["--example", "nosuch"], "there is no such example"),
        (["--lang", "xx"], "choose one of en"),
        (["--players", "9"], "is for 2 to 3 players"),
        (["--out", "/nowhere/at/all.svg"], "cannot be written"),
    ],
)
def test_mistakes_get_a_line(rulelang, pile: Path, arguments: list[str], said: str) -> None:
    ran = rulelang("draw", pile, *arguments)
    assert ran.status == 2
    assert said in ran.err


def test_an_example_through_the_eyes_of_a_seat(rulelang) -> None:
    example = "yield.scarce_top_first.e13"
    seen = json.loads(rulelang("draw", MEDURIS, "--example", example, "--seat", "B", "--format", "json").out)
    assert "stockpile: 5 wood" in seen["steps"][0]["alt"]
    other = rulelang("draw", MEDURIS, "--example", example, "--seat", "R", "--format", "json").out
    assert "5 wood" not in other
    ran = rulelang("draw", MEDURIS, "--example", example, "--seat", "9")
    assert ran.status == 2
    assert "there is no such seat; choose one of 1 R" in ran.err


SORTS = """
game sorts
  players 2

enum Man: pawn, knight, king
enum Hue: red, orange
enum Face: one, two
enum Line: line_1, line_2
enum Card: red_card, village_card, witch_card

each Line has
  men: pool of Man
  faces: pool of Face
  hues: pool of Hue
  cards: pool of Card

rule play
  do nothing
"""


def test_suggestions_are_what_one_would_keep(rulelang, tmp_path: Path) -> None:
    folder = write_game(tmp_path / "sorts", SORTS)
    told = rulelang("look", "suggest", folder).out
    (folder / "sorts.look").write_text(told, encoding="utf-8")
    ran = rulelang("check", folder, "--format", "json")
    assert [d for d in json.loads(ran.out)["diagnostics"] if d["code"].startswith("R10")] == []
    lines = told.splitlines()
    for line in ("knight: icon chess-knight", "king: icon chess-king", 'two: "2"', "red_card: red",
                 "village_card: icon village  # icon huts-village?"):  # fmt: skip
        assert f"  {line}" in lines
    assert "witch_card  # icon witch-face" in told
    assert "Hue" not in lines and "Line" not in lines  # pictures show them as they are


def test_symbols_are_found_by_a_word(rulelang) -> None:
    assert "horse-head" in rulelang("look", "symbols", "horse").out
    assert rulelang("look", "symbols", "zzzz").status == 1
