"""Definitions that look at nothing that changes, as tables worked out beforehand.

Each becomes a column of a table that only the fast engine knows, with a row for each combination of arguments: its
value is then looked up. A definition is left as it is if any of its values would be a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product, starmap
from math import prod
from typing import Any

import attrs

from rulelang.program import Apply, ColumnOf, Const, Definition, Expr, Local, Param, Program, Table
from rulelang.program.analysis.cost_model import Work
from rulelang.program.analysis.effects import reached, reads_state
from rulelang.types import Domain, FlagType, MemberType, NumberType, Type

from . import on

LEAST_WORK = 16
"""Steps that working out a value takes, at least, for it to be worked out beforehand."""

MOST_WORK = 60_000
"""Steps for all values of one definition together: they are taken whenever a game is compiled."""

MOST_MEMBERS = 10_000
"""Members of all lists and sets of one definition together."""

Evaluate = Callable[[Definition], Callable[..., Any]]
"""A function that gives the value of a definition for its arguments. It raises ArithmeticError where there is none."""

_COLUMN = "value"


def tabulated(program: Program, evaluate: Evaluate) -> Program:
    """The program with tables in place of what can be worked out beforehand."""
    if not on("tables"):
        return program
    work = Work(program)
    definitions, tables = dict(program.definitions), dict(program.tables)
    for name, definition in program.definitions.items():
        if work.of_definition(name) >= LEAST_WORK and _looks_at_nothing(program, definition):
            domains = [_values(param.type) for param in definition.params]
            if prod(map(len, domains)) * work.of_definition(name) <= MOST_WORK:
                _replace(definition, domains, evaluate, definitions, tables)
    return attrs.evolve(program, definitions=definitions, tables=tables)


def _looks_at_nothing(program: Program, definition: Definition) -> bool:
    if not definition.params or not all(_values(param.type) for param in definition.params):
        return False
    others = (program.definitions.get(getattr(node, "definition", "")) for node in reached(program, definition))
    deep = any(other is not None and other.deep is not None for other in (definition, *others))
    return not deep and not reads_state(program, definition.body)


def _values(type_: Type) -> range:
    """The numbers that stand for the values of a type; none for a type that has no such numbers, or too many."""
    match type_:
        case MemberType(domain):
            return range(len(domain))
        case NumberType(low, high) if high - low < MOST_WORK:
            return range(low, high + 1)
        case FlagType():
            return range(2)
    return range(0)


def _replace(
    definition: Definition,
    domains: Sequence[range],
    evaluate: Evaluate,
    definitions: dict[str, Definition],
    tables: dict[str, Table],
) -> None:
    """Puts a table in place of a definition, if all its values are there and few enough."""
    try:
        cells = tuple(starmap(evaluate(definition), product(*domains)))
    except ArithmeticError:
        return
    if sum(len(cell) for cell in cells if isinstance(cell, (tuple, frozenset))) > MOST_MEMBERS:
        return
    name = f"values of {definition.name}"  # no name in a text has a space
    domain = Domain(name, tuple(map(str, range(len(cells)))))
    type_ = definition.body.type
    tables[name] = Table(domain, {_COLUMN: type_}, {_COLUMN: cells}, span=definition.span)
    body = ColumnOf(name, _COLUMN, _row(definition.params, domains), type_, span=definition.span)
    definitions[definition.name] = attrs.evolve(definition, body=body)


def _row(params: Sequence[Param], domains: Sequence[range]) -> Expr:
    """The number of the row for some arguments: those of the last parameter follow one another."""

    def with_next(row: Expr, number: int) -> Expr:
        size = len(domains[number])
        return _sum("+", _sum("*", row, _number(size)), _place(params[number], domains[number]))

    return reduce(with_next, range(1, len(params)), _place(params[0], domains[0]))


def _place(param: Param, domain: range) -> Expr:
    """The place of an argument among the values of its type."""
    local = Local(param.slot, param.name, param.type)
    return _sum("-", local, _number(domain.start)) if domain.start else local


def _number(value: int) -> Const:
    return Const(value, NumberType(value, value))


def _sum(op: str, a: Expr, b: Expr) -> Apply:
    return Apply(op, (a, b), NumberType(0, MOST_WORK))
