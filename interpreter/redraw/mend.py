"""Repair of guessed values that break invariants of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from rulelang import program as ir
from rulelang.types import FLAG, NumberType

from ..evaluation.meter import Undefined
from .deal import others_of

if TYPE_CHECKING:
    from ..chance import Stream
    from ..evaluation.compiler import Function
    from ..lowered.cells import Cells
    from ..position.blueprint import Blueprint

_SWEEPS = 3
_MOST = 1_000
_KNOWN: WeakKeyDictionary[Blueprint, Invariants] = WeakKeyDictionary()
_COUNT = NumberType(0, 2**31 - 1)


class Invariants:
    """The invariants that read hidden cells; for visible ones nothing changes from redraw to redraw."""

    def __init__(self, blueprint: Blueprint) -> None:
        self.counters: list[tuple[Function, int]] = [
            (blueprint.function(part), invariant.frame)
            for invariant in blueprint.program.invariants
            if blueprint.knowers.looks_at_hidden(invariant.condition)
            for part in _failures(invariant.condition)
        ]

    @classmethod
    def of(cls, blueprint: Blueprint) -> Invariants:
        """Those of a blueprint, which are made once."""
        if blueprint not in _KNOWN:
            _KNOWN[blueprint] = cls(blueprint)
        return _KNOWN[blueprint]

    def broken(self, cells: list[Any]) -> int:
        """The number of violations: an invariant over every member of something counts once for each member."""
        number = 0
        for counter, frame in self.counters:
            try:
                number += counter(cells, [None] * frame)
            except Undefined:
                number += 1
        return number

    def mend(self, cells: list[Any], guessed: Sequence[tuple[int, Cells]], stream: Stream) -> bool:
        """Change guessed values one at a time as long as that leaves fewer violations (min-conflicts; Minton et al.
        1992). Returns whether all invariants hold in the end."""
        worst = self.broken(cells)
        for _ in range(_SWEEPS):
            for cell, place in stream.shuffled(guessed):
                if not worst:
                    return True
                best = [cells[cell]]
                for value in others_of(place.variable, cells[cell], _MOST, stream):
                    kept, cells[cell] = cells[cell], value
                    number = self.broken(cells)
                    cells[cell] = kept
                    if number < worst:
                        worst, best = number, [value]
                    elif number == worst:
                        best.append(value)
                cells[cell] = best[stream.below(len(best))]
        return not worst


def _failures(condition: ir.Expr) -> Iterator[ir.Expr]:
    """Expressions that count the violations of a condition."""
    match condition:
        case ir.Apply("and"):
            for part in condition.arguments:
                yield from _failures(part)
        case ir.Fold("every", ir.Apply() as body, binds) if not binds.stop_at_first_failure:
            fails = ir.Apply("not", (body,), FLAG)
            where = fails if binds.condition is None else ir.Apply("and", (binds.condition, fails), FLAG)
            yield ir.Fold("count", None, ir.Binds(binds.binds, where), _COUNT)
        case _:
            yield ir.If(condition, ir.Const(0, _COUNT), ir.Const(1, _COUNT), _COUNT)
