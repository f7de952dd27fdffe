"""Empty lists, no pieces, none in lists: what the check takes runs alike on both engines, what it refuses is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import load_program, mistakes

from tests.tools.parity import Pair
from tests.tools.parity.games_compared import difference

HEAD = """
game tiny
  players 2

enum Hill, ring: oak, elm, ash, fir
enum Good: wood, wool
grid Plot: 3 by 3

the game has
  n: 0..9
  big: 0..2147483647 = 2000000000
  storm: flag
  guest: Player or none
  few: 0..3 or none
  low: -5..5 or none
  seen: set of Hill
  wide: set of -3..9
  bank: pool of Good = {wood: 3, wool: 2}

each Player has
  score: 0..9
  hand: pool of Good, 2 of any for 1

each Hill has
  stone: Player or none
each Plot has
  owner: Player or none

winner most score[p], then shared

define north(a: Plot)
  when owner[a] is none: []
  otherwise: list(c for c in ray(a, north))
define here(a: Plot) = if owner[a] is none then [] else [a]
define maybe(h: Hill) = if stone[h] is none then [h] else [none]
define nothings(h: Hill)
  when stone[h] is none: [none]
  otherwise: [none, none]
define cost(h: Hill)
  when stone[h] is none: {}
  otherwise: {wood: 1}

rule turn(p: Player)
  p chooses k in 0..3
    set n to k
BODY
  set stone[ash] to p

rule play
  take turns p from first(Player) until n is 3
    do turn(p)
