"""What several statements of a rule ask for is worked out once, and anew where something has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import noted, same_on_both
from small_games import load_program

GAME = """game tiny
  players 2
grid Plot: 5 by 4
number most = 40
the game has
  moves: 0..most
  told: 0..99999
each Player has
  score: -9999..99999
each Plot has
  side: Player or none
winner most score[p], then shared
define straight = [north, east, south, west]
define pairs(p: Player) = count(c in Plot, d in straight, e in step(c, d) where side[c] is p and side[e] is p)
define risky(p: Player, k: 0..9) = sum(index(c) * 9 mod (k + 1) for c in Plot where side[c] is p) * 100000 * k
history diagram(p: Player), at most most: side, p
rule flip(c: Plot)
  set side[c] to if side[c] is none then none else next(side[c] otherwise first(Player))
rule play
  take turns p from first(Player)
    remember diagram(p)
    if occurrences(diagram(p)) > 1
      p scores 1 + occurrences(diagram(p))
    set told to pairs(p)
    p scores pairs(p)
    each q in Player
      p scores pairs(q) - pairs(p)
      set told to pairs(q) + pairs(p)
    p chooses c in Plot where side[c] is none or pairs(p) > 3
      p scores pairs(p)
      set side[c] to p
      p scores pairs(p)
      do flip(last(Plot))
      p scores pairs(p)
      let q = next(p)
      p scores pairs(q)
      if pairs(q) > 2 and moves > 3
        {statement}
    otherwise
      end the game
    increase moves by 1
    if moves is most
      end the game
"""


@pytest.mark.parametrize("without", ["", "again"])
@pytest.mark.parametrize("statement", ["do nothing", "p scores risky(p, 9) - risky(p, 9)"])
def test_both_engines_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, without: str) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", without)
    same_on_both(load_program(tmp_path, GAME.format(statement=statement)), games=3, limit=60)


def test_it_says_what_is_worked_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_WITHOUT", "remember")  # which would keep some of it anyway
    program = load_program(tmp_path, GAME.format(statement="do nothing"))
    lines = {(name, span.line) for name, span in noted(program)["again"]}
    first, move, flip = (GAME[: GAME.index(text)].count("\n") + 1 for text in ("remember", "p chooses", "do flip"))
    assert {name for name, _ in lines} == {"play: diagram", "play: pairs"}
    assert {("play: diagram", first)} < lines
    assert not any(move + 1 < line <= flip for _, line in lines)  # between two changes it is asked for once
    monkeypatch.setenv("RULELANG_WITHOUT", "again remember")
    assert not noted(program)["again"]
