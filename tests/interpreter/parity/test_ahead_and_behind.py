"""What the fast engine tells by the zeros of a mask, ahead and behind: the same as going from one to the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_random_games
from small_games import load_program

GAME = """game beads
  players 2

enum Bead{RING}: {BEADS}

each Bead has
  owner: Player or none
each Player has
  score: 0..99999999

winner most score[p], then shared

define free(b: Bead, but: Bead or none) = owner[b] is none and b is not but
define number(b: Bead or none) = sum(index(x) + 1 for x in b)

rule play
  repeat at most 8
    each p in Player
      roll a in Bead, c in Bead
      set owner[a] to p
      p chooses b in Bead
      p scores 7 * count(x in ahead(b) while free(x, c)) + 70 * count(x in behind(b) while free(x, none))
      p scores 1000 * number(first(x in ahead(b) where owner[x] is p))
      p scores 3 * number(first(x in behind(b) where not free(x, a)))
      p scores count(x in ahead(b) while owner[x] is not p and x is not c)
"""


@pytest.mark.parametrize("size", [5, 24, 63, 64, 65])
@pytest.mark.parametrize("ring", ["", ", ring"])
def test_the_same_on_rings_and_lines(tmp_path: Path, ring: str, size: int) -> None:
    beads = ", ".join(f"b{number}" for number in range(size))
    text = GAME.replace("{RING}", ring).replace("{BEADS}", beads)
    assert all(record[-1] is None for record in same_random_games(tmp_path, text, 8))
    assert bool(noted(load_program(tmp_path, text))["rays"]) == (size <= 64)
