"""Values of one type as values of another."""

from __future__ import annotations

from rulelang.types import ListType, NothingType, OptionalType, PiecesType, SetType, Type, describe, kinds

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Val
from ..layout.shapes import NotLowered, components, first_value, holds_addresses, is_scalar, mask_size, none_of, words
from ..wat import ir
from ..wat.ir import E
from .iteration import iterate_value


def widened(part: E, given: Type, wanted: Type) -> E:
    """An optional of ``given`` values as one of ``wanted`` values, which may have another number for none."""
    a, b = none_of(given), none_of(wanted)
    if a == b:
        return part
    if part.is_const:
        return ir.const(b) if part.value == a else part
    return ir.select(ir.eq(part, ir.const(a)), ir.const(b), part)


def fit(writer: Emitter, value: Val, type_: Type) -> Val:
    """The value in the representation of another type that takes it."""
    given = value.type
    if given == type_ or (is_scalar(given) and is_scalar(type_)):
        return Val(type_, value.parts)
    match type_:
        case OptionalType(item):
            if isinstance(given, NothingType):
                return values.none(type_)
            if not isinstance(given, OptionalType):
                return values.some(fit(writer, value, item), type_)
            if is_scalar(item):
                fixed = value if none_of(given.item) == none_of(item) else writer.fix(value)
                return Val(type_, (widened(fixed.one, given.item, item),))
            return Val(type_, (value.parts[0], *fit(writer, values.held(value), item).parts))
        case SetType(item):
            if isinstance(given, NothingType):
                return values.constant(writer.memory, (), type_)
            if isinstance(given, ListType) or mask_size(given) != mask_size(type_) or differ(given.item, item):  # type: ignore[union-attr]
                return as_set(writer, value, type_)
        case ListType() if isinstance(given, NothingType):
            return values.constant(writer.memory, (), type_)
        case PiecesType(kind) if isinstance(given, NothingType):
            return values.constant(writer.memory, (0,) * len(kinds(kind)), type_)
    if components(given) != components(type_):
        raise NotLowered(f"a value of {describe(given)} as one of {describe(type_)}")
    items = getattr(type_, "items", None)
    if items is not None and hasattr(given, "items"):
        parts: list[E] = []
        for i, item in enumerate(items):
            parts.extend(fit(writer, values.part_of(value, i), item).parts)
        return Val(type_, tuple(parts))
    return Val(type_, value.parts)


def differ(a: Type, b: Type) -> bool:
    """Whether the bits of a mask mean other values."""
    return is_scalar(a) and is_scalar(b) and first_value(a) != first_value(b)


# ---------------------------------------------------------------- sets


def bit(member: E, type_: SetType) -> E:
    """The mask of one member."""
    return ir.bit(ir.sub(member, ir.const(first_value(type_.item))))


def add_member(writer: Emitter, mask: int, value: Val, type_: SetType) -> None:
    """Adds a member to the mask in a local."""
    writer.b.set(mask, E("i64.or", "i64", (writer.b.get(mask), bit(value.one, type_))))


def as_set(writer: Emitter, value: Val, type_: SetType) -> Val:
    """The members of a list, or of another set, as a set."""
    item = type_.item
    if isinstance(value.type, ListType) and mask_size(type_) is None:
        if holds_addresses(item) or components(value.type.item) != components(item):
            raise NotLowered(f"a set of {describe(item)}")
        copied = writer.runtime("copy_list", value.one, ir.const(words(item)))
        return Val(type_, (writer.runtime("rising", copied, ir.const(words(item))),))
    if mask_size(type_) is None:
        listed = writer.listed(type_, lambda push: iterate_value(writer, value, lambda v: push(fit(writer, v, item))))
        return Val(type_, (writer.runtime("rising", listed, ir.const(words(item))),))
    mask = writer.b.local("i64")
    writer.b.set(mask, ir.ZERO64)
    iterate_value(writer, value, lambda v: add_member(writer, mask, fit(writer, v, item), type_))
    return Val(type_, (writer.b.get(mask),))
