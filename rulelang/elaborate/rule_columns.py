"""Columns of tables that name rules: their values, and `do row.column(...)`, which runs the rule that a row names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from .. import program as ir
from .. import types as ty
from ..diagnostics import did_you_mean
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from .typing import fits, present

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions
    from .table_rows import RawRow

T = TypeVar("T")


# ---------------------------------------------------------------- values


def params_of(type_: tree.TypeExpr) -> tuple[tree.Param, ...] | None:
    """What the rules of a column are given; None for a column that holds something else."""
    inner = type_.item if isinstance(type_, tree.TypeOptional) else type_
    return inner.params if isinstance(inner, tree.TypeRule) else None


def values(
    env: Environment, column: tree.Column, rows: Sequence[RawRow], table: tree.Table
) -> tuple[ty.Type, list[int | None]]:
    """The type of a column and its values: the rules that its rows name are the members of a domain of its own.

    While settings are open, so are the rules of rows that hang on a condition.
    """
    optional = isinstance(column.type, tree.TypeOptional)
    found: list[str | None] = []
    for row in rows:
        given = row.cells.get(column.name)
        if given is None and column.default is not None:
            found.append(_named(env, column.default, column.default.span, optional))
        elif given is None:
            report_missing(env, column, row)
            found.append(None)
        else:
            found.append(_named(env, given, row.spans[column.name], optional))
    named = [name for name in found if name is not None]
    if env.every_setting:
        named += _elsewhere(env, column, table)
    members = tuple(dict.fromkeys(named))
    type_: ty.Type = ty.MemberType(ty.Domain(f"{table.name}.{column.name}", members))
    return ty.OptionalType(type_) if optional else type_, [
        None if name is None else members.index(name) for name in found
    ]


def report_missing(env: Environment, column: tree.Column, row: RawRow) -> None:
    if row.file is None:  # a csv file without the column is reported once, in its first line
        env.sink.error(
            "R0309",
            row.span,
            f"The row `{row.name}` has no value for `{column.name}`.",
            help="Give a value for every column, in the order of the columns.",
        )


def _elsewhere(env: Environment, column: tree.Column, table: tree.Table) -> list[str]:
    """The rules named by rows that are written under a condition, whether it holds or not."""
    places = {table.columns.index(column), table.columns.index(column) - len(table.parts)}
    found = []
    for group in table.rows:
        if isinstance(group, tree.RowsInline) and group.when is not None:
            cells = [
                row.values[place] for row in group.rows for place in sorted(places) if len(row.values) > place >= 0
            ]
            found += [text for text in map(print_expr, cells) if text in env.rule_ids]
    return found


def _named(env: Environment, given: str | tree.Expr, span: Span, optional: bool) -> str | None:
    """The rule that a cell names; None after a finding as well."""
    text = given if isinstance(given, str) else print_expr(given)
    if text in ("none", "") and isinstance(given, (str, tree.NoneValue)):
        if not optional:
            env.sink.error(
                "R0407",
                span,
                "A rule is needed here.",
                help="Name one, or write `or none` behind the type of the column.",
            )
        return None
    if text in env.rule_ids:
        return text
    if text not in env.words:
        env.sink.error(
            "R0405",
            span,
            f"There is no rule called `{text if len(text) <= 60 else text[:57] + '...'}`.",
            help=did_you_mean(text, env.rule_ids) or "Name a rule that starts in the first column, without brackets.",
        )
    return None


def check(env: Environment, table: tree.Table, rows: Sequence[RawRow], made: ir.Table) -> None:
    """Reports rules that cannot be run with what their column gives them."""
    for column in table.columns:
        wanted = made.rules.get(column.name)
        if wanted is None or ty.UNKNOWN in wanted:
            continue
        told: set[str] = set()
        for row in rows:
            given = row.cells.get(column.name, column.default)
            name = given if isinstance(given, str) else "" if given is None else print_expr(given)
            signature = env.signatures.get(name) if name in env.rule_ids else None
            if signature is None or name in told:
                continue
            taken = tuple(param.type for param in signature)
            if len(taken) != len(wanted) or not all(map(fits, wanted, taken)):
                told.add(name)
                span = row.spans.get(column.name, column.span)
                env.sink.error(
                    "R0403",
                    span,
                    f"`{name}` takes {_listed(taken)}, but the rules in `{column.name}` are given {_listed(wanted)}.",
                    help=f"Let both be the same: `rule {name}(...)`, and `{column.name}: rule(...)` in the table.",
                )


def _listed(types: Sequence[ty.Type]) -> str:
    return ", ".join(map(ty.describe, types)) if types else "nothing"


# ---------------------------------------------------------------- running them


def named_by(e: Expressions, id_: str, span: Span) -> ir.Expr | None:
    """The rule that `c.effect` or a local name stands for, as a value; None if the words mean no value."""
    first, *columns = id_.split(".")
    env = e.env
    known = first in e.scope.names or first in env.members or env.declared.get(first) is tree.Variable
    if id_ in env.rule_ids or not known:
        return None
    node: tree.Expr = tree.Name(first, span=span)
    for column in columns:
        node = tree.Attribute(node, column, span=span)
    found = e.value(node)
    return ir.Apply("setting", (), found.type, span=span) if _is_open(env, found) else found


def _is_open(env: Environment, found: ir.Expr) -> bool:
    """Whether another setting might name another rule in this very row."""
    type_ = found.type.item if isinstance(found.type, ty.OptionalType) else found.type
    if not env.every_setting or not isinstance(found, ir.Const) or not isinstance(type_, ty.MemberType):
        return False
    table, _, column = type_.domain.name.partition(".")
    known = env.tables.get(table)
    return known is not None and column in known.rules and len(type_.domain) > len({*known.cells[column]} - {None})


def instead_of(env: Environment, id_: str) -> str | None:
    """What to write instead of `d.effect`, where `d` is unknown and a table has such a column."""
    first, _, column = id_.rpartition(".")
    table = next((name for name, table in env.tables.items() if column in table.rules), None)
    if not first or table is None:
        return None
    return f"`{column}` is a column of `{table}`: write `do x.{column}(...)` with `x` for one of its rows."


def rules_of(
    e: Expressions, value: ir.Expr, id_: str, span: Span
) -> tuple[tuple[str, ...], tuple[ty.Type, ...]] | None:
    """The rules that a value can stand for, and what they are given; None with a finding."""
    type_ = value.type.item if isinstance(value.type, ty.OptionalType) else value.type
    if isinstance(type_, ty.MemberType) and "." in type_.domain.name:
        table, _, column = type_.domain.name.partition(".")
        found = e.env.tables.get(table)
        if found is not None and column in found.rules:
            return type_.domain.members, found.rules[column]
    if value.type is not ty.UNKNOWN:
        e.error(
            "R0405",
            span,
            f"`{id_}` is {ty.describe(value.type)}, not a rule.",
            "Name a rule, or a column that names rules: `effect: rule(p: Player)`.",
        )
    return None


def arguments(
    e: Expressions, id_: str, wanted: Sequence[ty.Type], given: tuple[tree.Expr, ...], span: Span
) -> tuple[ir.Expr, ...] | None:
    """The values for the rules of a column; None with a finding."""
    params = tuple(ir.Param(ty.describe(type_), number, type_) for number, type_ in enumerate(wanted))
    return e.arguments(id_, params, given, span)


def dispatch(
    value: ir.Expr,
    rules: Sequence[str],
    run: Callable[[str], T],
    branch: Callable[[ir.Expr, T, T], T],
    nothing: T,
    span: Span,
) -> T:
    """What ``run`` gives for the one of the ``rules`` that ``value`` names, found by halves."""
    value = present(value)
    if isinstance(value, ir.Const):
        return nothing if value.value is None else run(rules[value.value])
    if not rules:
        return nothing
    inner = value.type.item if isinstance(value.type, ty.OptionalType) else value.type
    there = ir.Apply("present", (value,), inner, span=span) if isinstance(value.type, ty.OptionalType) else value

    def among(low: int, high: int) -> T:
        if high - low == 1:
            return run(rules[low])
        middle = (low + high) // 2
        if middle - low == 1:
            test = ir.Apply("is", (there, ir.Const(low, inner, span=span)), ty.FLAG, span=span)
        else:
            first = ir.Const(frozenset(range(low, middle)), ty.SetType(inner), span=span)
            test = ir.Apply("in", (there, first), ty.FLAG, span=span)
        return branch(test, among(low, middle), among(middle, high))

    found = among(0, len(rules))
    if not isinstance(value.type, ty.OptionalType):
        return found
    some = ir.Apply("is_not", (value, ir.Const(None, ty.NOTHING, span=span)), ty.FLAG, span=span)
    return branch(some, found, nothing)
