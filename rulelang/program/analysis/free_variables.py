"""Slots that an expression reads, and the parts of a condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import nodes as ir
from ..walk import children

_NONE: frozenset[int] = frozenset()


def conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    """The parts of a condition joined by ``and``, in order; none for no condition."""
    if expr is None:
        return []
    if isinstance(expr, ir.Apply) and expr.op == "and":
        return [part for argument in expr.arguments for part in conjuncts(argument)]
    return [expr]


def free_slots(expr: ir.Node | Sequence[Any] | None) -> frozenset[int]:
    """The slots of the frame that an expression, ``Binds``, or a sequence of such reads, without those bound in it."""
    match expr:
        case None:
            return _NONE
        case ir.Local():
            return frozenset((expr.slot,))
        case ir.Fold():
            return _free_in(expr.binds, (expr.body, expr.ranks))
        case ir.PiecesOf() if expr.binds is not None:
            return _free_in(expr.binds, expr.entries)
        case ir.Binds():
            return _free_in(expr, None)
        case ir.LongestTrail():
            return free_slots(expr.arguments) | (free_slots(expr.measure) - set(expr.slots))
        case ir.Ways():
            return free_slots(expr.start) | (free_slots((expr.steps, expr.end)) - {expr.slot})
        case ir.Node():
            return _NONE.union(*map(free_slots, children(expr)))
    return _NONE.union(*map(free_slots, expr))


def _free_in(binds: ir.Binds, inner: ir.Node | Sequence[Any] | None) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    bound: set[int] = set()
    for bind in binds.binds:
        found |= free_slots(bind.domain) - bound
        bound.add(bind.slot)
    return found | (free_slots((binds.condition, binds.passing, inner)) - bound)
