"""Conditions on all members of a domain at once, as a mask with a bit for each.

A variable that is kept for each member of a domain of at most 64, and holds one of a few values, is also
kept as *planes*: for each value the mask of the members that hold it. A condition on a member then is a few operations
on masks, and a loop goes through the members that fulfil it only. What cannot be said with masks is tested member by
member as before. The planes follow from the cells, and no state holds them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from rulelang.program import Apply, Binds, Expr, Fold, Grid
from rulelang.types import ListType, MemberType

from ..emit.emitter import Emitter
from ..emit.values import Env
from ..layout.planes import MOST_MEMBERS, PLANE
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E
from .conditions import Condition, Known, NoMask, View, both, without


def masked(writer: Emitter, domain: Expr, slot: int, tests: Sequence[Expr], env: Env) -> tuple[E, list[Expr]] | None:
    """The mask of the members that pass the tests that masks can say, and the other tests; None without a gain."""
    type_ = domain.type.item if isinstance(domain.type, ListType) else None
    if writer.planes is None or not isinstance(type_, MemberType) or not tests:
        return None
    if not (isinstance(domain, Apply) and domain.op == "members"):
        return None
    size = len(type_.domain)
    if not 2 < size <= MOST_MEMBERS:
        return None
    view = View(type_, lambda mask: mask, (1 << size) - 1)
    found: E = ir.const((1 << size) - 1, "i64")
    rest = []
    looked = False
    code: list[ir.Statement] = []
    for test in tests:
        if writer.faults.may(test):
            rest.append(test)
            continue
        condition = Condition(writer, env, Known({slot: view}), size)
        try:
            with writer.b.aside() as needed:
                found = both(found, condition.of(test))
        except NoMask:
            rest.append(test)
            continue
        looked = looked or condition.looked
        code.extend(needed)
    if not looked:
        return None
    writer.b.out.extend(code)
    return writer.b.fix(found), rest


def all_masked(writer: Emitter, binds: Binds, tests: Sequence[Expr], env: Env) -> E | None:
    """The mask of the members of one binder that pass all tests, when masks can say them all."""
    if len(binds.binds) > 1 or binds.stop_at_first_failure:
        return None
    (bind,) = binds.binds
    with writer.b.aside() as code:
        found = masked(writer, bind.domain, bind.slot, tests, env)
    if found is None or found[1]:
        return None
    writer.b.out.extend(code)
    return found[0]


def run_length(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """How many cells from the start of a ray fulfil a condition, for ``count(e in ray(c, d) while ...)``."""
    binds = expr.binds
    if writer.planes is None or expr.body is not None or not binds.stop_at_first_failure:
        return None
    if writer.faults.may(binds) or binds.passing is not None:
        return None
    if len(binds.binds) > 1 or binds.condition is None:
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
    if size > MOST_MEMBERS:
        return None
    condition = Condition(writer, env, Known({bind.slot: View(cell.type, lambda m: m, (1 << size) - 1)}), size)
    try:
        with writer.b.aside() as code:
            mask = condition.of(binds.condition)
    except NoMask:
        return None
    if not condition.looked:
        return None
    b = writer.b
    b.out.extend(code)
    c, d = writer.scalar(cell, env), b.fix(writer.scalar(direction, env))
    ways = len(grid.directions)
    c = b.fix(c)

    def ray(cell_: int, way: int) -> int:
        return sum(1 << to for to in grid.ray(cell_, way))

    if d.is_const:
        table = writer.memory.constant_bytes(
            b"".join(struct.pack("<Q", ray(cell_, d.value)) for cell_ in range(size)), 8
        )
        along = b.fix(ir.load(ir.mul(c, ir.const(PLANE)), table, "i64"))
    else:
        table = writer.memory.constant_bytes(
            b"".join(struct.pack("<Q", ray(cell_, way)) for cell_ in range(size) for way in range(ways)), 8
        )
        along = b.fix(ir.load(ir.mul(ir.add(ir.mul(c, ir.const(ways)), d), ir.const(PLANE)), table, "i64"))
    against = b.fix(without(along, mask))
    # Cells with a higher number come later on a ray that rises, and earlier on one that falls.
    up = ir.binary("and", against, ir.binary("sub", ir.ZERO64, against))
    rising = both(along, ir.binary("sub", up, ir.const(1, "i64")))
    clear = E("i64.clz", "i64", (against,))
    # With nothing in the way, clz is 64 and shifts count modulo 64: the highest bit is set in its stead.
    top = ir.binary("shl", ir.const(-2, "i64"), ir.binary("sub", ir.const(63, "i64"), clear))
    falling = ir.select(E("i64.eqz", "i32", (against,)), along, both(along, top))
    if d.is_const:
        run = rising if _rises(grid, d.value) else falling
    else:
        flags = writer.memory.constant([int(_rises(grid, way)) for way in range(ways)])
        run = ir.select(ir.load(ir.mul(d, ir.const(WORD)), flags), rising, falling)
    return ir.unary("i32.wrap_i64", ir.unary("i64.popcnt", run, "i64"), "i32")


def _rises(grid: Grid, way: int) -> bool:
    """Whether steps in a direction lead to cells with a higher number."""
    for cell in range(len(grid.domain)):
        to = grid.neighbour(cell, way)
        if to is not None:
            return to > cell
    return True
