"""Values known before the game starts, and the bounds of numbers that are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..program import Apply, Binds, Const, Expr, Fold, Grid, If
from ..program.analysis.faults import fits_word, may_fault
from ..types import (
    FLAG,
    FlagType,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    kinds,
)

MANY = 1_000_000
"""The length assumed for a list whose length is not known from its type: more than any list can have."""

BEYOND = 2**64
"""Bounds of numbers go no further: what is this big fits nowhere, and sums of such bounds would grow without end."""


def number(value: int) -> NumberType:
    return NumberType(value, value)


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div_down": lambda a, b: a // b if b else None,
    "div_up": lambda a, b: -(-a // b) if b else None,
    "mod": lambda a, b: a % b if b else None,
    "min": min,
    "max": max,
}
_LOGIC: dict[str, Callable[[Any, Any], Any]] = {
    "is": lambda a, b: a == b,
    "is_not": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def simplify(expr: Apply) -> Expr:
    """The same value with constant parts worked out."""
    args = expr.arguments
    if expr.op in ("and", "or"):
        absorbing = expr.op == "or"
        for here, other in ((0, 1), (1, 0)):
            arg = args[here]
            if isinstance(arg, Const) and isinstance(arg.type, FlagType):
                if arg.value is not absorbing:
                    return args[other]
                # What stands before it is worked out first, and may stop the game.
                if here == 0 or not may_fault(args[0]):
                    return Const(absorbing, FLAG, span=expr.span)
        return expr
    if not all(isinstance(a, Const) for a in args):
        return expr
    values: list[Any] = [a.value for a in args if isinstance(a, Const)]
    if expr.op in _ARITHMETIC and all(isinstance(v, int) for v in values):
        result = _ARITHMETIC[expr.op](*values)
        if result is None or not fits_word(number(result)):
            return expr
        return Const(result, number(result), span=expr.span)
    if expr.op == "neg":
        return Const(-values[0], number(-values[0]), span=expr.span)
    if expr.op == "not":
        return Const(not values[0], FLAG, span=expr.span)
    if expr.op in _LOGIC and (expr.op in ("is", "is_not") or None not in values):
        return Const(_LOGIC[expr.op](*values), FLAG, span=expr.span)
    return expr


def choose_branch(expr: If) -> Expr:
    """A conditional whose condition is known becomes its branch.

    The branch may be none, or an empty list, if the other one says so: what the rules mean does not hang on a setting.
    """
    if not isinstance(expr.condition, Const):
        return expr
    branch = expr.then if expr.condition.value else expr.otherwise
    if not _says_less(branch.type, expr.type):
        return branch
    if isinstance(branch, Const) and isinstance(expr.type, OptionalType):
        return Const(branch.value, expr.type, span=branch.span)
    return expr


def _says_less(type_: Type, joined: Type) -> bool:
    """Whether a type leaves open what its values, or those of another type joined with it, can be."""
    match type_, joined:
        case _, _ if type_ == joined:
            return False
        case (OptionalType(a), OptionalType(b)) | (ListType(a), ListType(b)) | (SetType(a), SetType(b)):
            return _says_less(a, b)
        case TupleType(xs), TupleType(ys):
            return any(map(_says_less, xs, ys))
        case _, OptionalType():
            return True
    return not isinstance(type_, (NumberType, RecordType))


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
    if isinstance(expr, Apply) and expr.op == "list":
        return len(expr.arguments)
    if isinstance(expr, If):
        return max(longest(expr.then, grids), longest(expr.otherwise, grids))
    if isinstance(expr, Fold) and expr.word == "list":
        return most_combinations(expr.binds, grids)
    if isinstance(expr, Apply) and expr.op in ("reversed", "rotate"):
        return longest(expr.arguments[0], grids)
    item = type_.item if isinstance(type_, (ListType, SetType)) else None
    if isinstance(expr, Apply) and expr.op == "ray" and isinstance(item, MemberType):
        return max(grids[item.domain.name].width, grids[item.domain.name].height) - 1
    if isinstance(expr, Apply) and expr.op in ("members", "ahead", "behind", "range") and item is not None:
        return size_of(item)
    if isinstance(type_, SetType) and isinstance(item, (MemberType, NumberType)):
        return size_of(item)
    return MANY


UNCOUNTED = 1_000
"""The size given for a type whose values are not counted."""


def most_combinations(binds: Binds, grids: Mapping[str, Grid]) -> int:
    """How many combinations there can be at most."""
    total = 1
    for bind in binds.binds:
        total *= max(1, longest(bind.domain, grids))
    return total


def size_of(type_: Type) -> int:
    """The number of values of a type."""
    if isinstance(type_, NumberType):
        return type_.high - type_.low + 1  # ``len`` does not take numbers of any size
    if isinstance(type_, MemberType):
        return len(type_.domain)
    if isinstance(type_, FlagType):
        return 2
    if isinstance(type_, OptionalType):
        return size_of(type_.item) + 1
    return UNCOUNTED
