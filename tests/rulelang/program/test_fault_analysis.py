"""Which expressions can stop a game: what the engines may work out early, late or never hangs on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import load_program

from rulelang.program import Definition
from rulelang.program.analysis.faults import Faults

GAME = """game tiny
  players 2

the game has
  n: 0..9
  big: 0..2147483647

each Player has
  score: 0..9

winner most score[p], then shared

define some_number = n
define small(k: 0..9) = k + n
define great(k: 0..9) = k * big
define tried = DEFINED

rule play
  first(Player) wins

rule grow
  set n to 3
"""

CASES = {
    "n + 1 > 3": False,
    "big + 1 > 3": True,
    "small(n) > 3": False,
    "small(n + 1) > 3": True,  # 10 is more than it takes
    "great(n) > 3": True,
    "some(great(k) > 3 for k in 1..3)": True,
    "sum(n for k in 1..3) > 3": False,
    "sum(big for k in 1..3) > 3": True,
    "ranked(k in 1..3 by most big + k)[1] is 3": True,
    "ranked(k in 1..3 by most n + k)[1] is 3": False,
    "count(k in 1..3 where big + k > 3 while k < 2) > 3": True,
    "([n] + [big + 1])[1] is 1": True,
    "[n, 2][n..n] is [1]": False,
    "n > 3 after do grow": True,
    "n / 2 rounded down > 3": False,
    "count(list(k for k in 1..n)) > 3": False,
}


@pytest.mark.parametrize("text", CASES)
def test_which_can_stop_a_game(tmp_path: Path, text: str) -> None:
    program = load_program(tmp_path, GAME.replace("DEFINED", text))
    tried: Definition = program.definitions["tried"]
    assert Faults(program).may(tried.body) is CASES[text]


@pytest.mark.parametrize(
    ("text", "singly"),
    [
        ("list(k for k in 1..3)", True),
        ("[n, great(n)]", True),
        ("[n, 1]", False),
        ("1..3", False),
        ("list(k for k in 1..3) + [n]", False),
        ("list(k for k in 1..3)[1..2]", False),
        ("ranked(k in 1..3 by most k)", False),
    ],
)
def test_which_lists_come_one_member_at_a_time(tmp_path: Path, text: str, singly: bool) -> None:
    program = load_program(tmp_path, GAME.replace("DEFINED", text))
    assert Faults(program).comes_singly(program.definitions["tried"].body) is singly
