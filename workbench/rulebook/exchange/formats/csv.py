"""CSV for spreadsheets: a row for each unit, a first row that says which texts these are.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula and carries it out. Such a cell
is written with an apostrophe before it, which is taken away again when the file comes back; so is one more apostrophe
from a cell that had it by itself. Every other cell, one that begins with an apostrophe too, stays as it is.

Forms are ICU messages, ``plural`` and ``select``. ``state`` is new, translated, reviewed or stale: whoever
finds a sentence right writes ``reviewed``. ``comment`` is for remarks, one a line; ``basis`` is what a review
belongs to.
"""

from __future__ import annotations

import csv
import io
import re

from ...texts.interpolation import Choices
from ..sentence_forms import from_icu, to_icu
from ..units import DeliveredUnit, Delivery, ExchangeError, FileFormat, Job, SentenceUnit, comments_in, one

_SEPARATOR = re.compile(r'\A"?sep=.?"?\r?\n', re.IGNORECASE)
"""A first line by which Excel is told what separates the cells."""

COLUMNS = ("id", "section", "source", "target", "state", "note", "comment", "basis")
BOM = "\ufeff"
"""The mark by which Excel knows UTF-8."""

_ABOUT = "rulelang"
"""The id of the row that says which texts these are."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
MAX_CELL = 100_000
_REVIEWED = ("reviewed", "final", "approved", "signed-off")


def write_csv(job: Job) -> str:
    """The job as CSV with CRLF line ends (RFC 4180)."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    writer.writerow([_ABOUT, job.name, job.source_language, job.target_language, "", "leave this row as it is", "", ""])
    for unit in job.units:
        writer.writerow([_guard(cell) for cell in _cells(unit, job.choices)])
    return out.getvalue()


def _cells(unit: SentenceUnit, choices: Choices) -> tuple[str, ...]:
    note = "; ".join(f"{n.category}: {n.text}" for n in unit.notes if n.category != "rule")
    comments = "\n".join(map(str, unit.comments))
    source, target = (to_icu(text or "", choices) for text in (unit.source, unit.target))
    return unit.id, unit.section, source, target, unit.state, note, comments, unit.basis


def read_csv(text: str) -> Delivery:
    """A CSV file as it came back; commas, semicolons and tabs are known. Raises ExchangeError."""
    rows = list(_rows(text))
    if not rows:
        raise ExchangeError("The file is empty.")
    names = [cell.strip().lower() for cell in rows[0][1]]
    missing = [name for name in ("id", "source", "target") if name not in names]
    if missing:
        raise ExchangeError(f"line 1: the first row names the columns; there is none called {', '.join(missing)}.")
    about: tuple[str | None, str | None, str | None] = (None, None, None)
    entries = []
    for line, cells in rows[1:]:
        if not any(cells):
            continue
        if len(cells) != len(names):
            raise ExchangeError(
                f"line {line}: this row has {len(cells)} cells, but there are {len(names)} columns; a quote or a "
                "separator was lost."
            )
        row = dict(zip(names, (_unguard(cell) for cell in cells), strict=True))
        if row["id"] == _ABOUT:
            about = (row.get("section") or None, row["source"] or None, row["target"] or None)
        elif not row["id"]:
            raise ExchangeError(f"line {line}: this row has no id.")
        else:
            entries.append(_entry(row, line))
    return Delivery(*about, tuple(entries))


def _entry(row: dict[str, str], line: int) -> DeliveredUnit:
    try:
        source, target = (from_icu(row[name]) or None for name in ("source", "target"))
    except ExchangeError as problem:
        raise ExchangeError(f"line {line}: `{row['id']}`: {problem}") from None
    return DeliveredUnit(
        row["id"],
        source,
        target,
        reviewed=row.get("state", "").strip().lower() in _REVIEWED,
        basis=row.get("basis", "").strip() or None,
        comments=comments_in(row.get("comment", "").splitlines()),
    )


def _rows(text: str) -> list[tuple[int, list[str]]]:
    text = _SEPARATOR.sub("", text.removeprefix(BOM))
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    limit = csv.field_size_limit(MAX_CELL)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return [(reader.line_num, row) for row in reader]
    except csv.Error as problem:
        raise ExchangeError(f"line {reader.line_num}: this is not CSV: {problem}.") from None
    finally:
        csv.field_size_limit(limit)


def _guard(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _unguard(cell: str) -> str:
    return cell[1:] if _GUARDED.match(cell) else cell


CSV = FileFormat(
    "csv",
    "spreadsheets",
    (".csv", ".tsv"),
    lambda jobs: write_csv(one(jobs)),
    lambda text, _: read_csv(text),
    frozenset(("forms", "settings", "comments", "reviews")),
)
