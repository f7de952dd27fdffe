"""Values that can be chosen: single ones, and lists and sets of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..types import (
    FlagType,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    values,
)

if TYPE_CHECKING:
    from .expressions import Expressions

MOST_IN_SET = 64
"""Values that a set may have which is itself a member of what is chosen."""


def check_chosen(e: Expressions, binds: ir.Binds) -> None:
    """Reports names of a choice that stand for lists of lists and the like, which no list of options can show."""
    for bind in binds.binds:
        if not _can_be_chosen(bind.type):
            e.error(
                "R0402",
                bind.domain.span,
                f"This offers {describe(bind.type)}, and what is chosen has to be simpler.",
                "Let a number be chosen, and take the member at that position: `xs[n]`.",
            )


def _can_be_chosen(type_: Type) -> bool:
    match type_:
        case ListType(item) | SetType(item):
            return _is_single(item)
        case OptionalType(item):
            return _can_be_chosen(item)
        case TupleType() | RecordType():
            return all(map(_can_be_chosen, type_.items))
    return True


def _is_single(type_: Type) -> bool:
    match type_:
        case ListType() | PiecesType():
            return False
        case SetType(item):
            return isinstance(item, (MemberType, NumberType, FlagType)) and len(values(item)) <= MOST_IN_SET
        case OptionalType(item):
            return _is_single(item)
        case TupleType() | RecordType():
            return all(map(_is_single, type_.items))
    return True
