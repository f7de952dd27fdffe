"""Other programs that play the same games at random: C loops, a plain Python loop, OpenSpiel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from benchmarks.python_loop import connect_four

SOURCES = Path(__file__).parent / "c"
C_LOOPS = ("tic_tac_toe", "connect_four", "reversi", "breakthrough")
FLAGS = ("-std=c11", "-O3", "-march=native")
OPEN_SPIEL_GAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "reversi": "othello",
    "breakthrough": "breakthrough",
}


class NotHere(Exception):
    """A yardstick cannot be used on this machine; the message says why."""


@attrs.frozen
class CResult:
    """The output of a C loop. ``wins``: of the first and second seat; ``mean_decisions``: moves and passes per game."""

    playouts: int
    cpu_seconds: float
    wins: tuple[int, int]
    mean_decisions: float


@attrs.frozen
class CLoop:
    """A compiled C loop."""

    program: Path

    def run(self, playouts: int, seed: int = 1) -> CResult:
        answer = subprocess.run(
            [self.program, str(playouts), str(seed)], check=True, capture_output=True, text=True
        ).stdout
        data = json.loads(answer)
        return CResult(data["playouts"], data["cpu_seconds"], tuple(data["wins"]), data["mean_decisions"])

    def seconds(self, playouts: int) -> float:
        """The CPU seconds that ``playouts`` games take."""
        return self.run(playouts).cpu_seconds


def compiler() -> str | None:
    """The C compiler to use: the one named by ``CC``, otherwise the first one found."""
    wanted = os.environ.get("CC")
    return next(
        (found for name in ([wanted] if wanted else ["cc", "gcc", "clang"]) if (found := shutil.which(name))), None
    )


def compiled(name: str, folder: Path) -> CLoop:
    """The C loop of a game, compiled into ``folder``. Raises NotHere if there is no compiler, or if it fails."""
    found = compiler()
    if found is None:
        raise NotHere("there is no C compiler (cc, gcc, clang, or the one named by CC)")
    program = folder / name
    done = subprocess.run(
        [found, *FLAGS, "-o", str(program), str(SOURCES / f"{name}.c")], capture_output=True, text=True
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise NotHere(f"{found} cannot compile {name}.c: {lines[0]}")
    return CLoop(program)


def python_loop(playouts: int) -> float:
    """The CPU seconds that ``playouts`` games of Connect Four take in plain Python."""
    started = time.process_time()
    connect_four(playouts, seed=1)
    return time.process_time() - started


def open_spiel(name: str) -> dict[str, Callable[[int], float]]:
    """OpenSpiel's ways to play a game at random, each a function from a number of playouts to CPU seconds.

    ``open_spiel python``: the usual loop with its Python interface; ``open_spiel c++``: its own rollouts, half of them
    one move shorter. Raises NotHere if it is not installed.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise NotHere("OpenSpiel is not installed (pip install open_spiel)") from error
    game = pyspiel.load_game(OPEN_SPIEL_GAMES[name])

    def rollouts(playouts: int) -> float:
        # OpenSpiel offers no rollouts by themselves. A search of two simulations does little else: the first rolls
        # out from the start, the second from a position one move later.
        evaluator = pyspiel.RandomRolloutEvaluator(max(1, playouts // 2), 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 2, 10, False, 1, False)
        state = game.new_initial_state()
        started = time.process_time()
        bot.step(state)
        return time.process_time() - started

    return {"open_spiel python": lambda playouts: _spiel_loop(game, playouts), "open_spiel c++": rollouts}


def _spiel_loop(game: Any, playouts: int) -> float:
    import random

    choose = random.Random(1).choice
    started = time.process_time()
    for _ in range(playouts):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
    return time.process_time() - started
