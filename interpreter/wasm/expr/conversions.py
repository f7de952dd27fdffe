"""Values of one type as values of another."""

from __future__ import annotations

from rulelang.types import (
    NO_PIECES,
    ListType,
    NeverType,
    NothingType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    kinds,
)

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Val
from ..layout.shapes import (
    NONE_LOW,
    NotLowered,
    components,
    first_value,
    is_scalar,
    mask_size,
    none_of,
    words,
)
from ..wat import ir
from ..wat.ir import E
from . import ordering
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
            if _is_empty(given):
                return values.constant(writer.memory, (), type_)
            assert isinstance(given, (ListType, SetType))
            if isinstance(given, ListType) or not same_words(given, type_):
                return as_set(writer, value, type_)
        case ListType() if _is_empty(given):
            return values.constant(writer.memory, (), type_)
        case ListType(item) if isinstance(given, SetType) or not same_words(given.item, item):  # type: ignore[union-attr]
            return Val(type_, (_listed(writer, value, type_),))
        case PiecesType(kind) if given == NO_PIECES:
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


def _is_empty(type_: Type) -> bool:
    return isinstance(type_, (ListType, SetType)) and isinstance(type_.item, NeverType)


def same_words(given: Type, wanted: Type) -> bool:
    """Whether the words of a value of one type are those of the same value of another type that takes it."""
    if given == wanted or (is_scalar(given) and is_scalar(wanted)):
        return True
    match given, wanted:
        case OptionalType(a), OptionalType(b):
            same_none = not is_scalar(b) or (is_scalar(a) and none_of(a) == none_of(b))
            return same_none and same_words(a, b)
        case _, OptionalType(b) if is_scalar(b):
            return is_scalar(given) or (isinstance(given, NothingType) and none_of(b) == NONE_LOW)
        case ListType(a), ListType(b):
            return not isinstance(a, NeverType) and same_words(a, b)
        case SetType(a), SetType(b):
            if isinstance(a, NeverType) or mask_size(given) != mask_size(wanted):
                return False
            return not differ(a, b) if mask_size(given) is not None else same_words(a, b)
        case ((TupleType() | RecordType()), (TupleType() | RecordType())):
            return all(map(same_words, given.items, wanted.items))
    return False


def _listed(writer: Emitter, value: Val, type_: ListType | SetType) -> E:
    """A new list of the members of a value."""
    item = type_.item
    return writer.listed(
        type_, lambda push: iterate_value(writer, value, lambda v: push(fit(writer, v, item)), release=False)
    )


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
    if mask_size(type_) is None:
        if isinstance(value.type, ListType) and same_words(value.type.item, item):
            listed = writer.runtime("copy_list", value.one, ir.const(words(item)))
        else:
            listed = _listed(writer, value, type_)
        return Val(type_, (writer.runtime("rising", listed, ordering.row(writer, item)),))
    mask = writer.b.local("i64")
    writer.b.set(mask, ir.ZERO64)
    iterate_value(writer, value, lambda v: add_member(writer, mask, fit(writer, v, item), type_))
    return Val(type_, (writer.b.get(mask),))