"""

RUNS = """
each a in north(a1)|  set owner[a] to p
each a in here(a1)|  set owner[a] to none
each part in maybe(oak)|  each h in part|    set stone[h] to p
set n to count(nothings(ash))
p chooses h in maybe(ash)|  p scores 1
p chooses h in nothings(ash)|  p scores 1
p chooses h in (if storm then [oak] else [none])|  p scores 1
p chooses h in (if storm then [oak] else [])|  p scores 1|otherwise|  p loses 0
p chooses x in [few, none, 3]|  p scores x otherwise 1
p chooses x in [low, few, none]|  set low to x
p chooses (h, q) in [(oak, none), (elm, p)]|  set stone[h] to q
p chooses (x, y) in [(none, none)]|  p scores 1
p chooses s in [seen, set([])]|  set seen to s
p chooses s in [hand[p], {}, {wood: 1}]|  surely move s from bank to hand[p]
let e = []|let o = none|p chooses k in 1..2|set n to count(e)|set guest to o
let e = {}|p chooses k in 1..2|surely move e from bank to hand[p]
set seen to (if storm then seen else [])
set seen to (if n > 1 then [] else [oak, ash])
set wide to set(0..3)|if wide is set(0..3) and set(0..3) is wide|  p scores 1
if [[oak], []] is [[oak], list(h in Hill where storm)]|  p scores 1
if [{wood: 1}, {}] is [{wood: n}, hand[p]] or {} is hand[p]|  p scores 1
if cost(ash) is {} and hand[p] holds cost(ash)|  p scores 1
if seen is [] and seen is set([]) and [] is list(h in Hill where storm)|  p scores 1
if [none, p] is [stone[oak], p] and oak is not in []|  p scores 1
if [][1] is none and top([none, none]) is none and count([]) is 0|  p scores 1
set guest to [stone[ash], p, none][n]
set guest to top(list(stone[h] for h in Hill))
set guest to first(x for x in [none, p])
if (2 * {wood: big})[wood] is 2147483647 and count({wood: big, wool: big}) > big|  p scores 1
if hand[p] covers {wood: big, wool: big}|  p scores 1
p chooses c in Plot, d in list(x in Plot where x is not c)|  set owner[d] to p
p chooses c in list(x mod 700 for x in 0..1500), h in list(g for g in Hill, i in 1..2)|  set stone[h] to p
set seen to seen + []
set seen to [] + seen + [oak]
set seen to seen - []
set seen to [] - seen
set wide to wide + set(0..3) - [2, n - 3]
each h in [] + [oak]|  set stone[h] to p
each h in [oak] + (if storm then [] else [elm]) + []|  set stone[h] to none
p chooses h in [oak] + [none]|  p scores 1
p chooses s in [seen + [oak], seen - [oak], set([]) + []]|  set seen to s
if [] + [] is [] and [][1..2] is [] and [] - set([]) is []|  p scores 1
let e = [] + []|p chooses k in 1..2|set n to count(e)
let e = set([]) + []|p chooses k in 1..2|set n to count(e)|set seen to e
set guest to first(x for x in (list(stone[h] for h in Hill) + [none, p])[2..9])
set guest to ranked(q in Player where count(hand[q]) > 1 by most score[q])[1]
set n to count(ranked(h in maybe(oak) + [none] by fewest n))
each (h, q) in leaders(h in Hill, q in Player by most count(hand[q]), then fewest index(h) mod 2)|  set stone[h] to q
let many = list(x mod 700 for x in 0..1500) + list(x for x in 0..200)|set n to (ranked(x in many by most x mod 7)[9] otherwise 1) mod 9
let pairs = set((h, q) for h in Hill, q in Player) - set((h, p) for h in Hill)|set n to count(pairs + [(oak, p)])
p chooses (a, b) in ranked(h in Hill, q in [p, none] where q is none or h is oak by most index(h))|  set stone[a] to b
p chooses one of|  option a(h in Hill while h is not ash)|    needs h is not ash and h is not oak|    set stone[h] to p|  option b|    do nothing
"""  # noqa: E501


def body(line: str) -> str:
    return "\n".join(f"  {part}" for part in line.split("|"))


def test_what_the_check_takes_runs_alike(tmp_path: Path) -> None:
    rules = RUNS.strip().split("\n")
    parts = [f"  p chooses which in 0..{len(rules) - 1}"]
    for number, line in enumerate(rules):
        inner = "\n".join("  " + part for part in body(line).split("\n"))
        parts.append(f"  if which is {number}\n{inner}")
    text = HEAD.replace("  p chooses k in 0..3\n    set n to k\nBODY", "\n".join(parts))
    text = text.replace("until n is 3", "until n is 9 or score[p] > 5")
    same_on_both(load_program(tmp_path, text), games=60, limit=120)


REFUSED = {
    "set guest to [stone[oak], oak][1]": (
        "R0402",
        "This is Hill, but what stands before it in the list is Player or none.",
    ),
    "each h in maybe(oak)|  set stone[h] to p": ("R0407", "This may be none; Hill is needed here."),
    "each h in [none]|  set stone[h] to p": ("R0402", "This is none, but Hill is needed here."),
    "set seen to [oak, none]": ("R0402", "This is none, but Hill is needed here."),
    "set seen to none": ("R0402", "This is none, but a set of Hill is needed here."),
    "set guest to []": ("R0402", "This is an empty list, but Player or none is needed here."),
    "set guest to {}": ("R0402", "This is no pieces, but Player or none is needed here."),
    "each h in []|  set stone[h] to p": ("R0402", "This is an empty list, so there is nothing to go through."),
    "set guest to none + [p]": ("R0402", "This is none, but a list of Player is needed here."),
    "set n to count(hand[p] + [wood])": ("R0402", "This is pieces of Good, but a list of Good is needed here."),
    "p scores sum([])": ("R0402", "This is an empty list, so `sum` has nothing to look at."),
}  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_is_told_at_its_place(tmp_path: Path, line: str) -> None:
    assert mistakes(tmp_path, HEAD.replace("BODY", body(line))) == [REFUSED[line]]


@pytest.mark.parametrize("value", ["yes", "no"])
def test_a_setting_does_not_change_what_may_be_none(tmp_path: Path, value: str) -> None:
    line = "p scores (if bonus then few else 1) otherwise 2|p scores count(if bonus then [] else [oak])"
    line += "|p chooses q in (if bonus then guest else p)|  p scores 0"
    text = HEAD.replace("BODY", body(line))
    program: Any = load_program(tmp_path, text + f"\noption bonus: no, yes\n  default {value}\n")
    same_on_both(program, games=2)


def test_equal_options_are_found_among_thousands(tmp_path: Path) -> None:
    line = "p chooses x in list(y * y mod 3001 for y in 0..9000), z in list(w mod 3 for w in 0..5)|  p scores 0"
    pair = Pair(load_program(tmp_path, HEAD.replace("BODY", body(line))))
    x, y = pair.reference.start(1), pair.fast.start(1)
    x.choose(1), y.choose(1)
    assert x.option_count == 3 * len({y * y % 3001 for y in range(3001)})
    assert difference(x, y, True) is None
