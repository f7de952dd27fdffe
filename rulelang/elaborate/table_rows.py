"""Tables: the values of their rows, and which of them are stand-ins."""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .. import program as ir
from .. import types as ty
from ..diagnostics import Label, Sink, did_you_mean
from ..files.contents import leads_into
from ..files.folder import shown
from ..fixes import Help
from ..source import Span, visible
from ..structural import Structural, frozen
from ..syntax import tree
from ..words import several
from . import rule_columns

if TYPE_CHECKING:
    from .environment import Environment


@frozen
class RawRow(Structural):
    """A row before its values are known: ``cells`` are texts from a csv file or expressions from the rules."""

    name: str
    cells: dict[str, str | tree.Expr]
    spans: dict[str, Span]
    span: Span
    file: str | None = None


def edited(env: Environment, table: tree.Table, rows: list[RawRow]) -> list[RawRow]:
    """The rows with the changes that hold for this number of players and these settings, in the order of the variants.

    A change that holds must find its row. It may come from a csv file.
    """
    for edit in table.edits:
        if edit.when is not None and not env.constant(edit.when, ty.FLAG):
            continue
        if not _known(env, table, edit, rows):
            continue
        if isinstance(edit, tree.RemoveRow):
            rows = [row for row in rows if row.name != edit.row]
        else:
            rows = [_changed(table, edit, row) if row.name == edit.row else row for row in rows]
    return rows


def _known(
    env: Environment,
    table: tree.Table,
    edit: tree.ChangeRow | tree.ChangeCell | tree.RemoveRow,
    rows: list[RawRow],
) -> bool:
    """Whether there is what is to be changed; else it is reported."""
    names, columns = [row.name for row in rows], [column.name for column in table.columns]
    if table.parts:
        env.sink.error(
            "R0305",
            edit.span,
            f"`{table.name}` has a row for each combination of {' and '.join(table.parts)}, so none can be changed.",
            help=f"Change a definition of its rows, or replace the table: `replace table {table.name}`.",
        )
        return False
    if edit.row not in names:
        known = f"It has {', '.join(names)}." if len(names) <= 8 else "Check how the table spells it."
        remedy = did_you_mean(edit.row, names) or Help(known)
        if isinstance(edit, tree.ChangeRow):
            remedy = attrs.evolve(remedy, text=f"{remedy} To add a row, write it in `extend table {table.name}`.")
        env.sink.error("R0305", edit.span, f"`{table.name}` has no row `{edit.row}`.", help=remedy)
        return False
    if isinstance(edit, tree.ChangeCell) and edit.column not in columns:
        remedy = did_you_mean(edit.column, columns) or Help(f"It has {', '.join(columns)}.")
        env.sink.error("R0305", edit.span, f"`{table.name}` has no column `{edit.column}`.", help=remedy)
        return False
    if isinstance(edit, tree.ChangeRow) and len(edit.values) > len(columns):
        env.sink.error(
            "R0309",
            edit.span,
            f"There are more values here than `{table.name}` has columns.",
            help=f"Give a value for each of {', '.join(columns)}, in this order.",
        )
        return False
    return True


def _changed(table: tree.Table, edit: tree.ChangeRow | tree.ChangeCell, row: RawRow) -> RawRow:
    if isinstance(edit, tree.ChangeCell):
        cells, spans = row.cells | {edit.column: edit.value}, row.spans | {edit.column: edit.value.span}
        return attrs.evolve(row, cells=cells, spans=spans)
    given = list(zip((column.name for column in table.columns), edit.values, strict=False))
    return RawRow(row.name, dict(given), {name: value.span for name, value in given}, edit.span)


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
        if group.when is not None and not env.constant(group.when, ty.FLAG):
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
            f"The table `{table.name}` has no rows for {several(env.players, 'player')}.",
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
                f"This row has {several(len(row.values), 'value')} for {several(len(columns), 'column')}.",
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
                    f"This line has {several(len(values), 'value')} for {several(len(header), 'column')}.",
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


def readable(text: str) -> str:
    """A cell as messages show it: without control characters, and not endless."""
    text = visible(text)
    return text if len(text) <= 60 else text[:57] + "..."


def _cell(file: str, line: int, values: list[str], position: int) -> Span:
    column = sum(len(v) + 1 for v in values[:position]) + 1
    return Span(file, line, column, line, column + max(1, len(values[position])))


_INTEGER = re.compile(r"-?[0-9]{1,9}")


