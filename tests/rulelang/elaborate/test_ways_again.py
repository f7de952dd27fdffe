"""Ways looked at again and again: mistakes of what they use are told each time, and once."""

from __future__ import annotations

from pathlib import Path

import rulelang
from rulelang.types import describe

GAME = """game inc
  players 2

grid Cell: 4 by 4

ways walks(a: Cell), at most 9 steps
  from (a, none)
  step w to (b, a) for (here, o) in last(w), b in step(here, north) where good(b)

define good(c: Cell) = c.row < 3 and other(c)
define other(c: Cell) = c.wrong is 3

rule play
  roll p in Player
  surely p chooses w in walks(a1)
  p wins
"""


def found(folder: Path, text: str) -> list[tuple[str, int]]:
    (folder / "inc.rules").write_text(text, encoding="utf-8")
    return [(d.code, d.span.line) for d in rulelang.check_path(folder).diagnostics]


def test_mistakes_are_told_each_time(tmp_path: Path) -> None:
    wrong = [("R0408", 11)]
    assert found(tmp_path, GAME) == wrong
    assert found(tmp_path, GAME) == wrong
    assert found(tmp_path, GAME.replace("good(b)", "good(b) and count(w) < 4")) == wrong
    right = GAME.replace("c.wrong is 3", "c.row > 0")
    assert found(tmp_path, right) == []
    assert found(tmp_path, right.replace("good(b)", "god(b)")) == [("R0401", 8)]
    assert found(tmp_path, right.replace("(b, a)", "b")) == [("R0402", 8)]
    assert found(tmp_path, right) == []


def test_what_ways_lead_past_is_found_from_the_steps(tmp_path: Path) -> None:
    text = GAME.replace("where good(b)", "").replace("c.wrong is 3", "c.row > 0")
    (tmp_path / "inc.rules").write_text(text, encoding="utf-8")
    type_ = rulelang.load(tmp_path).definitions["walks"].type
    assert describe(type_) == "a list of a list of (Cell, Cell or none)"


def test_numbers_that_grow_have_no_bounds(tmp_path: Path) -> None:
    text = GAME.replace("from (a, none)", "from 1").replace("c.wrong is 3", "c.row > 0")
    text = text.replace("(b, a) for (here, o) in last(w), b in step(here, north) where good(b)", "last(w) * 2")
    (tmp_path / "inc.rules").write_text(text, encoding="utf-8")
    type_ = rulelang.load(tmp_path).definitions["walks"].type
    assert describe(type_) == "a list of a list of a number"
