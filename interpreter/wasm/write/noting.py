"""What is noted when a cell changes: that watchers must be tested, that grids have changed, and what planes say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..emit import ir
from ..emit.ir import E
from ..layout.places import DIRTY, STATE
from ..layout.planes import PLANE

if TYPE_CHECKING:
    from ..expr.expressions import Writer
    from ..layout.memory import Cell


def dirty(writer: Writer, changed: E) -> None:
    """Notes that a cell has changed, for the watchers."""
    if not writer.program.watchers:
        return
    if changed.is_const:
        if changed.value:
            writer.b.store(ir.ZERO, ir.ONE, STATE + DIRTY)
        return
    with writer.b.if_(changed):
        writer.b.store(ir.ZERO, ir.ONE, STATE + DIRTY)


def grids_changed(writer: Writer) -> None:
    """What is remembered of the squares of grids may no longer be so."""
    writer.b.set_global("version", ir.add(ir.global_("version"), ir.ONE))


def has_planes(writer: Writer, cell: Cell) -> bool:
    """Whether changes of a variable must be followed."""
    planes = writer.module.planes
    return planes is not None and cell.variable.name in planes.base


def follow(writer: Writer, cell: Cell, address: E, old: E, new: E) -> None:
    """Follows a change of a cell; address and values are fixed."""
    planes = writer.module.planes
    if planes is None or not has_planes(writer, cell):
        return
    b = writer.b
    base = planes.base[cell.variable.name]
    member = ir.binary("shr_u", ir.sub(address, ir.const(cell.base)), ir.const(2))
    bit = b.fix(ir.bit(member))
    for value, op in ((old, "andnot"), (new, "or")):
        place = b.fix(ir.add(ir.mul(value, ir.const(PLANE)), ir.const(base + PLANE)))
        mask = ir.load(place, 0, "i64")
        without = ir.binary("and", mask, ir.binary("xor", bit, ir.const(-1, "i64")))
        b.store(place, without if op == "andnot" else ir.binary("or", mask, bit))
