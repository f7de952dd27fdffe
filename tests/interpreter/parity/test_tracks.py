"""Tracks: fields along one, past its ends and round, on both engines; and how they are drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from alike import same_on_both
from small_games import load_game

from interpreter.loading import ENGINES
from workbench.pictures import scene_of
from workbench.pictures.draw import stretched

GAME = """
game dash
  players 2

number length = 9
track Point{ring}: {size}

the game has
  met: 0..99

each Point has
  men: stack of Player, at most 3

each Player has
  pawn: Point = last(Point)
  home: flag
  score: 0..999

winner most score[p], then shared

rule play
  take turns p from first(Player) until met > 40 or home[p]
    roll n in -4..6
    p chooses m in 0..3
    increase met by 1
    if there is b in {to}
      set pawn[p] to b
      p scores distance(b, last(Point)) + b.number
    otherwise
      set home[p] to yes
    set pawn[next(p)] to Point[n + m] otherwise pawn[p]
"""


def text(ring: bool, size: str) -> str:
    steps = "pawn[p] - n + m" if ring else "pawn[p] - (n - m)"
    return GAME.format(ring=", ring" if ring else "", size=size, to=f"[{steps}]" if ring else steps)


@pytest.mark.parametrize("size", ["9", "0..6", "length - 1", "3..3"])
@pytest.mark.parametrize("ring", [False, True])
def test_both_engines_go_the_same_way(ring: bool, size: str, tmp_path: Path) -> None:
    same_on_both(load_game(tmp_path, text(ring, size)).program, games=20)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("ring", "value", "expected"),
    [
        (False, "point_3 + 4", "point_7"),
        (False, "point_3 + 7", None),
        (False, "point_3 - 3", None),
        (False, "point_9 - 2147483647", None),
        (False, "Point[met + 9]", "point_9"),
        (False, "Point[met]", None),
        (False, "distance(point_8, point_2)", 6),
        (True, "point_3 + 7", "point_1"),
        (True, "point_3 - 20", "point_1"),
        (True, "distance(point_8, point_2)", 3),
        (True, "Point[met - 1]", None),
    ],
)
def test_fields_along_a_track(engine: str, ring: bool, value: str, expected: object, tmp_path: Path) -> None:
    game = load_game(tmp_path, text(ring, "9"), engine=engine)
    assert game.evaluate(value, game.start(seed=1)) == expected


def test_a_track_is_drawn_as_a_path_with_its_numbers_and_never_cut(tmp_path: Path) -> None:
    game = load_game(tmp_path, text(False, "0..6"))
    scene = scene_of(game.start(seed=1))
    (path,) = [node for node in scene.root.children if node.kind == "ring"]
    fields = [node for node in path.children if node.kind == "field"]
    assert [field.label for field in fields] == list("0123456")
    assert stretched([scene], frozenset({"pawn[player_1]"})) == [scene]
