"""Suppositions that set no more than somebody looks at: both engines play alike, and faults stay what they are."""

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
number most = {most}
the game has
  moves: 0..most
  latest: Plot or none
  worth: -99..99
each Player has
  score: -9999..99999
each Plot has
  man: Man or none
  side: Player or none
  age: 0..9
  seen: flag
winner most score[p], then shared
define near(c: Plot, p: Player) = count(e in steps(c) where side[e] is p)
define straight = [north, east, south, west]
define steps(c: Plot) = list(e for d in straight, e in step(c, d))
define lost(p: Player) = count(c in Plot where side[c] is p and near(c, p) is 0 and man[c] is crow) > 2
define crowd(p: Player) = count(c in Plot where side[c] is p and near(c, p) > 1)
define old(p: Player) = sum(age[c] for c in Plot where side[c] is p)
rule grow(c: Plot, k: 0..9)
  set age[c] to k
  increase worth by k
rule put(p: Player, c: Plot, m: Man)
  set seen[c] to not seen[c]
  set latest to c
  set man[c] to m
  set side[c] to p
  do grow(c, index(c) mod 10)
  each e in steps(c) where side[e] is not none and side[e] is not p and near(e, p) > {few}
    set side[e] to none
    set man[e] to none
    set side[e] to p
  rule put.twice when latest is c and m is hare
    set seen[c] to no
    set latest to none
    set man[c] to crow
rule fill(p: Player)
  each c in Plot
    set side[c] to p
  set latest to none
rule both(p: Player, c: Plot)
  if not (lost(p) after do put(p, c, hare))
    do put(p, c, crow)
rule play
  take turns p from first(Player)
    p chooses c in Plot, m in Man where side[c] is none and not (lost(p) after do put(p, c, m))
      p scores crowd(p) after do put(p, c, m)
      p scores old(p) after do put(p, c, m)
      p scores crowd(p) after do both(p, c)
      p scores (crowd(p) after do put(p, c, crow)) after do put(next(p), last(Plot), m)
      p scores crowd(p) after do fill(p)
      p scores (if latest is c then 1 else 0) after do put(p, c, m)
      do put(p, c, m)
      set worth to 0
    otherwise
      end the game
    increase moves by 1
    if moves is most
      end the game
"""


def game(folder: Path, most: int = 40, few: str = "1") -> Program:
    return load_program(folder, GAME.format(most=most, few=few))


@pytest.mark.parametrize("without", ["", "suppose"])
def test_both_engines_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: str) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    same_on_both(game(tmp_path), games=2, limit=25)


def test_it_says_what_it_leaves_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {(line.partition(": ")[0], line.partition(": ")[2]) for line, _ in noted(game(tmp_path))["suppose"]}
    assert ("put", "latest, seen left as it is; man, side put back cell by cell") not in told  # `latest` is tested
    assert ("put", "age, seen left as it is; man, side put back cell by cell") in told
    assert ("put", "man, seen left as it is; age, side put back cell by cell") in told
    assert ("fill", "latest left as it is") in told  # all cells are set, so they are copied
    monkeypatch.setenv("RULELANG_WITHOUT", "suppose")
    assert not noted(game(tmp_path))["suppose"]


FAULTY = """game tiny
  players 2
grid Plot: 6 by 5
the game has
  tally: 0..9
  deep: 0..9
each Plot has
  side: Player or none
  age: 0..9
define mine(p: Player) = count(c in Plot where side[c] is p)
rule put(p: Player, c: Plot)
  set side[c] to p
  {statement}
rule play
  take turns p from first(Player)
    p chooses c in Plot where side[c] is none and (mine(p) > 0 after do put(p, c))
      set side[c] to p
    otherwise
      end the game
"""


@pytest.mark.parametrize(
    "statement",
    [
        "set tally to mine(p) + 5",
        "set age[c] to if mine(p) * mine(p) * 500000000 > 7 then 1 else 2",
        "increase deep by mine(p) + 5",
        "set age[c] to if mine(p) > 2 then 12 else 3",
    ],
)
def test_what_is_not_set_faults_as_before(tmp_path: Path, statement: str) -> None:
    same_on_both(load_program(tmp_path, FAULTY.format(statement=statement)), games=2, limit=40)
