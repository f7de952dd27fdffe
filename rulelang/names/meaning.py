"""Meaning of places in the texts, as far as a Program tells: the type of what is written there, and which of several
things of one name."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from .. import program as ir
from ..program import Program
from ..program.walk import walk
from ..source import Span
from ..syntax import tree
from ..types import MemberType, Type

Ask = Callable[[tree.Example, Span], "str | None"]
"""The domain of the member that a name in an example stands for, by the place of the name; "" for what is no member,
None where that is not known."""


@attrs.define
class Meaning:
    """What a Program says of places. ``program``: None while the rules have no Program; then nothing is known.

    ``ask``: says it of examples, which are no part of a Program.
    """

    program: Program | None
    ask: Ask = attrs.field(default=lambda example, span: None)
    _of: dict[str, list[Any]] | None = attrs.field(default=None, init=False)

    @property
    def members(self) -> Mapping[str, Sequence[str]]:
        """The members of each domain, those included that no text lists; of the players only if the game names them."""
        if self.program is None:
            return {}
        return {name: domain.members for name, domain in self.program.domains.items()}

    def domain_of(self, span: Span) -> str | None:
        """The domain of the member named here."""
        for node in self.nodes(span):
            if isinstance(node, ir.Const) and isinstance(node.type, MemberType):
                return node.type.domain.name
        return None

    def table_of(self, span: Span) -> str | None:
        """The table of the column named here. ``span``: of the column's name alone."""
        for node in self._units(span):
            for end, found in _columns(node).items():
                if end == (span.file, span.end_line, span.end_column):
                    return found
        return None

    def knows(self, span: Span) -> bool:
        """Whether the Program has something at exactly this place."""
        return any(True for _ in self.nodes(span))

    def type_of(self, span: Span) -> Type | None:
        """The type of what is written here."""
        for node in self.nodes(span):
            found = getattr(node, "type", None)
            if found is not None:
                return found  # type: ignore[no-any-return]
        return None

    def nodes(self, span: Span) -> Iterator[ir.Node]:
        """The nodes that came from exactly this place."""
        for unit in self._units(span):
            yield from _by_span(unit).get(span, ())

    def _units(self, span: Span) -> Iterator[Any]:
        """The parts of the Program that come from the same file."""
        if self.program is None:
            return
        if self._of is None:
            self._of = {}
            p = self.program
            for group in (p.rules, p.definitions, p.graphs, p.variables, p.tables):
                for unit in group.values():
                    self._of.setdefault(unit.span.file, []).append(unit)
            for other in (*p.ranks, *p.invariants):
                self._of.setdefault(other.span.file, []).append(other)
        yield from self._of.get(span.file, ())


_SPANS: dict[int, dict[Span, list[ir.Node]]] = {}
_COLUMNS: dict[int, dict[tuple[str, int, int], str]] = {}


def _by_span(unit: ir.Node) -> dict[Span, list[ir.Node]]:
    known = _SPANS.get(id(unit))
    if known is None:
        known = _SPANS[id(unit)] = {}
        for node in walk(unit):
            known.setdefault(node.span, []).append(node)
        weakref.finalize(unit, _SPANS.pop, id(unit), None).atexit = False
    return known


def _columns(unit: ir.Node) -> dict[tuple[str, int, int], str]:
    """The tables of columns that a unit looks at, by where their names end."""
    known = _COLUMNS.get(id(unit))
    if known is None:
        known = _COLUMNS[id(unit)] = {}
        for nodes in _by_span(unit).values():
            for node in nodes:
                if isinstance(node, ir.ColumnOf):
                    known[node.span.file, node.span.end_line, node.span.end_column] = node.table
        weakref.finalize(unit, _COLUMNS.pop, id(unit), None).atexit = False
    return known
