"""What a search found of the choices of a decision, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from interpreter.data import Decision
    from interpreter.wasm.search import Judged

MOST = 5
"""Choices that are shown: those tried most often."""


def hinted(decision: Decision, judged: Sequence[Judged], best: int) -> Table:
    """The choices that look best, each with how often it was tried and what it is worth: 100 where it always wins by
    far, 0 where it always loses by far."""
    table = Table(box=None, padding=(0, 2, 0, 2), show_edge=False)
    table.add_column("choice")
    table.add_column("tried", justify="right")
    table.add_column("worth, of 100", justify="right")
    order = sorted(range(len(judged)), key=lambda number: (number != best, -judged[number].visits))
    for number in order[:MOST]:
        one = judged[number]
        if one.visits:
            worth = f"{100 * one.value:.0f} ±{max(1, round(100 * one.error))}"
            table.add_row(Text(decision.options[number].text), f"{one.visits:,}", worth)
    return table
