"""What is looked at, and when: a value that nobody looks at stops no game, on either engine; see the language page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import load_program

from interpreter.errors import RuleFault
from tests.tools.parity import Pair
from tests.tools.parity.games_compared import attempt, difference, same_fault

HEAD = """
game tiny
  players 2

enum Hill, ring: oak, elm, ash, fir

the game has
  big: 0..2147483647 = 2000000000
  one: 0..9 = 1
  storm: flag
  guest: Player or none
  few: 0..3 or none
  seen: set of Hill
  pile: stack of Hill = [oak, elm]

each Player has
  score: 0..9

each Hill has
  stone: Player or none

winner most score[p], then shared

define boom(k: 0..9) = big * (k + one)
define constant(k: 0..2147483647) = 3
define second_is_too_great(k: 0..9) = list(x * big for x in [k, k + 2])
define by_cases(k: 0..9)
  when k is 1: [1, boom(k)]
  otherwise: []
define by_more_cases(k: 0..9)
  when k > 5: []
  otherwise: by_cases(k)
define long(k: 0..9) = list(LONG for x in [0, k, 9])
define narrow(k: 1..5) = k
define narrow_set(s: set of 0..3) = count(s)

graph hills(k: 0..9)
  node h in Hill where boom(k * index(h)) > 3
  edge h to next(h)

rule turn(p: Player)
  p chooses k in 0..MOST
    do nothing
CASES

rule play
  take turns p from first(Player) until score[p] > 8
    do turn(p)
