"""Ranges that the fast engine goes through no further than tests allow: the same numbers, and the same faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_random_games
from small_games import load_game, load_program

from interpreter.simulate.games import play_many, play_range

GAME = """game spans
  players 2

enum Card: ace, king, queen

range Place: 1..30

the game has
  pile: stack of Card = {c: 10 for c in Card}
  low: 0..20
  high: 0..20
  told: list of 0..999, at most 40

each Player has
  row: stack of Card
  score: 0..99999

winner most score[p], then shared

define near(p: Player, i: Place, gap: 0..3) = i + gap <= count(row[p]) and row[p][i] is row[p][i + gap]
define inside(n: 0..40) = n > low and high >= n - 2
define weight(n: 0..40) = 1 + n * n mod 7

rule play
  shuffle pile
  repeat at most 9
    each p in Player
      roll a in 0..20, b in 0..20
      set low to a
      set high to b
      move up to 2 from pile to row[p]
      p may choose WHAT
        p scores SCORE
"""

RANGES = {
    "i in 1..count(row[p]) where near(p, i, 1)": "weight(i)",
    "i in 1..count(row[p]), j in 1..count(row[p]) where near(p, j, 2) and i < j": "weight(i) * weight(j)",
    "n in 0..40 where inside(n)": "weight(n)",
    "n in 0..40 where not inside(n) and n is high + 3": "weight(n)",
    "n in 5..high where low - n < 2 and 7 - n > 0 - high": "weight(n)",
    "n in low..30 where n is high": "weight(n)",
    "n in 0..40 where weight(n) > 2 and 9 - n >= 0 - high and 2 + n - low > 4": "weight(n)",
    "n in low..high, m in n..40 where m - n < 3 and m > low + 1": "weight(n) * weight(m)",
    "n in 0..40 where n - low >= 3 and n <= count(i in 1..high where i > low and near(p, i, 1)) + 30": "weight(n)",
    "n in 1..20 where some(m in 0..20 where m > n and m + 2 < high)": "weight(n) + count(m in 0..20 where m > low)",
}


@pytest.mark.parametrize("what", RANGES)
def test_the_same_numbers(tmp_path: Path, what: str) -> None:
    text = GAME.replace("WHAT", what).replace("SCORE", RANGES[what])
    games = same_random_games(tmp_path, text, 12)
    assert len({record[5] for record in games}) > 3, "chance makes a difference"
    assert noted(load_program(tmp_path, text))["ranges"]


def test_a_fault_before_the_test_that_would_have_ended_the_range(tmp_path: Path) -> None:
    text = GAME.replace("WHAT", "n in 0..60 where weight(n) > 9 and n < 5").replace("SCORE", "1")
    games = [load_game(tmp_path, text, engine=engine) for engine in ("reference", "wasm")]
    found = [
        [record for part in play(game) for record in part.records(2)]
        for game, play in zip(games, (lambda g: play_many(g, 3, 2), lambda g: play_range(g, 3, 0, 2)), strict=True)
    ]
    assert found[0] == found[1]
    assert all(record[-1] is not None for record in found[0])
