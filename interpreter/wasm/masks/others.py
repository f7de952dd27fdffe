"""Members ahead of another, or behind it: how far a condition holds, and the first for which it does.

A mask tells by the zeros at its end. On a ring it is turned first, so that it begins with the next member.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.program import Apply, Expr, Fold
from rulelang.program.analysis.free_variables import conjuncts
from rulelang.structural import Structural, frozen
from rulelang.types import MemberType

from ...passes import on
from ..emit.emitter import Emitter
from ..emit.values import Env
from ..layout.shapes import NONE_LOW
from ..wat import ir
from ..wat.ir import E
from . import bits
from .along import first_where
from .bits import Mask
from .conditions import Condition
from .known import Known
from .views import NoMask, itself


@frozen
class _Others(Structural):
    """The others and the members for which the condition holds, as masks of a word that are fixed.

    ``ahead``: whether they come by rising bits. ``member``: the member that a bit stands for.
    """

    them: Mask
    holds: Mask
    ahead: bool
    member: Callable[[E], E] = lambda bit: bit


def run_length(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """How many fulfil a condition up to the first that does not, for ``count(e in ahead(x) while ...)``."""
    binds = expr.binds
    if expr.body is not None or not binds.stop_at_first_failure or binds.passing is not None:
        return None
    assert binds.condition is not None
    found = _others(writer, expr, binds.condition, env)
    if found is None:
        return None
    against = bits.fixed(writer.b, bits.without(found.them, found.holds))
    return bits.count((bits.below_lowest if found.ahead else bits.above_highest)(writer.b, found.them, against))


def first(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """The first for which a condition holds, or none, for ``first(e in behind(x) where ...)``."""
    condition = first_where(expr)
    found = None if condition is None else _others(writer, expr, condition, env)
    if found is None:
        return None
    there = bits.fixed(writer.b, bits.both(found.them, found.holds))
    none = ir.const(NONE_LOW)
    bit = writer.b.fix((bits.lowest if found.ahead else bits.highest)(writer.b, there, none))
    return ir.select(ir.lt(bit, ir.ZERO), none, found.member(bit))


def _others(writer: Emitter, expr: Fold, test: Expr, env: Env) -> _Others | None:
    binds = expr.binds
    if not on("others") or writer.planes is None or len(binds.binds) > 1 or writer.faults.may(binds):
        return None
    (bind,) = binds.binds
    match bind.domain:
        case Apply(op="ahead" | "behind" as op, arguments=(start,)) if isinstance(start.type, MemberType):
            pass
        case _:
            return None
    size = len(start.type.domain)
    if size > bits.WORD_BITS:
        return None
    condition = Condition(writer, env, Known({bind.slot: itself(start.type)}), size)
    mask = bits.constant(-1, condition.words)
    try:
        with writer.b.aside() as code:
            for part in conjuncts(test):
                mask = bits.both(mask, condition.of(part))
    except NoMask:
        return None
    if not condition.looked:
        return None
    writer.registry.done["others"].append((writer.where.rule, expr.span))
    writer.b.out.extend(code)
    where = writer.b.fix(writer.scalar(start, env))
    return (_on_ring if start.type.domain.ring else _on_line)(
        writer, bits.fixed(writer.b, mask), where, size, ahead=op == "ahead"
    )


def _on_line(writer: Emitter, mask: Mask, start: E, size: int, *, ahead: bool) -> _Others:
    before = ir.binary("sub", ir.bit(start), ir.const(1, "i64"))
    if not ahead:
        return _Others(Mask((writer.b.fix(before),)), mask, ahead)
    after = ir.binary("xor", ir.const((1 << size) - 1, "i64"), ir.binary("or", before, ir.bit(start)))
    return _Others(Mask((writer.b.fix(after),)), mask, ahead)


def _on_ring(writer: Emitter, mask: Mask, start: E, size: int, *, ahead: bool) -> _Others:
    """The mask is turned so that the member after this one comes first, and this one last."""
    b = writer.b
    whole = b.fix(ir.binary("and", mask.words[0], ir.const((1 << size) - 1, "i64")))
    wide = b.fix(ir.unary("i64.extend_i32_u", start, "i64"))
    low = ir.binary("shr_u", ir.binary("shr_u", whole, wide), ir.const(1, "i64"))
    high = ir.binary("shl", whole, ir.sub(ir.const(size - 1, "i64"), wide))

    def member(bit: E) -> E:
        place = b.fix(ir.add(ir.add(bit, start), ir.ONE))
        return ir.select(ir.ge(place, ir.const(size)), ir.sub(place, ir.const(size)), place)

    return _Others(bits.whole(size - 1), Mask((b.fix(ir.binary("or", low, high)),)), ahead, member)
