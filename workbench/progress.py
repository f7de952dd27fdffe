"""A progress bar for long work."""

from __future__ import annotations

import sys
import time
from typing import Any

from .output import console

_PAUSE = 0.05
"""Least time between two redraws, in seconds, so that short steps do not spend their time on the bar."""


class Progress:
    """A bar on standard error if that is a terminal, otherwise nothing. ``what`` is its label; ``rate`` adds the number
    done per second."""

    def __init__(self, total: int, what: str, *, rate: bool = False) -> None:
        self.bar: Any = None
        self._drawn = 0.0
        if sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            pace = [TextColumn("{task.fields[pace]}", markup=False)] if rate else []
            self.bar = Bar(
                TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), *pace,
                TimeRemainingColumn(),
                console=console(stderr=True), transient=True,
            )  # fmt: skip
            self.bar.start()
            self.task = self.bar.add_task(what, total=total, pace="")

    def step(self, done: int) -> None:
        """Shows that ``done`` of the total are done."""
        if self.bar is None or time.monotonic() - self._drawn < _PAUSE:
            return
        self._drawn = time.monotonic()
        speed = self.bar.tasks[self.task].speed
        pace = "" if speed is None else f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s"
        self.bar.update(self.task, completed=done, pace=pace)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
