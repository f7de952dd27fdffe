"""A value that has been worked out stays as it is when what it was read from changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import load_game

from interpreter.loading import ENGINES

GAME = """
game tiny
  players 2

enum Good: wood, wool, iron

the game has
  pile: stack of Good = [wood, wood, iron]
  bank: pool of Good
  found: 0..999

each Player has
  hand: stack of Good

rule play
BODY
  each p in Player
    p chooses k in 1..2
  end the game
"""

BODIES = {
    "  let before = pile\n  surely move 1 from pile to bank\n  set found to count(before)": 3,
    "  let many = list(hand[q] for q in Player)\n  surely move 2 from pile to hand[first(Player)]\n"
    "  set found to 10 + sum(count(l) for l in many)": 10,
    "  let both = (pile, bank)\n  surely move 2 from pile to bank\n"
    "  each (a, b) in [both]\n    set found to 10 * count(a) + count(b)": 30,
    "  each l in [pile, hand[first(Player)]]\n    surely move up to 2 from pile to hand[first(Player)]\n"
    "    set found to found * 10 + count(l)": 30,
    "  do told(pile[1], 1)": 13,
}


@pytest.mark.parametrize("body", BODIES)
def test_it_stays_as_it_is(body: str, tmp_path: Path) -> None:
    rule = "\nrule told(g: Good or none, n: 0..9)\n  let before = pile\n  surely move 2 from pile to bank\n"
    rule += "  set found to 10 * n + count(before)\n"
    text = GAME.replace("BODY", body) + (rule if "do told" in body else "")
    for engine in ENGINES:
        assert load_game(tmp_path, text, engine=engine).start(0).get("found") == BODIES[body], engine
