"""``rulelang draw`` and ``rulelang look``: forms of pictures, files, and mistakes on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paths import RULES
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


def test_suggestions_are_a_look_without_mistakes(rulelang, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "whist"
    shutil.copytree(RULES / "whist", folder)
    (folder / "whist.look").write_text(rulelang("look", "suggest", folder).out, encoding="utf-8")
    ran = rulelang("check", folder, "--format", "json")
    assert [d for d in json.loads(ran.out)["diagnostics"] if d["code"].startswith("R10")] == []


def test_symbols_are_found_by_a_word(rulelang) -> None:
    assert "horse-head" in rulelang("look", "symbols", "horse").out
    assert rulelang("look", "symbols", "zzzz").status == 1
