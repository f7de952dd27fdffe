"""A comparison in the terminal: what it says in short, a table of the headline quantities, and what lies behind."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from interpreter.comparing.quantities import Quantity
from interpreter.comparing.results import ColumnResult, Comparison, sign
from interpreter.comparing.verdicts import BEHIND, LEVEL, Difference
from rulelang.words import several

from ..output import console
from . import tabulated, words
from .tabulated import MOST_RULES, STYLES

if TYPE_CHECKING:
    from interpreter.comparing.playing import ComparisonRun


def show(out: Console, comparison: Comparison, *, seats: bool = False) -> None:
    """Prints everything that a comparison found; ``seats``: of every seat too."""
    out.print(Text(f"{comparison.title} and {several(len(comparison.names), 'house rule')}", style="bold"))
    for name in comparison.names:
        for column in comparison.of(name):
            out.print(in_short(comparison, column))
    for players, bots in dict.fromkeys((column.players, column.bots) for column in comparison.columns):
        out.print()
        for block in table(comparison, players, bots):
            out.print(block)
        if beside := words.peoples_games(bots, players):
            out.print(Text(f"{beside} {words.who_plays(bots)}"))
    for fairest, columns, known in tabulated.seats(comparison) if seats else ():
        out.print(Text(f"\n{fairest}"))
        if known is not None:
            out.print(known.printed(), *(tabulated.came_off(column).printed() for column in columns), sep="\n")
    for name in comparison.names:
        for column in comparison.of(name):
            out.print(_behind(column))
            show_looks(out, words.games_to_look_at(comparison, column))
        out.print(_depends(comparison, name), end="")
    for causes in comparison.causes:
        out.print(Text(f"\n{causes.name}: {causes.games:,} games of each combination, {causes.bots}", style="dim"))
        for found, together in tabulated.causes(comparison, causes):
            out.print(found.printed(), Text(together), sep="\n")
    out.print(Text(legend(comparison), style="dim"))


def show_looks(out: Console, looks: Sequence[words.GameToSee]) -> None:
    """Games to look at, and how to."""
    if looks:
        out.print(Text(" ".join(look.text for look in looks if look.text)))
        out.print(Text("To read one of them, with its number after --game:", style="dim"))
        out.print(Text(f"  {looks[0].command}"), soft_wrap=True)


def legend(comparison: Comparison) -> str:
    held = "however often one looks" if comparison.any_time else "all of them together"
    behind = f"what is behind them at {100 * BEHIND:.0f} %"
    return (
        "▲▼ changed   △▽ real, but less than what matters   = no difference that matters   ? not settled\n"
        f"± of these headlines holds at {100 * LEVEL:.0f} %, {held}; {behind}.\n"
        "Change what matters with --matters length=3,score=5%,win=3."
    )


def in_short(comparison: Comparison, column: ColumnResult) -> Text:
    """One sentence or two on a rule."""
    line = Text.assemble((column.name, "bold"), (f" ({words.seats(column.players)}, {column.bots}): ", "dim"))
    for kind, text in words.summary(comparison, column):
        line.append(text, style=STYLES[kind])
    return line


def table(comparison: Comparison, players: int, bots: str) -> Iterator[RenderableType]:
    """The headline quantities for a number of players and who played; at most five house rules beside each other."""
    columns = [c for c in comparison.columns if (c.players, c.bots) == (players, bots) and c.problem is None]
    for start in range(0, len(columns), 5):
        yield _table(comparison, columns[start : start + 5])


def _table(comparison: Comparison, columns: list[ColumnResult]) -> RenderableType:
    first = columns[0]
    caption = f"{words.seats(first.players)}, {words.players_called(first.bots)}, {words.pairs_of(columns)}"
    shown = Table(title=caption, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    shown.add_column("")
    shown.add_column("printed", justify="right")
    for column in columns:
        shown.add_column(column.name, justify="right", overflow="fold")
    for quantity in comparison.quantities:
        there = [column.quantities.get(quantity.name) for column in columns]
        base = words.printed(quantity, columns)
        if base is not None:
            label = Text.assemble(quantity.label, (f" {quantity.unit}", "dim"))
            shown.add_row(label, words.number(quantity, base), *map(partial(_cell, quantity), there, columns))
    touched = (f"{100 * (column.touch_rate or 0):.0f} %" for column in columns)
    shown.add_row(Text("Games that differ in anything", style="dim"), "", *touched)
    return shown


def _cell(quantity: Quantity, one: Difference | None, column: ColumnResult) -> Text:
    if one is None:
        return Text("not the same thing" if quantity.name in column.not_compared else "", style="dim")
    return Text(words.difference(quantity, one, column), style=STYLES[one.verdict])


def _behind(column: ColumnResult) -> RenderableType:
    """Rules and points behind a column's numbers; left out where there is nothing to tell."""
    left = [] if column.crippled else words.left_out(column)  # then it is all there is to say, and said above
    lines: list[RenderableType] = [Text(line, style="yellow") for line in left]
    heading = Text(f"\n{column.name}, {words.seats(column.players)}, {column.bots}: ", style="bold")
    if column.problem is not None:
        return Group()
    lines.append(heading.append(words.touched(column), style="default not bold"))
    tables = [*tabulated.points(column, MOST_RULES), *tabulated.rates(column, MOST_RULES)]
    if known := [option for option in column.options if option.clear or option.base is None][:MOST_RULES]:
        lines += [table.printed() for table in tables] + [Text(words.worth_changes(column), style="default not bold")]
        tables = list(tabulated.worths(column, known))[:1]
    lines += [table.printed() for table in tables]
    if column.refuted:
        lines.append(Text(f"stood out, but not beyond doubt: {', '.join(column.refuted)}", style="dim"))
    return Group(*lines)


def _depends(comparison: Comparison, name: str) -> RenderableType:
    known = {quantity.name: quantity for quantity in comparison.quantities}
    found = [one for one in comparison.depends.get(name, ()) if one.depends]
    if not found:
        return Text("")
    lines = Text(f"{name} depends on who plays:\n", style="bold")
    for one in found:
        lines.append(f"  {known[one.quantity].label}: {words.depends(one, known[one.quantity])}\n", style="not bold")
    if scale := words.scale(comparison):
        lines.append(f"  {scale}\n", style="dim not bold")
    return lines


# The table that grows on a terminal while a comparison runs. Its intervals hold however often one looks at them.


_PAUSE = 0.5
"""Least seconds between two drawings."""

_MOST = 6
"""Columns that fit beside each other."""


class Live:
    """Shows a run on standard error if that is a terminal, otherwise nothing."""

    def __init__(self, run: ComparisonRun) -> None:
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


def _picture(run: ComparisonRun, doing: str) -> Any:

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
            text = "" if one is None else f"{sign(one)} {words.number(quantity, one.difference, signed=True)}"
            cells.append(Text(text, style="" if one is None else STYLES[one.verdict]))
        shown.add_row(quantity.label, *cells)
    return shown
