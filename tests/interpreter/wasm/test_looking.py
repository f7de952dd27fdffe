"""What is told of games inside the fast engine: views and saves from the bytes of a state, and profiles."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from every_game import GAMES
from small_games import corpus, load_game

import interpreter
from interpreter.position import saves, views
from interpreter.simulate.batch import Batch
from interpreter.simulate.games import play_range
from interpreter.wasm.profile import Profile, profile_of

TOGETHER = corpus("sealed_together")


def same(state: interpreter.State, game: interpreter.Game) -> None:
    position, decision = state.position, state.decision
    for seat in (None, *range(game.players)):
        expected = views.view(position, decision, views.SPECTATOR if seat is None else seat)
        assert state.view(seat) == expected
        assert json.loads(json.dumps(expected)) == state.view(seat)
    saved = game.save(state)
    course = saved.pop("course", None)
    assert saved == saves.save(position)
    assert (course is None) == position.edited
    assert state.scores == position.scores()


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_the_same_as_of_the_whole_position(path: Path) -> None:
    game, dice = interpreter.load(path, engine="wasm"), random.Random(3)
    state = game.start(3)
    for number in range(120):
        if number % 12 == 0:
            same(state, game)
        if not state.option_count:
            break
        state.choose(dice.randrange(state.option_count))
    same(state, game)


def test_while_players_decide_together_and_at_the_end(tmp_path: Path) -> None:
    game = load_game(tmp_path, TOGETHER, engine="wasm")
    state = game.start(0)
    while state.option_count:
        same(state, game)
        state.choose(state.option_count - 1)
    same(state, game)
    assert state.over and state.view(None)["scores"] == [3, 3, 3]


@pytest.mark.parametrize("name", ["skye", "meduris", "night_fair", "chess"])
def test_what_is_done_to_a_view_or_a_save_stays_there(name: str) -> None:
    game = interpreter.load(next(path for path in GAMES if path.name == name), engine="wasm")
    state, dice = game.start(1), random.Random(1)
    for _ in range(60):
        state.choose(dice.randrange(state.option_count))
    kept = copy.deepcopy((state.view(0), game.save(state)))
    _spoil(state.view(0))
    _spoil(game.save(state))
    assert (state.view(0), game.save(state)) == kept
    same(state, game)


def _spoil(data: object) -> None:
    """Empties everything, the innermost first."""
    if isinstance(data, (dict, list)):
        for part in data.values() if isinstance(data, dict) else data:
            _spoil(part)
        data.clear()


def test_a_save_can_be_taken_up_by_either_engine() -> None:
    path = next(path for path in GAMES if path.name == "babel")
    fast, slow = (interpreter.load(path, engine=engine) for engine in ("wasm", "reference"))
    state, dice = fast.start(8), random.Random(8)
    for _ in range(40):
        state.choose(dice.randrange(state.option_count))
    for game in (fast, slow):
        assert game.resume(json.loads(json.dumps(fast.save(state)))).key() == state.key()


@pytest.mark.parametrize("name", ["babel", "night_fair"])
def test_a_log_grows_with_the_game_and_with_each_copy(name: str) -> None:
    path = next(path for path in GAMES if path.name == name)
    fast, slow = (interpreter.load(path, engine=engine).start(4) for engine in ("wasm", "reference"))
    dice, branches = random.Random(4), []
    for number in range(60):
        if number % 7 == 0:
            assert fast.log == slow.log
        if number % 20 == 0:
            branches.append((fast.copy(), slow.copy()))
        index = dice.randrange(fast.option_count)
        fast.choose(index)
        slow.choose(index)
    for one, other in branches:
        for state in (one, other):
            state.choose(0)
        assert one.log == other.log
    assert fast.log == slow.log


@pytest.mark.parametrize("name", ["meduris", "night_fair", "skye"])
def test_a_save_tells_the_course_of_the_game_as_that_of_the_other_engine(name: str) -> None:
    path = next(path for path in GAMES if path.name == name)
    games = [interpreter.load(path, engine=engine) for engine in ("wasm", "reference")]
    states, dice = [game.start(6) for game in games], random.Random(6)
    for _ in range(40):
        index = dice.randrange(states[0].option_count)
        for state in states:
            state.choose(index)
    fast, slow = (game.save(state)["course"] for game, state in zip(games, states, strict=True))
    assert fast == slow
    assert len(fast) == 41
    taken_up = games[0].resume(games[0].save(states[0]))
    assert games[0].save(taken_up)["course"] == slow


@pytest.mark.parametrize("engine", ["wasm", "reference"])
def test_saves_one_after_another_tell_what_a_single_one_does(tmp_path: Path, engine: str) -> None:
    game = load_game(tmp_path, TOGETHER, engine=engine)
    state, branches = game.start(2), []
    while state.option_count:
        game.save(state)["course"].clear()
        branches.append(state.copy())
        state.choose(1)
    for begun in (state, *branches):
        begun = begun.copy()
        if begun.option_count:
            begun.choose(0)
        anew = game.start(2)
        for index in game.save(begun)["choices"]:
            anew.choose(index)
        assert game.save(begun) == game.save(anew)


ROUND_AGAIN = corpus("again")

NOTHING_AT_FIRST = corpus("later")


@pytest.mark.parametrize("text", [ROUND_AGAIN, NOTHING_AT_FIRST])
@pytest.mark.parametrize("every", [1, 3, 99])
def test_a_log_passes_over_what_was_not_asked_and_comes_back_to_it(tmp_path: Path, every: int, text: str) -> None:
    games = [load_game(tmp_path, text, engine=engine) for engine in ("wasm", "reference")]
    for seed in range(6):
        (fast, slow), dice = (game.start(seed) for game in games), random.Random(seed)
        number = 0
        while slow.option_count:
            index, number = dice.randrange(slow.option_count), number + 1
            fast.choose(index)
            slow.choose(index)
            assert number % every or fast.log == slow.log
        assert fast.log == slow.log


# Profiles of random games: the same games, every piece of work at a line of the rules, and the dear ones on top.


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
