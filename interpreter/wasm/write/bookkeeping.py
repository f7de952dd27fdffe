"""Bookkeeping after writes to a cell: watchers are due, grids have changed, planes follow."""

from __future__ import annotations

from ..emit.emitter import Emitter
from ..layout.addresses import DIRTY, STATE
from ..layout.cell import Cell
from ..layout.planes import PLANE
from ..wat import ir
from ..wat.builder import Builder, Function
from ..wat.ir import E
from .context import Context


def dirty(writer: Emitter, cell: Cell, changed: E) -> None:
    """Notes that a cell has changed, for the watchers.

    A hidden one counts as changed in any case: whether it did must not show.
    """
    due(writer, changed if cell.variable.seen_by == "all" else ir.ONE)


def due(writer: Emitter, changed: E) -> None:
    """Notes that the watchers are to be tested, if something has changed."""
    if not writer.program.watchers:
        return
    if changed.is_const:
        if changed.value:
            writer.b.store(ir.ZERO, ir.ONE, STATE + DIRTY)
        return
    with writer.b.if_(changed):
        writer.b.store(ir.ZERO, ir.ONE, STATE + DIRTY)


def grids_changed(writer: Emitter) -> None:
    """Forget what is remembered of the squares of grids."""
    writer.b.set_global("version", ir.add(ir.global_("version"), ir.ONE))


def has_planes(writer: Emitter, cell: Cell) -> bool:
    """Whether changes of a variable must be followed."""
    planes = writer.planes
    return planes is not None and cell.variable.name in planes.base


def write_planes(context: Context) -> None:
    """``planes``: makes all planes from the cells, wherever these were put in place as a whole."""
    planes, memory = context.registry.planes, context.registry.memory
    b = Builder(Function("planes", (), ()))
    if planes is not None:
        b.fill(ir.const(min(planes.base.values())), ir.const(planes.size))
        for name, base in planes.base.items():
            cell = memory.cells[name]
            b.call("mask_cells", (ir.const(cell.base), ir.const(cell.variable.cells), ir.const(base)))
    context.registry.add(b.function)


def follow(writer: Emitter, cell: Cell, address: E, old: E, new: E) -> None:
    """Follows a change of a cell; address and values are fixed."""
    planes = writer.planes
    if planes is None or not has_planes(writer, cell):
        return
    b = writer.b
    base = planes.base[cell.variable.name]
    member = ir.binary("shr_u", ir.sub(address, ir.const(cell.base)), ir.const(2))
    bit = b.fix(ir.bit(member))
    for value, op in ((old, "andnot"), (new, "or")):
        plane = b.fix(ir.add(ir.mul(value, ir.const(PLANE)), ir.const(base + PLANE)))
        mask = ir.load(plane, 0, "i64")
        without = ir.binary("and", mask, ir.binary("xor", bit, ir.const(-1, "i64")))
        b.store(plane, without if op == "andnot" else ir.binary("or", mask, bit))
