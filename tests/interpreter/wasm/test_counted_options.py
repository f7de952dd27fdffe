"""Options that chance takes without a list: the same ones, in the same order, as where they are listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import load_game

from interpreter.simulate.games import play_many, play_range

GAME = """game counted
  players 2

enum Good: wood, wool, iron, gems, corn

table Card
  cost: 0..9
  rows
    ale: 2
    bun: 3
    cake: 5

the game has
  bank: pool of Good = {wood: 3, iron: 1, gems: 4}
  round: 0..9
  told: list of 0..999, at most 9

each Good has
  sort: Player or none

each Player has
  score: 0..99999

winner most score[p], then shared

define worth(g: Good) = index(g) + 1

rule play
  set sort[iron] to first(Player)
  repeat at most 9
    each p in Player
      set round to min(9, round + 1)
      CHOICE
        p scores SCORE
"""

CHOICES = {
    "p chooses b in bundles(bank, round)": "sum(b[g] * worth(g) * worth(g) * worth(g) for g in Good)",
    "p may choose b in bundles(bank, 3)": "sum(b[g] * worth(g) * worth(g) for g in Good)",
    "p chooses g in Good, n in 2..round, c in Card": "worth(g) * 100 + n * 10 + c.cost",
    "p chooses n in round - 4..round, b in bundles(bank, 2) where round > 2": "max(0, n) + 20 * b[gems] + b[iron]",
    "p chooses g in Good, c in Card where sort[g] is none": "worth(g) * 10 + c.cost",
    "p chooses c in Card, b in bundles(bank, c.cost)": "c.cost + 10 * b[wood]",
}


@pytest.mark.parametrize("choice", CHOICES)
def test_the_same_as_where_they_are_listed(tmp_path: Path, choice: str) -> None:
    text = GAME.replace("CHOICE", choice).replace("SCORE", CHOICES[choice])
    slow, fast = (load_game(tmp_path, text, engine=engine) for engine in ("reference", "wasm"))
    games = [record for part in play_range(fast, 3, 0, 60) for record in part.records(2)]
    assert games == [record for part in play_many(slow, 3, 60) for record in part.records(2)]
    assert all(record[-1] is None for record in games)
    assert len({record[5] for record in games}) > 5, "chance makes a difference"
    state = fast.start(11)
    end = state.playout(5, 1000)
    assert end == fast.start(11).playout(5, 1000) is not None


def test_more_bundles_than_a_decision_may_have(tmp_path: Path) -> None:
    kinds = ", ".join(f"k{number}" for number in range(40))
    text = GAME.replace("wood, wool, iron, gems, corn", kinds).replace(
        "wood: 3, iron: 1, gems: 4", "g: 9 for g in Good"
    )
    text = (
        text.replace("sort[iron]", "sort[k1]")
        .replace("CHOICE", "p chooses b in bundles(bank, 8)")
        .replace("SCORE", "1")
    )
    (fault,) = play_range(load_game(tmp_path, text, engine="wasm"), 1, 0, 1)
    (slow,) = play_many(load_game(tmp_path, text, engine="reference"), 1, 1)
    assert fault.fault == slow.fault and "100,000" in fault.fault
