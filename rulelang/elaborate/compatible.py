"""Compatibility of types: which fit where, and what they have in common."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from .. import program as ir
from ..source import Span
from ..types import (
    FLAG,
    NO_PIECES,
    NOTHING,
    UNKNOWN,
    FlagType,
    ListType,
    MemberType,
    NeverType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
)
from .constants import most_combinations


def setting_value(setting: ir.Setting, span: Span) -> ir.Const:
    """The value in force. Settings whose values are yes and no are flags."""
    if set(setting.domain.members) == {"yes", "no"}:
        return ir.Const(setting.value == "yes", FLAG, span=span)
    return ir.Const(setting.domain.members.index(setting.value), MemberType(setting.domain), span=span)


def item_type(type_: Type) -> Type | None:
    """The type of the members of such a value, or None when it has no members."""
    match type_:
        case ListType(item) | SetType(item) | OptionalType(item):
            return item
        case PiecesType(kind):
            return kind
        case _ if type_ is UNKNOWN:
            return UNKNOWN
    return None


def fits(type_: Type, expected: Type) -> bool:
    """Whether every, or (for numbers) some, value of ``type_`` is one of ``expected``."""
    if type_ is UNKNOWN or expected is UNKNOWN or type_ == expected:
        return True
    match type_, expected:
        case NumberType(), NumberType():
            return type_.low <= expected.high and expected.low <= type_.high
        case (NeverType(), _) | (NothingType(), OptionalType()):
            return True
        case OptionalType(item), OptionalType(wanted):
            return fits(item, wanted)
        case _, OptionalType(wanted):
            return fits(type_, wanted)
        case ListType(item) | SetType(item), ListType(wanted) | SetType(wanted):
            return fits(item, wanted)
        case PiecesType(), PiecesType():
            return type_ == NO_PIECES
        case RecordType(), RecordType():
            return type_.name == expected.name and all(map(fits, type_.items, expected.items))
        case TupleType(), TupleType() | RecordType():
            return len(type_.items) == len(expected.items) and all(map(fits, type_.items, expected.items))
    return False


def join_types(a: Type, b: Type) -> Type | None:
    """The smallest type that holds values of both, or None."""
    if a == b:
        return a
    match a, b:
        case NumberType(), NumberType():
            return NumberType(min(a.low, b.low), max(a.high, b.high))
        case (NeverType(), _) | (NothingType(), OptionalType()):
            return b
        case (_, NeverType()) | (OptionalType(), NothingType()):
            return a
        case NothingType(), _:
            return OptionalType(b)
        case _, NothingType():
            return OptionalType(a)
        case (ListType(NeverType()), SetType()) | (SetType(NeverType()), ListType()):
            return b
        case (SetType(), ListType(NeverType())) | (ListType(), SetType(NeverType())):
            return a
        case PiecesType(), PiecesType() if NO_PIECES in (a, b):
            return b if a == NO_PIECES else a
        case OptionalType(x, sure), OptionalType(y, certain):
            inner = join_types(x, y)
            return None if inner is None else OptionalType(inner, sure and certain)
        case OptionalType(x, sure), _:
            inner = join_types(x, b)
            return None if inner is None else OptionalType(inner, sure)
        case _, OptionalType(y, certain):
            inner = join_types(a, y)
            return None if inner is None else OptionalType(inner, certain)
        case ListType(x), ListType(y):
            inner = join_types(x, y)
            return None if inner is None else ListType(inner, a.filled and b.filled, _most(a.most, b.most))
        case SetType(x), SetType(y):
            inner = join_types(x, y)
            return None if inner is None else SetType(inner)
        case TupleType(xs), TupleType(ys) if len(xs) == len(ys):
            parts = [join_types(x, y) for x, y in zip(xs, ys, strict=True)]
            return None if None in parts else TupleType(tuple(p for p in parts if p is not None))
        case RecordType(), TupleType() if fits(b, a):
            return a
        case TupleType(), RecordType() if fits(a, b):
            return b
    return None


def _most(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def without_optional(type_: Type | None) -> Type | None:
    """The type a value has when it is not none."""
    while isinstance(type_, OptionalType):
        type_ = type_.item
    return type_


def present(value: ir.Expr) -> ir.Expr:
    """The value itself, without none, where its type says that it is never none."""
    type_ = value.type
    if isinstance(type_, OptionalType) and type_.certain:
        return ir.Apply("present", (value,), type_.item, span=value.span)
    return value


def certainly(found: ir.Apply) -> ir.Expr:
    """A member of a list, looked up where there certainly is one."""
    if not isinstance(found.type, OptionalType) or found.type == found.arguments[0].type.item:  # type: ignore[union-attr]
        return found
    return present(attrs.evolve(found, type=OptionalType(found.type.item, True)))


def optional(type_: Type) -> Type:
    """The type with none added; one that already allows none is unchanged."""
    if isinstance(type_, NeverType):
        return NOTHING
    return type_ if isinstance(type_, (OptionalType, NothingType)) else OptionalType(type_)


def total_bound(body: Type, binds: ir.Binds, grids: Mapping[str, ir.Grid]) -> tuple[int, int]:
    """Bounds of a sum of ``body`` over the combinations."""
    combos = most_combinations(binds, grids)
    if isinstance(body, NumberType):
        return min(0, body.low * combos), max(0, body.high * combos)
    if isinstance(body, FlagType):
        return 0, combos
    return 0, combos
