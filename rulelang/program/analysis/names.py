"""Which slots an expression reads, and the parts of a condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..nodes import (
    Apply,
    Binds,
    Call,
    ColumnOf,
    Const,
    Expr,
    Fold,
    GroupOf,
    Groups,
    If,
    Local,
    LongestTrail,
    PartOf,
    PiecesOf,
    Read,
)


def conjuncts(expr: Expr | None) -> list[Expr]:
    """The parts of a condition joined by ``and``, in order; none for no condition."""
    if expr is None:
        return []
    if isinstance(expr, Apply) and expr.op == "and":
        return [part for argument in expr.arguments for part in conjuncts(argument)]
    return [expr]


def free_slots(expr: Any) -> frozenset[int]:
    """The slots of the frame that an expression, ``Binds`` or sequence of expressions reads."""
    match expr:
        case None | Const():
            return frozenset()
        case Local():
            return frozenset((expr.slot,))
        case Read():
            return free_slots(expr.indices)
        case ColumnOf():
            return free_slots(expr.row)
        case PartOf():
            return free_slots(expr.value)
        case Call() | Apply() | Groups():
            return free_slots(expr.arguments)
        case If():
            return free_slots((expr.condition, expr.then, expr.otherwise))
        case GroupOf():
            return free_slots((*expr.arguments, expr.node))
        case LongestTrail():
            return free_slots(expr.arguments) | (free_slots(expr.measure) - set(expr.slots))
        case Fold():
            return _free_in(expr.binds, (expr.body,))
        case PiecesOf():
            flat = tuple(e for entry in expr.entries for e in entry)
            return free_slots(flat) if expr.binds is None else _free_in(expr.binds, flat)
        case Binds():
            return _free_in(expr, ())
        case _:
            return frozenset().union(*(free_slots(e) for e in expr))


def _free_in(binds: Binds, inner: Sequence[Expr | None]) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    bound: set[int] = set()
    for bind in binds.binds:
        found |= free_slots(bind.domain) - bound
        bound.add(bind.slot)
    return found | (free_slots((binds.condition, *inner)) - bound)
