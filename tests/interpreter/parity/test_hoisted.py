"""What does not depend on a loop is worked out once before it, when it is asked for; both engines play alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import load_game, load_program

from interpreter.position.blueprint import Blueprint
from interpreter.wasm.write.module import Module

TRADE = """
game trade
  players 2

enum Good: wood, wool, iron
enum Town, ring: oak, elm, ash, fir, box, yew, bay, gum, tea

the game has
  round: 0..14
  huge: 1..2000000000 = 700

each Player has
  score: 0..999
  purse: pool of Good = {g: 3 for g in Good}, any 2 others for 1

each Town has
  owner: Player or none
  sold: list of Good, at most 5

winner most score[p], then shared

define rich(p: Player) = sum(count(sold[t]) * (index(g) + 1) for t in Town, g in sold[t] where owner[t] is p)

rule give(t: Town, g: Good)
  set sold[t] to (sold[t] + [g])[1..5]

rule play
  take turns p from first(Player) until round is 14
    do turn(p)

rule turn(p: Player)
  set round to min(14, round + 1)
  p chooses one of
    option found(t in Town)
      needs owner[t] is none
      set owner[t] to p
      set huge to min(2000000000, huge * 7)
    option sell(t in Town, g in Good)
      needs index(t) < 5 and (owner[t] is p or sum(count(sold[u]) for u in Town where owner[u] is p) > index(t))
      needs count(sold[t]) < 5 and purse[p] covers {g: 1 + count(s in sold[t] where s is g)}
      needs index(t) < 3 or sum(huge * index(h) for u in Town, h in sold[u]) > index(g)
      needs rich(p) <= (rich(p) after do give(t, g)) + count(u in Town where some(h in sold[u] where h is not g))
      do give(t, g)
      surely p pays {g: 1} from purse[p] to purse[next(p)]
      p scores count(u in Town where count(sold[u]) >= max(count(sold[v]) for v in Town))
  otherwise
    each t in Town where count(sold[t]) < sum(count(sold[u]) for u in Town)
      do give(t, wood)
"""


def test_before_one_loop_and_between_two(tmp_path: Path) -> None:
    same_on_both(load_program(tmp_path, TRADE), games=15)


def test_not_for_each_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = load_program(tmp_path, TRADE)
    with_it = Module(Blueprint(program), steps=False).text()
    monkeypatch.setenv("RULELANG_WITHOUT", "hoist")
    assert Module(Blueprint(program), steps=False).text() != with_it
    same_on_both(load_game(tmp_path, TRADE).program)


WALKS = """
game walks
  players 2

enum Hill, ring: oak, elm, ash, fir, yew, box

the game has
  round: 0..9
  walker: Hill

rule push(h: Hill)
  set walker to h

ways walks, at most 3 steps
  from walker
  step w to x for x in [(opposite(last(w)) after do push(last(w))), next(last(w))] where count(w) < 3 and x is not in w
  w may end

rule play
  take turns p from first(Player) until round is 9
    set round to min(9, round + 1)
    surely p chooses w in walks
    do push(last(w))
"""


def test_a_way_changes_in_place_within_its_loop(tmp_path: Path) -> None:
    same_on_both(load_program(tmp_path, WALKS), games=5)
