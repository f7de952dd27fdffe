"""Frames of suspended rules: the locals that are still needed, written to the state when a game stops.

A saved frame is the words of those locals in the order of their slots, then the number of the unit, the number of the
site, and the number of bytes in all. The innermost rule is saved first, so the outermost is taken back first.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.types import ListType, OptionalType, PiecesType, SetType, Type, kinds

from ...lowered.code import Site
from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Val
from ..expr.iteration import iterate_value
from ..layout.addresses import SAVED, SAVED_ROOM, SAVED_SPARE, STATE
from ..layout.shapes import WORD, fixed_words, holds_addresses, is_address, is_scalar, words
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter

# ---------------------------------------------------------------- saving


def save(writer: RuleEmitter, site: Site) -> None:
    """Writes the frame of a rule that stops at a site."""
    b = writer.b
    base = writer.memory.saved
    at = b.local()
    writer.saved_at.add(site.number)
    b.set(at, ir.add(ir.load(ir.ZERO, STATE + SAVED), ir.const(base)))
    start = b.fix(b.get(at))
    for slot in site.live:
        type_, locals_ = writer.slots[slot]
        _push(writer, at, writer.of_locals(type_, locals_))
    b.store(b.get(at), ir.const(writer.context.unit_number(writer.unit.rule)))
    b.store(b.get(at), ir.const(site.number), WORD)
    size = ir.add(ir.sub(b.get(at), start), ir.const(3 * WORD))
    b.store(b.get(at), size, 2 * WORD)
    end = b.fix(ir.add(ir.sub(b.get(at), ir.const(base)), ir.const(3 * WORD)))
    b.store(ir.ZERO, end, STATE + SAVED)
    _fits(writer, at, ir.ZERO)


def _fits(writer: Emitter, at: int, bytes_: E) -> None:
    """Stops when so many more bytes would come too near to the end of the room."""
    b = writer.b
    limit = ir.const(writer.memory.saved + SAVED_ROOM - SAVED_SPARE)
    with b.if_(ir.binary("gt_u", ir.add(b.get(at), bytes_), limit)):
        writer.fault("frames")


def _push(writer: Emitter, at: int, value: Val) -> None:
    b = writer.b
    match value.type:
        case PiecesType(kind):
            size = WORD * len(kinds(kind))
            _fits(writer, at, ir.const(size))
            b.copy(b.get(at), value.one, ir.const(size))
            b.set(at, ir.add(b.get(at), ir.const(size)))
        case ListType(item) | SetType(item) if is_address(value.type):
            address = b.fix(value.one)
            if not holds_addresses(item):
                bytes_ = b.fix(ir.add(ir.mul(ir.load(address), ir.const(WORD * words(item))), ir.const(WORD)))
                _fits(writer, at, bytes_)
                b.copy(b.get(at), address, bytes_)
                b.set(at, ir.add(b.get(at), bytes_))
                return
            b.store(b.get(at), ir.load(address))
            b.set(at, ir.add(b.get(at), ir.const(WORD)))

            def member(value: Val) -> None:
                _fits(writer, at, ir.ZERO)
                _push(writer, at, value)

            iterate_value(writer, Val(value.type, (address,)), member)
        case OptionalType(item) if not is_scalar(item):
            value = writer.fix(value)
            b.store(b.get(at), values.is_some(value))
            b.set(at, ir.add(b.get(at), ir.const(WORD)))
            with b.if_(values.is_some(value)):
                _push(writer, at, values.held(value))
            padding = fixed_words(item)
            if padding:
                with b.if_(values.is_none(value)):
                    b.set(at, ir.add(b.get(at), ir.const(WORD * padding)))
        case _ if holds_addresses(value.type):
            for i in range(len(value.type.items)):  # type: ignore[union-attr]
                _push(writer, at, values.part_of(value, i))
        case _:
            writer.store(b.get(at), value)
            b.set(at, ir.add(b.get(at), ir.const(WORD * words(value.type))))


# ---------------------------------------------------------------- taking back


def write_entry(writer: RuleEmitter) -> None:
    """The start of a function: nothing, or restoring its frame when the game resumes."""
    b = writer.b
    base = writer.memory.saved
    with b.if_(ir.global_("resume")):
        top = b.fix(ir.add(ir.load(ir.ZERO, STATE + SAVED), ir.const(base - 3 * WORD)))
        at = b.local()
        b.set(at, ir.sub(ir.add(top, ir.const(3 * WORD)), ir.load(top, 2 * WORD)))
        b.store(ir.ZERO, ir.sub(b.get(at), ir.const(base)), STATE + SAVED)
        b.set(writer.resume, ir.add(ir.load(top, WORD), ir.ONE))
        for number in sorted(writer.saved_at):
            with b.if_(ir.eq(b.get(writer.resume), ir.const(number + 1))):
                for slot in writer.unit.sites[number].site.live:
                    type_, locals_ = writer.slots[slot]
                    writer.set_all(locals_, _pop(writer, at, type_))


def _pop(writer: Emitter, at: int, type_: Type) -> Val:
    b = writer.b
    match type_:
        case PiecesType(kind):
            size = len(kinds(kind))
            found = writer.runtime("copy_words", b.get(at), ir.const(size))
            b.set(at, ir.add(b.get(at), ir.const(WORD * size)))
            return Val(type_, (found,))
        case ListType(item) | SetType(item) if is_address(type_):
            if not holds_addresses(item):
                found = writer.runtime("copy_list", b.get(at), ir.const(words(item)))
                b.set(
                    at, ir.add(ir.add(b.get(at), ir.mul(ir.load(found), ir.const(WORD * words(item)))), ir.const(WORD))
                )
                return Val(type_, (found,))
            left = b.local()
            b.set(left, ir.load(b.get(at)))
            b.set(at, ir.add(b.get(at), ir.const(WORD)))

            def members(push: Callable[[Val], None]) -> None:
                with b.until(ir.not_(b.get(left))):
                    push(_pop(writer, at, item))
                    b.set(left, ir.sub(b.get(left), ir.ONE))

            return Val(type_, (writer.listed(type_, members),))
        case OptionalType(item) if not is_scalar(item):
            locals_ = writer.locals_for(type_)
            writer.set_all(locals_, values.none(type_))
            there = b.fix(ir.load(b.get(at)))
            b.set(at, ir.add(b.get(at), ir.const(WORD)))
            with b.if_(there):
                writer.set_all(locals_, values.some(_pop(writer, at, item), type_))
            padding = fixed_words(item)
            if padding:
                with b.if_(ir.not_(there)):
                    b.set(at, ir.add(b.get(at), ir.const(WORD * padding)))
            return writer.of_locals(type_, locals_)
        case _ if holds_addresses(type_):
            parts: list[E] = []
            for item in type_.items:  # type: ignore[union-attr]
                parts.extend(_pop(writer, at, item).parts)
            return Val(type_, tuple(parts))
    here = b.fix(b.get(at))
    found_value = writer.fix(values.load_value(here, type_))
    b.set(at, ir.add(b.get(at), ir.const(WORD * words(type_))))
    return found_value
