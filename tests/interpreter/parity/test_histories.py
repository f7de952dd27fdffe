"""Positions that come again, and lists that are kept: alike on both engines, and never more than there is room for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alike import same_on_both
from small_games import corpus, load_game, load_program, write_game

from interpreter.errors import RuleFault
from interpreter.examples import run_examples
from interpreter.loading import ENGINES
from tests.tools.parity import Pair
from tests.tools.parity.games_compared import attempt, same_fault

CAPTURING = corpus("capturing")


def test_a_stone_is_not_retaken_at_once(tmp_path: Path) -> None:
    report = run_examples(write_game(tmp_path, CAPTURING))
    assert [(r.name, r.failures) for r in report.results if r.status != "passed"] == []
    assert len(report.results) == 1


KEPT = """
game kept
  players 2

enum Good: wood, wool, iron
grid Cell: 3 by 3
hexes Field: 5

each Player has
  score: 0..99
  hand: pool of Good = {wood: 2, wool: 1}
  land: grid of Good, at most 4

each Cell has
  owner: Player or none
  level: -3..3
  dark: flag

each Field has
  mark: Good or none

each Cell and Player has
  note: 0..9 or none

the game has
  n: 0..99
  pile: stack of Good = [wood, iron]
  seen: set of Cell
  many: set of Field
  told: list of 0..200, at most 400
  recent: list of Cell and Player, last 3
  maybe: list of -2..2 or none, last 2
  states: list of flag, at most 60
  last_told: list of Good, last 1

winner most score[p], then shared

history everything, at most 99: owner, level, dark, mark, note, hand, land, pile, seen, many, recent, maybe
history parts(p: Player, c: Cell or none), last 5: p, c, owner, (p, c), list(hand[q] for q in Player), [c, none], none
history numbers, last 4: level, list((c, level[c]) for c in Cell where owner[c] is not none), n mod 3
history same, at most 99: owner, dark

rule play
  take turns p from first(Player) until n >= 40
    do turn(p)

rule turn(p: Player)
  increase n by 1
  remember everything
  remember parts(p, none)
  remember numbers
  remember same
  let before = recent
  roll c in Cell, k in -2..2, g in Good, f in Field
  surely p chooses one of
    option own
      set owner[c] to if owner[c] is p then none else p
    option rise
      set level[c] to k
    option darken
      set dark[c] to k > 0
    option note_it
      set note[c, p] to if k < 0 then none else k
      set mark[f] to if k > 1 then none else g
    option swap
      surely move up to 1 of g from hand[p] to hand[next(p)]
      move up to 1 from pile to hand[p]
    option think
      set seen to seen + [c]
      set many to set(x in Field where index(x) mod 3 is k)
    option lie
      if hand[p][g] > 0 and count(land[p]) < 3
        surely move 1 of g from hand[p] to land[p] at openings(land[p])[1] otherwise (0, 0)
  set recent to recent + [(c, p)]
  set maybe to maybe + [if k is 0 then none else k]
  set last_told to reversed(last_told + [g])
  set states to (states + [dark[c]])[2..40]
  set told to told + [occurrences(everything), occurrences(parts(p, c)), occurrences(numbers), occurrences(same)]
  set told to told + [count(before), count(recent), index(last(recent)[1]) otherwise 9]
  if occurrences(same) > 2
    forget same
"""


def _kept() -> str:
    text = KEPT.replace("at openings(land[p])[1] otherwise (0, 0)", "at (openings(land[p])[1] otherwise (0, 0))")
    return text.replace(", index(last(recent)[1]) otherwise 9]", "]")


def test_all_sorts_of_values_are_told_apart_alike(tmp_path: Path) -> None:
    same_on_both(load_program(tmp_path, _kept()), games=15)


HEAD = """
game tiny
  players 2

enum Hill: oak, elm

each Hill has
  stone: Player or none

the game has
  n: 0..9
  short: list of Hill and 0..5, at most 2
  last_two: list of Hill, last 2
  newest_few: list of 0..5, last 2
  found: 0..9

winner most index(p), then shared

history two, at most 2: stone
history newest, last 2: stone, n

