"""The table that grows on a terminal while a comparison runs. Its intervals hold however often one looks at them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from ..output import console
from . import words

if TYPE_CHECKING:
    from interpreter.comparing.run import Run

_PAUSE = 0.5
"""Least seconds between two drawings."""


class Live:
    """Shows a run on standard error if that is a terminal, otherwise nothing."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.shown: Any = None
        self._drawn = 0.0

    def __enter__(self) -> Live:
        if sys.stderr.isatty():
            from rich.live import Live as Screen

            self.shown = Screen(console=console(stderr=True), auto_refresh=False, transient=True)
            self.shown.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown is not None:
            self.shown.stop()

    def show(self, doing: str = "playing") -> None:
        """Draws how things stand."""
        if self.shown is None or time.monotonic() - self._drawn < _PAUSE:
            return
        self._drawn = time.monotonic()
        self.shown.update(_picture(self.run, doing), refresh=True)


def _picture(run: Run, doing: str) -> Any:
    from rich.table import Table
    from rich.text import Text

    from .text import STYLES

    asked = f" of {run.question.games:,}" if run.question.games else ""
    shown = Table(box=None, pad_edge=False, header_style="dim", caption=f"{doing}; Ctrl-C keeps what there is")
    for heading in ("", "players", "pairs", *(quantity.label for quantity in run.tables[0].quantities)):
        shown.add_column(heading, max_width=12)
    for table in run.tables:
        for beside in table.beside:
            if beside.plays:
                differences = run.differences(table, beside, any_time=True)
                cells = [
                    Text(f"{words.sign(one)} {words.number(q, one.difference, signed=True)}", style=STYLES[one.verdict])
                    if (one := differences.get(q.name)) is not None
                    else Text("")
                    for q in table.quantities
                ]
                who = f"{table.players}, {table.bots}"
                shown.add_row(beside.alternative.name, who, f"{beside.pairs.games:,}{asked}", *cells)
    return shown
