"""Profiles of random games: the same games, every piece of work at a line of the rules, and the dear ones on top."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from every_game import GAMES
from small_games import corpus, load_game

import interpreter
from interpreter.simulate.batch import Batch
from interpreter.simulate.games import play_range
from interpreter.wasm.profile import Profile, profile_of

HEAVY = corpus("heavy")


def profiled(game: Any, games: int) -> tuple[list[Any], Profile]:
    """What ``play_range`` finds, and the profile of it."""
    counted = game.profiled()
    parts = play_range(counted, 3, 0, games)
    fired: Counter[str] = Counter()
    for part in parts:
        fired.update(part.fired)
    return parts, profile_of(counted, fired)


def rows(parts: list[Any]) -> bytes:
    return b"".join(part.rows for part in parts if isinstance(part, Batch))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_the_same_games_and_every_line_at_a_part_of_the_rules(path: Path) -> None:
    game = interpreter.load(path, engine="wasm")
    parts, profile = profiled(game, 2)
    assert rows(parts) == rows(play_range(game, 3, 0, 2))
    assert {line.part.kind for line in profile.lines} <= {"rule", "option", "define", "graph", "winner", "engine"}
    assert profile.work == sum(line.work for line in profile.lines) == sum(cost.work for cost in profile.parts) > 0
    engine = sum(cost.work for cost in profile.parts if cost.part.kind == "engine")
    assert engine < profile.work / 4
    rules = {cost.part.name: cost.runs for cost in profile.parts if cost.part.kind in ("rule", "option")}
    assert {name for name, runs in rules.items() if runs} <= set(game.rules)


def test_what_is_dear_is_on_top_with_its_line_and_its_runs(tmp_path: Path) -> None:
    _, profile = profiled(load_game(tmp_path, HEAVY, engine="wasm"), 10)
    first = profile.parts[0]
    assert (first.part.kind, first.part.name, first.part.line) == ("define", "dear", 11)
    assert first.work > 0.8 * profile.work
    assert first.runs == 10 * 7 * 2
    assert profile.lines[0].line == 11 and profile.lines[0].file.endswith("heavy.rules")
    runs = {cost.part.name: cost.runs for cost in profile.parts}
    assert runs["cheap"] == 10 * 7 * 2 and runs["play"] == 10
    assert 0 < runs["more"] < 10 * 7 * 2


def test_profiles_do_not_vary(tmp_path: Path) -> None:
    game = load_game(tmp_path, HEAVY, engine="wasm")
    one, other = profiled(game, 5)[1], profiled(game, 5)[1]
    # How many games are played in one go depends on time, and so does what beginning takes.
    assert [line for line in one.lines if line.line] == [line for line in other.lines if line.line]


def test_the_work_of_the_kernel_is_that_of_the_line_that_asks_for_it(tmp_path: Path) -> None:
    shuffling = """\
game shuffling
  players 1

enum Card: a, b, c

the game has
  deck: stack of Card = {c: 40 for c in Card}, seen by nobody
  left: stack of Card = {c: 1 for c in Card}, seen by nobody

each Player has
  score: 0..9

winner most score[p], then shared

rule play
  shuffle left
  repeat at most 20
    shuffle deck
"""
    _, profile = profiled(load_game(tmp_path, shuffling, engine="wasm"), 5)
    work = {line.line: line.work for line in profile.lines}
    assert work[18] > 100 * work[16] > 0
