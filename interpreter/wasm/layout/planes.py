"""Planes: for each value of a variable, the mask of the members that hold it."""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterator, Mapping

import attrs

from rulelang.program import Program, Variable
from rulelang.structural import Structural, frozen
from rulelang.types import FlagType, MemberType, OptionalType, values

from .cell import Cell

MOST_VALUES = 16
MOST_MEMBERS = 512
MOST_PLANES = 64
"""Planes of one variable; with several owners, one is the domain of the masks, and the others choose among them."""


@frozen
class Kept(Structural):
    """The planes of one variable.

    ``axis``: which of its owners a mask has bits for, ``size`` its members. The plane of value v is ``base + bytes *
    (v + 1 + s)``, none as -1, where s adds up the numbers of the other owners' members times ``strides``. ``numbers``:
    how many planes there are.
    """

    axis: int
    size: int
    strides: tuple[int, ...]
    numbers: int
    base: int = 0

    @property
    def bytes(self) -> int:
        """Bytes of one mask."""
        return 8 * -(-self.size // 64)

    @property
    def all_bytes(self) -> int:
        return self.bytes * self.numbers

    def rows(self, cell: Cell) -> Iterator[tuple[int, int, int]]:
        """Of every row of cells that differ in the axis only: the first one's address, the bytes from one to the next,
        and the first of the planes that are the row's."""
        others = [i for i in range(len(cell.strides)) if i != self.axis]
        for members in itertools.product(*(range(len(cell.variable.owners[i].domain)) for i in others)):
            first = cell.base + sum(m * cell.strides[i] for m, i in zip(members, others, strict=True))
            yield first, cell.strides[self.axis], sum(m * s for m, s in zip(members, self.strides, strict=True))


def kept_as_planes(program: Program) -> dict[str, Kept]:
    """The variables that have planes; where they lie is left open."""
    found = {}
    for name, variable in program.variables.items():
        kept = _kept(variable)
        if kept is not None:
            found[name] = kept
    return found


def _kept(variable: Variable) -> Kept | None:
    type_ = variable.type.item if isinstance(variable.type, OptionalType) else variable.type
    if variable.kind not in ("value", "slot") or not variable.owners or not isinstance(type_, (MemberType, FlagType)):
        return None
    sizes = [len(owner.domain) for owner in variable.owners]
    axis = max(range(len(sizes)), key=lambda i: sizes[i])
    number = len(values(type_))
    others = [size for i, size in enumerate(sizes) if i != axis]
    planes = (1 + number) * math.prod(others)
    if not 2 < sizes[axis] <= MOST_MEMBERS or number > MOST_VALUES or planes > MOST_PLANES:
        return None
    strides: list[int] = []
    step = 1 + number
    for size in reversed(others):
        strides.insert(0, step)
        step *= size
    return Kept(axis, sizes[axis], tuple(strides), planes)


@attrs.define
class Planes:
    """The planes of all variables that have any, from ``start`` on; ``size``: their bytes."""

    of_variable: dict[str, Kept]
    start: int
    size: int

    @classmethod
    def of(cls, program: Program, at: int) -> Planes:
        found = {}
        start = at
        for name, kept in kept_as_planes(program).items():
            found[name] = attrs.evolve(kept, base=at)
            at += kept.all_bytes
        return cls(found, start, at - start)

    def initial(self, cells: Mapping[str, Cell], start: int, state: bytes) -> bytes:
        """The planes of a state whose bytes begin at address ``start``."""
        data = bytearray(self.size)
        for name, kept in self.of_variable.items():
            for first, step, plane in kept.rows(cells[name]):
                for member in range(kept.size):
                    (value,) = struct.unpack_from("<i", state, first - start + member * step)
                    at = kept.base - self.start + kept.bytes * (plane + value + 1) + member // 64 * 8
                    (mask,) = struct.unpack_from("<Q", data, at)
                    struct.pack_into("<Q", data, at, mask | 1 << member % 64)
        return bytes(data)
