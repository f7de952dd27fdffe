"""Layout of values and cells in WebAssembly.

A value is a row of *components*, each an ``i32`` or an ``i64`` held in a local:

- a number, a flag, a member: itself; an optional one of these: itself, or NONE_LOW / NONE_WIDE for none;
- none by itself: NONE_LOW, so that a list of it has a length;
- a tuple or record: the components of its parts; any other optional: 1 or 0, then the components of the value;
- pieces: the address of one word (4 bytes) a kind;
- a list: the address of the number of its members, and the members' words;
- a set of at most 64 values that can be enumerated: an ``i64`` with a bit for each; any other set: a list in rising
  order.

In memory a component takes one word, an ``i64`` two. A cell of a variable holds the words of its value; pieces, lists
and sets of unbounded size are stored in the cell itself, with room for the most members they can have.
"""

from __future__ import annotations

from functools import cache

from rulelang.source import NOWHERE, Span
from rulelang.types import (
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
    describe,
    kinds,
    values,
)

from ...errors import GameError
from ..wat.ir import Ty
from .addresses import WORD as WORD

NONE_LOW = -1
"""Represents none where the values are not negative."""

NONE_WIDE = -(2**31)
"""Represents none where the values may be negative."""

ANY = 2**31 - 1
"""The greatest number of a word."""


class NotLowered(GameError):
    """Something that this engine cannot handle. ``what`` names it, ``rule`` and ``span`` say where it is."""

    def __init__(self, what: str, rule: str = "", span: Span = NOWHERE) -> None:
        place = f" ({span.file}:{span.line})" if span.file else ""
        where = f" in {rule}{place}" if rule else ""
        super().__init__(f"the fast engine cannot handle {what}{where}; use the reference engine")
        self.what = what
        self.rule = rule
        self.span = span

    def at(self, rule: str, span: Span) -> NotLowered:
        """The same error with its place in the rules, if it has none yet."""
        return self if self.rule else NotLowered(self.what, rule, span)


def is_scalar(type_: Type) -> bool:
    return isinstance(type_, (NumberType, FlagType, MemberType))


def none_of(type_: Type) -> int:
    """The number that represents none in an optional of a scalar type."""
    return NONE_WIDE if isinstance(type_, NumberType) and type_.low < 0 else NONE_LOW


@cache
def mask_size(type_: SetType) -> int | None:
    """The number of bits of a set that is kept as a mask, None for any other."""
    if is_scalar(type_.item):
        item = type_.item
        if isinstance(item, NumberType) and item.high - item.low >= 64:
            return None  # before the values are counted: a number without bounds has more than can be
        size = len(values(item))
        return size if size <= 64 else None
    return None


def first_value(type_: Type) -> int:
    """The number of the first value of a scalar type."""
    return type_.low if isinstance(type_, NumberType) else 0


@cache
def components(type_: Type) -> tuple[Ty, ...]:
    """The types of the components of a value."""
    match type_:
        case NumberType() | FlagType() | MemberType() | PiecesType() | ListType():
            return ("i32",)
        case SetType():
            return ("i64",) if mask_size(type_) is not None else ("i32",)
        case TupleType() | RecordType():
            return tuple(c for item in type_.items for c in components(item))
        case OptionalType(item) if is_scalar(item):
            return ("i32",)
        case OptionalType(item):
            return ("i32", *components(item))
        case NothingType() | NeverType():
            return ("i32",)
    raise NotLowered(f"values of {describe(type_)}")


def is_address(type_: Type) -> bool:
    """Whether the value is the address of something in memory."""
    return isinstance(type_, (PiecesType, ListType)) or (isinstance(type_, SetType) and mask_size(type_) is None)


def holds_addresses(type_: Type) -> bool:
    """Whether any component of the value is an address."""
    match type_:
        case TupleType() | RecordType():
            return any(holds_addresses(item) for item in type_.items)
        case OptionalType(item):
            return holds_addresses(item)
        case _:
            return is_address(type_)


def words(type_: Type) -> int:
    """The words of the components of a value."""
    return sum(2 if c == "i64" else 1 for c in components(type_))


def fixed_words(type_: Type) -> int | None:
    """The words of a value that is written out whole, None when its size is not known beforehand."""
    match type_:
        case PiecesType(kind):
            return len(kinds(kind))
        case TupleType() | RecordType():
            sizes = [fixed_words(item) for item in type_.items]
            return None if None in sizes else sum(s for s in sizes if s is not None)
        case OptionalType(item) if not is_scalar(item):
            size = fixed_words(item)
            return None if size is None else 1 + size
        case _:
            return None if is_address(type_) else words(type_)


def item_words(type_: Type) -> int:
    """The words of one member of a list or set that lies in memory."""
    assert isinstance(type_, (ListType, SetType))
    return words(type_.item)
