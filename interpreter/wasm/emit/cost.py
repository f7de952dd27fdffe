"""What working something out costs, and whether it may be done before it is known to be needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang import program
from rulelang.program.walk import walk
from rulelang.types import NumberType, Type

from . import ir
from .ir import E

ANY = 2**31 - 1


def fits_word(type_: Type) -> bool:
    """Whether every number of the type is one of 32 bits, so that sums of it need no check."""
    return not isinstance(type_, NumberType) or (type_.low > -ANY and type_.high < ANY)


def light(e: E) -> bool:
    """Whether working something out costs less than a jump round it."""
    return weight(e) <= 6


def straight(code: Sequence[ir.Statement], result: E, most: int) -> bool:
    """Whether statements only set locals, without a jump or a call, and take little work with the result."""
    if not all(s[0] == "set" and not jumps(s[2]) for s in code) or jumps(result):
        return False
    return sum(weight(s[2]) for s in code) + weight(result) <= most


def jumps(e: E) -> bool:
    return e.op in ("ifelse", "call") or any(jumps(arg) for arg in e.args)


def weight(e: E) -> int:
    if e.op == "call":
        return 100
    if ".div" in e.op or ".rem" in e.op:
        return 100
    return (2 if ".load" in e.op else 1 if e.args else 0) + sum(map(weight, e.args))


def code_size(expr: program.Expr, of_call: Callable[[str], int]) -> int:
    """How much code an expression of the rules makes, roughly: its parts, with those of the definitions it calls."""
    total = 0
    for node in walk(expr):
        match node:
            case program.Call():
                total += of_call(node.definition)
            case program.Fold() | program.Bind():
                total += 3
            case _:
                total += 1
    return total
