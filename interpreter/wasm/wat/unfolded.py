"""Calls of the smallest helpers of the kernel, written out: taking room costs less than calling for it.

Only calls that are the whole value of a local, with a size that is known, are written out. The local stands for what
the helper keeps to itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulelang.structural import Structural, frozen

from . import ir
from .builder import Function
from .ir import E, Statement


@frozen
class _Room(Structural):
    """A helper that moves a global on by a number of bytes and gives where it stood. ``point``: of its fault."""

    at: str
    end: str
    aligned: bool
    point: int


_ROOMS = {
    "alloc": _Room("top", "limit", True, -1),
    "offer": _Room("offers", "offers_end", False, -2),
}
"""The helpers by name, as they stand in ``kernel.wat``."""


def unfolded(function: Function) -> Function:
    """The function without such calls."""
    return attrs.evolve(function, body=_body(function.body))


def _body(body: Sequence[Statement]) -> list[Statement]:
    return [found for statement in body for found in _statement(statement)]


def _statement(s: Statement) -> Iterator[Statement]:
    match s:
        case ("set", local, E(op="call", imm=name, args=(E(op="const") as size,))) if name in _ROOMS:
            yield from _taken(_ROOMS[name], local, size.value)
        case ("block" | "loop" as word, label, inner, *more):
            yield word, label, _body(inner), *more
        case ("if", condition, then, otherwise):
            yield "if", condition, _body(then), _body(otherwise)
        case _:
            yield s


def _taken(room: _Room, local: int, size: int) -> Iterator[Statement]:
    yield "set", local, ir.global_(room.at)
    end = ir.add(ir.get(local), ir.const((size + 7) & ~7 if room.aligned else size))
    yield "global", room.at, end
    fault: Statement = ("call", "fault", (ir.const(room.point), ir.ZERO, ir.ZERO, ir.ZERO), ())
    yield "if", ir.binary("gt_u", ir.global_(room.at), ir.global_(room.end)), [fault], []
