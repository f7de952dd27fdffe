"""Grids in which pieces are laid: spots, squares, sides, openings, tuples taken apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulelang
from interpreter.evaluation.runtime import beside, openings, turned
from interpreter.examples import run_examples
from interpreter.game import GameError, RuleFault
from rulelang.types import REACH

GAME = """
game mosaic
  players 2
  seats red, blue

table Shard
  open: set of Side
  rows
    cross: [north, east, south, west]
    bend: [north, east]
    stub: [north]

the game has
  sack: bag of Shard = {t: 4 for t in Shard}
  box: pool of Shard

each Player has
  hand: pool of Shard
  floor: grid of Shard, at most 5
  score: 0..99

winner most score[p], then shared

graph net(p: Player)
  node s in floor[p], d in Side where d is in turned(s.piece.open, s.turn)
  edge (s, d) to (s, e) for e in Side
  edge (s, d) to (o, opposite(d)) for o in beside(floor[p], s, d)

define longest(p: Player) = max(count(set(s for (s, d) in g)) for g in groups(net(p))) otherwise 0

invariant nothing_lost: count(sack) + count(box) + sum(count(hand[p]) + count(floor[p]) for p in Player) is 12

rule play
  each p in Player
    surely move 1 of cross from sack to floor[p] at (0, 0)
  take turns p from first(Player) until count(sack) is 0
    do turn(p)
  each p in Player
    p scores longest(p)

rule turn(p: Player)
  move up to 1 from sack to hand[p]
  p chooses t in hand[p], c in openings(floor[p]), k in 0..3
    move 1 of t from hand[p] to floor[p] at c turned k
  otherwise
    move all from hand[p] to box

rule lay(p: Player, t: Shard, x: -9..9)
  surely move 1 of t from hand[p] to floor[p] at (x, 0)

rule take_up(p: Player)
  surely move 1 from floor[p] to hand[p]

rule slide(p: Player)
  surely move at 1 from floor[p] to floor[next(p)] at (0, 0) turned 3

example shards.meaning
  players red, blue
  given floor[red] is [(cross, 0, 0, 0), (bend, 1, 0, 2)], hand[red] is {stub: 1}, sack is {bend: 3}
  given box is {cross: 3, stub: 3}, hand[blue] is {}
  then openings(floor[blue]) is [(0, 0)], count(openings(floor[red])) is 6
  then openings(floor[red]) is [(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0)]
  then beside(floor[red], (1, 0), west) is (cross, 0, 0, 0), beside(floor[red], (1, 0), east) is none
  then list(o.piece for s in floor[red], o in beside(floor[red], s, west)) is [cross]
  then turned([north, east], 3) is [west, north], turned(west, 1) is north, turned(north, -1) is west
  then first(s.turn for s in floor[red] where s.y is 0 and s.x > 0) is 2, floor[red][2] is (bend, 1, 0, 2)
  then longest(red) is 2, longest(blue) is 0
  then list(b for (a, b) in [(1, 2), (3, 4)] where a > 1) is [4], sum(a * b for (a, b) in [(1, 2), (3, 4)]) is 14
  chance bend
  run turn(red)
  red chooses bend, (1, -1), 0
  then floor[red][3] is (bend, 1, -1, 0), longest(red) is 3, hand[red] is {stub: 1}
