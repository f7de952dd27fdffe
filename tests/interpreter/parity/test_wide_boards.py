"""Boards of more than 64 cells, and graphs whose nodes, edges or lengths change or do not, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import load_program

GAME = """game tiny
  players 2
{board} Plot: {size}
number most = 30
enum Town: ash, birch, cedar, dogwood, elm, fir
table Road
  a: Town
  b: Town
  long: 1..9
  rows
    r1: ash, birch, 2
    r2: birch, cedar, 5
    r3: cedar, dogwood, 1
    r4: dogwood, ash, 3
    r5: cedar, ash, 4
    r6: elm, fir, 2
the game has
  moves: 0..most
  latest: Plot or none
each Player has
  score: -999..9999
each Plot has
  piece: Player or none
each Player and Plot has
  mine: flag
each Road has
  open: flag
winner most score[p], then shared
graph chains(p: Player)
  node c in Plot where piece[c] is p
  edge c to step(c, d) for d in {ways}
graph roads
  node t in Town
  edge t to r.b, length r.long for r in Road where r.a is t
graph opened
  node t in Town
  edge t to r.b for r in Road where r.a is t and open[r]
define free(c: Plot) = some(d in {ways}, e in step(c, d) where piece[e] is none)
define attacks(p: Player) =
  count(c in Plot, d in {ways}, e in step(c, d), f in step(e, d) where piece[c] is p and piece[e] is next(p)
    and piece[f] is none)
define crowded(p: Player) = count(c in Plot where count(d in {ways}, e in step(c, d) where piece[e] is p) >= 2)
rule play
  take turns p from first(Player)
    p chooses c in Plot where piece[c] is none and c is not latest and (free(c) or c.row is 1)
      set piece[c] to p
      set mine[p, c] to yes
      set latest to c
      p scores count(group(chains(p), c)) + attacks(p) + crowded(p)
      p scores count(e in ray(c, {first}) while piece[e] is not none) + count(g in groups(chains(p)))
      p scores count(e in Plot where mine[p, e] and e is in group(chains(p), c))
      p scores (first(e.row for e in ray(c, {first}) where piece[e] is next(p)) otherwise 0)
    otherwise
      end the game
    surely roll r in Road
    set open[r] to not open[r]
    p scores count(group(opened, r.a)) + (shortest(roads, r.b, ash) otherwise 0) + count(within(roads, r.a, 4))
    increase moves by 1
    if moves is most
      end the game
"""


@pytest.mark.parametrize(
    "board, size, ways, first",
    [
        ("grid", "9 by 8", "Direction", "north_east"),
        ("grid", "16 by 12", "[north_east, north_west]", "south_west"),
        ("hexes", "11 by 11", "Heading", "south_east"),
        ("hexes", "6", "Heading", "north_west"),
        ("grid", "19 by 19", "Direction", "north_west"),
    ],
)
def test_both_engines_agree_on_them(tmp_path: Path, board: str, size: str, ways: str, first: str) -> None:
    program = load_program(tmp_path, GAME.format(board=board, size=size, ways=ways, first=first))
    same_on_both(program, games=2, limit=80)
