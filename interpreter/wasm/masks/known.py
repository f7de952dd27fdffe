"""Names that depend on the member in question, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.program import Read
from rulelang.structural import Structural, frozen

from .bits import Mask
from .views import View

Numbers = Mapping[int, Mask]
"""A number that depends on the member: for each value the mask of the members for which it is that."""


@frozen
class Known(Structural):
    """Bound names, by slot.

    ``views``: what follows from the member in question; ``reads``: the content of a cell that is there; ``numbers``:
    numbers that depend on the member; ``others``: names of which nothing is known.
    """

    views: Mapping[int, View] = {}
    reads: Mapping[int, Read] = {}
    numbers: Mapping[int, Numbers] = {}
    others: frozenset[int] = frozenset()

    @property
    def slots(self) -> set[int]:
        return {*self.views, *self.reads, *self.numbers, *self.others}

    def and_view(self, slot: int, view: View) -> Known:
        return attrs.evolve(self, views={**self.views, slot: view})

    def led(self, slot: int, view: View | None) -> Known:
        return self.and_other(slot) if view is None else self.and_view(slot, view)

    def and_other(self, slot: int) -> Known:
        return attrs.evolve(self, others=self.others | {slot})

    def and_read(self, slot: int, read: Read) -> Known:
        return attrs.evolve(self, reads={**self.reads, slot: read})
