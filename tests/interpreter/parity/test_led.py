"""Where runs lead, and what lies along rays: both engines play alike, with masks for it and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_on_both
from small_games import corpus, load_program

GAME = """game tiny
  players 2
{board} Plot: {size}
enum Man: cart, sled, dart, frog
number most = 24
the game has
  moves: 0..most
  latest: Plot or none
each Player has
  score: -9999..99999
each Plot has
  man: Man or none
  side: Player or none
  tall: flag
winner most score[p], then shared
define onward(p: Player) = if p is first(Player) then [{ways}] else [{back}]
define open(c: Plot, d: {way}) = count(e in ray(c, d) while side[e] is none)
define met(c: Plot, d: {way}) = ray(c, d)[open(c, d) + 1]
define slides(c: Plot, d: {way}) = list(e for n in 1..open(c, d) + 1, e in ray(c, d)[n])
define glides(c: Plot, d: {way}) = list(e for n in 1..open(c, d), e in ray(c, d)[n] where e is not latest)
define far(c: Plot) = if tall[c] then 9 else 1
define beyond(c: Plot, d: {way}) = list(e in ray(c, d)[1..far(c)] while side[e] is none or e is latest)
define leaps(c: Plot) = list(e for d in [{ways}], b in step(c, d), e in step(b, turned(d, 1)))
define reaches(p: Player, c: Plot)
  when man[c] is cart: list(e for d in [{ways}], e in slides(c, d))
  when man[c] is sled: list(e for part in [list(e for d in {way}, e in step(c, d)), leaps(c)], e in part)
  when man[c] is dart and tall[c]: list(e for d in onward(p), e in step(c, d))
  when man[c] is dart: list(e in leaps(c) where side[e] is p)
  otherwise: list(e for d in onward(p), e in beyond(c, d))
define attacked(c: Plot, by: Player) = some(a in Plot where side[a] is by and c is in reaches(by, a))
define aimed(c: Plot, by: Player) = some(d in {way}, e in met(c, d) where side[e] is by and (man[e] is cart or tall[e]))
define leapt(c: Plot, by: Player) = some(e in leaps(c) where side[e] is by and man[e] is not dart)
define near(c: Plot, by: Player) = some(d in onward(by), e in step(c, d) where side[e] is by)
define safe(c: Plot, by: Player) = every(side[e] is not by for d in {way}, e in step(c, d))
define taken(c: Plot, by: Player) = set(e for d in onward(by), t in step(c, d), e in step(t, d) where side[t] is by)
define first_foe(c: Plot, d: {way}, by: Player) = first(e in ray(c, d) where side[e] is by and not tall[e])
define one(holds: flag) = if holds then 1 else 0
define told(c: Plot, p: Player, d: {way}) = sum(n for n in [one(attacked(c, p)),
    2 * one(aimed(c, p)), 4 * one(leapt(c, p)),
    8 * one(near(c, p)), 16 * one(safe(c, p)), 32 * count(taken(c, p)), index(met(c, d) otherwise c),
    index(first_foe(c, d, p) otherwise c)])
rule put(p: Player, c: Plot, m: Man)
  set side[c] to p
  set man[c] to m
rule play
  take turns p from first(Player)
    p chooses c in Plot, m in Man where side[c] is none and (c is latest or not attacked(c, p) after do put(p, c, m))
      do put(p, c, m)
      set tall[c] to (c.column + c.row) mod 3 is 0
      set latest to c
    otherwise
      end the game
    roll d in {way}
    p chooses a in Plot, b in glides(a, d) where side[a] is p
      p scores index(b)
    otherwise
      p loses 1
    surely roll b in Plot
    p scores told(b, p, d) + count(glides(b, d)) + count(beyond(b, d))
    each e in beyond(b, d) where side[e] is none
      p scores index(e) mod 3
      set tall[e] to yes
    p chooses a in Plot, e in reaches(p, a) where side[a] is p and side[e] is not p
      set side[e] to none
    otherwise
      do nothing
    increase moves by 1
    if moves is most
      end the game
"""

GRID = {"board": "grid", "way": "Direction", "ways": "north, west, south_east", "back": "south, north_west"}
HEXES = {"board": "hexes", "way": "Heading", "ways": "north_east, west, south_east", "back": "south_west, east"}


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "board, size, without",
    [
        (GRID, "5 by 4", ""),
        (GRID, "10 by 9", ""),
        pytest.param(HEXES, "4", "", marks=SLOW),
        pytest.param(GRID, "8 by 8", "", marks=SLOW),
        pytest.param(GRID, "12 by 12", "", marks=SLOW),
        pytest.param(GRID, "8 by 8", "led", marks=SLOW),
        pytest.param(GRID, "8 by 8", "rays", marks=SLOW),
    ],
)
def test_both_engines_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: dict[str, str], size: str, without: str
) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    same_on_both(load_program(tmp_path, GAME.format(size=size, **board)), games=1, limit=60)


def test_it_takes_place_unless_it_is_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_program(tmp_path, GAME.format(size="5 by 4", **GRID))
    done = noted(program)
    assert done["led"] and done["rays"]
    monkeypatch.setenv("RULELANG_WITHOUT", "led, rays")
    assert not {"led", "rays"} & noted(program).keys()


ENDLESS = corpus("endless/plots")


def test_what_takes_too_long_is_not_worked_out_beforehand(tmp_path: Path) -> None:
    assert not noted(load_program(tmp_path, ENDLESS))["led"]
