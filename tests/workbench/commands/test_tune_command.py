"""``rulelang tune``: the answer first, what became of the others, and where it cannot be given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_games import PILE, write_game


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    return write_game(tmp_path / "pile", PILE)


def test_says_what_meets_the_goals(rulelang, pile: Path) -> None:
    ran = rulelang("tune", pile, "--vary", "size=4..8", "--goal", "length 4..5", "--games", "500")
    assert ran.status == 0, ran.err
    assert "Meets all goals: size=8" in ran.out and "5 of 5 settings were tried" in ran.out
    assert "rulelang compare" in ran.out and "--variant size=8" in ran.out


def test_says_that_nothing_does_and_what_is_nearest(rulelang, pile: Path) -> None:
    ran = rulelang("tune", pile, "--vary", "size=4..6", "--goal", "length >= 6", "--games", "500")
    assert ran.status == 1
    assert "No setting meets all goals: each misses one beyond doubt." in ran.out
    assert "Nearest: size=6." in ran.out and "Nothing that was tried meets “length >= 6”." in ran.out


def test_a_number_that_the_rules_do_not_allow_is_told_with_the_reason(rulelang, pile: Path) -> None:
    ran = rulelang("tune", pile, "--vary", "size=8..10", "--goal", "length >= 4", "--games", "200")
    assert "Cannot be played: size=10:" in ran.out and "Meets all goals: size=9 and size=8" in ran.out


def test_as_data_and_kept(rulelang, pile: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    folder = tmp_path / "kept"
    asked = ("tune", pile, "--vary", "size=6..8", "--goal", "length <= 4", "--games", "300", "--format", "json")
    first = rulelang(*asked, "--keep", folder)
    data = json.loads(first.out)
    assert data == json.loads((folder / "tuning.json").read_text())
    assert data["size"] == 3 and data["settings"][0]["meets"] == "yes" and data["tried"] == 3
    assert rulelang(*asked, "--keep", folder).out == first.out == rulelang(*asked).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--vary", "size=4..8"), "Say what you want"),
        (("--vary", "size=4..8", "--goal", "length", "4"), "unexpected"),
        (("--vary", "size=4..8", "--goal", "length >= 4", "--minutes", "0"), "--minutes 0"),
        (("--vary", "size=4..8", "--goal", "length >= 4", "--bots", "gready"), "greedy"),
        (("--vary", "size=4..8", "--goal", "length >= 4", "--players", "9"), "not 9"),
        (("--vary", "size=4..8", "--goal", "lenght >= 4"), "Did you mean `length`"),
    ],
)
def test_what_it_refuses(rulelang, pile: Path, arguments: tuple[str, ...], told: str) -> None:
    ran = rulelang("tune", pile, *arguments)
    assert ran.status == 2 and told in ran.err
