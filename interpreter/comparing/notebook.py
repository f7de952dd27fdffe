"""The small table that a comparison shows of itself in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .verdicts import Difference

if TYPE_CHECKING:
    from .results import Comparison

SIGNS = {"changed": "▲▼", "small": "△▽", "same": "==", "unsettled": "??"}
"""By verdict, the signs of a difference upwards and downwards."""


def sign(one: Difference) -> str:
    """A sign that tells the verdict without colour."""
    return SIGNS[one.verdict][one.difference < 0]


def amount(number: float, digits: int = 2, *, signed: bool = True) -> str:
    """A number for people, with a true minus."""
    if abs(number) == float("inf"):
        return "?"
    rounded = round(number, digits) + 0.0  # without the sign of a zero
    text = f"{rounded:+.{digits}f}" if signed else f"{rounded:.{digits}f}"
    return text.replace("-", "−")


def table(comparison: Comparison) -> str:
    """Rows: quantities; columns: alternatives."""
    columns = [column for column in comparison.columns if column.problem is None]
    head = "".join(
        f"<th>{escape(column.name)}<br><small>{column.players} players, {escape(column.bots)},"
        f" {column.pairs:,} pairs</small></th>"
        for column in columns
    )
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(quantity.label)}</th>"
        + "".join(_cell(column.quantities.get(quantity.name)) for column in columns)
        + "</tr>"
        for quantity in comparison.quantities
    )
    caption = f"{escape(comparison.title)}: differences from the printed game"
    return f"<table><caption>{caption}</caption><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(one: Difference | None) -> str:
    if one is None:
        return "<td></td>"
    return (
        f"<td title='{one.verdict}'>{sign(one)} {amount(one.difference)} ±{amount(one.half_width, signed=False)}</td>"
    )
