"""Rows of tables: which there are, as written in the rules, in a file, or as all combinations of their parts."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from typing import TYPE_CHECKING

import attrs

from ..diagnostics import Label, Sink, did_you_mean
from ..files.contents import leads_into
from ..files.folder import shown
from ..source import Span, visible
from ..syntax import tree
from ..types import FLAG
from ..words import so_many_players
from .edits import edited
from .rows import RawRow

if TYPE_CHECKING:
    from .environment import Environment


_NAME = re.compile(r"[^\W\d]\w*")


MAX_ROWS = 5_000


def with_product(env: Environment, table: tree.Table) -> tree.Table:
    """``table Card: Suit and Rank`` with its columns, `suit` and `rank`, and a row for each combination."""
    if not table.parts:
        return table
    columns: list[tree.Column] = []
    names: list[tuple[str, ...]] = []
    for part in table.parts:
        domain = env.domains.get(part)
        if domain is None or part in table.parts[: len(columns)]:
            env.sink.error(
                "R0402",
                table.span,
                f"`{table.name}` cannot be made of `{part}`.",
                help="Name enums, each of them once.",
            )
            return table
        columns.append(tree.Column(part.lower(), tree.TypeName(part, span=table.span), span=table.span))
        names.append(domain.members)
    if math.prod(map(len, names)) > MAX_ROWS:
        env.sink.error(
            "R0309",
            table.span,
            f"`{table.name}` has {math.prod(map(len, names)):,} rows; a table can have at most {MAX_ROWS:,}.",
            help="Leave some out.",
        )
        return table
    rows = tuple(
        tree.Row("_".join(row), tuple(tree.Name(name, span=table.span) for name in row), span=table.span)
        for row in itertools.product(*names)
    )
    added = tree.RowsInline(rows, span=table.span)
    return attrs.evolve(table, columns=(*columns, *table.columns), rows=(added, *table.rows))


def row_names(env: Environment, table: tree.Table) -> tuple[RawRow, ...]:
    """The rows that hold for this number of players and these settings, in order, with unique names."""
    rows: list[RawRow] = []
    any_held = False
    for group in table.rows:
        if group.when is not None and not env.constant(group.when, FLAG):
            continue
        any_held = True
        if isinstance(group, tree.RowsFile):
            rows.extend(_from_file(env, table, group))
        else:
            rows.extend(_inline(env, table, group))
    rows = edited(env, table, rows)
    if table.rows and not any_held:
        env.sink.error(
            "R0307",
            table.span,
            f"The table `{table.name}` has no rows for {so_many_players(env.players)}.",
            help="Add rows for this number of players: `rows ... when players is ...`.",
        )
    elif not rows:
        env.recall.log.all()  # other findings may be why there are none
        if not any(env.sink):
            env.sink.error("R0307", table.span, f"The table `{table.name}` has no rows.", help="Add `rows`.")
    seen: dict[str, RawRow] = {}
    combined = _combined(table)
    for row in rows:
        before = seen.get(row.name)
        if before is not None and row.name in combined and not before.spans.keys() & row.spans.keys():
            seen[row.name] = attrs.evolve(row, cells=before.cells | row.cells, spans=before.spans | row.spans)
            continue
        if row.name in seen:
            env.sink.error(
                "R0303",
                row.span,
                f"`{table.name}` has two rows called `{row.name}`.",
                labels=[Label(seen[row.name].span, "first declared here")],
                help="Rename or remove one of them.",
            )
        seen.setdefault(row.name, row)
    if len(seen) > MAX_ROWS:
        env.sink.error(
            "R0309",
            table.span,
            f"`{table.name}` has {len(seen):,} rows; a table can have at most {MAX_ROWS:,}.",
            help="Leave some out.",
        )
    return tuple(seen.values())[:MAX_ROWS]


def _combined(table: tree.Table) -> frozenset[str]:
    """The rows of a product that are combinations of its parts."""
    if not table.parts or not table.rows or not isinstance(table.rows[0], tree.RowsInline):
        return frozenset()
    return frozenset(row.name for row in table.rows[0].rows)


def _inline(env: Environment, table: tree.Table, group: tree.RowsInline) -> list[RawRow]:
    rows = []
    combined = _combined(table) if group is not table.rows[0] else frozenset()
    for row in group.rows:
        columns = table.columns[len(table.parts) :] if row.name in combined else table.columns
        if combined and row.name not in combined and len(row.values) <= len(table.columns) - len(table.parts):
            _no_combination(env, table, row, combined)
            continue
        if len(row.values) > len(columns):
            env.sink.error(
                "R0309",
                row.span,
                f"This row has {_counted(len(row.values), 'value')} for {_counted(len(columns), 'column')}.",
                help="Declare a column for each value, or leave out the extra ones.",
            )
            continue
        cells: dict[str, str | tree.Expr] = {}
        spans: dict[str, Span] = {}
        for column, value in zip(columns, row.values, strict=False):
            cells[column.name] = value
            spans[column.name] = value.span
        rows.append(RawRow(row.name, cells, spans, row.span))
    return rows


def _no_combination(env: Environment, table: tree.Table, row: tree.Row | RawRow, combined: frozenset[str]) -> None:
    """Reports a row that names no combination, but has values as if it did."""
    env.sink.error(
        "R0309",
        row.span,
        f"`{table.name}` has no row `{row.name}`; it has one for each combination of {' and '.join(table.parts)}.",
        help=did_you_mean(row.name, combined) or f"Name a combination, such as `{min(combined)}`.",
    )


def _from_file(env: Environment, table: tree.Table, group: tree.RowsFile) -> list[RawRow]:
    source = env.table_file((group.span.file, group.file))
    if source is None:
        _no_file(env, group)
        return []
    rows = _parse_csv(table, source.name, source.text, env.sink)
    combined = _combined(table)
    first = table.columns[0].name if table.columns else ""
    strange = [row for row in rows if combined and row.name not in combined and first not in row.cells]
    for row in strange:
        _no_combination(env, table, row, combined)
    return [row for row in rows if row not in strange]


def _no_file(env: Environment, group: tree.RowsFile) -> None:
    """Reports why the file cannot be read."""
    files, sink = env.files, env.sink
    path = files.folder_of(group.span.file) / group.file
    try:
        inside = leads_into(path, files.root)
        is_file = inside and files.texts.is_file(path)
    except OSError:  # a name no system takes
        sink.error("R0308", group.span, "No file can have this name.", help="Give the file a short, plain name.")
        return
    if not inside:
        sink.error(
            "R0308",
            group.span,
            f'"{group.file}" lies outside the game\'s folder.',
            help="Move it into the game's folder.",
        )
        return
    if not is_file:
        there = sorted(p.name for p in path.parent.glob("*.csv") if p.is_file()) if path.parent.is_dir() else []
        known = f"The folder has {', '.join(there[:8])}." if there else "Give the path relative to this file."
        sink.error(
            "R0308",
            group.span,
            f'There is no file "{group.file}".',
            help=did_you_mean(path.name, there) or known,
        )
        return
    files.texts.read(path, shown(path), sink, files.root)


def _parse_csv(table: tree.Table, file: str, text: str, sink: Sink) -> list[RawRow]:
    reader = csv.reader(io.StringIO(text), strict=True)
    start = 1
    try:
        header = next(reader, None)
        if header is None:
            sink.error(
                "R0309",
                Span(file, 1, 1, 1, 1),
                "The file is empty.",
                help="Write the names of the columns in its first line.",
            )
            return []
        header = [h.strip() for h in header]
        _check_header(table, file, header, sink)
        names = [c.name for c in table.columns]
        rows: list[RawRow] = []
        start = reader.line_num + 1
        for values in reader:
            line, start = start, reader.line_num + 1
            if not any(v.strip() for v in values):
                continue
            values = [v.strip() for v in values]
            span = Span(file, line, 1, line, 2)
            if len(values) != len(header):
                sink.error(
                    "R0309",
                    span,
                    f"This line has {_counted(len(values), 'value')} for {_counted(len(header), 'column')}.",
                    help="Write one value for each column, separated by commas; put a value with a comma in quotes.",
                )
                continue
            if not _NAME.fullmatch(values[0]):
                sink.error(
                    "R0309",
                    span,
                    f"`{readable(values[0])}` cannot be the name of a row.",
                    help="Start with a letter, then use letters, digits and `_`: f1, f2, ...",
                )
                continue
            spans = {h: _cell(file, line, values, i) for i, h in enumerate(header)}
            cells: dict[str, str | tree.Expr] = {
                h: v for h, v in zip(header[1:], values[1:], strict=True) if h in names
            }
            rows.append(RawRow(values[0], cells, spans, span, file))
        return rows
    except csv.Error as problem:
        open_quote = "end of data" in str(problem)
        sink.error(
            "R0309",
            Span(file, start, 1, start, 2),
            "This quote is not closed." if open_quote else f"This is not comma-separated text: {problem}.",
            help='Close it with `"`, or leave it out.'
            if open_quote
            else "Separate values with commas, one row per line.",
        )
        return []


def _check_header(table: tree.Table, file: str, header: list[str], sink: Sink) -> None:
    """The first line names the table's columns, each once, after a first one that names the rows."""
    names = [c.name for c in table.columns]
    for position, column in enumerate(header[1:], 1):
        place = _cell(file, 1, header, position)
        if column in header[1:position]:
            sink.error("R0309", place, f"The column `{readable(column)}` appears twice.", help="Remove one of them.")
        elif column not in names:
            sink.error(
                "R0309",
                place,
                f"`{table.name}` has no column `{readable(column)}`.",
                help=did_you_mean(column, names)
                or f"Correct the name, or declare the column in the table: `{readable(column)}: ...`.",
            )
    for node in table.columns[len(table.parts) :]:
        if node.name not in header[1:] and node.default is None:
            sink.error(
                "R0309",
                Span(file, 1, 1, 1, 2),
                f"The column `{node.name}` of `{table.name}` is missing.",
                help="Add its name to the first line, and its values to the other lines.",
            )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def readable(text: str) -> str:
    """A cell as messages show it: without control characters, and not endless."""
    text = visible(text)
    return text if len(text) <= 60 else text[:57] + "..."


def _cell(file: str, line: int, values: list[str], position: int) -> Span:
    column = sum(len(v) + 1 for v in values[:position]) + 1
    return Span(file, line, column, line, column + max(1, len(values[position])))