"""


@pytest.fixture
def game(tmp_path: Path) -> Any:
    (tmp_path / "mosaic.rules").write_text(GAME)
    return interpreter.load(tmp_path, players=2)


def test_what_the_functions_mean(game: Any, tmp_path: Path) -> None:
    report = run_examples(tmp_path)
    assert [failure for result in report.results for failure in result.failures] == []
    assert report.passed


def test_squares_and_sides() -> None:
    grid = ((0, 0, 0, 0), (1, 1, 0, 2))
    assert beside(grid, (0, 0), 1) == (1, 1, 0, 2)
    assert beside(grid, (0, 0), 0) is None
    assert beside(grid, (1, 1), 2) == (1, 1, 0, 2)  # from an empty square
    assert openings((), None) == ((0, 0),)
    assert openings(grid, 2) == ()
    assert openings(((0, REACH, 0, 0),), None) == ((REACH - 1, 0), (REACH, -1), (REACH, 1))
    assert turned(frozenset({0, 3}), 2, 4) == {2, 1}


def test_a_random_game_keeps_every_piece_and_can_be_taken_up_anywhere(game: Any) -> None:
    import random

    state = interpreter.game_of(game.program, invariants=True).start(3)
    choices = random.Random(3)
    while state.decision is not None:
        again = game.resume(game.save(state))
        assert again.key() == state.key()
        assert again.view(0) == state.view(0)
        state.choose(choices.randrange(len(state.decision.options)))
    assert state.over
    assert all(1 <= len(land) <= 5 for land in state.view(0)["state"]["floor"].values())


def test_a_view_and_the_log_tell_where_pieces_lie(game: Any) -> None:
    state = game.start(1)
    state.choose(len(state.decision.options) - 1)
    laid = state.view(1)["state"]["floor"]["red"]
    assert laid[0] == {"piece": "cross", "x": 0, "y": 0, "turn": 0}
    assert (laid[1]["x"], laid[1]["y"], laid[1]["turn"]) == (1, 0, 3)
    told = [event for event in state.log if event.kind == "move" and "x" in event.data][-1]
    assert told.text.endswith("from hand[red] to floor[red] at (1, 0) turned 3")
    assert told.data["x"] == 1


def laid_out(game: Any, floor: Any = (("cross", 0, 0, 0),), bends: int = 1) -> Any:
    state = game.blank()
    state.set("floor[red]", floor)
    state.set("hand[red]", {"bend": bends})
    return state


@pytest.mark.parametrize(
    ("floor", "x", "message"),
    [
        ((("cross", 0, 0, 0),), 0, r"\(0, 0\) in floor\[red\] is taken"),
        (tuple(("cross", i, 0, 0) for i in range(5)), 5, "full: there is room for 5"),
    ],
)
def test_a_square_takes_one_piece_and_a_grid_as_many_as_it_says(game: Any, floor: Any, x: int, message: str) -> None:
    state = laid_out(game, floor)
    before = state.key()
    with pytest.raises(RuleFault, match=message):
        state.run("lay", ["red", "bend", x])
    assert state.key() == before


def test_pieces_may_lie_apart_when_the_rules_say_so(game: Any) -> None:
    state = laid_out(game)
    state.run("lay", ["red", "bend", 7])
    assert state.view(0)["state"]["floor"]["red"][-1] == {"piece": "bend", "x": 7, "y": 0, "turn": 0}


def test_pieces_are_taken_up_again_last_first_or_by_position(game: Any) -> None:
    state = laid_out(game, [["cross", 0, 0, 0], ["bend", 1, 0, 2]], bends=0)
    state.run("slide", ["red"])
    state.run("take_up", ["red"])
    shown = state.view(0)["state"]
    assert shown["floor"]["red"] == []
    assert shown["hand"]["red"] == {"bend": 1}
    assert shown["floor"]["blue"] == [{"piece": "cross", "x": 0, "y": 0, "turn": 3}]


def test_a_position_laid_out_by_hand_has_one_piece_a_square(game: Any) -> None:
    with pytest.raises(GameError, match="two pieces lie on one square"):
        laid_out(game, [["cross", 0, 0, 0], ["bend", 0, 0, 1]])


# ---------------------------------------------------------------- mistakes


def findings(tmp_path: Path, old: str, new: str) -> list[tuple[str, str]]:
    assert old in GAME
    (tmp_path / "mosaic.rules").write_text(GAME.replace(old, new, 1))
    return [(d.code, d.message) for d in rulelang.check_path(tmp_path).diagnostics if d.severity == "error"]


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (", at most 5", "", "R0410", "how many pieces"),
        (", at most 5", ", at most 500", "R0404", "out of bounds"),
        (" at (x, 0)", "", "R0402", "say on which square"),
        ("to hand[p]\n  p chooses", "to hand[p] at (0, 0)\n  p chooses", "R0402", "Only a grid has squares"),
        (
            "move 1 of t from hand[p] to floor[p] at c turned k",
            "move all from hand[p] to floor[p] at c",
            "R0402",
            "one",
        ),
        ("c in openings(floor[p])", "c in [(0, 0)]", "R0503", "may be taken"),
        ("s.piece.open, s.turn)\n  edge", "s.colour, s.turn)\n  edge", "R0408", "no part `colour`"),
        ("for (s, d) in g", "for (s, d, e) in g", "R0402", "3 parts"),
        ("for (s, d) in g", "for (s, 1) in g", "R0402", "write names"),
        ("for (s, d) in g", "for (s, net) in g", "R0205", "already has a meaning"),
        ("beside(floor[p], s, d)", "beside(hand[p], s, d)", "R0402", "needs a grid"),
        ("turned(s.piece.open, s.turn)\n  edge", "turned(Shard, s.turn)\n  edge", "R0402", "members of a ring"),
        ("table Shard", "enum Side: left, right\n\ntable Shard", "R0402", "four sides"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, code: str, message: str) -> None:
    found = findings(tmp_path, old, new)
    assert any(c == code and message in m for c, m in found), found
