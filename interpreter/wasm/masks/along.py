"""What lies along a ray: how far a condition holds, and the first cell for which it does, by counting zeros."""

from __future__ import annotations

from rulelang.program import Apply, Expr, Fold, Grid, Local
from rulelang.program.analysis.names import conjuncts
from rulelang.types import MemberType

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


def run_length(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """How many cells from the start of a ray fulfil a condition, for ``count(e in ray(c, d) while ...)``."""
    binds = expr.binds
    if expr.body is not None or not binds.stop_at_first_failure or binds.passing is not None:
        return None
    assert binds.condition is not None
    found = _found(writer, expr, binds.condition, env)
    if found is None:
        return None
    along, mask, rises = found
    against = bits.fixed(writer.b, bits.without(along, mask))
    if rises.is_const:
        return bits.count((bits.below_lowest if rises.value else bits.above_highest)(writer.b, along, against))
    up, down = bits.below_lowest(writer.b, along, against), bits.above_highest(writer.b, along, against)
    return bits.count(Mask(tuple(ir.select(rises, x, y) for x, y in zip(up.words, down.words, strict=True))))


def first(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """The first cell of a ray for which a condition holds, for ``first(e in ray(c, d) where ...)``."""
    binds = expr.binds
    if binds.stop_at_first_failure or binds.condition is None:
        return None
    if not isinstance(expr.body, Local) or expr.body.slot != binds.binds[0].slot:
        return None
    found = _found(writer, expr, binds.condition, env)
    if found is None:
        return None
    along, mask, rises = found
    there = bits.fixed(writer.b, bits.both(along, mask))
    none = ir.const(NONE_LOW)
    if rises.is_const:
        return (bits.lowest if rises.value else bits.highest)(writer.b, there, none)
    return ir.select(rises, bits.lowest(writer.b, there, none), bits.highest(writer.b, there, none))


def _found(writer: Emitter, expr: Fold, test: Expr, env: Env) -> tuple[Mask, Mask, E] | None:
    """The cells of a ray, the cells for which the condition holds, and whether the ray comes to ever higher cells."""
    binds = expr.binds
    if writer.planes is None or len(binds.binds) > 1 or writer.faults.may(binds):
        return None
    (bind,) = binds.binds
    match bind.domain:
        case Apply(op="ray", arguments=(cell, direction)):
            pass
        case _:
            return None
    assert isinstance(cell.type, MemberType)
    grid = writer.program.grids[cell.type.domain.name]
    size = len(grid.domain)
    if size > min(MOST_MEMBERS, MOST_WORDS * bits.WORD_BITS):
        return None
    condition = Condition(writer, env, Known({bind.slot: itself(cell.type)}), size)
    mask = bits.constant(-1, condition.words)
    try:
        with writer.b.aside() as code:
            for part in conjuncts(test):
                mask = bits.both(mask, condition.of(part))
    except NoMask:
        return None
    if not condition.looked:
        return None
    writer.b.out.extend(code)
    mask = bits.fixed(writer.b, mask)
    c, d = writer.scalar(cell, env), writer.b.fix(writer.scalar(direction, env))
    return _cells(writer, grid, writer.b.fix(c), d), mask, _rises_at(writer, grid, d)


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
