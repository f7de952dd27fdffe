"""What lies along a ray, ahead or behind: how far a condition holds, and the first member for which it does.

A mask tells by the zeros at its end. On a ring it is turned first, so that it begins with the next member.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.program import Apply, Expr, Fold, Grid, Local
from rulelang.program.analysis.names import conjuncts
from rulelang.types import MemberType

from ...passes import on
from ..emit.emitter import Emitter
from ..emit.values import Env
from ..layout.planes import MOST_MEMBERS
from ..layout.shapes import NONE_LOW, WORD
from ..wat import ir
from ..wat.ir import E
from . import bits
from .bits import Mask
from .conditions import Condition, Known
from .views import NoMask, itself

MOST_WORDS = 2
"""Words of a mask up to which counting zeros beats going from cell to cell."""


@attrs.frozen
class _Run:
    """What lies along something, and the members for which the condition holds, as masks that are fixed.

    ``rises``: whether it comes to ever higher bits. ``member``: the member that a bit stands for.
    """

    along: Mask
    mask: Mask
    rises: E
    member: Callable[[E], E] = lambda bit: bit


def run_length(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """How many from the start fulfil a condition, for ``count(e in ray(c, d) while ...)`` and the like."""
    binds = expr.binds
    if expr.body is not None or not binds.stop_at_first_failure or binds.passing is not None:
        return None
    assert binds.condition is not None
    run = _found(writer, expr, binds.condition, env)
    if run is None:
        return None
    against = bits.fixed(writer.b, bits.without(run.along, run.mask))
    if run.rises.is_const:
        return bits.count((bits.below_lowest if run.rises.value else bits.above_highest)(writer.b, run.along, against))
    up, down = bits.below_lowest(writer.b, run.along, against), bits.above_highest(writer.b, run.along, against)
    return bits.count(Mask(tuple(ir.select(run.rises, x, y) for x, y in zip(up.words, down.words, strict=True))))


def first(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """The first for which a condition holds, for ``first(e in ray(c, d) where ...)`` and the like."""
    binds = expr.binds
    if binds.stop_at_first_failure or binds.condition is None:
        return None
    if not isinstance(expr.body, Local) or expr.body.slot != binds.binds[0].slot:
        return None
    run = _found(writer, expr, binds.condition, env)
    if run is None:
        return None
    there = bits.fixed(writer.b, bits.both(run.along, run.mask))
    none = ir.const(NONE_LOW)
    if run.rises.is_const:
        bit = (bits.lowest if run.rises.value else bits.highest)(writer.b, there, none)
    else:
        bit = ir.select(run.rises, bits.lowest(writer.b, there, none), bits.highest(writer.b, there, none))
    bit = writer.b.fix(bit)
    return ir.select(ir.lt(bit, ir.ZERO), none, run.member(bit))


def _found(writer: Emitter, expr: Fold, test: Expr, env: Env) -> _Run | None:
    binds = expr.binds
    if not on("along") or writer.planes is None or len(binds.binds) > 1 or writer.faults.may(binds):
        return None
    (bind,) = binds.binds
    match bind.domain:
        case Apply(op="ray", arguments=(start, _)):
            words = MOST_WORDS
        case Apply(op="ahead" | "behind", arguments=(start,)):
            words = 1
        case _:
            return None
    if not isinstance(start.type, MemberType) or len(start.type.domain) > min(MOST_MEMBERS, words * bits.WORD_BITS):
        return None
    condition = Condition(writer, env, Known({bind.slot: itself(start.type)}), len(start.type.domain))
    mask = bits.constant(-1, condition.words)
    try:
        with writer.b.aside() as code:
            for part in conjuncts(test):
                mask = bits.both(mask, condition.of(part))
    except NoMask:
        return None
    if not condition.looked:
        return None
    writer.registry.done["along"].append((writer.where.rule, expr.span))
    writer.b.out.extend(code)
    mask = bits.fixed(writer.b, mask)
    where = writer.b.fix(writer.scalar(start, env))
    if bind.domain.op == "ray":
        grid = writer.program.grids[start.type.domain.name]
        d = writer.b.fix(writer.scalar(bind.domain.arguments[1], env))
        return _Run(_cells(writer, grid, where, d), mask, _rises_at(writer, grid, d))
    return _others(writer, mask, where, start.type, ahead=bind.domain.op == "ahead")


def _others(writer: Emitter, mask: Mask, start: E, type_: MemberType, *, ahead: bool) -> _Run:
    """The members ahead of one, or behind it."""
    b, size = writer.b, len(type_.domain)
    wide = b.fix(ir.unary("i64.extend_i32_u", start, "i64"))
    rises = ir.const(int(ahead))
    if not type_.domain.ring:
        before = ir.binary("sub", ir.binary("shl", ir.const(1, "i64"), wide), ir.const(1, "i64"))
        if not ahead:
            return _Run(Mask((b.fix(before),)), mask, rises)
        after = ir.binary("xor", ir.const((1 << size) - 1, "i64"), ir.binary("or", before, ir.bit(start)))
        return _Run(Mask((b.fix(after),)), mask, rises)
    # The mask is turned so that the member after this one comes first, and this one last.
    whole = b.fix(ir.binary("and", mask.words[0], ir.const((1 << size) - 1, "i64")))
    low = ir.binary("shr_u", ir.binary("shr_u", whole, wide), ir.const(1, "i64"))
    high = ir.binary("shl", whole, ir.sub(ir.const(size - 1, "i64"), wide))
    turned = Mask((b.fix(ir.binary("or", low, high)),))

    def member(bit: E) -> E:
        place = b.fix(ir.add(ir.add(bit, start), ir.ONE))
        return ir.select(ir.ge(place, ir.const(size)), ir.sub(place, ir.const(size)), place)

    return _Run(bits.whole(size - 1), turned, rises, member)


def _cells(writer: Emitter, grid: Grid, cell: E, direction: E) -> Mask:
    """The cells of a ray, from a table."""
    size, ways = len(grid.domain), range(len(grid.directions))
    words = bits.words_of(size)
    wanted = [direction.value] if direction.is_const else ways
    rays = (sum(1 << to for to in grid.ray(c, way)) for c in range(size) for way in wanted)
    table = writer.memory.constant_bytes(b"".join(bits.packed(ray, words) for ray in rays), 8)
    place = cell if direction.is_const else ir.add(ir.mul(cell, ir.const(len(ways))), direction)
    at = writer.b.fix(ir.mul(place, ir.const(8 * words)))
    return bits.fixed(writer.b, bits.load(at, table, words))


def _rises_at(writer: Emitter, grid: Grid, direction: E) -> E:
    if direction.is_const:
        return ir.const(int(_rises(grid, direction.value)))
    flags = writer.memory.constant([int(_rises(grid, way)) for way in range(len(grid.directions))])
    return writer.b.fix(ir.load(ir.mul(direction, ir.const(WORD)), flags))


def _rises(grid: Grid, way: int) -> bool:
    """Whether steps in a direction lead to cells with a higher number."""
    for cell in range(len(grid.domain)):
        to = grid.neighbour(cell, way)
        if to is not None:
            return to > cell
    return True
