"""Memory of places that were shown to a seat, added to what it worked out from the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from ..position.views import SPECTATOR
from .memory import UNSEEN, Memory, contents

if TYPE_CHECKING:
    from typing import Any

    from ..position.blueprint import Blueprint


def with_shown(blueprint: Blueprint, memory: Memory, shown: Sequence[Any], seat: int) -> Memory:
    """The memory with what the cells of ``Variable.shows`` hold for the seat; ``shown``: the cells it sees."""
    if seat == SPECTATOR:  # what everybody is shown is remembered for each seat
        return memory
    sizes, certain = dict(memory.sizes), dict(memory.certain)
    tops: dict[int, tuple[Any, ...]] = {}
    values: dict[int, Any] = {}
    places = blueprint.layout.places
    for place in places.values():
        if place.variable.shows is None:
            continue
        of = places[place.variable.shows]
        variable = of.variable
        for cell in range(of.offset, of.offset + variable.cells):
            known = shown[place.index((seat, *of.owners(cell)))]
            if shown[cell] is not UNSEEN or not known:
                continue
            if variable.kind == "value":
                (values[cell],) = known
            elif variable.kind == "slot":
                certain[cell] = contents(variable, known[0])
                sizes[cell] = len(certain[cell])
            else:
                pieces = known if variable.kind == "stack" else contents(variable, known)
                least: Counter[int] = Counter(piece for piece in pieces if piece is not None)
                least |= Counter(certain.get(cell, ()))
                certain[cell] = tuple(sorted(least.elements()))
                if variable.kind == "stack":
                    tops[cell] = known
    return attrs.evolve(memory, sizes=sizes, certain=certain, tops=tops, values=values)
