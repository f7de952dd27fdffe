"""Descriptions of the members of a list, by which the kernel compares them and puts them in order.

The order is that of the reference engine (``rulelang.program.values.rising``): none before everything else, then number
by number, kind by kind, member by member.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.types import ListType, OptionalType, PiecesType, RecordType, SetType, TupleType, Type, kinds

from ..emit.emitter import Emitter
from ..layout.memory import Memory
from ..layout.shapes import is_scalar, mask_size, words
from ..wat import ir
from ..wat.ir import E

_WORDS, _MASK, _PIECES, _LIST, _OPTIONAL = 1, 2, 3, 4, 5  # see ``$order`` in the kernel


def row(writer: Emitter, type_: Type) -> E:
    """How rows of values of the type are compared, as the kernel's ``$row``."""
    return ir.const(_row(writer.memory, type_))


def _row(memory: Memory, type_: Type) -> int:
    if _is_plain(type_):
        return words(type_)
    shape = [number for part in _parts(memory, type_) for number in part]
    return -memory.constant([words(type_), *shape, 0])


def _is_plain(type_: Type) -> bool:
    """Whether the words of two values, one after another, tell which comes first."""
    match type_:
        case TupleType() | RecordType():
            return all(map(_is_plain, type_.items))
        case OptionalType(item):
            return is_scalar(item)
        case SetType() | ListType() | PiecesType():
            return False
    return True


def _parts(memory: Memory, type_: Type) -> Iterator[tuple[int, int]]:
    if _is_plain(type_):
        yield _WORDS, words(type_)
        return
    match type_:
        case TupleType() | RecordType():
            for item in type_.items:
                yield from _parts(memory, item)
        case OptionalType(item):
            yield _OPTIONAL, _row(memory, item)
        case PiecesType(kind):
            yield _PIECES, len(kinds(kind))
        case SetType() if mask_size(type_) is not None:
            yield _MASK, 0
        case ListType(item) | SetType(item):
            yield _LIST, _row(memory, item)
