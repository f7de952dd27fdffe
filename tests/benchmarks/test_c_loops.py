"""The C loops play the same games as the rules: lengths and wins agree as far as chance allows.

Also the plain Python loop. The number of games keeps the test short; what differs by more than four and a half
standard errors is another game, not bad luck.
"""

from __future__ import annotations

import functools
import math
import statistics
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from paths import RULES

import interpreter
from benchmarks import yardsticks
from benchmarks.python_loop import connect_four
from interpreter.simulate.games import play_all

CLASSICS = RULES / "classics"
GAMES = {"tic_tac_toe": 8_000, "connect_four": 3_000, "reversi": 150, "breakthrough": 800}
MOST_ERRORS = 4.5


@attrs.frozen
class Measured:
    """Mean decisions of a game and shares of games won by each seat alone, out of ``games`` random games."""

    games: int
    decisions: float
    wins: tuple[float, float]


@pytest.fixture(scope="module")
def c_loop(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], yardsticks.CLoop]:
    folder = tmp_path_factory.mktemp("c")

    def loop(name: str) -> yardsticks.CLoop:
        try:
            return yardsticks.compiled(name, folder)
        except yardsticks.NotHere as why:
            pytest.skip(str(why))

    return loop


@functools.cache
def of_rules(name: str) -> tuple[Measured, float]:
    """What the rules give, and the spread of the length of a game. Both engines play the same games from a seed."""
    game = interpreter.load(CLASSICS / name, engine="wasm")
    records = [record for part in play_all(game, seed=11, games=GAMES[name]) for record in part.records(2)]
    assert all(finished for _, _, finished, *_ in records)
    lengths = [decisions for _, _, _, _, decisions, *_ in records]
    alone = [winners[0] for *_, winners, _ in records if len(winners) == 1]
    shares = (alone.count(0) / len(records), alone.count(1) / len(records))
    return Measured(len(records), statistics.fmean(lengths), shares), statistics.stdev(lengths)


def agree(rules: Measured, spread: float, other: Measured) -> None:
    """Two samples of one distribution: the standard error of their difference is that of both together."""
    one_over_n = 1 / rules.games + 1 / other.games
    assert abs(rules.decisions - other.decisions) < MOST_ERRORS * spread * math.sqrt(one_over_n)
    for mine, theirs in zip(rules.wins, other.wins, strict=True):
        share = (mine * rules.games + theirs * other.games) / (rules.games + other.games)
        assert abs(mine - theirs) < MOST_ERRORS * math.sqrt(share * (1 - share) * one_over_n)


@pytest.mark.parametrize("name", GAMES)
def test_the_c_loop_plays_the_same_game(name: str, c_loop: Callable[[str], yardsticks.CLoop]) -> None:
    loop = c_loop(name)
    result = loop.run(200_000, seed=7)
    first, second = result.wins
    wins = (first / result.playouts, second / result.playouts)
    agree(*of_rules(name), Measured(result.playouts, result.mean_decisions, wins))


def test_the_python_loop_plays_the_same_game() -> None:
    games = 5_000
    first, second, moves = connect_four(games, seed=3)
    agree(*of_rules("connect_four"), Measured(games, moves / games, (first / games, second / games)))


def test_a_c_loop_repeats_itself(c_loop: Callable[[str], yardsticks.CLoop]) -> None:
    loop = c_loop("reversi")
    again, other = (attrs.evolve(loop.run(500, seed), cpu_seconds=0) for seed in (5, 6))
    assert attrs.evolve(loop.run(500, 5), cpu_seconds=0) == again != other


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(yardsticks.NotHere, match="there is no C compiler"):
        yardsticks.compiled("reversi", tmp_path)


def test_a_compiler_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failing = tmp_path / "failing-cc"
    failing.write_text("#!/bin/sh\necho out of order >&2\nexit 3\n")
    failing.chmod(0o755)
    monkeypatch.setenv("CC", str(failing))
    with pytest.raises(yardsticks.NotHere, match=r"failing-cc cannot compile reversi\.c: out of order"):
        yardsticks.compiled("reversi", tmp_path)
