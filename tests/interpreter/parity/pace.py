"""How fast a program is played at random on each engine, in CPU time, without what it takes to compile it."""

from __future__ import annotations

import time
from collections.abc import Callable

import attrs

import interpreter
from interpreter.bots import Stream
from interpreter.simulate.games import game_seed, play_many, play_range
from rulelang import Program

ENOUGH = 0.01
"""CPU seconds of play on the reference engine that are compared."""

MOST_GAMES = 50
REPETITIONS = 3


@attrs.frozen
class Pace:
    """Times as fast as on the reference engine: whole games in one go, and choice by choice from Python."""

    playouts: float
    steps: float


def pace(program: Program, seed: int, limit: int) -> Pace | None:
    """Of the same games on both engines, as many as take a hundredth of a second on the reference engine.

    The best of several runs each, in turn. None where a game ends in a fault: then most of the time goes into telling
    of it, and the fast engine plays the game a second time to do so.
    """
    slow, fast = (interpreter.game_of(program, engine=engine) for engine in ("reference", "wasm"))
    games = 0
    spent = 0.0
    while spent < ENOUGH and games < MOST_GAMES:
        games += 1
        started = time.process_time()
        if any(result.fault for result in play_many(slow, seed, games, limit=limit)):
            return None
        spent = time.process_time() - started
    runs: dict[str, Callable[[], object]] = {
        "slow": lambda: _played(slow, seed, games, limit),
        "fast": lambda: play_range(fast, seed, 0, games, limit),
        "slow steps": lambda: _stepped(slow, seed, games, limit),
        "fast steps": lambda: _stepped(fast, seed, games, limit),
    }
    best = dict.fromkeys(runs, float("inf"))
    for number in range(REPETITIONS + 1):  # the first run compiles
        for name, run in runs.items():
            taken = _seconds(run)
            if number:
                best[name] = min(best[name], taken)
    return Pace(best["slow"] / best["fast"], best["slow steps"] / best["fast steps"])


def _seconds(run: Callable[[], object]) -> float:
    started = time.process_time()
    run()
    return max(1e-6, time.process_time() - started)


def _played(game: interpreter.Game, seed: int, games: int, limit: int) -> None:
    for _ in play_many(game, seed, games, limit=limit):
        pass


def _stepped(game: interpreter.Game, seed: int, games: int, limit: int) -> None:
    for number in range(games):
        stream = Stream(seed + number)
        state = game.start(game_seed(seed, number))
        for _ in range(limit):
            if not state.option_count:
                break
            state.choose(stream.below(state.option_count))
