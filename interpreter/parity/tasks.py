"""Tasks: some games of one setup, compared in a process of their own."""

from __future__ import annotations

import time

import attrs

import rulelang

from ..errors import GameError
from . import compare
from .setups import Setup


@attrs.frozen
class Task:
    """Some games of one setup; ``number`` is that of the setup."""

    number: int
    setup: Setup
    seed: int
    first: int
    games: int
    limit: int


@attrs.frozen
class Report:
    """``found``: the difference, as text. ``left_out``: why the setup cannot be played at all."""

    task: Task
    seconds: float
    found: str | None = None
    left_out: str | None = None


def play(task: Task) -> Report:
    """Play the games of a task."""
    started = time.perf_counter()
    try:
        program = task.setup.load()
    except rulelang.RulesError as error:
        return Report(task, time.perf_counter() - started, left_out=str(error).splitlines()[0])
    try:
        difference = compare(program, task.games, task.seed, first=task.first, limit=task.limit)
    except GameError as error:
        return Report(task, time.perf_counter() - started, found=f"The fast engine cannot play it: {error}")
    found = None if difference is None else difference.text(task.setup.code())
    return Report(task, time.perf_counter() - started, found)
