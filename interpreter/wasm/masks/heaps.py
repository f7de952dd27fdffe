"""Kinds of pieces as masks: those of which a heap has more than so many, four kinds at a time."""

from __future__ import annotations

from rulelang.program import Expr
from rulelang.types import MemberType, PiecesType

from ...passes import on
from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env
from ..layout.planes import MOST_MEMBERS
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E
from . import bits
from .bits import Mask

FEWEST = 16
"""Kinds from which on a mask of them takes less than looking at each."""


def can_be_told(held: Expr) -> bool:
    """Whether the kinds of a heap can be a mask."""
    if not on("heaps") or not isinstance(held.type, PiecesType) or not isinstance(held.type.kind, MemberType):
        return False
    return FEWEST <= len(held.type.kind.domain) <= MOST_MEMBERS


def above(writer: Emitter, held: Expr, than: E, env: Env) -> Mask:
    """The kinds of which there are more pieces than so many, fixed."""
    assert isinstance(held.type, PiecesType) and isinstance(held.type.kind, MemberType)
    b, size = writer.b, len(held.type.kind.domain)
    address, than = b.fix(writer.value(held, env).one), b.fix(than)
    words = []
    for start in range(0, size, bits.WORD_BITS):
        number = ir.const(min(bits.WORD_BITS, size - start))
        words.append(b.fix(ir.call("above", (ir.add(address, ir.const(WORD * start)), number, than), "i64")))
    writer.registry.done["heaps"].append((writer.where.rule, held.span))
    return Mask(tuple(words))


def compared(writer: Emitter, op: str, held: Expr, number: Expr, env: Env) -> Mask | None:
    """The kinds whose number compares so with one that is the same for all; None where that may be too low to tell."""
    if values.bounds(number.type)[0] <= -(2**31):
        return None
    than = writer.b.fix(writer.scalar(number, env))
    less = ir.sub(than, ir.ONE)
    match op:
        case ">":
            return above(writer, held, than, env)
        case ">=":
            return above(writer, held, less, env)
        case "<=":
            return bits.opposite(above(writer, held, than, env))
        case "<":
            return bits.opposite(above(writer, held, less, env))
    same = bits.without(above(writer, held, less, env), above(writer, held, than, env))
    return same if op == "is" else bits.opposite(same)
