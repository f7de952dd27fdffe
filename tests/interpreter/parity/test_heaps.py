"""Sets, graphs and lists of what has no single number, and boards of more cells than fit a byte, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from alike import same_on_both

GAME = """\
game heaps
  players 2

enum Hill: oak, elm, ash

each Hill h has
  stall: pool of Hill = {h: 1}

each Player has
  score: 0..999

winner most score[p], then shared

graph land
  node s in [[oak], [elm, ash], [ash]]
  edge s to [s[1] otherwise oak]

graph stalls
  node s in list(stall[h] for h in Hill)
  edge s to stall[h] for h in Hill

rule play
  each p in Player
    do turn(p)

rule turn(p: Player)
  roll x in Hill
  BODY
"""

BODIES = [
    "p scores count(set(stall[h] for h in Hill))",
    "each l in set([h, x] for h in Hill) + [[x, x]] - [[oak, oak]]\n    p scores index(l[1] otherwise ash)",
    "let all = set([[x], [oak, x], [], [oak]])\n  p scores list(count(l) for l in all)[3] otherwise 9",
    "p scores list(count(l) for l in set([set([x, ash]), set([oak]), set([oak, ash])]))[2] otherwise 9",
    "if {x: 1} is in set(stall[h] for h in Hill)\n    p scores 1",
    "if [x] is in set([h] for h in Hill where h is not elm)\n    p scores 1",
    "if set([[x], [oak]]) is set([[oak], [x], [x]])\n    p scores 1",
    "p scores count(group(land, [x])) + 10 * count(groups(land)) + 100 * longest_trail(land, s)",
    "p scores count(group(stalls, {x: 1})) + 10 * count(groups(stalls)) + 100 * longest_trail(stalls, count(s))",
    "surely p chooses s in [[oak], [elm, x], []]\n  p scores count(s)",
    "surely p chooses b in [{oak: 1}, {oak: 2}], u in [[oak], [elm, ash]]\n  p scores count(b) + count(u)",
    "let all = set((if h is x then none else (h, [h])) for h in Hill)\n  p scores count(all)",
]


@pytest.mark.parametrize("body", BODIES)
def test_heaps(made: Callable[[str], Any], body: str) -> None:
    same_on_both(made(GAME.replace("BODY", body)), games=10)
