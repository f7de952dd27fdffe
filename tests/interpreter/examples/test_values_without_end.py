"""What stands after ``then`` may have no value, or take for ever: the example says so, and the others still run."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import write_game

from interpreter.examples import run_examples
from rulelang import limits
from rulelang.limits import Limits

GAME = """
game tiny
  players 2
  seats red, blue

grid Cell: 9 by 9

number many = 2000000000

ways walks(a: Cell), at most 3 steps
  from a
  step w to step(last(w), north)
ways strolls(a: Cell), at most 100 steps
  from a
  step w to b for d in Direction, b in step(last(w), d) where b is not in w
  w may end where count(w) > 90

rule play
  roll winner_ in Player
  winner_ wins

example bad
  players red, blue
  then CONDITION

example good
  players red, blue
  then count(walks(a7)) is 1
"""


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("count(walks(a1)) is 3", "a way of walks goes on after 3 steps"),
        ("count(strolls(a1)) is 3", "it ran too long"),
        ("sum(many * count(w) for w in walks(a8)) > 3", "does not fit in 32 bits"),
    ],
)
def test_the_example_says_why(tmp_path: Path, condition: str, why: str) -> None:
    before = limits.standard()
    limits.use(Limits(work=2_000_000_000))
    try:
        bad, good = run_examples(write_game(tmp_path, GAME.replace("CONDITION", condition))).results
    finally:
        limits.use(before)
    assert (bad.status, good.status) == ("error", "passed")
    assert why in bad.failures[0].message
