"""Values in rows of options, as words and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.types import ListType, OptionalType, RecordType, SetType, TupleType, Type

from ...errors import GameError
from .memory import decode, encode
from .rows import most_members, no_room, row_size
from .shapes import is_address, is_scalar


def encode_row(value: Any, type_: Type) -> list[int]:
    """The words of a value in a row. GameError when there is no room for a list."""
    match type_:
        case OptionalType(item) if not is_scalar(item):
            if value is None:
                return [0] * (row_size(type_) or 0)
            return [1, *encode_row(value, item)]
        case TupleType(items) | RecordType(items=items):
            return [word for part, item in zip(value, items, strict=True) for word in encode_row(part, item)]
        case ListType() | SetType() if is_address(type_):
            if len(value) > most_members(type_):
                raise GameError(no_room(len(value), most_members(type_)))
            found = encode(value, type_)
            return found + [0] * ((row_size(type_) or 0) - len(found))
    return encode(value, type_)


def decode_row(data: Sequence[int], at: int, type_: Type) -> tuple[Any, int]:
    """The value in a row whose words begin at a place, and the place after it."""
    match type_:
        case OptionalType(item) if not is_scalar(item):
            value = None if data[at] == 0 else decode_row(data, at + 1, item)[0]
            return value, at + (row_size(type_) or 0)
        case TupleType(items) | RecordType(items=items):
            parts = []
            for item in items:
                part, at = decode_row(data, at, item)
                parts.append(part)
            return tuple(parts), at
        case ListType() | SetType() if is_address(type_):
            return decode(data, at, type_)[0], at + (row_size(type_) or 0)
    return decode(data, at, type_)
