"""``if there is``: a block for the first that there is, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from alike import same_on_both
from small_games import load_game, mistakes

from interpreter.loading import ENGINES

GAME = """
game tiny
  players 2

enum Hill, ring: oak, elm, ash, fir
enum Good: wood, wool

the game has
  bank: pool of Good = {wood: 3, wool: 1}
  pile: stack of Good = [wood, wool, wood]
  there: 0..9

each Player has
  score: 0..99

each Hill has
  stone: slot of Player
  keep: slot of Good

winner most score[p], then shared

rule play
  take turns p from first(Player) until score[p] > 40
    do turn(p)

rule turn(p: Player)
  if there is q in stone[oak]
    q scores 1
    if there is h in Hill, k in 1..3 where stone[h] is none and k > 1
      set stone[h] to p
      p chooses n in 1..k
      p scores n + index(h)
    otherwise
      p scores 5
  otherwise if there is g in keep[elm]
    move 1 from keep[elm] to bank
    p scores index(g) + 1
    set stone[oak] to p
  otherwise if (there) > 2
    p scores 1
  otherwise
    move up to 1 of wood from bank to keep[elm]
  if there is (a, b) in [(there, 1), (3, 2)] where a is 3
    p scores b
  if there is l in [[1, 2], [3]] where count(l) is 1
    p scores count(l)
  p chooses k in 1..2
"""


def test_the_first_is_taken_and_its_parts_have_names(tmp_path: Path) -> None:
    for engine in ENGINES:
        state = load_game(tmp_path, GAME, engine=engine).start(0)
        assert state.get("keep[elm]") == "wood" and state.scores == (3, 0)
        state.choose(0)  # player_2 finds the wood, and leaves a stone
        assert state.get("stone[oak]") == "player_2" and state.scores == (3, 4)
        state.choose(0)  # player_1 finds the stone, and then the first free hill with the first fitting number
        assert [option.text for option in state.decision.options] == ["1", "2"]
        assert state.get("stone[elm]") == "player_1"


def test_games_go_on_alike(made: Callable[[str], Any]) -> None:
    same_on_both(made(GAME), games=10)


def test_what_is_there_can_be_moved_and_where_nothing_is_there_is_room(tmp_path: Path) -> None:
    assert mistakes(tmp_path / "sound", GAME) == []
    unsure = GAME.replace("  otherwise if (there) > 2\n    p scores 1\n  otherwise\n", "  if (there) > 2\n")
    assert {code for code, _ in mistakes(tmp_path / "unsure", unsure)} == {"R0503"}  # perhaps something lies there
