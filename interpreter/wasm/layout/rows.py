"""Words of data kept beside the cells: the slots of a suspended rule, and the options of a decision."""

from __future__ import annotations

from rulelang.program import Binds
from rulelang.types import ListType, NumberType, TupleType, Type, describe

from ...lowered.code import Holds, Items
from .shapes import NotLowered, fixed_words

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


def row_words(binds: Binds | None) -> int:
    """The words of one combination of some binders, written out whole. Raises NotLowered."""
    total = 0
    for bind in binds.binds if binds is not None else ():
        size = fixed_words(bind.type)
        if size is None:
            raise NotLowered(f"a choice of {describe(bind.type)}")
        total += size
    return total
