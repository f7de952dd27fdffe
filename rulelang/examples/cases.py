"""Cases of an example: its steps filled in with the values of each row of its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ..diagnostics import Sink
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..syntax.walk import dotted, rewrite, walk
from ..words import several

_HELP = "Below `cases NAME, ...`, write each row as `CASE: VALUE, ...`, with a value for every name."


@attrs.frozen
class Written:
    """An example, or one case of an example, as written, its values filled in.

    ``node``: without the table of cases; its id is that of the example and the name of the case. ``source``: the whole
    item. ``variants``: those its file belongs to. ``columns``: the names that values were put in place of, which
    ``head_of_cases`` declares.
    """

    node: tree.Example
    source: tree.Example
    variants: tuple[str, ...]
    case: str | None = None
    cases: int = 0
    row: Span | None = None
    columns: tuple[str, ...] = ()
    head_of_cases: Span | None = None

    @property
    def id(self) -> str:
        return self.node.id

    @property
    def head(self) -> Span:
        """The word `example` with the id."""
        span = self.source.span
        return Span(span.file, span.line, span.column, span.line, span.column + 8 + len(self.source.id))


def setup_of(
    example: tree.Example,
) -> tuple[tuple[str, ...] | None, dict[str, Span], tuple[tree.WithValue, ...]]:
    """The players of an example, the variants it uses with where it names them, and other values that it gives."""
    seats = [step.names for step in example.steps if isinstance(step, tree.ExPlayers)]
    using = {name: step.span for step in example.steps if isinstance(step, tree.Using) for name in step.variants}
    changes = tuple(step for step in example.steps if isinstance(step, tree.WithValue))
    return seats[-1] if seats else None, using, changes


def cases_of(example: tree.Example, variants: tuple[str, ...], sink: Sink | None = None) -> Iterator[Written]:
    """The example itself, or each of its cases. Nothing, and findings in ``sink``, where the table has mistakes."""
    tables = [step for step in example.steps if isinstance(step, tree.ExampleCases)]
    if not tables:
        yield Written(example, example, variants)
        return
    sink = Sink() if sink is None else sink
    table = tables[0]
    own = Sink()
    if len(tables) > 1:
        own.error("R0606", _head(tables[1]), "An example has one table of cases.", help="Join the two tables.")
    steps = tuple(step for step in example.steps if not isinstance(step, tree.ExampleCases))
    _check(table, steps, own)
    sink.extend(own)
    if own.has_errors:
        return
    for row in table.rows:
        filling = _Filling(dict(zip(table.columns, row.values, strict=True)), sink)
        node = attrs.evolve(example, id=f"{example.id}.{row.name}", steps=tuple(map(filling.step, steps)))
        if filling.sound:
            yield Written(node, example, variants, row.name, len(table.rows), row.span, table.columns, _head(table))


def _check(table: tree.ExampleCases, steps: tuple[tree.Step, ...], sink: Sink) -> None:
    """Each column has its own name and is used, each row its own name and a value for every column."""
    for name in _several(table.columns):
        sink.error("R0606", _head(table), f"Two columns are called `{name}`.", help="Rename one of them.")
    for name in _several([row.name for row in table.rows]):
        again = [row for row in table.rows if row.name == name][1]
        sink.error("R0606", again.span, f"Two cases are called `{name}`.", help="Rename one of them.")
    for row in table.rows:
        if len(row.values) != len(table.columns):
            problem = f"This case has {several(len(row.values), 'value')} for {several(len(table.columns), 'column')}."
            sink.error("R0606", row.span, problem, help=_HELP)
    used = {word for step in steps for word in _words(step)}
    for name in table.columns:
        if name not in used:
            sink.error(
                "R0606",
                _head(table),
                f"No step uses the column `{name}`.",
                help="Write it in a step in place of the value that differs, or remove the column.",
            )
    for step in steps:
        for node in walk(step):
            if isinstance(node, tree.Binder) and node.name in table.columns:
                problem = f"`{node.name}` is a column of the cases, so it cannot be a name in this step too."
                sink.error("R0606", node.span, problem, help="Rename one of them.")


def _head(table: tree.ExampleCases) -> Span:
    """The first line of the table."""
    span = table.span
    width = len(f"cases {', '.join(table.columns)}")
    return Span(span.file, span.line, span.column, span.line, span.column + width)


def _several(names: list[str] | tuple[str, ...]) -> list[str]:
    return [name for name, number in Counter(names).items() if number > 1]


def _words(step: tree.Step) -> Iterator[str]:
    """The names in a step that a value could be put in place of."""
    yield from (node.name for node in walk(step) if isinstance(node, tree.Name))
    for field in _ID_FIELDS.get(type(step), ()):
        value = getattr(step, field)
        yield from (value,) if isinstance(value, str) else value or ()


_ID_FIELDS: dict[type, tuple[str, ...]] = {
    tree.ExPlayers: ("names",),
    tree.Using: ("variants",),
    tree.Run: ("rule",),
    tree.ExRefused: ("because",),
    tree.Asked: ("rule",),
    tree.Offered: ("id",),
    tree.Fired: ("ids",),
    tree.Winners: ("names",),
}
"""The fields of steps that hold ids or names as text: one, none, or several."""


@attrs.define
class _Filling:
    """Puts the values of one case in place of the names of the columns."""

    values: Mapping[str, tree.Expr]
    sink: Sink
    sound: bool = True

    def step(self, step: tree.Step) -> tree.Step:
        made: Any = rewrite(step, self._node)
        texts = {field: self._text(getattr(made, field), step) for field in _ID_FIELDS.get(type(step), ())}
        changed = {field: text for field, text in texts.items() if text != getattr(made, field)}
        filled: tree.Step = attrs.evolve(made, **changed) if changed else made
        return filled

    def _node(self, node: tree.Node) -> tree.Node:
        return self.values.get(node.name, node) if isinstance(node, tree.Name) else node

    def _text(self, value: str | tuple[str, ...] | None, step: tree.Step) -> str | tuple[str, ...] | None:
        if isinstance(value, tuple):
            return tuple(word for text in value for word in self._several(text))
        if value is None or value not in self.values:
            return value
        ids = self._several(value)
        if len(ids) == 1:
            return ids[0]
        self._unfit(self.values[value])
        return value

    def _several(self, text: str) -> tuple[str, ...]:
        """One text of a list: itself, or the ids in the cell, which may be a list of them."""
        cell = self.values.get(text)
        if cell is None:
            return (text,)
        items = cell.items if isinstance(cell, tree.Sequence) else (cell,)
        ids = tuple(id_ for item in items if (id_ := dotted(item)) is not None)
        if not ids or len(ids) < len(items):
            self._unfit(cell)
        return ids

    def _unfit(self, cell: tree.Expr) -> None:
        self.sound = False
        self.sink.error(
            "R0606",
            cell.span,
            f"`{print_expr(cell)}` is put where a name or an id must be.",
            help="Write a name or an id in this column.",
        )
