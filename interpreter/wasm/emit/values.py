"""Values while code is written, represented by type. Nothing here writes statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs

from rulelang.types import (
    FlagType,
    ListType,
    MemberType,
    NothingType,
    NumberType,
    OptionalType,
    SetType,
    Type,
)

from ..layout.memory import Memory, encode
from ..layout.shapes import (
    NONE_LOW,
    WORD,
    components,
    first_value,
    holds_addresses,
    is_address,
    is_scalar,
    mask_size,
    none_of,
)
from ..wat import ir
from ..wat.ir import E


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


Env: TypeAlias = Mapping[int, Val]
"""Bound values, by slot."""


def scalar(type_: Type, part: E) -> Val:
    return Val(type_, (part,))


def constant(memory: Memory, value: Any, type_: Type) -> Val:
    """A value that is known. Pieces, lists and big sets lie among the tables."""
    if isinstance(type_, NothingType):
        return Val(type_, (ir.const(NONE_LOW),))
    if is_scalar(type_):
        return Val(type_, (ir.const(int(value)),))
    if isinstance(type_, OptionalType):
        if is_scalar(type_.item):
            return Val(type_, (ir.const(none_of(type_.item) if value is None else int(value)),))
        if value is None:
            return none(type_)
        return Val(type_, (ir.ONE, *constant(memory, value, type_.item).parts))
    if isinstance(type_, SetType) and mask_size(type_) is not None:
        low = first_value(type_.item)
        return Val(type_, (ir.const(sum(1 << (int(v) - low) for v in value), "i64"),))
    if is_address(type_):
        return Val(type_, (ir.const(memory.constant(_flat(memory, value, type_))),))
    parts: list[E] = []
    for part, item in zip(value, type_.items, strict=True):  # type: ignore[union-attr]
        parts.extend(constant(memory, part, item).parts)
    return Val(type_, tuple(parts))


def _flat(memory: Memory, value: Any, type_: Type) -> list[int]:
    if isinstance(type_, (ListType, SetType)) and holds_addresses(type_.item):
        members = [constant(memory, member, type_.item).parts for member in value]
        return [len(members), *(p.value for parts in members for p in parts)]
    return encode(value, type_)


def none(type_: Type) -> Val:
    """None of an optional type, or none by itself."""
    if isinstance(type_, NothingType):
        return Val(type_, (ir.const(NONE_LOW),))
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
    """The value inside an optional, which must not be none."""
    assert isinstance(value.type, OptionalType)
    item = value.type.item
    return Val(item, value.parts if is_scalar(item) else value.parts[1:])


def some(value: Val, type_: OptionalType) -> Val:
    """The value as an optional."""
    return Val(type_, value.parts if is_scalar(type_.item) else (ir.ONE, *value.parts))


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
    low, high = bounds(type_)
    return high - low + 1
