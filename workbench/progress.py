"""A progress bar for long work."""

from __future__ import annotations

import sys
from typing import Any

from .output import console


class Progress:
    """A bar on standard error when that is a terminal, else nothing. ``what`` stands before the bar."""

    def __init__(self, total: int, what: str) -> None:
        self.bar: Any = None
        if sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self.bar = Bar(
                TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
                console=console(stderr=True), transient=True,
            )  # fmt: skip
            self.bar.start()
            self.task = self.bar.add_task("", total=total)

    def step(self, done: int) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=done)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
