"""What would be after a rule: the same on both engines, and nothing of it happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import load_game

from interpreter.errors import RuleFault
from interpreter.loading import ENGINES

GAME = """
game tiny
  players 2

enum Good: wood, wool, iron
enum Hill, ring: oak, elm, ash, fir

the game has
  n: 0..99 = 5
  storm: flag
  seen: set of Hill
  pile: stack of Good = [wood, wool]
  bank: pool of Good = {wood: 3}
  found: 0..999
  told: 0..9

each Player has
  land: grid of Good, at most 4
  score: 0..99

each Hill has
  stone: slot of Player

winner most score[p], then shared
event shaken(by: 0..9)

graph held(p: Player)
  node h in Hill where stone[h] is p
  edge h to next(h)

define free = count(h in Hill where stone[h] is none)
define tops(l: pieces of Good) = count(l)

rule grow(k: 0..9)
  increase n by k
  announce shaken(k)
  rule grow.more when k > 2
    increase n by 100 - 99

rule heard on shaken(by)
  set storm to by > 1

rule take(h: Hill, p: Player)
  set stone[h] to p
  set seen to set(g for part in [seen, set([h])], g in part)

rule pick
  surely move 1 from pile to bank

rule lay(p: Player)
  surely move 1 of wood from bank to land[p] at (0, 0)

rule noticed whenever n > 5 or storm
  increase told by 1
  set n to 5
  set storm to no

rule play
  set found to {value}
  each p in Player
    p chooses chosen in 1..2
    set found to {value}
"""

VALUES = {
    "n after do grow(2)": 7,
    "n after do grow(3)": 9,
    "(if storm then 1 else 2) after do grow(2)": 1,
    "n + (n after do grow(1)) * n": 35,
    "n + n after do grow(1)": 12,
    "(n after do grow(n - 3)) after do grow(1)": 10,
    "sum(n after do grow(k) for k in 1..3)": 22,
    "max(n * k after do grow(k) for k in 0..2) otherwise 0": 14,
    "count(k in 0..4 where n > 7 after do grow(k))": 2,
    "free after do take(elm, first(Player))": 3,
    "count(h in Hill where free is 3 and h is in seen after do take(h, first(Player)))": 4,
    "count(h in Hill where stone[h] is none) after do take(oak, last(Player))": 3,
    "count(seen after do take(fir, first(Player)))": 1,
    "count(pile after do pick)": 1,
    "count(list(count(l) for l in [pile, pile after do pick] where count(l) is 2))": 1,
    "count(list(g for g in pile) after do pick)": 1,
    "(bank after do pick)[wool] * 10 + bank[wool]": 10,
    "tops(bank) * 10 + (tops(bank) after do pick)": 34,
    "count(land[first(Player)] after do lay(first(Player))) + 10 * count(land[first(Player)])": 1,
    "count(openings(land[first(Player)])) after do lay(first(Player))": 4,
    "count(groups(held(first(Player)))) after do take(oak, first(Player))": 1,
    "count(group(held(first(Player)), elm) after do take(elm, first(Player)))": 1,
    "sum(count(pile) * k after do pick for k in 1..2) + count(pile)": 5,
}


@pytest.mark.parametrize("value", VALUES)
def test_values_are_those_of_the_other_position(value: str, tmp_path: Path) -> None:
    text = GAME.replace("{value}", value)
    for engine in ENGINES:
        state = load_game(tmp_path, text, engine=engine).start(0)
        assert state.get("found") == VALUES[value], engine
        assert (state.get("n"), state.get("told"), state.get("bank")) == (5, 0, {"wood": 3}), engine
        assert {event.rule for event in state.log} <= {"play"}
        assert state.fired == {"play": 1}


@pytest.mark.parametrize("value", VALUES)
def test_games_go_on_alike(value: str, made: Callable[[str], Any]) -> None:
    same_on_both(made(GAME.replace("{value}", value)))


def test_what_was_worked_out_before_stays_as_it_was(tmp_path: Path) -> None:
    before = "  let before = pile\n  set found to sum(count(before) * 10 + count(pile) after do pick for k in 1..1)"
    text = GAME.replace("  set found to {value}\n  each p", f"{before}\n  each p").replace("{value}", "1")
    for engine in ENGINES:
        assert load_game(tmp_path, text, engine=engine).start(0).get("found") == 21, engine


def test_a_refusal_tells_what_would_be(tmp_path: Path) -> None:
    text = GAME.replace(
        "    p chooses chosen in 1..2\n", "    surely p chooses k in 1..4 where n < 8 after do grow(k)\n"
    )
    for engine in ENGINES:
        state = load_game(tmp_path, text.replace("{value}", "1"), engine=engine).start(0)
        assert len(state.decision.options) == 2
        refused = state.why_not(None, {"k": 4}).text
        assert refused == "4 is not possible: n < 8 after do grow(k) (n after do grow(k) is 10) does not hold."


@pytest.mark.parametrize("engine", ENGINES)
def test_an_expression_by_itself_can_suppose(engine: str, tmp_path: Path) -> None:
    game = load_game(tmp_path, GAME.replace("{value}", "1"), engine=engine)
    assert game.evaluate("n + 1 after do grow(2)", game.start(0)) == 8


def test_a_refusal_tells_what_cannot_be_told(tmp_path: Path) -> None:
    asked = "    surely p chooses k in 1..99 where k < 6 and n < 8 after do grow(k)\n"
    text = GAME.replace(
        "    p chooses chosen in 1..2\n", asked.replace("k < 6 and n", "k < 6 and (n").replace("(k)", "(k))")
    )
    for engine in ENGINES:
        state = load_game(tmp_path, text.replace("{value}", "1"), engine=engine).start(0)
        refused = state.why_not(None, {"k": 12}).text
        assert "k < 6 (k is 12) does not hold" in refused or "k < 6 does not hold" in refused
        assert "n < 8 after do grow(k) does not hold" in refused


def test_a_fault_in_what_decides_the_game_names_its_line(tmp_path: Path) -> None:
    text = GAME.replace("winner most score[p],", "winner most n after do grow(9 + count(seen)),").replace(
        "{value}", "1"
    )
    text = text.replace("    p chooses chosen in 1..2\n", "    set seen to set([oak])\n")
    faults = set()
    for engine in ENGINES:
        with pytest.raises(RuleFault) as found:
            load_game(tmp_path, text, engine=engine).start(0)
        faults.add((found.value.rule, found.value.span.line, found.value.reason))
    assert faults == {("winner", 24, "10 is outside 0..9, the range that rule grow accepts")}
