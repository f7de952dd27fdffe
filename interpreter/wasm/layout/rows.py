"""Words of data kept beside the cells: the slots of a suspended rule, and the options of a decision."""

from __future__ import annotations

from rulelang.program import Binds
from rulelang.types import (
    ListType,
    NumberType,
    OptionalType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    values,
)

from ...lowered.code import Holds, Items
from .shapes import NotLowered, fixed_words, holds_addresses, is_address, is_scalar, words

COUNT = NumberType(-(2**31) + 1, 2**31 - 1)
"""The type of a slot with the counter of a loop."""


def items_type(types: tuple[Type, ...]) -> ListType:
    """The type of a slot that holds the combinations of a loop."""
    return ListType(TupleType(types))


def slot_type(holds: Holds) -> Type:
    """The type of what a slot of a frame holds."""
    if holds is None:
        return COUNT
    return items_type(holds.types) if isinstance(holds, Items) else holds


MOST_CHOSEN = 101
"""Members of a list that can be chosen, where no more is known of it: as many as the longest way has."""

MOST_OF_SET = 400
"""Members of a set that can be chosen, and is not a mask."""


def row_size(type_: Type) -> int | None:
    """The words of a value in a row of options, None where a row cannot hold it.

    A list or a set has its number, its members, and room for as many as it can have.
    """
    match type_:
        case TupleType(items) | RecordType(items=items):
            sizes = [row_size(item) for item in items]
            return None if None in sizes else sum(s for s in sizes if s is not None)
        case OptionalType(item) if not is_scalar(item):
            size = row_size(item)
            return None if size is None else 1 + size
        case ListType(item) | SetType(item) if is_address(type_):
            return None if holds_addresses(item) else 1 + most_members(type_) * words(item)
    return fixed_words(type_)


def most_members(type_: ListType | SetType) -> int:
    """The members for which there is room in a row."""
    if isinstance(type_, ListType):
        return MOST_CHOSEN if type_.most is None else type_.most
    return min(len(values(type_.item)), MOST_OF_SET) if is_scalar(type_.item) else MOST_OF_SET


def no_room(number: int, most: int) -> str:
    """Why a list or a set cannot be chosen."""
    return f"a choice of {number} values at once is more than the {most} that the fast engine has room for"


def row_words(binds: Binds | None) -> int:
    """The words of one combination of some binders, written out whole. Raises NotLowered."""
    total = 0
    for bind in binds.binds if binds is not None else ():
        size = row_size(bind.type)
        if size is None:
            raise NotLowered(f"a choice of {describe(bind.type)}")
        total += size
    return total
