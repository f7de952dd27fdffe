"""Grids in which pieces are laid: spots, squares, sides, openings, tuples taken apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_games import MOSAIC, changed, load_game, mistakes

import interpreter
from interpreter.errors import GameError, RuleFault
from interpreter.evaluation.runtime import beside, openings, turned
from interpreter.examples import run_examples
from rulelang.types import REACH


@pytest.fixture
def game(tmp_path: Path) -> Any:
    return load_game(tmp_path, MOSAIC, players=2)


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
        (tuple(("cross", i, 0, 0) for i in range(5)), 5, "has no room for 1 more piece: it holds at most 5"),
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


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (", at most 5", "", "R0410", "how many pieces"),
        (", at most 5", ", at most 500", "R0404", "out of bounds"),
        (" at (x, 0)", "", "R0402", "say which square"),
        ("to hand[p]\n  p chooses", "to hand[p] at (0, 0)\n  p chooses", "R0402", "only a grid has squares"),
        (
            "move 1 of t from hand[p] to floor[p] at c turned k",
            "move all from hand[p] to floor[p] at c",
            "R0402",
            "one",
        ),
        ("c in openings(floor[p])", "c in [(0, 0)]", "R0503", "may be occupied"),
        ("s.piece.open, s.turn)\n  edge", "s.colour, s.turn)\n  edge", "R0408", "no part `colour`"),
        ("for (s, d) in g", "for (s, d, e) in g", "R0402", "3 parts"),
        ("for (s, d) in g", "for (s, 1) in g", "R0402", "Only names"),
        ("for (s, d) in g", "for (s, net) in g", "R0205", "already means something else"),
        ("beside(floor[p], s, d)", "beside(hand[p], s, d)", "R0402", "needs a grid"),
        ("turned(s.piece.open, s.turn)\n  edge", "turned(Shard, s.turn)\n  edge", "R0402", "members of a ring"),
        ("table Shard", "enum Side: left, right\n\ntable Shard", "R0402", "four sides"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, code: str, message: str) -> None:
    found = mistakes(tmp_path, changed(MOSAIC, old, new))
    assert any(c == code and message in m for c, m in found), found
