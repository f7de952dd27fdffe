"""Tests of definitions, part by part and for all members at once, before any that may fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_on_both
from small_games import load_program

from rulelang.program import Program

GAME = """game tiny
  players 2
grid Plot: 6 by 5
enum Man: crow, hare
number most = 30
the game has
  moves: 0..most
each Player has
  score: -9999..99999
each Plot has
  man: Man or none
  side: Player or none
winner most score[p], then shared
define around(a: Plot) = list(e for d in Direction, e in step(a, d))
define reach(a: Plot) = if man[a] is crow then around(a) else list(e for b in around(a), e in around(b))
define crowned(a: Plot, b: Plot) = man[a] is crow and b.row is in [1, 5] and a is not b
define worth(a: Plot) = if man[a] is hare then index(a) * index(a) * {times} else 0
define bold(a: Plot, b: Plot) = worth(a) > worth(b) and side[b] is none
define only(a: Plot, m: Man) = man[a] is crow and m is crow
define crowd(p: Player) = count(c in Plot where side[c] is p and man[c] is crow)
rule put(p: Player, c: Plot, m: Man)
  set side[c] to p
  set man[c] to m
rule play
  take turns p from first(Player)
    p chooses c in Plot, m in Man where side[c] is none
      do put(p, c, m)
    otherwise
      end the game
    p scores count(list((a, m) for a in Plot, b in reach(a), m in Man where side[a] is p and only(a, m) and bold(a, b)))
    p scores count(list((a, b) for a in Plot, b in reach(a) where side[a] is p and crowned(a, b) and bold(a, b)))
    p scores count(list((a, b) for a in Plot, b in reach(a) where bold(a, a) and side[a] is p and crowned(a, b)))
    p chooses one of
      option leap(a in Plot, b in reach(a) where side[a] is p and crowned(a, b) and side[b] is none
          and (crowd(p) > 1 after do put(p, b, crow)))
        do put(p, b, crow)
      option stay
        do nothing
    increase moves by 1
    if moves is most
      end the game
"""


def game(folder: Path, times: int = 1) -> Program:
    return load_program(folder, GAME.format(times=times))


@pytest.mark.parametrize("times, without", [(1, ""), (900_000_000, ""), (9_000_000, ""), (9_000_000, "semijoin")])
def test_both_engines_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, without: str) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    same_on_both(game(tmp_path, times), games=3, limit=60)


def test_it_takes_place_unless_it_is_switched_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = game(tmp_path, 900_000_000)
    lines = {span.line for _, span in noted(program)["semijoin"]}
    early, late = (GAME[: GAME.index(text)].count("\n") + 1 for text in ("option leap", "where bold(a, a)"))
    assert early in lines and late not in lines  # what may fault comes first there
    monkeypatch.setenv("RULELANG_WITHOUT", "semijoin")
    assert not noted(program)["semijoin"]
