"""Code that compares two values."""

from __future__ import annotations

from rulelang.types import ListType, NothingType, NumberType, OptionalType, PiecesType, SetType, describe, kinds

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Val
from ..layout.shapes import NONE_WIDE, NotLowered, components, holds_addresses, is_scalar, mask_size, none_of, words
from ..wat import ir
from ..wat.ir import E
from .conversions import differ, widened


def same(writer: Emitter, a: Val, b: Val) -> E:
    """Whether two values are equal. Components may be used twice: they are fixed where they are."""
    if isinstance(a.type, NothingType) and isinstance(b.type, NothingType):
        return ir.ONE
    if isinstance(b.type, NothingType):
        a, b = b, a
    if isinstance(a.type, NothingType):
        return _same_as_nothing(writer, b)
    if isinstance(a.type, OptionalType) and not isinstance(b.type, OptionalType):
        a, b = b, a
    if isinstance(b.type, OptionalType):
        return _same_optional(writer, a, b)
    if is_scalar(a.type):
        return ir.eq(a.one, b.one)
    match a.type, b.type:
        case PiecesType(kind), PiecesType():
            return writer.runtime("same_words", a.one, b.one, ir.const(len(kinds(kind))))
        case (SetType() as type_, ListType()) | (ListType(), SetType() as type_):
            return same(writer, writer.fit(a, type_), writer.fit(b, type_))
        case (SetType(), SetType()) if mask_size(a.type) is not None or mask_size(b.type) is not None:
            narrow = a if mask_size(a.type) is not None else b
            if mask_size(a.type) is None or mask_size(b.type) is None or differ(a.type.item, b.type.item):
                wide = b if narrow is a else a
                raise NotLowered(f"comparing {describe(narrow.type)} with {describe(wide.type)}")
            return ir.eq(a.one, b.one)
        case (SetType(), SetType()) | (ListType(), ListType()):
            item = a.type.item  # type: ignore[union-attr]
            if holds_addresses(item) or components(item) != components(b.type.item):  # type: ignore[union-attr]
                raise NotLowered(f"comparing {describe(a.type)}")
            return writer.runtime("same_list", a.one, b.one, ir.const(words(item)))
    result = ir.ONE
    for i in range(len(a.type.items)):  # type: ignore[union-attr]
        result = ir.both(result, same(writer, values.part_of(a, i), values.part_of(b, i)))
    return result


def _same_as_nothing(writer: Emitter, b: Val) -> E:
    match b.type:
        case OptionalType():
            return values.is_none(b)
        case ListType():
            return ir.eq(ir.load(b.one), ir.ZERO)
        case SetType():
            return ir.eq(b.one, ir.ZERO64) if b.one.ty == "i64" else ir.eq(ir.load(b.one), ir.ZERO)
        case PiecesType(kind):
            return ir.eq(writer.runtime("sum_words", b.one, ir.const(len(kinds(kind)))), ir.ZERO)
    return ir.ZERO


def _same_optional(writer: Emitter, a: Val, b: Val) -> E:
    """``b`` is an optional, ``a`` perhaps."""
    assert isinstance(b.type, OptionalType)
    item = b.type.item
    if is_scalar(item):
        if isinstance(a.type, OptionalType):
            x, y = a, b
            if none_of(a.type.item) != none_of(item):
                x, y = writer.fix(a), writer.fix(b)
                wide = NumberType(NONE_WIDE + 1, 0)
                return ir.eq(widened(x.one, a.type.item, wide), widened(y.one, item, wide))
            return ir.eq(x.one, y.one)
        missing = none_of(item)
        low, high = values.bounds(a.type)
        if low <= missing <= high:
            fixed = writer.fix(b)
            return ir.both(ir.ne(fixed.one, ir.const(missing)), ir.eq(a.one, fixed.one))
        return ir.eq(a.one, b.one)
    a, b = writer.fix(a), writer.fix(b)
    if isinstance(a.type, OptionalType):
        both_none = ir.both(values.is_none(a), values.is_none(b))
        alike = ir.both(ir.both(values.is_some(a), values.is_some(b)), same(writer, values.held(a), values.held(b)))
        return ir.either(both_none, alike)
    return ir.both(values.is_some(b), same(writer, a, values.held(b)))
