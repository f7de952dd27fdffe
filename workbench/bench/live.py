"""The table that grows on a terminal while a comparison runs. Its intervals hold however often one looks at them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from ..output import console
from . import words

if TYPE_CHECKING:
    from interpreter.comparing.playing import Run

_PAUSE = 0.5
"""Least seconds between two drawings."""

_MOST = 6
"""Columns that fit beside each other."""


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
    places = [(table, beside) for table in run.tables for beside in table.beside if beside.plays][:_MOST]
    shown = Table(box=None, pad_edge=False, header_style="dim", caption=f"{doing}; Ctrl-C keeps what there is")
    shown.add_column("")
    for table, beside in places:
        who = f"{words.seats(table.players)}, {table.bots}"
        heading = f"{beside.alternative.name}\n{who}\n{beside.pairs.games:,}{asked} pairs"
        shown.add_column(heading, justify="right", overflow="fold")
    found = [run.differences(table, beside, any_time=True) for table, beside in places]
    for quantity in run.tables[0].quantities:
        cells = []
        for differences in found:
            one = differences.get(quantity.name)
            text = "" if one is None else f"{words.sign(one)} {words.number(quantity, one.difference, signed=True)}"
            cells.append(Text(text, style="" if one is None else STYLES[one.verdict]))
        shown.add_row(quantity.label, *cells)
    return shown
