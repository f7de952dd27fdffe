"""The options of a decision, listed as rows of words.

A row is the words of one combination of values, those of a menu with the number of the option before them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulelang.program import Apply, Bind, Binds, Expr
from rulelang.program.walk import conjuncts, free_slots
from rulelang.types import ListType, OptionalType, PiecesType, SetType, Type, kinds

from ...lowered import code
from ..emit import registry
from ..emit.registry import Env, Val
from ..expr.runs import bits_for
from ..layout.addresses import CHANCE, FIXED, OPTIONS_ROOM, STATE
from ..layout.shapes import WORD, holds_addresses, is_address, most_members, row_size, row_words, words
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter


def listing(
    writer: RuleEmitter,
    binds: Binds | None,
    conditions: Sequence[Expr],
    bytes_: int,
    first: Sequence[int] = (),
    once: bool = True,
    roomy: bool = False,
) -> None:
    """Lists the combinations that pass the conditions as rows among the options; ``first``: words before each.

    ``once``: equal combinations are listed once. ``roomy``: there is room for whatever is listed.
    """
    b, each = writer.b, binds.binds if binds is not None else ()
    repeating = [bind for bind in each if once and writer.repeats.may(bind.domain)]
    singly = [bind.slot for bind in repeating if bits_for(bind.type) is not None]
    repeats = len(singly) < len(repeating)
    # With few enough combinations there is room for all, and it need not be asked for again and again.
    sure = roomy if binds is None else writer.bounds.combinations(binds) * bytes_ <= OPTIONS_ROOM // 8
    at, start = b.local(), b.local()

    def put(env: Env) -> None:
        here = b.get(at)
        for i, word in enumerate(first):
            b.store(here, ir.const(word), WORD * i)
        write_row(writer, here, env, each, WORD * len(first))

    def push(env: Env) -> None:
        if not sure:
            b.set(at, ir.call("offer", (ir.const(bytes_),)))
        put(env)
        if repeats:
            b.set_global("offers", b.get(at) + bytes_)
            b.call("once", (b.get(start), ir.const(bytes_), ir.const(len(first) + row_words(binds))))
        if sure:
            b.set(at, ir.global_("offers") if repeats else b.get(at) + bytes_)

    def push_if(env: Env, holds: E) -> None:
        put(env)
        b.add(at, ir.select(holds, ir.const(bytes_), ir.ZERO))

    b.set(start, ir.global_("offers"))
    with writer.releasing():
        if sure:
            if not roomy:
                b.call("room", (ir.const(OPTIONS_ROOM // 8),))
            b.set(at, b.get(start))
        _run(writer, binds, conditions, push, push_if if sure and not repeats else None, singly)
        if sure:
            b.set_global("offers", b.get(at))


def _run(
    writer: RuleEmitter,
    binds: Binds | None,
    conditions: Sequence[Expr],
    push: Callable[[Env], None],
    last: Callable[[Env, E], None] | None,
    once: Sequence[int],
) -> None:
    """Does ``push`` for each combination that passes the conditions; the others as those of ``Emitter.run``."""
    parts = [part for c in conditions for part in conjuncts(c)]
    with writer.b.block() as none:
        if binds is None:
            for part in parts:
                writer.unless(part, writer.env, none)
            push(writer.env)
            return
        slots = {bind.slot for bind in binds.binds}
        if not binds.stop_at_first_failure:
            parts = conjuncts(binds.condition) + parts
        # What depends on no binder is tested once, before them all, where nobody can tell.
        early = not writer.faults.may((binds, parts))
        after = [p for p in parts if not early or free_slots(p) & slots]
        for part in [p for p in parts if early and not free_slots(p) & slots]:
            writer.unless(part, writer.env, none)
        if binds.stop_at_first_failure:
            writer.run(binds, writer.env, push, after, once=once)
        else:
            bare = Binds(binds.binds, None, False, span=binds.span)
            writer.run(bare, writer.env, push, after, last=last, once=once)


def row_of(writer: RuleEmitter, number: E, bytes_: int) -> E:
    """The address of the row of an option, by its number."""
    return writer.b.fix(number * bytes_ + writer.memory.options)


# Options as rows of words: writing a combination of values, and taking one into the slots.


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
            writer.b.copy(at + offset, value.one, ir.const(WORD * len(kinds(kind))))
        case ListType() | SetType() if is_address(value.type):
            _write_members(writer, at, value, offset)
        case OptionalType(item):
            writer.b.store(at, registry.is_some(value), offset)
            # Rows are compared word by word, so what is not there is zeroes.
            writer.b.fill(at + (offset + WORD), ir.const(WORD * (row_size(item) or 0)))
            with writer.b.if_(registry.is_some(value)):
                _write(writer, at, registry.held(value), offset + WORD)
        case _:
            for i, item in enumerate(value.type.items):  # type: ignore[union-attr]
                _write(writer, at, registry.part_of(value, i), offset)
                offset += WORD * (row_size(item) or 0)


def _write_members(writer: RuleEmitter, at: E, value: Val, offset: int) -> None:
    """A list or set: the number of its members, these, and zeroes."""
    assert isinstance(value.type, (ListType, SetType))
    b, size, most = writer.b, WORD * words(value.type.item), most_members(value.type)
    address = b.fix(value.one)
    number = b.fix(ir.load(address))
    if not isinstance(value.type, ListType) or value.type.most is None:
        with b.if_(number > most):
            writer.fault("chosen", number, most=most)
    used = b.fix(number * size + WORD)
    to = b.fix(at + offset)
    b.copy(to, address, used)
    b.fill(to + used, WORD + size * most - used)


def read_row(writer: RuleEmitter, at: E, binds: Sequence[Bind], offset: int = 0) -> None:
    """Takes a combination at a fixed address into the slots."""
    for bind in binds:
        writer.set_all(writer.slot(bind.slot, bind.type), _read(writer, at, bind.type, offset))
        offset += WORD * (row_size(bind.type) or 0)


def _read(writer: RuleEmitter, at: E, type_: Type, offset: int) -> Val:
    if not holds_addresses(type_):
        return registry.load_value(at, type_, offset)
    match type_:
        case PiecesType(kind):
            size = ir.const(len(kinds(kind)))
            return Val(type_, (writer.runtime("copy_words", at + offset, size),))
        case ListType(item) | SetType(item) if is_address(type_):
            place = at + offset
            return Val(type_, (writer.runtime("copy_list", place, ir.const(words(item))),))
        case OptionalType(item):
            return Val(type_, (ir.load(at, offset), *_read(writer, at, item, offset + WORD).parts))
    parts: list[E] = []
    for item in type_.items:  # type: ignore[union-attr]
        parts.extend(_read(writer, at, item, offset).parts)
        offset += WORD * (row_size(item) or 0)
    return Val(type_, tuple(parts))


# Code for rolls, and for what chance brings anywhere else: drawn, or in steps fixed beforehand.
#
# Fixed outcomes are numbers in memory. Where there is none yet, the module stops at a fault point that says what may
# come up; ``wasm/fixing.py`` finds the number of the outcome that is meant, and begins the step again.


OUTCOME = "outcome"
"""The kind of the fault points at which an outcome is asked for."""


def outcome(writer: RuleEmitter, by_chance: E, *numbers: E, **facts: Any) -> E:
    """The number of what comes up. ``numbers`` and ``facts`` tell ``wasm/fixing.py`` what may."""
    b = writer.b
    if not writer.registry.steps:
        return b.fix(by_chance)
    number = b.let(ir.const(-1))
    with b.if_(ir.load(ir.ZERO, writer.memory.scratch + FIXED)):
        b.set(number, ir.call("fixed", ()))
        with b.if_(ir.eq(b.get(number), -2)):
            writer.fault(OUTCOME, *numbers, **facts)
    with b.if_(b.get(number) < 0):
        b.set(number, by_chance)
    return b.fix(b.get(number))


def roll(writer: RuleEmitter, s: code.RollChance) -> None:
    b = writer.b
    chance = ir.const(STATE + CHANCE)
    binds, most = s.binds, writer.memory.limits.options
    if len(binds.binds) == 1 and binds.condition is None and writer.bounds.combinations(binds) <= most:
        (bind,) = binds.binds
        domain = bind.domain
        if isinstance(domain, Apply) and domain.op == "members":
            low, high = registry.bounds(bind.type)
            number = outcome(writer, ir.call("below", (chance, ir.const(high - low + 1))), type=bind.type)
            writer.set_all(writer.slot(bind.slot, bind.type), Val(bind.type, (number + low,)))
            return
    bytes_ = max(WORD, WORD * row_words(binds))
    first = writer.memory.options
    b.set_global("offers", ir.const(first))
    writer.note_place()
    listing(writer, binds, (), bytes_, once=False)
    count = b.fix(ir.binary("div_u", ir.global_("offers") - first, bytes_))
    with b.if_(ir.not_(count)):
        writer.fault("roll")
    if writer.bounds.combinations(binds) > most:
        with b.if_(count > most):
            writer.fault("possibilities")
    row = outcome(writer, ir.call("below", (chance, count)), count, binds=binds.binds, bytes=bytes_)
    at = b.fix(row * bytes_ + first)
    read_row(writer, at, binds.binds)
