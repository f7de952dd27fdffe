"""Edits of single rows of tables by variants: a row, one of its values, or that it is there at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from ..diagnostics import did_you_mean
from ..fixes import Help
from ..syntax import tree
from ..types import FLAG
from .rows import RawRow

if TYPE_CHECKING:
    from .environment import Environment


def edited(env: Environment, table: tree.Table, rows: list[RawRow]) -> list[RawRow]:
    """The rows with the changes that hold for this number of players and these settings, in the order of the variants.

    A change that holds must find its row. It may come from a csv file.
    """
    for edit in table.edits:
        if edit.when is not None and not env.constant(edit.when, FLAG):
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