"""

STOPS, YES, NO = "stops", "yes", "no"

CASES = {
    # from left to right, as far as needed
    "one is 1 or boom(1) > 3": YES,
    "storm and boom(1) > 3": NO,
    "boom(1) > 3 or one is 1": STOPS,
    "boom(1) > 3 or yes": STOPS,
    "no and boom(1) > 3": NO,
    "(if storm then boom(1) else 3) > 2": YES,
    "(guest otherwise p) is p": YES,
    "(few otherwise boom(1)) > 2": STOPS,
    "(first(x for x in [4]) otherwise boom(1)) > 2": YES,
    # from the first member on
    "some(x is 1 for x in [one, boom(1)])": YES,
    "some(x is 5 for x in [one, boom(1)])": STOPS,
    "every(x > 5 for x in [one, boom(1)])": NO,
    "first(x for x in [one, boom(1)]) is 1": YES,
    "1 is in [one, boom(1)]": YES,
    "5 is in [one, boom(1)]": STOPS,
    "some(x is one * big for x in second_is_too_great(one))": YES,
    "some(x is 5 for x in second_is_too_great(one))": STOPS,
    "some(x is 1 for x in by_cases(one))": YES,
    "some(x is 1 for x in by_more_cases(one))": YES,
    "count(x in by_more_cases(8)) is 0": YES,
    "some(x is 0 for x in long(one))": YES,
    "some(x > 1000000 for x in long(one))": STOPS,
    "some(x is 1 for x in (if storm then [2] else [one, boom(1)]))": YES,
    "some(x is 1 for part in [[one], [boom(1)]], x in part)": YES,
    "some(x is 1 for x in list(y for y in [one, boom(1)]))": YES,
    "count(x in [one, boom(1)] while x > 3) is 0": YES,
    "count(x in [one, 7, boom(1)] while x > 3 or boom(x) > 2) is 0": STOPS,
    "sum(x for x in [one, boom(1)]) > 0": STOPS,
    "max(x for x in [one, boom(1)]) is 1": STOPS,
    # all of it
    "some(x is 1 for x in reversed([boom(1), one]))": STOPS,
    "some(x is 1 for x in [one, boom(1)] from one)": STOPS,
    "[one, boom(1)][1] is 1": STOPS,
    "count([one, boom(1)]) is 2": STOPS,
    "1 is in set([one, boom(1)])": STOPS,
    "group(hills(one), oak) is set([])": STOPS,
    "some(x is 1 for x in [one] + [boom(1)])": STOPS,
    "([one] + second_is_too_great(one))[1] is 1": STOPS,
    "([one] + [2, 3])[2..9] is [2, 3]": YES,
    "[one, boom(1)][1..1] is [1]": STOPS,
    "1 is in set([one]) + set([boom(1)])": STOPS,
    "set([one]) - set([boom(1)]) is set([1])": STOPS,
    "first(x for x in ranked(y in [one, 5] by most boom(y))) is 5": STOPS,
    "first(x for x in ranked(y in [one, 5] by most y)) is 5": YES,
    "count(leaders(x in [one, 5, boom(1)] by most x)) is 1": STOPS,
    "leaders(x in [one, 5, 0] by fewest boom(0) - x) is [5]": YES,
    # one filter after another, in the order written
    "ranked(x in [one, 3, boom(1)] while x < 2 by fewest x) is [1]": YES,
    "count(x in [one, 2, boom(1)] where x is 1 while x < 2) is 1": STOPS,
    "count(x in [one, 2, boom(1)] while x < 2 where x is 1) is 1": YES,
    "count(x in [one, 7] where boom(x) > 3 while storm) is 0": STOPS,
    "count(x in [one, 7] while storm where boom(x) > 3) is 0": YES,
    "some(h in Hill where stone[h] is p, g in pile where boom(index(g) + 1) > 3)": NO,
    "some(h in Hill where stone[h] is none, g in pile where boom(index(g) + 1) > 3)": STOPS,
    "count(h in Hill where boom(1) > 3, g in pile while storm) is 0": STOPS,
    # the values given to a definition
    "constant(boom(1)) is 3": STOPS,
    "constant(big) is 3": YES,
    "narrow(one + 1) is 2": YES,
    "narrow(one * 7) is 2": STOPS,
    "narrow_set(set(x for x in one..3)) is 3": YES,
    "narrow_set(set(x for x in one..4)) is 3": STOPS,
    # the parts of a condition, as soon as their names are known
    "some(h in Hill where stone[h] is p and boom(1) > 3)": NO,
    "some(h in Hill where boom(1) > 3 and stone[h] is p)": STOPS,
    "every(stone[h] is none or boom(1) > 3 for h in Hill)": YES,
    "count(h in Hill, g in pile where boom(index(g)) > 3 and stone[h] is p) is 0": YES,
    "count(h in Hill, g in pile where h is not g and boom(index(g)) > 3) is 0": STOPS,
    # none beside members, for all members at once
    "some(stone[h] is guest for h in Hill)": YES,
    "every(guest is stone[h] for h in Hill)": YES,
    "count(h in Hill where stone[h] is not guest) is 0": YES,
    "some(stone[h] is (if storm then guest else p) for h in Hill)": NO,
    # numbers and counts that are too great
    "2000000000 * 2 > big": STOPS,
    "count((0 - 9)..2147483647) > 3": STOPS,
}  # fmt: skip


def program(tmp_path: Path) -> Any:
    lines = []
    for number, condition in enumerate(CASES):
        lines += [f"    if k is {number}", f"      if {condition}", "        p scores 1"]
    great = " + ".join(f"(x * big mod {i})" for i in range(2, 40))
    text = HEAD.replace("CASES", "\n".join(lines)).replace("MOST", str(len(CASES) - 1)).replace("LONG", great)
    return load_program(tmp_path, text)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return Pair(program(tmp_path_factory.mktemp("looked_at")))


@pytest.mark.parametrize("condition", CASES)
def test_both_engines_look_at_the_same(pair: Pair, condition: str) -> None:
    x, y = pair.reference.start(1), pair.fast.start(1)
    number = list(CASES).index(condition)
    faults = [attempt(lambda s=s: s.choose(number))[1] for s in (x, y)]  # type: ignore[misc]
    if CASES[condition] == STOPS:
        assert same_fault(*faults) and isinstance(faults[0], RuleFault), faults
    else:
        assert faults == [None, None]
        assert (x.scores[0], y.scores[0]) == ((1, 1) if CASES[condition] == YES else (0, 0))
        assert difference(x, y, True) is None


def test_whole_games_look_at_the_same(tmp_path: Path) -> None:
    same_on_both(program(tmp_path), games=60)
