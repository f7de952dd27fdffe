"""Bounds that follow from types: results of arithmetic, how many values a type has, how many a list may have."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import (
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    SetType,
    Type,
    kinds,
    size_of,
)
from ..nodes import Apply, Binds, Const, Expr, Fold, Grid, If
from .cardinality import most_given

MANY = 1_000_000
"""The length assumed for a list whose length is not known from its type: more than any list can have."""

BEYOND = 2**64
"""Bounds of numbers go no further: what is this big fits nowhere, and sums of such bounds would grow without end."""


def arithmetic_type(op: str, types: list[NumberType]) -> NumberType:
    """The bounds of the result, from the bounds of the operands."""
    exact = _arithmetic_type(op, types)
    if exact.low >= -BEYOND and exact.high <= BEYOND:
        return exact
    low, high = (max(-BEYOND, min(bound, BEYOND)) for bound in (exact.low, exact.high))
    return NumberType(low, high)


def _arithmetic_type(op: str, types: list[NumberType]) -> NumberType:
    if op == "neg":
        return NumberType(-types[0].high, -types[0].low)
    a, b = types[0], types[1]
    if op == "+":
        return NumberType(a.low + b.low, a.high + b.high)
    if op == "-":
        return NumberType(a.low - b.high, a.high - b.low)
    if op == "*":
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return NumberType(min(ends), max(ends))
    if op == "mod":
        return NumberType(min(0, b.low + 1), max(0, b.high - 1))  # the rest has the sign of the divisor
    if op in ("div_down", "div_up"):
        divisors = [d for d in (b.low, b.high, 1, -1) if d and b.low <= d <= b.high]
        if not divisors:
            return NumberType(0, 0)
        floor = [x // d for x in (a.low, a.high) for d in divisors]
        ceil = [-(-x // d) for x in (a.low, a.high) for d in divisors]
        return NumberType(min(floor), max(floor)) if op == "div_down" else NumberType(min(ceil), max(ceil))
    low = min(t.low for t in types) if op == "min" else max(t.low for t in types)
    high = min(t.high for t in types) if op == "min" else max(t.high for t in types)
    return NumberType(low, high)


def longest(expr: Expr, grids: Mapping[str, Grid]) -> int:
    """The number of values that iterating over the expression can give at most (an estimate where nothing is known)."""
    type_ = expr.type
    if isinstance(type_, OptionalType):
        return 1
    if isinstance(type_, PiecesType):
        return len(kinds(type_.kind))
    if isinstance(expr, Const) and isinstance(expr.value, (tuple, frozenset)):
        return len(expr.value)
    if isinstance(expr, If):
        return max(longest(expr.then, grids), longest(expr.otherwise, grids))
    if isinstance(expr, Fold) and expr.word in ("list", "ranked", "leaders"):
        return most_combinations(expr.binds, grids)
    if isinstance(type_, SetType):
        return _values(type_.item)
    if isinstance(expr, Apply) and isinstance(type_, ListType):
        if expr.op == "ray" and isinstance(type_.item, MemberType):
            return max(grids[type_.item.domain.name].width, grids[type_.item.domain.name].height) - 1
        return most_given(expr, lambda part: longest(part, grids), _values, MANY)
    return MANY


def _values(item: Type) -> int:
    return size_of(item) if isinstance(item, (MemberType, NumberType)) else MANY


def most_combinations(binds: Binds, grids: Mapping[str, Grid]) -> int:
    """How many combinations there can be at most."""
    total = 1
    for bind in binds.binds:
        total *= max(1, longest(bind.domain, grids))
    return total
