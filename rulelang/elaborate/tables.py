"""Tables: the values of their rows, and which of them are stand-ins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .. import program as ir
from ..diagnostics import did_you_mean
from ..source import Span
from ..syntax import tree
from ..types import (
    UNKNOWN,
    FlagType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    SetType,
    Type,
    describe,
    kinds,
)
from . import rule_columns
from .rows import RawRow
from .table_rows import readable

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions

_INTEGER = re.compile(r"-?[0-9]{1,9}")


def elaborate_table(env: Environment, table: tree.Table, rows: tuple[RawRow, ...]) -> ir.Table:
    """The table with typed values; wrong values are reported in their place."""
    domain = env.domains[table.name]
    given_to_rules = {c.name: rule_columns.params_of(c.type) for c in table.columns}
    types = {c.name: UNKNOWN if given_to_rules[c.name] is not None else env.type(c.type) for c in table.columns}
    cells: dict[str, tuple[Any, ...]] = {}
    rules: dict[str, tuple[Type, ...]] = {}
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
                if (
                    row.file is None and not table.parts
                ):  # a csv file without the column is reported once, in its first line
                    env.sink.error(
                        "R0309",
                        row.span,
                        f"The row `{row.name}` has no value for `{column.name}`.",
                        help="Give a value for every column, in the order of the columns.",
                    )
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


def _worked_out(env: Environment, default: tree.Expr, known: dict[str, tuple[Type, Any]], type_: Type) -> Any:
    """The value of a product's column for one row, whose other columns are ``known`` by name."""
    expressions = attrs.evolve(env.expressions(), chosen=True)
    value = _columns(expressions, known).value(default, type_)
    if isinstance(value, ir.Const):
        return None if value.type is UNKNOWN else value.value
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
    expressions = env.expressions()
    value = _with_columns(expressions, condition, made, row)
    return bool(isinstance(value, ir.Const) and value.value)


def _with_columns(expressions: Expressions, condition: tree.Expr, made: ir.Table, row: dict[str, Any]) -> ir.Expr:
    known = {name: (made.types[name], row[name]) for name in made.types}
    return _columns(expressions, known).flag(condition)


def _columns(expressions: Expressions, known: dict[str, tuple[Type, Any]]) -> Expressions:
    """The same, with names for the columns of one row: their types and values."""
    return attrs.evolve(expressions, rule=None, columns=known)


def _text_value(env: Environment, text: str, type_: Type, span: Span) -> Any:
    """A csv cell as a value of the column's type."""
    if type_ is UNKNOWN:
        return None
    value = parse_value(text, type_)
    if value is _WRONG:
        known: tuple[str, ...] = ()
        inner = type_.item if isinstance(type_, (OptionalType, SetType)) else type_
        if isinstance(inner, MemberType):
            known = inner.domain.members
        help_ = did_you_mean(text, known) or (
            f"Choose one of {', '.join(known[:8])}{' ...' if len(known) > 8 else ''}."
            if known
            else f"Write {describe(type_)}."
        )
        env.sink.error("R0309", span, f"`{readable(text)}` is not {describe(type_)}.", help=help_)
        return None
    return value


_WRONG = object()


def parse_value(text: str, type_: Type) -> Any:
    """Plain text as a value; ``_WRONG`` when it is not one. Spaces separate the members of sets and pieces."""
    match type_:
        case FlagType():
            return {"yes": True, "no": False}.get(text, _WRONG)
        case NumberType(low, high):
            if not _INTEGER.fullmatch(text) or not low <= int(text) <= high:
                return _WRONG
            return int(text)
        case MemberType(domain):
            return domain.members.index(text) if text in domain.members else _WRONG
        case OptionalType(item):
            return None if text in ("none", "") else parse_value(text, item)
        case SetType(item):
            parts = [parse_value(p, item) for p in text.split()]
            return _WRONG if _WRONG in parts else frozenset(parts)
        case PiecesType(kind):
            counts = [0] * len(kinds(kind))
            words = text.split()
            while words:
                count = int(words.pop(0)) if words[0].isdecimal() and len(words) > 1 else 1
                member = parse_value(words.pop(0), kind)
                if member is _WRONG:
                    return _WRONG
                counts[member - kinds(kind)[0]] += count
            return tuple(counts)
    return _WRONG
