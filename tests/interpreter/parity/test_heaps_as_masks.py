"""Kinds of pieces as masks on the fast engine: the same kinds, in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_random_games
from small_games import load_program

GAME = """game heaps
  players 2

enum Sort: low, high
table Card
  sort: Sort
  worth: 0..99
  rows
    CARDS

the game has
  bank: pool of Card = {c: 12 for c in Card}
  least: 0..9

each Player has
  hand: pool of Card
  score: 0..99999999

winner most score[p], then shared

define plenty(p: Player, c: Card) = hand[p][c] >= least + 1

rule play
  repeat at most 12
    each p in Player
      roll n in 0..2
      surely roll a in bank, b in bank
      surely move 1 of a from bank to hand[p]
      move up to 1 of b from bank to hand[p]
      set least to n
      p chooses one of
        option spend(c in hand[p] where c.sort is high)
          move 1 of c from hand[p] to bank
          p scores c.worth
        option pile(c in Card, d in hand[p])
          needs plenty(p, c)
          needs d is not c
          p scores 3 * c.worth + d.worth
        option keep
          do nothing
      p may choose c in hand[p] where hand[p][c] < 2 and c is in bank
        move 1 of c from hand[p] to bank
      p may choose c in Card where bank[c] is 10 + least and c.worth > n
        p scores c.worth
      p scores count(c in hand[p] where c.worth <= 30) + sum(c.worth for c in hand[p] where bank[c] is not 11)
      p scores sum(c.worth for c in hand[p] - {a: 1} where hand[p][c] <= least and hand[next(p)][c] > 0)
"""


@pytest.mark.parametrize("size", [5, 16, 19, 64, 70])
def test_the_same_kinds(tmp_path: Path, size: int) -> None:
    rows = "\n    ".join(f"c{i}: {'high' if i % 3 else 'low'}, {i * 7 % 100}" for i in range(size))
    text = GAME.replace("CARDS", rows)
    assert all(record[-1] is None for record in same_random_games(tmp_path, text, 6))
    assert bool(noted(load_program(tmp_path, text))["heaps"]) == (size >= 16)
