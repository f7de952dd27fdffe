"""Numbers that depend on a member, as masks: for each value the members for which the number is that."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from rulelang.program import Apply, Binds, Call, ColumnOf, Const, Expr, Fold, If, Local
from rulelang.program.walk import conjuncts
from rulelang.types import FlagType, MemberType, NumberType, PiecesType

from ...passes import on
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env
from ..layout.shapes import MOST_MEMBERS, WORD
from ..wat import ir
from ..wat.ir import E
from . import bits
from .bits import Mask
from .views import NoMask, Numbers

if TYPE_CHECKING:
    from .conditions import MaskedCondition

MOST_NUMBERS = 20
"""Values of a number that are told apart."""


def compared(condition: MaskedCondition, op: str, a: Expr, b: Expr) -> Mask:
    """The members for which a comparison of two numbers holds."""
    if condition.varies(b):
        a, b, op = b, a, _MIRRORED[op]
    if condition.varies(b):
        return _both_vary(condition, op, a, b)
    if not condition.varies(a):
        return condition.same_for_all(condition.w.flag(Apply(op, (a, b), FlagType(), span=a.span), condition.env))
    heap = _of_heap(condition, op, a, b)
    if heap is not None:
        return heap
    against = condition.w.quick(b, condition.env)
    holds = _COMPARE[op]
    if a not in condition.counted:
        match a:
            case If():
                return condition.either_of(a, lambda branch: compared(condition, op, branch, b))
            case Call() if condition.w.inlines(a) and against is not None:
                known = Const(against, b.type, span=b.span)
                body = condition.w.program.definitions[a.definition].body
                return compared(condition.within(*condition.given(a)), op, body, known)
            case ColumnOf() if against is not None:
                return condition.where(a, lambda cell: cell is not None and holds(int(cell), against))
    total = condition.constant(0)
    if against is not None:
        for value, mask in numbers(condition, a).items():
            if holds(value, against):
                total = total | mask
        return condition.fixed(total)
    wanted = condition.w.b.fix(condition.w.scalar(b, condition.env))
    for value, mask in numbers(condition, a).items():
        flag = condition.same_for_all(ir.binary(_INSTRUCTIONS[_MIRRORED[op]], wanted, ir.const(value)))
        total = total | (mask & flag)
    return condition.fixed(total)


def _of_heap(condition: MaskedCondition, op: str, a: Expr, b: Expr) -> Mask | None:
    """How many pieces there are of the kind in question, compared with a number."""
    match a:
        case Apply(op="count_of", arguments=(held, kind)) if can_be_told(held):
            view = condition.view(kind)
            if condition.varies(held) or view.type != held.type.kind:  # type: ignore[union-attr]
                raise NoMask
            found = _heaped(condition.w, op, held, b, condition.env)
            if found is None:
                raise NoMask
            condition.used.looked = condition.used.heaps = True
            return view.pull(condition.fixed(found))
    return None


def _both_vary(condition: MaskedCondition, op: str, a: Expr, b: Expr) -> Mask:
    total = condition.constant(0)
    others = numbers(condition, b)
    for value, mask in numbers(condition, a).items():
        alike = condition.constant(0)
        for other, there in others.items():
            if _COMPARE[op](value, other):
                alike = alike | there
        total = total | (mask & alike)
    return condition.fixed(total)


def numbers(condition: MaskedCondition, expr: Expr) -> Numbers:
    """The masks of a number, by its value. NoMask when it may have too many."""
    found = condition.counted.get(expr)
    if found is None:
        found = _numbers(condition, expr)
        if len(found) > MOST_NUMBERS:
            raise NoMask
        condition.counted[expr] = found
    return found


def _numbers(condition: MaskedCondition, expr: Expr) -> Numbers:
    if not condition.varies(expr):
        value = condition.w.quick(expr, condition.env)
        if value is None:
            raise NoMask
        return {value: condition.constant(-1)}
    match expr:
        case Local(slot) if slot in condition.known.numbers:
            return condition.known.numbers[slot]
        case Apply(op="+" | "-" as op, arguments=(a, b)):
            return _added(condition, numbers(condition, a), numbers(condition, b), 1 if op == "+" else -1)
        case ColumnOf(type=NumberType()):
            view = condition.view(expr.row)
            condition.used.looked = True
            rows: dict[int, list[int]] = {}
            for row, cell in enumerate(condition.w.program.tables[expr.table].cells[expr.column]):
                rows.setdefault(int(cell), []).append(row)
            return {value: view.pull(bits.of_members(members, condition.words)) for value, members in rows.items()}
        case If():
            return _of_branch(condition, expr)
        case Fold(word="count", binds=Binds((_,), stop_at_first_failure=True, passing=None) as binds, body=None):
            return _run(condition, binds)
        case Fold(word="count", binds=binds, body=body) if not binds.stop_at_first_failure:
            found: Numbers = {0: condition.constant(-1)}
            for mask in condition.combinations(binds.binds, [*conjuncts(binds.condition), *conjuncts(body)]):
                mask = condition.fixed(mask)
                found = _added(condition, found, {0: ~mask, 1: mask}, 1)
            return found
        case Call() if condition.w.inlines(expr):
            body = condition.w.program.definitions[expr.definition].body
            return numbers(condition.within(*condition.given(expr)), body)
    raise NoMask


def _added(condition: MaskedCondition, a: Numbers, b: Numbers, sign: int) -> Numbers:
    """The sums, or differences, of two numbers."""
    found: dict[int, Mask] = {}
    for x, here in a.items():
        for y, there in b.items():
            value = x + sign * y
            mask = here & there
            found[value] = found[value] | mask if value in found else mask
    if len(found) > MOST_NUMBERS:
        raise NoMask
    return {value: condition.fixed(mask) for value, mask in found.items()}


def _of_branch(condition: MaskedCondition, expr: If) -> Numbers:
    found: dict[int, Mask] = {}
    choice = condition.fixed(condition.of(expr.condition))
    if choice.is_const and not condition.varies(expr.condition):
        return numbers(condition, expr.then if choice.words[0].value else expr.otherwise)
    for branch, there in ((expr.then, choice), (expr.otherwise, ~choice)):
        for value, mask in numbers(condition, branch).items():
            mask = mask & there
            found[value] = found[value] | mask if value in found else mask
    return {value: condition.fixed(found[value]) for value in sorted(found)}


def _run(condition: MaskedCondition, binds: Binds) -> Numbers:
    """How many cells of a ray in a row fulfil a condition: cell after cell, as long as there are any."""
    (bind,) = binds.binds
    match bind.domain:
        case Apply(op="ray", arguments=(cell, direction)):
            pass
        case _:
            raise NoMask
    assert binds.condition is not None
    test = binds.condition
    found: dict[int, Mask] = {}
    so_far = condition.constant(condition.full)
    steps = 0
    while True:
        steps += 1
        view = condition.stepped(cell, direction, steps)
        if not view.defined:
            found[steps - 1] = so_far
            return found
        if steps > MOST_NUMBERS:
            raise NoMask
        known = condition.known.and_view(bind.slot, view)
        holds = condition.within(condition.env, known).of(test)
        longer = condition.fixed(so_far & holds & condition.constant(view.defined))
        found[steps - 1] = condition.fixed(so_far & ~longer)
        so_far = longer


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "is": operator.eq,
    "is_not": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_MIRRORED = {"is": "is", "is_not": "is_not", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_INSTRUCTIONS = {"is": "eq", "is_not": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}


# Kinds of pieces as masks: those of which a heap has more than so many, four kinds at a time.


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
        words.append(b.fix(ir.call("above", (address + WORD * start, number, than), "i64")))
    writer.registry.done["heaps"].append((writer.where.rule, held.span))
    return Mask(tuple(words))


def _heaped(writer: Emitter, op: str, held: Expr, number: Expr, env: Env) -> Mask | None:
    """The kinds whose number compares so with one that is the same for all; None where that may be too low to tell."""
    if registry.bounds(number.type)[0] <= -(2**31):
        return None
    than = writer.b.fix(writer.scalar(number, env))
    less = than - 1
    match op:
        case ">":
            return above(writer, held, than, env)
        case ">=":
            return above(writer, held, less, env)
        case "<=":
            return ~above(writer, held, than, env)
        case "<":
            return ~above(writer, held, less, env)
    same = above(writer, held, less, env) & ~above(writer, held, than, env)
    return same if op == "is" else ~same
