"""Code for rolls, and for what chance brings anywhere else: drawn, or in steps fixed beforehand.

Fixed outcomes are numbers in memory. Where there is none yet, the module stops at a fault point that says what may come
up; ``wasm/fixing.py`` finds the number of the outcome that is meant, and begins the step again.
"""

from __future__ import annotations

from typing import Any

from rulelang.program import Apply

from ...lowered import code
from ..emit import values
from ..emit.values import Val
from ..layout.addresses import CHANCE, FIXED, STATE
from ..layout.rows import row_words
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter
from .options import listing
from .rows import read_row

OUTCOME = "outcome"
"""The kind of the fault points at which an outcome is asked for."""


def outcome(writer: RuleEmitter, by_chance: E, *numbers: E, **facts: Any) -> E:
    """The number of what comes up. ``numbers`` and ``facts`` tell ``wasm/fixing.py`` what may."""
    b = writer.b
    if not writer.registry.steps:
        return b.fix(by_chance)
    number = b.local()
    b.set(number, ir.const(-1))
    with b.if_(ir.load(ir.ZERO, writer.memory.scratch + FIXED)):
        b.set(number, ir.call("fixed", ()))
        with b.if_(ir.eq(b.get(number), ir.const(-2))):
            writer.fault(OUTCOME, *numbers, **facts)
    with b.if_(ir.lt(b.get(number), ir.ZERO)):
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
            low, high = values.bounds(bind.type)
            number = outcome(writer, ir.call("below", (chance, ir.const(high - low + 1))), type=bind.type)
            writer.set_all(writer.slot(bind.slot, bind.type), Val(bind.type, (ir.add(number, ir.const(low)),)))
            return
    bytes_ = max(WORD, WORD * row_words(binds))
    first = writer.memory.options
    b.set_global("offers", ir.const(first))
    writer.note_place()
    listing(writer, binds, (), bytes_, once=False)
    count = b.fix(E("i32.div_u", "i32", (ir.sub(ir.global_("offers"), ir.const(first)), ir.const(bytes_))))
    with b.if_(ir.not_(count)):
        writer.fault("roll")
    if writer.bounds.combinations(binds) > most:
        with b.if_(ir.gt(count, ir.const(most))):
            writer.fault("possibilities")
    row = outcome(writer, ir.call("below", (chance, count)), count, binds=binds.binds, bytes=bytes_)
    at = b.fix(ir.add(ir.mul(row, ir.const(bytes_)), ir.const(first)))
    read_row(writer, at, binds.binds)
