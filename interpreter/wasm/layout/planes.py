"""Planes: for each value of a variable, the mask of the members that hold it."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import attrs

from rulelang.program import Program
from rulelang.types import FlagType, MemberType, OptionalType, values

from .cell import Cell

MOST_VALUES = 8
MOST_MEMBERS = 64
PLANE = 8
"""Bytes of one mask."""


def kept_as_planes(program: Program) -> dict[str, int]:
    """The variables that have planes, with the number of their values (none among them)."""
    found = {}
    for name, variable in program.variables.items():
        type_ = variable.type
        if isinstance(type_, OptionalType):
            type_ = type_.item
        if (
            variable.kind in ("value", "slot")
            and len(variable.owners) == 1
            and 2 < len(variable.owners[0].domain) <= MOST_MEMBERS
            and isinstance(type_, (MemberType, FlagType))
            and len(values(type_)) <= MOST_VALUES
        ):
            found[name] = 1 + len(values(type_))
    return found


@attrs.define
class Planes:
    """Location of the planes: the plane of value v of a variable is ``base[variable] + 8 (v + 1)``, none as -1.

    ``numbers``: how many planes each variable has.
    """

    base: dict[str, int]
    numbers: dict[str, int]
    size: int

    @classmethod
    def of(cls, program: Program, at: int) -> Planes:
        base = {}
        size = 0
        numbers = kept_as_planes(program)
        for name, number in numbers.items():
            base[name] = at + size
            size += PLANE * number
        return cls(base, numbers, size)

    def initial(self, cells: Mapping[str, Cell], start: int, state: bytes) -> bytes:
        """The planes of a state whose bytes begin at address ``start``."""
        data = bytearray(self.size)
        first = min(self.base.values(), default=0)
        for name, base in self.base.items():
            cell = cells[name]
            for member in range(cell.variable.cells):
                (value,) = struct.unpack_from("<i", state, cell.base - start + member * cell.size)
                at = base - first + PLANE * (value + 1)
                (mask,) = struct.unpack_from("<Q", data, at)
                struct.pack_into("<Q", data, at, mask | 1 << member)
        return bytes(data)
