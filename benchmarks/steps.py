"""Costs of interactive use: a step (making a choice, listing the next options), a copy, and looking at a position."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import attrs

from benchmarks.rows import Row, progress
from benchmarks.subjects import ENGINES, FAST, SEED, Subject, missing_engine

if TYPE_CHECKING:
    from interpreter.game import Game, State

STEP = "a step: choose, then count the options of the next decision"
SHOWN = "the options as text"
VIEW = "what the seat that decides may see"
SAVE = "a save"
LOG = "the log, looked at after every step"
COPY = "a copy of a position"
VECTOR = "steps of many games side by side, with observations and legal actions, beside decisions in playouts"
VECTOR_AIM = 1 / 2
"""The least share of the decisions of playouts, in the same time."""

SIDE_BY_SIDE = 512
"""Games that are stepped together."""
LOOKING_AIM = 10
"""Steps in whose time the fast engine shows options, a view or a save, or goes on with the log."""

FEWEST = 20
"""Steps that are measured at least, however long they take."""


@attrs.define
class Costs:
    """Mean microseconds of each action over a game, the best of several runs; ``options``: offered in a decision."""

    options: float = 0.0
    of: dict[str, float] = attrs.field(factory=dict)

    def add(self, spent: dict[str, float], steps: int) -> None:
        for action, seconds in spent.items():
            self.of[action] = min(self.of.get(action, float("inf")), 1e6 * seconds / steps)


def costs(subject: Subject, engine: str, repetitions: int, most: float = 0.7) -> Costs:
    """Of one random game, or of as much of it as fits in ``most`` CPU seconds of each run."""
    from interpreter.bots import Stream

    game = subject.load(engine)
    found = Costs()
    for number in range(repetitions + 1):  # the first imports and compiles what is needed to look
        stream, state = Stream(SEED), game.start(SEED)
        offered: list[int] = []
        logged = state.copy()  # a log is kept by whoever looks at it, so the others do without
        spent = dict.fromkeys((STEP, SHOWN, VIEW, SAVE, LOG, COPY), 0.0)
        while (count := state.option_count) and (sum(spent.values()) < most or len(offered) < FEWEST):
            offered.append(count)
            index = stream.below(count)
            spent[STEP] += _seconds(partial(_step, state, index))
            logged.choose(index)
            spent[LOG] += _seconds(partial(getattr, logged, "log"))
            for action, look in _looks(game, state).items():
                spent[action] += _seconds(look)
        if number:
            found.options = sum(offered) / len(offered)
            found.add(spent, len(offered))
    return found


def side_by_side(subject: Subject) -> Row:
    """Steps of ``game.vector`` a second and core, all players choosing at random; choosing is not counted."""
    import numpy as np

    from benchmarks.subjects import player

    game = subject.load(FAST)
    games = game.vector(SIDE_BY_SIDE, seed=SEED)
    random, spent, steps, ended = np.random.default_rng(SEED), 0.0, 0, 0
    while spent < 0.7:
        actions = (random.random(games.legal.shape, dtype=np.float32) * games.legal).argmax(axis=1)
        spent += _seconds(partial(games.step, actions))
        steps, ended = steps + SIDE_BY_SIDE, ended + int(games.done.sum())
    count = max(1, ended)
    playouts = count / max(player(game)(count), 1e-9) * steps / count  # decisions a second: as many in a game as here
    return Row(VECTOR, subject.name, FAST, steps / spent, "a second", steps / spent / playouts, "playouts", VECTOR_AIM)


def _seconds(action: Callable[[], object]) -> float:
    started = time.process_time()
    action()
    return time.process_time() - started


def _step(state: State, index: int) -> int:
    state.choose(index)
    return state.option_count


def _looks(game: Game, state: State) -> dict[str, Callable[[], object]]:
    """Ways to look at a state, the options first: a view has them in it, which are then there."""
    return {
        SHOWN: lambda: state.decision is None or state.decision.options,
        VIEW: lambda: state.view(state.player),
        SAVE: lambda: game.save(state),
        COPY: state.copy,
    }


def measure(subjects: Sequence[Subject], repetitions: int, rows: list[Row]) -> None:
    """Adds a row for each action, subject and engine to ``rows``."""
    found: list[tuple[Row, ...]] = []
    beside: list[Row] = []
    try:
        for subject in subjects:
            for engine in (engine for engine in ENGINES if missing_engine(engine) is None):
                progress(f"stepping through {subject.name}, {engine}")
                found.append(_rows(subject, engine, repetitions))
        if missing_engine(FAST) is None:
            beside = [_beside(subject) for subject in subjects]
    finally:
        progress("")
        rows += [row for kind in zip(*found, strict=True) for row in kind]
    rows += beside


def _beside(subject: Subject) -> Row:
    progress(f"stepping through many games of {subject.name}")
    try:
        return side_by_side(subject)
    except Exception as error:
        return Row(VECTOR, subject.name, FAST, None, "a second", note=f"{type(error).__name__}: {error}")


def _rows(subject: Subject, engine: str, repetitions: int) -> tuple[Row, ...]:
    actions = (STEP, SHOWN, VIEW, SAVE, LOG, COPY)
    try:
        spent = costs(subject, engine, repetitions)
    except Exception as error:  # one game that an engine cannot play must not spoil the table of the others
        note = f"{type(error).__name__}: {error}"
        return tuple(Row(action, subject.name, engine, None, "us", note=note) for action in actions)
    step = spent.of[STEP]
    rows = [Row(STEP, subject.name, engine, step, "us", note=f"{spent.options:.1f} options")]
    for action in actions[1:]:
        aim = LOOKING_AIM if engine == FAST and action != COPY else None
        ratio = spent.of[action] / step
        rows.append(Row(action, subject.name, engine, spent.of[action], "us", ratio, "a step", aim, at_most=True))
    return tuple(rows)
