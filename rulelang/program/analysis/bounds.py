"""Bounds of runs: how many values going through something gives at most."""

from __future__ import annotations

from collections.abc import Callable

from ...types import FlagType, ListType, MemberType, NumberType, OptionalType, PiecesType, SetType, Type, kinds
from .. import nodes as ir
from .repeats import Repeats

MOST = 1 << 20
"""A bound that is no less than this is no bound."""


class Bounds:
    """The most values that runs of a program can give. Each definition is looked into once.

    ``room``: how many members a variable's list has room for, None where that has no limit.
    """

    def __init__(self, program: ir.Program, repeats: Repeats, room: Callable[[str], int | None]) -> None:
        self._program = program
        self._repeats = repeats
        self._room = room
        self._definitions: dict[str, int] = {}

    def of(self, domain: ir.Expr) -> int:
        """How many values going through ``domain`` gives at most; MOST where nothing is known."""
        match domain.type:
            case OptionalType():
                return 1
            case PiecesType(kind):
                return len(kinds(kind))
            case SetType(item):
                return _values(item)
            case ListType(item=item, most=most):
                found = self._of_list(domain)
                if most is not None:
                    found = min(found, most)
                everything = _values(item)
                return everything if everything < found and not self._repeats.may(domain) else found
        return MOST

    def combinations(self, binds: ir.Binds) -> int:
        """How many combinations of values there are at most."""
        total = 1
        for bind in binds.binds:
            total = min(MOST, total * self.of(bind.domain))
        return total

    def last(self, number: ir.Expr) -> int:
        """The greatest that a number can be; more than its type says is known of how many lie in a place."""
        assert isinstance(number.type, NumberType)
        match number:
            case ir.Apply(op="size", arguments=(listed,)) if isinstance(listed.type, ListType):
                return min(number.type.high, self.of(listed))
        return number.type.high

    def _of_list(self, domain: ir.Expr) -> int:
        match domain:
            case ir.Apply(op="range", arguments=(low, high)) if isinstance(low.type, NumberType):
                return max(0, min(MOST, self.last(high) - low.type.low + 1))
            case ir.Const(members):
                return len(members)
            case ir.ColumnOf(table=table, column=column):
                return max(map(len, self._program.tables[table].cells[column]), default=0)
            case ir.Apply(op="list", arguments=parts):
                return len(parts)
            case ir.Apply(op="reversed" | "rotate" | "part", arguments=(listed, *_)):
                return self.of(listed)
            case ir.Apply(op="joined", arguments=parts):
                return min(MOST, sum(map(self.of, parts)))
            case ir.Apply(op="ray", arguments=(cell, _)):
                grid = self._program.grids[cell.type.domain.name]  # type: ignore[union-attr]
                return max(len({x for x, _ in grid.cells}), len({y for _, y in grid.cells})) - 1
            case ir.Fold(binds=binds):
                return self.combinations(binds)
            case ir.If():
                return max(self.of(domain.then), self.of(domain.otherwise))
            case ir.Read():
                room = self._room(domain.variable)
                return MOST if room is None else room
            case ir.Call(definition=name):
                return self._of_definition(name)
        return MOST

    def _of_definition(self, name: str) -> int:
        definition = self._program.definitions[name]
        if name not in self._definitions:
            self._definitions[name] = MOST if definition.deep is not None else self.of(definition.body)
        return self._definitions[name]


def _values(type_: Type) -> int:
    match type_:
        case NumberType(low, high):  # there may be more of them than a range can count
            return min(MOST, high - low + 1)
        case MemberType(domain):
            return len(domain)
        case FlagType():
            return 2
    return MOST
