"""Copies of values that lie in memory, so that they stay as they are when cells change."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.types import ListType, OptionalType, PiecesType, SetType, kinds

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Val
from ..layout.shapes import holds_addresses, words
from ..wat import ir
from ..wat.ir import E
from .iteration import iterate_value


def copied(writer: Emitter, value: Val) -> Val:
    """The value with whatever it holds by address copied to the arena, unless it is a constant."""
    if not holds_addresses(value.type):
        return value
    match value.type:
        case PiecesType(kind):
            if _is_constant(writer, value.one):
                return value
            return Val(value.type, (writer.runtime("copy_words", value.one, ir.const(len(kinds(kind)))),))
        case ListType(item) | SetType(item):
            if _is_constant(writer, value.one):
                return value
            if not holds_addresses(item):
                return Val(value.type, (writer.runtime("copy_list", value.one, ir.const(words(item))),))
            return Val(value.type, (_members_copied(writer, value, value.type),))
        case OptionalType() as type_:
            value = writer.fix(value)
            locals_ = writer.locals_for(type_)
            writer.set_all(locals_, values.none(type_))
            with writer.b.if_(values.is_some(value)):
                writer.set_all(locals_, values.some(copied(writer, values.held(value)), type_))
            return writer.of_locals(value.type, locals_)
    parts: list[E] = []
    for i in range(len(value.type.items)):  # type: ignore[union-attr]
        parts.extend(copied(writer, values.part_of(value, i)).parts)
    return Val(value.type, tuple(parts))


def _is_constant(writer: Emitter, address: E) -> bool:
    """Whether an address is one of the tables, which never change. That of a cell may be known as well."""
    return address.is_const and address.value >= writer.memory.tables


def _members_copied(writer: Emitter, value: Val, type_: ListType | SetType) -> E:
    """A list whose members lie in memory as well, each of them copied."""

    def members(push: Callable[[Val], None]) -> None:
        iterate_value(writer, value, lambda member: push(copied(writer, member)), release=False)

    return writer.listed(type_, members)
