"""Bookkeeping after writes to a cell: watchers are due, grids have changed, planes follow."""

from __future__ import annotations

from ..emit.emitter import Emitter
from ..layout.addresses import DIRTY, STATE
from ..layout.cell import Cell
from ..layout.planes import Kept
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
    writer.b.call("grids_changed", [])


def has_planes(writer: Emitter, cell: Cell) -> bool:
    """Whether changes of a variable must be followed."""
    planes = writer.planes
    return planes is not None and cell.variable.name in planes.of_variable


def write_planes(context: Context) -> None:
    """``planes``: makes all planes from the cells, wherever these were put in place as a whole.

    It is written last, when it is known which of them anybody looks at.
    """
    planes, memory = context.registry.planes, context.registry.memory
    b = Builder(Function("planes", (), ()))
    for name, kept in planes.of_variable.items() if planes is not None else ():
        if not context.registry.is_looked_at(name):
            continue
        b.fill(ir.const(kept.base), ir.const(kept.all_bytes))
        for cell, step, plane in kept.rows(memory.cells[name]):
            base = kept.base + kept.bytes * plane
            b.call("mask_cells", [ir.const(x) for x in (cell, kept.size, step, base, kept.bytes)])
    context.registry.add(b.function)


def follow(writer: Emitter, cell: Cell, address: E, old: E, new: E) -> None:
    """Follows a change of a cell; address and values are fixed."""
    planes = writer.planes
    if planes is None or not has_planes(writer, cell):
        return
    b = writer.b
    kept = planes.of_variable[cell.variable.name]
    with b.block():
        member, first = _place(b, cell, kept, address)
        bit = b.fix(ir.bit(member))
        start = b.fix(ir.add(first, ir.mul(ir.binary("shr_u", member, ir.const(6)), ir.const(8))))
        for value, op in ((old, "andnot"), (new, "or")):
            word = b.fix(ir.add(ir.add(ir.mul(value, ir.const(kept.bytes)), start), ir.const(kept.bytes)))
            mask = ir.load(word, kept.base, "i64")
            without = ir.binary("and", mask, ir.binary("xor", bit, ir.const(-1, "i64")))
            b.store(word, without if op == "andnot" else ir.binary("or", mask, bit), kept.base)
    # Where nobody looks at the planes after all, it is left out once everything is written.
    writer.registry.followed(cell.variable.name, b.out[-1][2])


def _place(b: Builder, cell: Cell, kept: Kept, address: E) -> tuple[E, E]:
    """The member whose bit a cell has, and where the planes of its own begin, counted from the first."""
    if kept.size == cell.variable.cells:
        member = ir.binary("shr_u", ir.sub(address, ir.const(cell.base)), ir.const(2))
        return (b.fix(member), ir.ZERO) if kept.size > 64 else (member, ir.ZERO)
    number = b.fix(ir.sub(address, ir.const(cell.base)))
    member, plane = ir.ZERO, ir.ZERO
    strides = iter(kept.strides)
    for i, stride in enumerate(cell.strides):
        index = number if stride == 1 else ir.binary("div_u", number, ir.const(stride))
        if i > 0:
            index = ir.binary("rem_u", index, ir.const(len(cell.variable.owners[i].domain)))
        if i == kept.axis:
            member = b.fix(index)
        else:
            plane = ir.add(plane, ir.mul(index, ir.const(next(strides))))
    return member, ir.mul(plane, ir.const(kept.bytes))
