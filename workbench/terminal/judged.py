"""Table of what a search found of the choices of a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from interpreter.bots.search import Judgement
    from interpreter.data import Decision
    from interpreter.wasm.search import Judged

    from ..wording import Wording

MOST = 5
"""Choices that are shown: those tried most often."""


def worth(one: Judged) -> str:
    """What a choice is worth, of 100, with its uncertainty."""
    return f"{100 * one.value:.0f} ±{max(1, round(100 * one.error))}"


def hinted(decision: Decision, judged: Judgement, best: int, wording: Wording) -> Table:
    """The choices that look best, each with how often it was tried and what it is worth: 100 where it always wins (by
    far, where the lead counts), 0 where it always loses."""
    table = Table(box=None, padding=(0, 2, 0, 2), show_edge=False)
    say = wording.words.say
    table.add_column(say("hint.column_choice"))
    table.add_column(say("hint.column_tried"), justify="right")
    table.add_column(say(f"hint.column_{'chance' if judged.only_winning else 'worth'}"), justify="right")
    found = judged.options
    order = sorted(range(len(found)), key=lambda number: (number != best, -found[number].visits))
    for number in order[:MOST]:
        if found[number].visits:
            table.add_row(
                Text(wording.option(decision, decision.options[number])),
                f"{found[number].visits:,}",
                worth(found[number]),
            )
    return table
