"""Options as rows of words: writing a combination of values, and taking one into the slots."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Bind
from rulelang.types import ListType, OptionalType, PiecesType, SetType, Type, kinds

from ..emit import values
from ..emit.values import Env, Val
from ..layout.rows import most_members, row_size
from ..layout.shapes import WORD, holds_addresses, is_address, words
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter


def write_row(writer: RuleEmitter, at: E, env: Env, binds: Sequence[Bind], offset: int = 0) -> None:
    """Writes a combination at a fixed address."""
    for bind in binds:
        value = env[bind.slot]
        _write(writer, at, value, offset)
        offset += WORD * (row_size(bind.type) or 0)


def _write(writer: RuleEmitter, at: E, value: Val, offset: int) -> None:
    if not holds_addresses(value.type):
        writer.store(at, value, offset)
        return
    match value.type:
        case PiecesType(kind):
            writer.b.copy(ir.add(at, ir.const(offset)), value.one, ir.const(WORD * len(kinds(kind))))
        case ListType() | SetType() if is_address(value.type):
            _write_members(writer, at, value, offset)
        case OptionalType(item):
            writer.b.store(at, values.is_some(value), offset)
            # Rows are compared word by word, so what is not there is zeroes.
            writer.b.fill(ir.add(at, ir.const(offset + WORD)), ir.const(WORD * (row_size(item) or 0)))
            with writer.b.if_(values.is_some(value)):
                _write(writer, at, values.held(value), offset + WORD)
        case _:
            for i, item in enumerate(value.type.items):  # type: ignore[union-attr]
                _write(writer, at, values.part_of(value, i), offset)
                offset += WORD * (row_size(item) or 0)


def _write_members(writer: RuleEmitter, at: E, value: Val, offset: int) -> None:
    """A list or set: the number of its members, these, and zeroes."""
    assert isinstance(value.type, (ListType, SetType))
    b, size, most = writer.b, WORD * words(value.type.item), most_members(value.type)
    address = b.fix(value.one)
    number = b.fix(ir.load(address))
    if not isinstance(value.type, ListType) or value.type.most is None:
        with b.if_(ir.gt(number, ir.const(most))):
            writer.fault("chosen", number, most=most)
    used = b.fix(ir.add(ir.mul(number, ir.const(size)), ir.const(WORD)))
    to = b.fix(ir.add(at, ir.const(offset)))
    b.copy(to, address, used)
    b.fill(ir.add(to, used), ir.sub(ir.const(WORD + size * most), used))


def read_row(writer: RuleEmitter, at: E, binds: Sequence[Bind], offset: int = 0) -> None:
    """Takes a combination at a fixed address into the slots."""
    for bind in binds:
        writer.set_all(writer.slot(bind.slot, bind.type), _read(writer, at, bind.type, offset))
        offset += WORD * (row_size(bind.type) or 0)


def _read(writer: RuleEmitter, at: E, type_: Type, offset: int) -> Val:
    if not holds_addresses(type_):
        return values.load_value(at, type_, offset)
    match type_:
        case PiecesType(kind):
            size = ir.const(len(kinds(kind)))
            return Val(type_, (writer.runtime("copy_words", ir.add(at, ir.const(offset)), size),))
        case ListType(item) | SetType(item) if is_address(type_):
            place = ir.add(at, ir.const(offset))
            return Val(type_, (writer.runtime("copy_list", place, ir.const(words(item))),))
        case OptionalType(item):
            return Val(type_, (ir.load(at, offset), *_read(writer, at, item, offset + WORD).parts))
    parts: list[E] = []
    for item in type_.items:  # type: ignore[union-attr]
        parts.extend(_read(writer, at, item, offset).parts)
        offset += WORD * (row_size(item) or 0)
    return Val(type_, tuple(parts))