rule turn(p: Player)
  p chooses k in 1..2
  set n to k
BODY

rule put(h: Hill, p: Player)
  set stone[h] to p

rule play
  take turns p from first(Player) until n is 9
    do turn(p)
"""

FAULTS = {
    "remember two\n  remember two\n  remember two": "two: only 2 positions can be remembered; forget some",
    "set short to [(oak, 1), (elm, 2), (oak, 3)]": "short: 3 members do not fit; there is room for 2",
    "set short to [(oak, 1), (elm, 2)]\n  set short to short + [(oak, 3)]": "short: 3 members do not fit; there is room"
    " for 2",
    "set short to short + [(oak, 4 + k)]": "short: 6 is outside 0..5",
    "set short to [(oak, 4 + k)]": "short: 6 is outside 0..5",
    "set short to [(oak, 4 + k), (elm, 4 + k)]": "short: 6 is outside 0..5",
    "set short to [(oak, 1), (elm, 4 + k), (oak, 3 + k)]": "short: 6 is outside 0..5",
    "set newest_few to [k, 4 + k, 0, 1]": "newest_few: 6 is outside 0..5",
}


@pytest.mark.parametrize("body", FAULTS)
def test_what_does_not_fit_is_a_fault_that_names_the_line(body: str, tmp_path: Path) -> None:
    pair = Pair(load_program(tmp_path, HEAD.replace("BODY", f"  {body}")))
    reference, fast = (attempt(lambda s=s: s.choose(1))[1] for s in (pair.reference.start(1), pair.fast.start(1)))
    assert isinstance(reference, RuleFault) and isinstance(fast, RuleFault)
    assert FAULTS[body] in str(reference)
    assert same_fault(reference, fast) and str(reference) == str(fast)


VALUES: dict[str, Any] = {
    "set last_two to [oak, elm, elm]\n  set found to count(last_two) * 3 + index(last_two[1] otherwise oak)": 7,
    "set last_two to [oak, elm]\n  let before = last_two\n  set last_two to last_two + [elm]\n"
    "  set found to count(h in before where h is oak) * 4 + count(h in last_two where h is oak)": 4,
    "set short to [(elm, 2)]\n  let before = short\n  set short to short + short\n"
    "  set found to count(short) * 3 + count(before) + count(x in short where x is (elm, 2))": 9,
    "remember newest\n  remember newest\n  remember newest\n  set found to occurrences(newest)": 2,
    "remember newest\n  set n to 0\n  set found to occurrences(newest)": 0,
    "remember two\n  set found to (occurrences(two) after do put(oak, p)) + 2 * occurrences(two)": 2,
    "set stone[oak] to p\n  remember two\n  set stone[oak] to none\n"
    "  set found to (occurrences(two) after do put(oak, p)) + 2 * occurrences(two)": 1,
    "remember two\n  forget two\n  set found to occurrences(two)": 0,
    "remember two\n  set stone[elm] to p\n  set stone[elm] to none\n  set found to occurrences(two)": 1,
}


@pytest.mark.parametrize("body", VALUES)
def test_what_is_kept(body: str, tmp_path: Path) -> None:
    for engine in ENGINES:
        game = load_game(tmp_path, HEAD.replace("BODY", f"  {body}"), engine=engine)
        state = game.start(1)
        state.choose(0)
        assert state.get("found") == VALUES[body], engine


def test_the_log_tells_what_a_list_gets_and_how_much_a_history_remembers(tmp_path: Path) -> None:
    body = "  remember newest\n  set last_two to [oak]\n  set last_two to last_two + [elm]\n"
    body += "  set last_two to last_two + [oak]\n  set last_two to [elm]\n  forget newest"
    for engine in ENGINES:
        state = load_game(tmp_path, HEAD.replace("BODY", body), engine=engine).start(1)
        state.choose(0)
        told = [event.text for event in state.log if event.kind == "set"]
        assert told[1:] == [
            "newest remembers 1 position",
            "last_two gets oak",
            "last_two gets elm",
            "last_two gets oak",
            "last_two is [elm]",
            "newest remembers no positions",
        ], engine
