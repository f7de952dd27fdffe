"""Code that compares two values."""

from __future__ import annotations

from rulelang.types import (
    NO_PIECES,
    ListType,
    NeverType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    SetType,
    kinds,
)

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Val
from ..layout.shapes import NONE_WIDE, WORD, holds_addresses, is_scalar, mask_size, none_of, words
from ..wat import ir
from ..wat.ir import E
from .conversions import same_words, widened


def same(writer: Emitter, a: Val, b: Val) -> E:
    """Whether two values are equal. Components may be used twice: they are fixed where they are."""
    if isinstance(a.type, NothingType) and isinstance(b.type, NothingType):
        return ir.ONE
    if isinstance(b.type, NothingType):
        a, b = b, a
    if isinstance(a.type, NothingType):
        return values.is_none(b) if isinstance(b.type, OptionalType) else ir.ZERO
    if isinstance(a.type, OptionalType) and not isinstance(b.type, OptionalType):
        a, b = b, a
    if isinstance(b.type, OptionalType):
        return _same_optional(writer, a, b)
    if is_scalar(a.type):
        return ir.eq(a.one, b.one)
    match a.type, b.type:
        case ((ListType(NeverType()) | SetType(NeverType())), _):
            return _is_empty(b)
        case _, (ListType(NeverType()) | SetType(NeverType())):
            return _is_empty(a)
        case (PiecesType(), PiecesType()) if NO_PIECES in (a.type, b.type):
            (kind,) = {a.type.kind, b.type.kind} - {NO_PIECES.kind} or {NO_PIECES.kind}
            whole = b if a.type == NO_PIECES else a
            return ir.not_(writer.runtime("sum_words", whole.one, ir.const(len(kinds(kind)))))
        case PiecesType(kind), PiecesType():
            return writer.runtime("same_words", a.one, b.one, ir.const(len(kinds(kind))))
        case (SetType() as type_, ListType()) | (ListType(), SetType() as type_):
            return same(writer, writer.fit(a, type_), writer.fit(b, type_))
        case (SetType(), SetType()) if mask_size(a.type) is not None or mask_size(b.type) is not None:
            if not same_words(a.type, b.type):
                low, high = zip(values.bounds(a.type.item), values.bounds(b.type.item), strict=True)
                both = SetType(NumberType(min(low), max(high)))
                return same(writer, writer.fit(a, both), writer.fit(b, both))
            return ir.eq(a.one, b.one)
        case (SetType(), SetType()) | (ListType(), ListType()):
            item = a.type.item  # type: ignore[union-attr]
            if holds_addresses(item) or not same_words(item, b.type.item):  # type: ignore[union-attr]
                return _same_members(writer, writer.fix(a), writer.fix(b))
            return writer.runtime("same_list", a.one, b.one, ir.const(words(item)))
    result = ir.ONE
    for i in range(len(a.type.items)):  # type: ignore[union-attr]
        result = ir.both(result, same(writer, values.part_of(a, i), values.part_of(b, i)))
    return result


def _is_empty(listed: Val) -> E:
    """Whether a list or set has no members."""
    return E("i64.eqz", "i32", (listed.one,)) if listed.one.ty == "i64" else ir.not_(ir.load(listed.one))


def _same_members(writer: Emitter, a: Val, b: Val) -> E:
    """Whether two lists are alike, member by member."""
    found, at = writer.b.local(), writer.b.local()
    number = writer.b.fix(ir.load(a.one))
    writer.b.set(found, ir.eq(number, ir.load(b.one)))
    writer.b.set(at, ir.mul(number, writer.b.get(found)))
    with writer.releasing(), writer.b.block() as done, writer.b.loop() as again:
        writer.b.br_if(done, ir.not_(writer.b.get(at)))
        writer.b.set(at, ir.sub(writer.b.get(at), ir.ONE))
        members = []
        for listed in (a, b):
            item = listed.type.item  # type: ignore[union-attr]
            place = ir.add(ir.mul(writer.b.get(at), ir.const(WORD * words(item))), listed.one)
            members.append(writer.fix(values.load_value(writer.b.fix(place), item, WORD)))
        writer.b.set(found, same(writer, *members))
        writer.b.br_if(again, writer.b.get(found))
    return writer.b.get(found)


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
