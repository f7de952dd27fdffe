"""Tables of figures, each made once, for the terminal and for pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TypeAlias

import attrs
from rich.table import Table
from rich.text import Text

from interpreter.comparing.causes import Causes
from interpreter.comparing.chances import ChanceMeasure
from interpreter.comparing.measures import Measured, PlayShape
from interpreter.comparing.results import ColumnResult, Comparison, amount
from interpreter.comparing.seats import ordinal
from interpreter.comparing.worth import OptionEffect, WorthBeside

from . import words

STYLES = {
    "changed": "bold dark_orange3", "small": "cyan", "same": "blue", "unsettled": "dim", "soft": "dim", "": "",
}  # fmt: skip
"""How the classes of a page look in the terminal."""

MOST_RULES = 8
"""Rules and options that the terminal shows; a page has all of them, folded away."""

Cell: TypeAlias = str | tuple[str, str]
"""A text, or one with its style."""


@attrs.frozen
class Figures:
    """A table whose rows begin with a name. ``numbers``: how many columns of numbers follow it; all, by default."""

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numbers: int | None = None

    def printed(self) -> Table:
        """For the terminal."""
        shown = Table(*self.head, box=None, pad_edge=False, header_style="dim")
        for place, column in enumerate(shown.columns):
            column.justify = "right" if self._is_number(place) else "left"
        for row in self.rows:
            shown.add_row(*(Text(text, style=STYLES[style]) for text, style in map(_styled, row)))
        return shown

    def html(self) -> str:
        """For a page."""
        head = "".join(f"<th{self._class(place)}>{escape(text)}</th>" for place, text in enumerate(self.head))
        body = "".join(f"<tr>{''.join(self._html(row))}</tr>" for row in self.rows)
        return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"

    def _html(self, row: Sequence[Cell]) -> Iterator[str]:
        for place, (text, style) in enumerate(map(_styled, row)):
            tag = "td" if place else "th scope='row'"
            yield f"<{tag}{self._class(place, style)}>{escape(text)}</{tag[:2]}>"

    def _class(self, place: int, style: str = "") -> str:
        names = " ".join(filter(None, ["n" if self._is_number(place) else "", style]))
        return f" class='{names}'" if names else ""

    def _is_number(self, place: int) -> bool:
        return 0 < place <= (len(self.head) if self.numbers is None else self.numbers)


def _styled(cell: Cell) -> tuple[str, str]:
    return (cell, "") if isinstance(cell, str) else cell


# ---------------------------------------------------------------- of a comparison


def effect(difference: float, reach: float) -> str:
    """``+1.50 ±0.20``."""
    return f"{amount(difference)} ±{amount(reach, signed=False)}"


def points(column: ColumnResult, most: int | None = None) -> Iterator[Figures]:
    """Points a player by rule: at the ``most`` those that change the most, what is left, and all together."""
    if not column.points:
        return
    shown = column.points if most is None else [part for part in column.points if abs(part.difference) >= 0.01][:most]
    rows = [(p.rule, amount(p.base, signed=False), effect(p.difference, p.half_width)) for p in shown]
    together = sum(part.difference for part in column.points)
    rest = together - sum(part.difference for part in shown)
    rows += [("all others", "", amount(rest))] if abs(rest) >= 0.005 else []
    if rows:
        rows.append(("together", "", amount(together)))
        yield Figures(("points a player by rule", "printed", "changes by"), rows)


def rates(column: ColumnResult, most: int | None = None) -> Iterator[Figures]:
    """How often rules and options come a game."""
    if column.rates:
        rows: list[Sequence[Cell]] = [
            (", ".join((rate.rule, *rate.also)), f"{rate.base:.2f}", effect(rate.difference, rate.half_width))
            for rate in column.rates[:most]
        ]
        if most is not None and len(column.rates) > most:
            rows.append([(f"and {len(column.rates) - most} more", "soft")])
        yield Figures(("rules and options: times a game", "printed", "changes by"), rows)


def taken(column: ColumnResult) -> list[tuple[str, float, float]]:
    """Options by how much their share of takings changes, the largest change first."""
    found = []
    for name in {**column.base.offered, **column.other.offered}:
        a, b = (
            100 * side.taken[name] / side.offered[name] if side.offered[name] else 0.0
            for side in (column.base, column.other)
        )
        found.append((name, a, b))
    return sorted(found, key=lambda row: (-abs(row[2] - row[1]), row[0]))


def takings(column: ColumnResult) -> Iterator[Figures]:
    """How often each option is taken when it is offered."""
    if rows := [(name, f"{a:.1f} %", f"{b:.1f} %") for name, a, b in taken(column)]:
        yield Figures(("options: taken when offered", "printed", column.name), rows)


def worths(column: ColumnResult, options: Sequence[WorthBeside]) -> Iterator[Figures]:
    """What options bring in the printed game and under the rule, a table for each outcome."""
    for outcome in words.outcomes_of(side for option in options for side in (option.base, option.other)):
        rows = []
        for option in options:
            base, other = ({} if side is None else side.effects for side in (option.base, option.other))
            effects = (found.get(outcome) for found in (base, other, option.change))
            rows.append((option.option, *("–" if e is None else words.worth(e, outcome) for e in effects)))
        head = f"options: what taking one brings, in {words.OUTCOMES[outcome].unit}"
        yield Figures((head, "printed", column.name, "changes by"), rows)


def wins(column: ColumnResult) -> Iterator[Figures]:
    """Who wins, by order of play."""
    if column.base.wins is not None and column.other.wins is not None:
        games = max(1, column.pairs)
        sides = zip(column.base.wins, column.other.wins, strict=True)
        rows = [
            (ordinal(place), *(f"{100 * float(side) / games:.1f} %" for side in both))
            for place, both in enumerate(sides, 1)
        ]
        yield Figures(("wins by order of play", "printed", column.name), rows)


def came_off(column: ColumnResult) -> Figures:
    """How the games came off, each counted once."""
    return Figures(("how the games came off", "printed", column.name), words.came_off(column))


def seats(comparison: Comparison) -> Iterator[tuple[str, list[ColumnResult], Figures | None]]:
    """Of each table which rule set is the fairest, its columns, and what every seat wins where that is known."""
    for ranking in comparison.rankings:
        columns = words.of_table(comparison, ranking)
        head = (words.SEATS, "printed", *(column.name for column in columns))
        known = Figures(head, list(words.seat_rows(columns, ranking))) if columns else None
        yield words.fairest(ranking), columns, known


def causes(comparison: Comparison, found: Causes) -> Iterator[tuple[Figures, str]]:
    """Which item does what, for each headline on which some item has an effect by itself, and what they do together."""
    for quantity in comparison.quantities:
        whole, parts = found.whole.get(quantity.name), found.parts.get(quantity.name, ())
        if whole is None or not any(p.alone.clear for p in parts):
            continue
        rows = [
            (part.item, *("–" if e is None else effect(e.difference, e.half_width) for e in effects))
            for part in parts
            for effects in ((part.alone, part.taken_away, part.share),)
        ]
        added = found.added_up(quantity.name)
        all_ = effect(whole.difference, whole.half_width)
        rows.append(("all together", f"{amount(added)} added up", "", all_))
        more = whole.difference - added
        much = f"{amount(abs(more), signed=False)} {'more' if more > 0 else 'less'}"
        head = (f"{quantity.label}, {quantity.unit}", "by itself", "taken away", "share of the whole")
        yield Figures(head, rows), f"Together they bring {much} than one by one."


# ---------------------------------------------------------------- of the shape of play


def number(one: Measured | ChanceMeasure) -> str:
    """A mean, and how far off it can be."""
    reach = "?" if one.half_width == float("inf") else f"{one.half_width:.1f}"
    return f"{one.mean:.1f} ±{reach}"


def measures(found: Iterable[Measured | ChanceMeasure]) -> Figures:
    """Each measure with its mean, its unit and what it means."""
    known = ((one, one.measure if isinstance(one, Measured) else one) for one in found)
    rows = [(what.label, number(one), (what.unit, "soft"), (what.meaning, "soft")) for one, what in known]
    return Figures(("", "mean", "", ""), rows, numbers=1)


def options(shape: PlayShape) -> Figures:
    """How often each option is taken, and what that brings."""
    valued = [(option, option.worth) for option in shape.valued() if option.worth is not None]
    outcomes = words.outcomes_of(worth for _, worth in valued)

    def cell(effect: OptionEffect, outcome: str) -> Cell:
        return words.worth(effect, outcome), "" if effect.clear else "soft"

    rows = [
        (option.name, f"{100 * option.share:.1f} %", *(cell(worth.effects[name], name) for name in outcomes))
        for option, worth in valued
    ]
    return Figures(("option", "taken when possible", *(words.OUTCOMES[name].unit for name in outcomes)), rows)
