"""Costs of working something out: may it be done before it is known to be needed?"""

from __future__ import annotations

from collections.abc import Sequence

from . import ir
from .ir import E


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


def all_weight(code: Sequence[ir.Statement]) -> int:
    """The weight of the expressions in statements, of two branches the greater; a loop counts as a call."""
    total = 0
    for statement in code:
        match statement:
            case ("if", condition, then, otherwise):
                total += weight(condition) + max(all_weight(then), all_weight(otherwise))
            case ("block", _, inner):
                total += all_weight(inner)
            case ("loop", *_) | ("call", *_):
                total += 100
            case _:
                total += sum(weight(part) for part in statement if isinstance(part, E))
    return total


def weight(e: E) -> int:
    if e.op == "call":
        return 100
    if ".div" in e.op or ".rem" in e.op:
        return 100
    return (2 if ".load" in e.op else 1 if e.args else 0) + sum(map(weight, e.args))
