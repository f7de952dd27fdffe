"""Values while code is written, and what can be done with them whatever they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulelang.types import (
    FlagType,
    ListType,
    MemberType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    SetType,
    Type,
    kinds,
    values,
)

from ..emit import ir
from ..emit.ir import E
from ..layout.memory import encode
from ..layout.shapes import (
    NONE_WIDE,
    WORD,
    NotLowered,
    components,
    first_value,
    holds_addresses,
    is_address,
    is_scalar,
    mask_size,
    none_of,
    words,
)

if TYPE_CHECKING:
    from .expressions import Writer


@attrs.frozen(eq=False)
class Val:
    """A value of a type, as its components."""

    type: Type
    parts: tuple[E, ...]

    @property
    def one(self) -> E:
        """The only component."""
        (part,) = self.parts
        return part

    @property
    def is_const(self) -> bool:
        return bool(self.parts) and not is_address(self.type) and all(p.is_const for p in self.parts)


def scalar(type_: Type, part: E) -> Val:
    return Val(type_, (part,))


def number(value: int, type_: Type | None = None) -> Val:
    return Val(type_ or NumberType(value, value), (ir.const(value),))


def constant(writer: Writer, value: Any, type_: Type) -> Val:
    """A value that is known. Pieces, lists and big sets lie among the tables."""
    if isinstance(type_, NothingType):
        return Val(type_, ())
    if is_scalar(type_):
        return Val(type_, (ir.const(int(value)),))
    if isinstance(type_, OptionalType):
        if is_scalar(type_.item):
            return Val(type_, (ir.const(none_of(type_.item) if value is None else int(value)),))
        if value is None:
            return none(type_)
        return Val(type_, (ir.ONE, *constant(writer, value, type_.item).parts))
    if isinstance(type_, SetType) and mask_size(type_) is not None:
        low = first_value(type_.item)
        return Val(type_, (ir.const(sum(1 << (int(v) - low) for v in value), "i64"),))
    if is_address(type_):
        return Val(type_, (ir.const(writer.memory.constant(_flat(writer, value, type_))),))
    parts: list[E] = []
    for part, item in zip(value, type_.items, strict=True):  # type: ignore[union-attr]
        parts.extend(constant(writer, part, item).parts)
    return Val(type_, tuple(parts))


def _flat(writer: Writer, value: Any, type_: Type) -> list[int]:
    if isinstance(type_, (ListType, SetType)) and holds_addresses(type_.item):
        members = [constant(writer, member, type_.item).parts for member in value]
        return [len(members), *(p.value for parts in members for p in parts)]
    return encode(value, type_)


def none(type_: Type) -> Val:
    """None of an optional type."""
    assert isinstance(type_, OptionalType)
    if is_scalar(type_.item):
        return Val(type_, (ir.const(none_of(type_.item)),))
    return Val(type_, tuple(ir.const(0, ty) for ty in components(type_)))


def is_none(value: Val) -> E:
    return ir.not_(is_some(value))


def is_some(value: Val) -> E:
    """Whether an optional holds a value."""
    if isinstance(value.type, NothingType):
        return ir.ZERO
    assert isinstance(value.type, OptionalType)
    if is_scalar(value.type.item):
        return ir.ne(value.one, ir.const(none_of(value.type.item)))
    return value.parts[0]


def held(value: Val) -> Val:
    """What an optional holds, which must be something."""
    assert isinstance(value.type, OptionalType)
    item = value.type.item
    return Val(item, value.parts if is_scalar(item) else value.parts[1:])


def some(value: Val, type_: OptionalType) -> Val:
    """The value as an optional."""
    return Val(type_, value.parts if is_scalar(type_.item) else (ir.ONE, *value.parts))


def _widened(part: E, given: Type, wanted: Type) -> E:
    """An optional of ``given`` values as one of ``wanted`` values, which may have another number for none."""
    a, b = none_of(given), none_of(wanted)
    if a == b:
        return part
    if part.is_const:
        return ir.const(b) if part.value == a else part
    return ir.select(ir.eq(part, ir.const(a)), ir.const(b), part)


def fit(writer: Writer, value: Val, type_: Type) -> Val:
    """The value in the representation of another type that takes it."""
    given = value.type
    if given == type_ or (is_scalar(given) and is_scalar(type_)):
        return Val(type_, value.parts)
    match type_:
        case OptionalType(item):
            if isinstance(given, NothingType):
                return none(type_)
            if not isinstance(given, OptionalType):
                return some(fit(writer, value, item), type_)
            if is_scalar(item):
                fixed = value if none_of(given.item) == none_of(item) else writer.fix(value)
                return Val(type_, (_widened(fixed.one, given.item, item),))
            return Val(type_, (value.parts[0], *fit(writer, held(value), item).parts))
        case SetType(item):
            if isinstance(given, NothingType):
                return constant(writer, (), type_)
            if isinstance(given, ListType) or mask_size(given) != mask_size(type_) or _differ(given.item, item):  # type: ignore[union-attr]
                return writer.as_set(value, type_)
        case ListType() if isinstance(given, NothingType):
            return constant(writer, (), type_)
        case PiecesType(kind) if isinstance(given, NothingType):
            return constant(writer, (0,) * len(kinds(kind)), type_)
    if components(given) != components(type_):
        raise NotLowered(f"a value of {given!r} as one of {type_!r}")
    items = getattr(type_, "items", None)
    if items is not None and hasattr(given, "items"):
        parts: list[E] = []
        for i, item in enumerate(items):
            parts.extend(fit(writer, part_of(value, i), item).parts)
        return Val(type_, tuple(parts))
    return Val(type_, value.parts)


def _differ(a: Type, b: Type) -> bool:
    """Whether the bits of a mask mean other values."""
    return is_scalar(a) and is_scalar(b) and first_value(a) != first_value(b)


def part_of(value: Val, position: int) -> Val:
    """A part of a tuple or record."""
    items = value.type.items  # type: ignore[union-attr]
    start = sum(len(components(item)) for item in items[:position])
    item = items[position]
    return Val(item, value.parts[start : start + len(components(item))])


# ---------------------------------------------------------------- memory


def load_value(address: E, type_: Type, offset: int = 0) -> Val:
    """The value whose components lie at an address; the address must be fixed when there are several."""
    parts = []
    for ty in components(type_):
        parts.append(ir.load(address, offset, ty))
        offset += WORD * (2 if ty == "i64" else 1)
    return Val(type_, tuple(parts))


def store_value(writer: Writer, address: E, value: Val, offset: int = 0) -> None:
    """Writes the components; the address must be fixed when there are several."""
    for part in value.parts:
        writer.b.store(address, part, offset)
        offset += WORD * (2 if part.ty == "i64" else 1)


# ---------------------------------------------------------------- comparing


def same(writer: Writer, a: Val, b: Val) -> E:
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
            return same(writer, fit(writer, a, type_), fit(writer, b, type_))
        case (SetType(), SetType()) if mask_size(a.type) is not None or mask_size(b.type) is not None:
            narrow = a if mask_size(a.type) is not None else b
            if mask_size(a.type) is None or mask_size(b.type) is None or _differ(a.type.item, b.type.item):
                wide = b if narrow is a else a
                raise NotLowered(f"comparing {narrow.type!r} with {wide.type!r}")
            return ir.eq(a.one, b.one)
        case (SetType(), SetType()) | (ListType(), ListType()):
            item = a.type.item  # type: ignore[union-attr]
            if holds_addresses(item) or components(item) != components(b.type.item):  # type: ignore[union-attr]
                raise NotLowered(f"comparing {a.type!r}")
            return writer.runtime("same_list", a.one, b.one, ir.const(words(item)))
    result = ir.ONE
    for i in range(len(a.type.items)):  # type: ignore[union-attr]
        result = ir.both(result, same(writer, part_of(a, i), part_of(b, i)))
    return result


def _same_as_nothing(writer: Writer, b: Val) -> E:
    match b.type:
        case OptionalType():
            return is_none(b)
        case ListType():
            return ir.eq(ir.load(b.one), ir.ZERO)
        case SetType():
            return ir.eq(b.one, ir.ZERO64) if b.one.ty == "i64" else ir.eq(ir.load(b.one), ir.ZERO)
        case PiecesType(kind):
            return ir.eq(writer.runtime("sum_words", b.one, ir.const(len(kinds(kind)))), ir.ZERO)
    return ir.ZERO


def _same_optional(writer: Writer, a: Val, b: Val) -> E:
    """``b`` is an optional, ``a`` perhaps."""
    assert isinstance(b.type, OptionalType)
    item = b.type.item
    if is_scalar(item):
        if isinstance(a.type, OptionalType):
            x, y = a, b
            if none_of(a.type.item) != none_of(item):
                x, y = writer.fix(a), writer.fix(b)
                wide = NumberType(NONE_WIDE + 1, 0)
                return ir.eq(_widened(x.one, a.type.item, wide), _widened(y.one, item, wide))
            return ir.eq(x.one, y.one)
        missing = none_of(item)
        low, high = bounds(a.type)
        if low <= missing <= high:
            fixed = writer.fix(b)
            return ir.both(ir.ne(fixed.one, ir.const(missing)), ir.eq(a.one, fixed.one))
        return ir.eq(a.one, b.one)
    a, b = writer.fix(a), writer.fix(b)
    if isinstance(a.type, OptionalType):
        both_none = ir.both(is_none(a), is_none(b))
        alike = ir.both(ir.both(is_some(a), is_some(b)), same(writer, held(a), held(b)))
        return ir.either(both_none, alike)
    return ir.both(is_some(b), same(writer, a, held(b)))


def bounds(type_: Type) -> tuple[int, int]:
    """The least and greatest number of a scalar type."""
    if isinstance(type_, NumberType):
        return type_.low, type_.high
    if isinstance(type_, MemberType):
        return 0, len(type_.domain) - 1
    assert isinstance(type_, FlagType)
    return 0, 1


def size_of(type_: Type) -> int:
    """How many values a scalar type has."""
    return len(values(type_))
