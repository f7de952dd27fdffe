"""What interactive use costs: a step (a choice made, the next options listed) and a copy of a position."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import attrs

from .rows import Row, progress
from .subjects import ENGINES, SEED, Subject, missing_engine

STEP = "a step: choose, then the next decision's options"
COPY = "copy of a position, mean over a game"


@attrs.frozen
class Cost:
    """``step`` and ``copy`` in microseconds; ``options``: mean number that a decision offers."""

    step: float
    copy: float
    options: float


def cost(subject: Subject, engine: str, repetitions: int, most: float = 1.0) -> Cost:
    """The best of several times the same random game, or as much of it as ``most`` seconds of steps allow."""
    from interpreter.bots import Stream

    game = subject.load(engine)
    step = copy = float("inf")
    options: list[int] = []
    for _ in range(repetitions):
        stream = Stream(SEED)
        state = game.start(SEED)
        decision = state.decision
        stepping = copying = 0.0
        options.clear()
        while decision is not None and stepping < most:
            options.append(len(decision.options))
            index = stream.below(options[-1])
            started = time.perf_counter()
            state.copy()
            copied = time.perf_counter()
            state.choose(index)
            decision = state.decision
            if decision is not None:
                len(decision.options)
            copying += copied - started
            stepping += time.perf_counter() - copied
        step, copy = min(step, stepping / len(options)), min(copy, copying / len(options))
    return Cost(1e6 * step, 1e6 * copy, statistics.fmean(options))


def measure(subjects: Sequence[Subject], repetitions: int, rows: list[Row]) -> None:
    """Adds two rows for each subject and engine to ``rows``."""
    found: list[tuple[Row, Row]] = []
    try:
        for subject in subjects:
            for engine in (engine for engine in ENGINES if missing_engine(engine) is None):
                progress(f"stepping through {subject.name}, {engine}")
                found.append(_rows(subject, engine, repetitions))
    finally:
        progress("")
        rows += [step for step, _ in found] + [copy for _, copy in found]


def _rows(subject: Subject, engine: str, repetitions: int) -> tuple[Row, Row]:
    try:
        spent = cost(subject, engine, repetitions)
    except Exception as error:  # one game that an engine cannot play must not spoil the table of the others
        note = f"{type(error).__name__}: {error}"
        return (
            Row(STEP, subject.name, engine, None, "us", note=note),
            Row(COPY, subject.name, engine, None, "us", note=note),
        )
    return (
        Row(STEP, subject.name, engine, spent.step, "us", note=f"{spent.options:.1f} options"),
        Row(COPY, subject.name, engine, spent.copy, "us"),
    )