def elaborate_table(env: Environment, table: tree.Table, rows: tuple[RawRow, ...]) -> ir.Table:
    """The table with typed values; wrong values are reported in their place."""
    domain = env.domains[table.name]
    given_to_rules = {c.name: rule_columns.params_of(c.type) for c in table.columns}
    types = {c.name: ty.UNKNOWN if given_to_rules[c.name] is not None else env.type(c.type) for c in table.columns}
    cells: dict[str, tuple[Any, ...]] = {}
    rules: dict[str, tuple[ty.Type, ...]] = {}
    for column in table.columns:
        params = given_to_rules[column.name]
        if params is not None:
            rules[column.name] = tuple(env.type(param.type) for param in params)
            types[column.name], found = rule_columns.values(env, column, rows, table)
            cells[column.name] = tuple(found)
            continue
        type_ = types[column.name]
        values: list[Any] = []
        if table.parts and column.default is None:
            _complete(env, table, column, rows)
        for position, row in enumerate(rows):
            given = row.cells.get(column.name)
            if given is None and column.default is None:
                if not table.parts:
                    rule_columns.report_missing(env, column, row)
                values.append(None)
            elif given is None and table.parts:
                assert column.default is not None
                known = {name: (types[name], cells[name][position]) for name in cells}
                values.append(_worked_out(env, column.default, known, type_))
            elif given is None:
                assert column.default is not None
                values.append(env.constant(column.default, type_))
            elif isinstance(given, str):
                values.append(_text_value(env, given, type_, row.spans[column.name]))
            else:
                values.append(env.constant(given, type_))
        cells[column.name] = tuple(values)
    files = tuple(dict.fromkeys(r.file for r in rows if r.file is not None))
    made = ir.Table(domain, types, cells, files, parts=len(table.parts), rules=rules, span=table.span)
    return made


def _complete(env: Environment, table: tree.Table, column: tree.Column, rows: Sequence[RawRow]) -> None:
    """Reports a column of a product that some rows have no value for."""
    without = [row.name for row in rows if column.name not in row.cells]
    if without:
        more = f" and {len(without) - 1} more" if len(without) > 1 else ""
        parts = " and ".join(f"`{c.name}`" for c in table.columns[: len(table.parts)])
        env.sink.error(
            "R0309",
            column.span,
            f"`{column.name}` has no value for `{without[0]}`{more}.",
            help=f"Write `{column.name}: ... = ...` with a value worked out from {parts}, or a row for each of them.",
        )


def _worked_out(env: Environment, default: tree.Expr, known: dict[str, tuple[ty.Type, Any]], type_: ty.Type) -> Any:
    """The value of a product's column for one row, whose other columns are ``known`` by name."""
    value = attrs.evolve(env.expressions(), chosen=True, columns=known).value(default, type_)
    if isinstance(value, ir.Const):
        return None if value.type is ty.UNKNOWN else value.value
    env.sink.error(
        "R0409",
        default.span,
        "This must be known before the game starts.",
        help="Use only numbers, settings, the columns above, and columns of these, as in `suit.value`.",
    )
    return None


def mark_stand_ins(env: Environment, table: tree.Table, made: ir.Table) -> ir.Table:
    """Finds the rows that are stand-ins. The condition may use the table's columns by name."""
    if table.stand_in is None:
        return made
    if table.stand_in.where is None:
        return attrs.evolve(made, stand_ins=made.domain.members, stand_in_because=table.stand_in.because)
    marked = []
    for position, member in enumerate(made.domain.members):
        row = {name: made.cells[name][position] for name in made.types}
        if _holds(env, table.stand_in.where, made, row):
            marked.append(member)
    return attrs.evolve(made, stand_ins=tuple(marked), stand_in_because=table.stand_in.because)


def _holds(env: Environment, condition: tree.Expr, made: ir.Table, row: dict[str, Any]) -> bool:
    """The condition for one row: column names stand for the row's values."""
    known = {name: (made.types[name], row[name]) for name in made.types}
    value = attrs.evolve(env.expressions(), columns=known).flag(condition)
    return bool(isinstance(value, ir.Const) and value.value)


def _text_value(env: Environment, text: str, type_: ty.Type, span: Span) -> Any:
    """A csv cell as a value of the column's type."""
    if type_ is ty.UNKNOWN:
        return None
    value = parse_value(text, type_)
    if value is _WRONG:
        known: tuple[str, ...] = ()
        inner = type_.item if isinstance(type_, (ty.OptionalType, ty.SetType)) else type_
        if isinstance(inner, ty.MemberType):
            known = inner.domain.members
        help_ = did_you_mean(text, known) or (
            f"Choose one of {', '.join(known[:8])}{' ...' if len(known) > 8 else ''}."
            if known
            else f"Write {ty.describe(type_)}."
        )
        env.sink.error("R0309", span, f"`{readable(text)}` is not {ty.describe(type_)}.", help=help_)
        return None
    return value


_WRONG = object()


def parse_value(text: str, type_: ty.Type) -> Any:
    """Plain text as a value; ``_WRONG`` when it is not one. Spaces separate the members of sets and pieces."""
    match type_:
        case ty.FlagType():
            return {"yes": True, "no": False}.get(text, _WRONG)
        case ty.NumberType(low, high):
            if not _INTEGER.fullmatch(text) or not low <= int(text) <= high:
                return _WRONG
            return int(text)
        case ty.MemberType(domain):
            return domain.members.index(text) if text in domain.members else _WRONG
        case ty.OptionalType(item):
            return None if text in ("none", "") else parse_value(text, item)
        case ty.SetType(item):
            parts = [parse_value(p, item) for p in text.split()]
            return _WRONG if _WRONG in parts else frozenset(parts)
        case ty.PiecesType(kind):
            counts = [0] * len(ty.kinds(kind))
            words = text.split()
            while words:
                count = int(words.pop(0)) if words[0].isdecimal() and len(words) > 1 else 1
                member = parse_value(words.pop(0), kind)
                if member is _WRONG:
                    return _WRONG
                counts[member - ty.kinds(kind)[0]] += count
            return tuple(counts)
    return _WRONG
