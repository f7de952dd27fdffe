"""The count of one kind of pieces that a formula gives: on both engines the same, whatever the formula."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import load_game

from interpreter import RuleFault

GAME = """game amounts
  players 2

enum Good: wood, wool, iron, gems

table Card
  wood: 0..9
  iron: 0..9
  rows
    ale: 2, 1
    bun: 0, 4

the game has
  bank: pool of Good = {wood: 3, iron: 1, gems: 4}
  told: list of -99..99, at most 40
  big: 0..2147483647 = 2147483647

each Player has
  score: 0..9

winner most score[p], then shared

define printed(c: Card) = {wood: c.wood, iron: c.iron - 2}
define found(g: Good) = count(h in Good where index(h) < index(g)) - 1
define discount = {g: found(g) for g in Good}
define price(c: Card) = {g: 2 * printed(c)[g] - discount[g] for g in Good}
define few = {g: 1 for g in Good where index(g) > 1}
define twice(g: Good) = {g: 2, wood: 3}
define great = {wood: big * 2, iron: 1}

rule play
  set told to list(FORMULA for c in Card, g in Good)
  first(Player) chooses n in 1..3
  first(Player) wins
"""

FORMULAS = [
    "printed(c)[g]",
    "discount[g]",
    "price(c)[g]",
    "(bank - printed(c))[g]",
    "(printed(c) - bank)[g]",
    "(price(c) - discount)[wood]",
    "few[g]",
    "twice(g)[g]",
    "twice(g)[wood]",
    "(bank + printed(c))[g]",
    "(if c is ale then bank else printed(c))[g]",
    "{wood: 1, wood: 2}[g]",
    "{g: 1}[next(g) otherwise wood]",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_same_on_both_engines(tmp_path: Path, formula: str) -> None:
    text = GAME.replace("FORMULA", formula)
    games = [load_game(tmp_path, text, engine=engine) for engine in ("reference", "wasm")]
    told = [game.evaluate("told", game.start(1)) for game in games]
    assert told[0] == told[1]
    assert len(told[0]) == 8


def test_what_faults_for_another_kind_is_met(tmp_path: Path) -> None:
    text = GAME.replace("FORMULA", "great[iron]")
    for engine in ("reference", "wasm"):
        with pytest.raises(RuleFault, match="does not fit in 32 bits"):
            load_game(tmp_path, text, engine=engine).start(1)
