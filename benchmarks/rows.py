"""Rows of the table of results, as text and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import attrs


@attrs.frozen
class Row:
    """One figure. ``ratio``: the value divided by that of ``to``. ``aim``: the target for the ratio, or for the value
    if there is no ratio; the least to reach, or with ``at_most`` the most. ``note``: why there is no value, or a
    remark."""

    section: str
    subject: str
    by: str
    value: float | None
    unit: str
    ratio: float | None = None
    to: str = ""
    aim: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if there is no target or nothing was measured."""
        judged = self.ratio if self.to else self.value
        if self.aim is None or judged is None:
            return None
        return judged <= self.aim if self.at_most else judged >= self.aim

    def as_json(self) -> dict[str, Any]:
        return {**attrs.asdict(self), "met": self.met}


HEADER = ("", "by", "", "beside", "target", "")


def table(rows: Sequence[Row]) -> str:
    """The rows in columns, one line each; sections in the order of their first rows."""
    sections: dict[str, list[Row]] = {}
    for row in rows:
        sections.setdefault(row.section, []).append(row)
    lines: list[tuple[str, ...] | str] = [HEADER]
    for section, members in sections.items():
        lines += ["", section]
        lines += [_columns(row) for row in members]
    widths = [max(len(line[i]) for line in lines if isinstance(line, tuple)) for i in range(len(HEADER) - 1)]
    return "\n".join(line if isinstance(line, str) else _aligned(line, widths) for line in lines)


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    name, by, value, ratio, aim, note = line
    cells = (name.ljust(widths[0]), by.ljust(widths[1]), value.rjust(widths[2]), ratio.ljust(widths[3]))
    return "  ".join((*cells, aim.ljust(widths[4]), note)).rstrip()


def _columns(row: Row) -> tuple[str, ...]:
    value = "-" if row.value is None else f"{number(row.value)} {row.unit}".rstrip()
    ratio = f"{share(row.ratio)} of {row.to}" if row.ratio is not None else ""
    aim = "" if row.aim is None else (share(row.aim) if row.to else f"{number(row.aim)} {row.unit}")
    met = {True: "met", False: "NOT MET", None: ""}[row.met]
    return f"  {row.subject}", row.by, value, ratio, aim, "; ".join(filter(None, (met, row.note)))


def number(value: float) -> str:
    """Three significant figures, with thousands separated."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def share(ratio: float) -> str:
    """A ratio as people read it: 1/5.2, or 2.4 x."""
    return f"1/{number(1 / ratio)}" if 0 < ratio < 1 else f"{number(ratio)} x"


def progress(text: str) -> None:
    """Shows on a terminal what is being measured; the next text replaces it."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
