"""Costs of interactive use: a step (making a choice, listing the next options) and a copy of a position."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import attrs

from benchmarks.rows import Row, progress
from benchmarks.subjects import ENGINES, SEED, Subject, missing_engine

STEP = "a step: choose, then count the options of the next decision"
SHOWN = "the same, with the options as text"
COPY = "copy of a position, mean over a game"


@attrs.frozen
class Cost:
    """``step``, ``shown`` and ``copy`` in microseconds; ``options``: mean number offered in a decision."""

    step: float
    shown: float
    copy: float
    options: float


def cost(subject: Subject, engine: str, repetitions: int, most: float = 1.0) -> Cost:
    """The best of several runs of one random game, or of as much of it as fits in ``most`` seconds of steps."""
    from interpreter.bots import Stream

    game = subject.load(engine)
    step = shown = copy = float("inf")
    options: list[int] = []
    for _ in range(repetitions):
        stream = Stream(SEED)
        state = game.start(SEED)
        count = state.option_count
        stepping = showing = copying = 0.0
        options.clear()
        while count and stepping + showing < most:
            options.append(count)
            index = stream.below(count)
            started = time.perf_counter()
            state.copy()
            copied = time.perf_counter()
            state.choose(index)
            count = state.option_count
            stepped = time.perf_counter()
            assert state.decision is None or state.decision.options
            copying += copied - started
            stepping += stepped - copied
            showing += time.perf_counter() - copied
        number = len(options)
        step, shown, copy = min(step, stepping / number), min(shown, showing / number), min(copy, copying / number)
    return Cost(1e6 * step, 1e6 * shown, 1e6 * copy, statistics.fmean(options))


def measure(subjects: Sequence[Subject], repetitions: int, rows: list[Row]) -> None:
    """Adds two rows for each subject and engine to ``rows``."""
    found: list[tuple[Row, ...]] = []
    try:
        for subject in subjects:
            for engine in (engine for engine in ENGINES if missing_engine(engine) is None):
                progress(f"stepping through {subject.name}, {engine}")
                found.append(_rows(subject, engine, repetitions))
    finally:
        progress("")
        rows += [row for kind in zip(*found, strict=True) for row in kind]


def _rows(subject: Subject, engine: str, repetitions: int) -> tuple[Row, ...]:
    try:
        spent = cost(subject, engine, repetitions)
    except Exception as error:  # one game that an engine cannot play must not spoil the table of the others
        note = f"{type(error).__name__}: {error}"
        return tuple(Row(kind, subject.name, engine, None, "us", note=note) for kind in (STEP, SHOWN, COPY))
    return (
        Row(STEP, subject.name, engine, spent.step, "us", note=f"{spent.options:.1f} options"),
        Row(SHOWN, subject.name, engine, spent.shown, "us"),
        Row(COPY, subject.name, engine, spent.copy, "us"),
    )
