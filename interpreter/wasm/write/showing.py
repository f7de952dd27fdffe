"""Code for what is shown: nothing changes, but what is not there cannot be shown."""

from __future__ import annotations

from rulelang.types import PiecesType, kinds

from ...lowered import code
from ..emit import values
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter


def write(writer: RuleEmitter, s: code.ShowPieces) -> None:
    b, env = writer.b, writer.env
    source = writer.memory.cells[s.source.variable]
    name, element = source.variable.name, source.variable.element
    at = b.fix(writer.address(source, s.source.indices, env))
    if s.who is not None:
        b.fix(writer.scalar(s.who, env))
    if s.kind is not None:
        kind = b.fix(writer.scalar(s.kind, env))
    if s.amount is None or element is None:
        return
    every = kinds(element)

    def enough(asked: E, there: E, kind: E | None = None) -> None:
        if not s.up_to:
            with b.if_(ir.gt(asked, there)):
                named = ir.const(-1) if kind is None else kind
                writer.fault("short", there, asked, named, place=name, named=kind is not None)

    if s.what == "pieces":
        wanted = writer.fix(writer.fitted(s.amount, PiecesType(element), env)).one
        with b.counting(ir.const(WORD * len(every)), WORD) as i:
            there, asked = b.fix(ir.load(ir.add(i, at))), b.fix(ir.load(ir.add(i, wanted)))
            enough(asked, there, b.fix(ir.add(E("i32.shr_u", "i32", (i, ir.const(2))), ir.const(every.start))))
        return
    amount = b.fix(writer.scalar(s.amount, env))
    if values.bounds(s.amount.type)[0] < 0:
        with b.if_(ir.lt(amount, ir.ZERO)):
            writer.fault("negative", amount)
    if s.what == "number of":
        place = b.fix(ir.sub(kind, ir.const(every.start)))
        known = b.fix(ir.binary("lt_u", place, ir.const(len(every))))
        there = b.fix(ir.if_else(known, ir.load(ir.add(ir.mul(place, ir.const(WORD)), at)), ir.ZERO))
        enough(amount, there, kind)
        return
    length = b.fix(ir.load(at))
    if s.what == "number":
        enough(amount, length)
    elif not s.up_to:
        with b.if_(ir.not_(ir.binary("lt_u", ir.sub(amount, ir.ONE), length))):
            writer.fault("position", length, amount, place=name)
