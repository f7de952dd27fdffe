"""Definitions that look at nothing that changes: as tables they give the same, and none where there is a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import load_program

from interpreter.position.blueprint import Blueprint
from interpreter.wasm.write.module import Module
from rulelang.program import ColumnOf, Program

LEAPS = """
game leaps
  players 2

enum Good: wood, wool, iron
grid Square: 5 by 4

each Square has
  side: Player or none

each Player has
  score: 0..999

the game has
  huge: 0..5 = 5

winner most score[p], then shared

define straight = [north, east, south, west]
define leap(c: Square) = list(e for d in straight, b in step(c, d), f in [turned(d, 1), turned(d, 7)], e in step(b, f))
define edge(c: Square, storm: flag) = count(d in Direction where step(c, d) is none and (storm or d is in straight)) > 2
define near(c: Square, n: 2..3) = set(e for e in Square, d in straight where distance_of(c, e) < n)
define distance_of(c: Square, e: Square) = max(c.row, e.row) - min(c.row, e.row) + max(c.column, e.column) - min(
    c.column, e.column)
define best(g: Good) = first(h in Good where index(h) > index(g) and every(index(k) <= index(h) for k in ahead(g)))
define vast(n: 0..3) = count(i in 1..500, j in 1..500 where i * j mod 7 is n) mod 5
define grown(n: 0..5) = 400000000 * sum(k for k in 1..n) - 399999999 * sum(k for k in 1..n)

rule play
  take turns p from first(Player) until every(side[c] is not none for c in Square)
    do turn(p)

rule turn(p: Player)
  p chooses one of
    option leap_to(c in Square, e in leap(c))
      needs side[e] is none and (side[c] is p or count(d in Square where side[d] is p) < 2)
      set side[e] to p
      p scores if edge(e, side[c] is none) then 2 else 1
    option settle(c in Square, n in 2..3, g in Good)
      needs side[c] is none and some(e in near(c, n) where side[e] is next(p)) and best(g) is not iron
      set side[c] to p
      p scores count(near(c, n)) + (if best(g) is none then 1 else 0) + grown(huge - 5)
  otherwise
    each c in Square
      set side[c] to p
"""


def tabulated(program: Program) -> set[str]:
    """The definitions that are tables when the fast engine has the program."""
    found = Module(Blueprint(program), steps=True).registry.program.definitions
    return {name for name, definition in found.items() if isinstance(definition.body, ColumnOf)}


def test_lists_sets_flags_and_optionals(tmp_path: Path) -> None:
    program = load_program(tmp_path, LEAPS)
    assert {"leap", "edge", "near", "best"} <= tabulated(program)
    same_on_both(program, games=12)


def test_left_alone_where_a_value_would_be_a_fault(tmp_path: Path) -> None:
    assert "grown" not in tabulated(load_program(tmp_path, LEAPS))


def test_left_alone_where_it_takes_far_longer_than_it_seems(tmp_path: Path) -> None:
    assert "vast" not in tabulated(load_program(tmp_path, LEAPS))


def test_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", "tables, remember")
    program = load_program(tmp_path, LEAPS)
    assert not tabulated(program)
    same_on_both(program)
