"""Distances in graphs whose nodes come and go, and sets of many rows: the same on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_random_games

GAME = """game walks
  players 2

DOMAIN

the game has
  here: Cell
  there: Cell

each Cell has
  wall: flag
  height: 0..30

each Player has
  score: -9..9999999, not below -9

winner most score[p], then shared

graph open(k: 0..40)
  node c in Cell where CONDITION
  EDGE

define far(k: 0..40) = shortest(open(k), here, there) otherwise 99
define near(k: 0..40, n: -2..9) = within(open(k), here, n)

rule play
  repeat at most 25
    each p in Player
      roll c in Cell, d in Cell
      roll h in 0..30, n in -2..9
      set here to c
      set there to if h is 1 then c else d
      set height[d] to h
      set wall[next(d) otherwise c] to h > 8
      set score[p] to far(h) + 100 * count(near(h, n)) + sum(index(e) for e in near(9, 3))
      set score[p] to score[p] + count(set((index(e) * 7 mod 19, height[e] mod n2, e) for e in Cell, n2 in 1..2))
      set score[p] to score[p] + count(groups(open(h)))
      p may choose e in near(20, n) where e is not d
        set wall[e] to no
"""

BOARDS = {
    "shifts": ("grid Cell: 6 by 5", "edge c to step(c, d) for d in Direction"),
    "wide": ("grid Cell: 9 by 9", "edge c to step(c, d) for d in Direction"),
    "dense": ("grid Cell: 7 by 10", "edge c to e for e in Cell where index(e) * 5 mod 7 < index(c) mod 3"),
    "lengths": ("grid Cell: 5 by 5", "edge c to step(c, d), length c.row for d in Direction"),
}


CONDITIONS = ("not wall[c]", "height[c] < k and not wall[c]", "height[c] * height[c] < k + 9")


@pytest.mark.parametrize(
    ("board", "condition"),
    [
        pytest.param(board, condition, marks=() if (row + column) % 2 else pytest.mark.slow)
        for row, board in enumerate(BOARDS)
        for column, condition in enumerate(CONDITIONS)
    ],
)
def test_the_same_distances(tmp_path: Path, board: str, condition: str) -> None:
    domain, edge = BOARDS[board]
    text = GAME.replace("DOMAIN", domain).replace("CONDITION", condition).replace("EDGE", edge)
    games = same_random_games(tmp_path, text, 4)
    assert [record[-1] for record in games] == [None] * 4
    assert len({record[5] for record in games}) > 2, "chance makes a difference"
