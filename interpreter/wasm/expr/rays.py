"""The cells from a cell in a direction, from a table that is worked out beforehand."""

from __future__ import annotations

import struct

from attrs import frozen

from rulelang.program import Expr
from rulelang.types import MemberType

from ..emit.emitter import Emitter
from ..emit.values import Env
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E

BYTES = 256
"""Cells up to which the number of a cell is a byte of the table; beyond it is two."""


@frozen
class Ray:
    """A row of the table: how many cells there are, then the number of each, in ``size`` bytes."""

    address: E
    size: int

    @property
    def length(self) -> E:
        return self._at(self.address)

    def cell(self, place: E) -> E:
        """The number of the cell at a place, counted from 1."""
        return self._at(ir.add(self.address, ir.mul(place, ir.const(self.size))))

    def _at(self, address: E) -> E:
        return ir.load(address, 0, width="8_u" if self.size == 1 else "16_u")


def ray(writer: Emitter, cell: Expr, direction: Expr, env: Env) -> Ray:
    """The row of a cell and a direction."""
    assert isinstance(cell.type, MemberType)
    grid = writer.program.grids[cell.type.domain.name]
    size = 1 if len(grid.domain) <= BYTES else 2
    memory = writer.memory
    c, d = writer.scalar(cell, env), writer.scalar(direction, env)
    ways = len(grid.directions)

    def row(cell_: int, way: int) -> int:
        cells = grid.ray(cell_, way)
        return memory.constant_bytes(struct.pack(f"<{1 + len(cells)}{'BH'[size - 1]}", len(cells), *cells), size)

    if c.is_const and d.is_const:
        return Ray(ir.const(row(c.value, d.value)), size)
    if d.is_const:
        rows, index = [row(cell_, d.value) for cell_ in range(len(grid.domain))], c
    else:
        rows = [row(cell_, way) for cell_ in range(len(grid.domain)) for way in range(ways)]
        index = ir.add(ir.mul(c, ir.const(ways)), d)
    return Ray(writer.b.fix(ir.load(ir.mul(index, ir.const(WORD)), memory.constant(rows))), size)
