"""Members that follow from the one in question: itself, the next one, the one some steps away on a board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache

import attrs

from rulelang.program import Grid, Read
from rulelang.structural import Structural, frozen
from rulelang.types import MemberType

from ..wat.builder import Builder, NotWritten
from ..wat.ir import MASK64
from . import bits
from .bits import Mask

MOST_OFFSETS = 12
"""Shifts of words that a step may take, where rows are not of one length and the cells of a step not equally far."""


class NoMask(NotWritten):
    """A condition that masks cannot say."""


@frozen
class MemberView(Structural):
    """A member that follows from the one in question.

    ``pull`` makes of a mask over these members the mask of those from which one of them is reached. ``defined``: a bit
    for each member from which there is one at all. ``leads``: the member reached from one, if it is known by now.
    """

    type: MemberType
    pull: Callable[[Mask], Mask]
    defined: int
    leads: Callable[[int], int | None] | None = None


def itself(type_: MemberType) -> MemberView:
    return MemberView(type_, lambda mask: mask, (1 << len(type_.domain)) - 1, lambda member: member)


def round_ring(b: Builder, view: MemberView, by: int) -> MemberView:
    """The member ``by`` places further on a ring."""
    size = len(view.type.domain)
    return MemberView(view.type, lambda mask: view.pull(bits.turned(b, mask, by, size)), view.defined)


@lru_cache(maxsize=1024)
def offsets(grid: Grid, way: int, steps: int) -> Mapping[int, int]:
    """How far the numbers of cells lie apart that are so many steps apart, each with the mask of cells it is for."""
    found: dict[int, int] = {}
    for cell in range(len(grid.domain)):
        to = grid.away(cell, way, steps)
        if to is not None:
            found[to - cell] = found.get(to - cell, 0) | 1 << cell
    return found


def stepped(b: Builder, view: MemberView, grid: Grid, way: int, steps: int) -> MemberView:
    """The cell so many steps away, where there is one. Raises NoMask where cells are numbered too unevenly for that."""
    shifts = offsets(grid, way, steps)
    words = bits.words_of(len(grid.domain))
    if len(shifts) > 1 and len(shifts) * words > MOST_OFFSETS:
        raise NoMask

    def pull(mask: Mask) -> Mask:
        mask = bits.fixed(b, mask)
        moved = (bits.moved(b, mask, offset) & bits.constant(cells, words) for offset, cells in shifts.items())
        return view.pull(bits.any_of(moved, words))

    def leads(member: int) -> int | None:
        before = view.leads(member) if view.leads is not None else None
        return None if before is None else grid.away(before, way, steps)

    defined = _known(view.pull(bits.constant(sum(shifts.values()), words))) & view.defined
    return MemberView(view.type, pull, defined, leads if view.leads is not None else None)


def _known(mask: Mask) -> int:
    """The bits of a mask that is known while code is written."""
    return sum((word.value & MASK64) << bits.WORD_BITS * i for i, word in enumerate(mask.words))


# Names that depend on the member in question, and what is known of them.


Numbers = Mapping[int, Mask]
"""A number that depends on the member: for each value the mask of the members for which it is that."""


@frozen
class Known(Structural):
    """Bound names, by slot.

    ``views``: what follows from the member in question; ``reads``: the content of a cell that is there; ``numbers``:
    numbers that depend on the member; ``others``: names of which nothing is known.
    """

    views: Mapping[int, MemberView] = {}
    reads: Mapping[int, Read] = {}
    numbers: Mapping[int, Numbers] = {}
    others: frozenset[int] = frozenset()

    @property
    def slots(self) -> set[int]:
        return {*self.views, *self.reads, *self.numbers, *self.others}

    def kinds(self, slots: AbstractSet[int]) -> frozenset[tuple[int, str]]:
        """How some names are known."""
        every = {"view": self.views, "read": self.reads, "number": self.numbers, "": self.others}
        return frozenset((slot, kind) for kind, names in every.items() for slot in slots if slot in names)

    def and_view(self, slot: int, view: MemberView) -> Known:
        return attrs.evolve(self, views={**self.views, slot: view})

    def and_other(self, slot: int) -> Known:
        return attrs.evolve(self, others=self.others | {slot})

    def and_numbers(self, slot: int, numbers: Numbers) -> Known:
        return attrs.evolve(self, numbers={**self.numbers, slot: numbers})

    def and_read(self, slot: int, read: Read) -> Known:
        return attrs.evolve(self, reads={**self.reads, slot: read})
