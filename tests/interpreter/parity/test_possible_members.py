"""Only members are gone through for which there may be something: both engines play alike, and fault alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_on_both
from small_games import load_program

GAME = """game tiny
  players 2
{board} Plot: {size}
number most = 40
the game has
  moves: 0..most
each Player has
  score: -9999..99999
each Plot has
  side: Player or none
  tall: flag
winner most score[p], then shared
define onward(p: Player) = if p is first(Player) then [{ways}] else [{back}]
define far(a: Plot) = if tall[a] then 9 else 1
define free(a: Plot, c: Plot) = side[c] is none or c is a
define beyond(a: Plot, b: Plot, d: {way}) = list(c in ray(b, d)[1..far(a)] while free(a, c))
define met(a: Plot, b: Plot, d: {way}) = if tall[a] then first(c in ray(b, d) where not free(a, c)) else step(b, d)
define foe(a: Plot, b: Plot) = side[b] is not none and side[b] is not side[a]
define leaps(a: Plot, b: Plot) = list((t, c) for d in [{ways}], t in met(a, b, d) where foe(a, t), c in beyond(a, t, d))
ways jumps(a: Plot), at most {steps} deep
  from (none, a)
  step w to (t, c) for (s, b) in last(w), (t, c) in leaps(a, b) where every(u is not t for (u, e) in w)
ways walks(a: Plot, much: 0..9), at most 4 deep
  from a
  step w to step(last(w), {one}) where count(w) <= much and side[a] is not none
  step w to b for d in [{ways}], b in step(last(w), d) where count(w) < much and side[b] is none and b is not in w
  w may end where count(w) > 2
ways odd(a: Plot), at most 3 deep
  from a
  step w to b for d in [{ways}], b in step(last(w), d) where count(w) < 3 and {odd}
ways rounds(a: Plot), at most 2 deep
  from a
  step w to b for d in sideways, m in step(a, d), e in sideways, b in step(m, e) where count(w) < 2 and back(a, b, m)
define sideways = [east, west]
define back(a: Plot, b: Plot, m: Plot) = b is a and side[m] is not side[a]
define value(e: Plot) = index(e) * 7 mod 10
rule play
  take turns p from first(Player)
    p chooses c in Plot where side[c] is none
      set side[c] to p
      set tall[c] to index(c) mod 5 is 0
    otherwise
      end the game
    p scores count(list((a, w) for a in Plot, w in jumps(a) where side[a] is p))
    p scores sum(value(e) for a in Plot, w in walks(a, 2) where side[a] is p, e in w)
    p scores count(leaders(a in Plot, w in odd(a) where side[a] is p by most count(w)))
    p scores 3 * count(list((a, w) for a in Plot, w in rounds(a) where side[a] is p))
    p chooses (a, b) in list((a, b) for (a, w) in leaders(a in Plot, w in jumps(a) where side[a] is p by most count(w)),
        (t, b) in last(w))
      set side[a] to none
      set side[b] to p
    otherwise
      do nothing
    increase moves by 1
    if moves is most
      end the game
"""

GRID = {"board": "grid", "way": "Direction", "one": "north", "ways": "north, west, south_east, east", "back": "south"}
HEXES = {"board": "hexes", "way": "Heading", "one": "west", "ways": "north_east, west, east", "back": "south_west"}
PLAIN = "side[b] is not side[a]"


def text(board: dict[str, str], size: str, steps: int = 20, odd: str = PLAIN) -> str:
    return GAME.format(size=size, steps=steps, odd=odd, **board)


@pytest.mark.parametrize(
    "board, size, without",
    [(GRID, "5 by 4", ""), (GRID, "9 by 8", ""), (HEXES, "3", ""), (GRID, "5 by 4", "semijoin")],
)
def test_both_engines_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: dict[str, str], size: str, without: str
) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    same_on_both(load_program(tmp_path, text(board, size)), games=1, limit=60)


def test_a_step_too_many_stops_the_game_as_before(tmp_path: Path) -> None:
    same_on_both(load_program(tmp_path, text(GRID, "5 by 4", steps=1)), games=3, limit=60)


@pytest.mark.parametrize(
    "odd, fires",
    [
        (PLAIN, True),
        ("value(b) > value(a)", False),  # the state does not decide it
        ("side[b] is not side[a] and value(b) * 500000000 * count(w) > 3", False),  # may fault
    ],
)
def test_it_takes_place_only_where_it_can_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str, fires: bool
) -> None:
    program = load_program(tmp_path, text(GRID, "5 by 4", odd=odd))
    line = text(GRID, "5 by 4").partition("w in odd(a)")[0].count("\n") + 1
    assert (line in {span.line for _, span in noted(program)["semijoin"]}) is fires
    if odd is not PLAIN:
        same_on_both(program, games=1, limit=40)
    monkeypatch.setenv("RULELANG_WITHOUT", "semijoin")
    assert not noted(program)["semijoin"]


JUMPS = """game tiny
  players 2
grid Plot: {size}
number most = 30
the game has
  moves: 0..most
  barred: Plot or none
each Player has
  score: -9999..99999
each Plot has
  side: Player or none
  tall: flag
winner most score[p], then shared
define ways(p: Player, a: Plot)
  when tall[a]: [north_east, south_east, south_west, north_west]
  when p is first(Player): [north_east, north_west]
  otherwise: [south_east, south_west]
define steps(p: Player, a: Plot) = list(b for d in ways(p, a), b in step(a, d) where side[a] is p and side[b] is none)
define jumps(p: Player, a: Plot) =
  list(b for d in ways(p, a), m in step(a, d), b in step(m, d)
    where side[a] is p and side[m] is next(p) and side[b] is none)
define must(p: Player) = some(a in Plot, b in jumps(p, a))
define goals(p: Player, a: Plot) = if must(p) then jumps(p, a) else steps(p, a)
define near(a: Plot) = list(e for d in Direction, e in step(a, d))
define open(p: Player, c: Plot)
  when side[c] is not none or c is barred: no
  when some(e in near(c) where side[e] is none and not tall[e]): yes
  otherwise: some(e in near(c) where side[e] is p and count(near(e)) * index(e) mod 3 is 1)
rule play
  each a in Plot where a.row is not in 3..4 and (a.row + a.column) mod 2 is 0
    set side[a] to (if a.row < 3 then first(Player) else last(Player))
  take turns p from first(Player)
    p scores count(list(c in Plot where open(p, c)))
    p scores 7 * count(list((h, b) for h in barred, b in goals(p, h)))
    p chooses c in Plot where open(p, c) and (c.row + c.column) mod 3 is 0
      set barred to c
    otherwise
      set barred to none
    p chooses a in Plot, b in goals(p, a)
      set side[b] to p
      set tall[b] to tall[a] or b.row is 1
      set side[a] to none
      set tall[a] to no
    otherwise
      end the game
    increase moves by 1
    if moves is most
      end the game
"""


@pytest.mark.parametrize("size, without", [("6 by 6", ""), ("9 by 8", ""), ("6 by 6", "semijoin")])
def test_definitions_and_cases_are_gone_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str, without: str
) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    program = load_program(tmp_path, JUMPS.format(size=size))
    line = JUMPS[: JUMPS.index("p chooses a in Plot")].count("\n") + 1
    assert (line in {span.line for _, span in noted(program)["semijoin"]}) is (without == "")
    same_on_both(program, games=4, limit=80)
