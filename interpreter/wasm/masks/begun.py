"""Ways that can begin: the members for which there may be a first step, told for all of them at once.

Where there is none, there is no way, and nothing is searched for. Whatever masks cannot say counts as possible, so more
members may be left than have a way. Tests that are definitions are taken part by part, also where no ways are searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import attrs

from rulelang.program import Apply, Bind, Binds, Call, Const, Expr, Fold, If, Local, Node, PartOf, Program, Read, Ways
from rulelang.program.analysis.faults import may_leave
from rulelang.program.walk import conjuncts, rewrite, walk
from rulelang.types import FlagType, MemberType, NumberType, OptionalType

from ...passes import on
from ..emit.registry import Env, Val
from ..wat import ir
from . import bits
from .bits import Mask
from .views import Known, MemberView, NoMask

if TYPE_CHECKING:
    from ..emit.emitter import Emitter
    from .conditions import MaskedCondition

MOST_ALIKE = 4
"""Values of a variable up to which two of its cells are compared by their planes."""


class Led(NamedTuple):
    """Members for which a domain may have something, and where that leads them, if it is one cell and known."""

    mask: Mask
    view: MemberView | None


# ---------------------------------------------------------------- what a way begins with


def ways_of(program: Program, domain: Expr) -> Ways | None:
    """The ways that a domain consists of."""
    while isinstance(domain, Call) and program.definitions[domain.definition].deep is None:
        domain = program.definitions[domain.definition].body
    return domain if isinstance(domain, Ways) else None


def may_fault(writer: Emitter, domain: Expr) -> bool:
    """Whether working out a domain may fault where it has no first step."""
    if not on("begun"):
        return writer.faults.may(domain)
    while isinstance(domain, Call) and ways_of(writer.program, domain) is not None:
        definition = writer.program.definitions[domain.definition]
        if writer.faults.may(domain.arguments):
            return True
        if any(may_leave(p.type, a.type) for p, a in zip(definition.params, domain.arguments, strict=True)):
            return True
        domain = definition.body
    return writer.faults.may((domain.start, domain.steps) if isinstance(domain, Ways) else domain)


def first_step(ways: Ways) -> Expr:
    """What the first step can lead to, with the start in place of the way so far where only its end is looked at."""
    ends = {node.slot for node in walk(ways.steps) if isinstance(node, Bind) and _is_end(node.domain, ways)}

    def change(node: Node) -> Node:
        match node:
            case Local(slot) if slot in ends:
                return ways.start
            case PartOf(Apply(op="tuple", arguments=parts), position):
                return parts[position]
            case Apply(op="present", arguments=(inner,)) if _is_end(inner, ways):
                return ways.start
            case Apply(op="size", arguments=(Local(slot),)) if slot == ways.slot:
                return Const(1, NumberType(1, 1), span=node.span)
            case Binds():
                return attrs.evolve(node, binds=tuple(bind for bind in node.binds if bind.slot not in ends))
        return node

    return rewrite(ways.steps, change)


def _is_end(expr: Expr, ways: Ways) -> bool:
    """Whether an expression is the last thing that a way leads past."""
    match expr:
        case Apply(op="top", arguments=(Local(slot),)):
            return slot == ways.slot
    return False


# ---------------------------------------------------------------- where domains lead


def bound(condition: MaskedCondition, bind: Bind, beyond: Callable[[Led], Sequence[Mask]]) -> Iterator[Mask]:
    """The members for which a domain may have something and ``beyond`` may hold. Raises NoMask."""
    if not condition.loose:
        raise NoMask
    if on("begun") and (condition.begun or ways_of(condition.w.program, bind.domain)):
        found = list(_leading(condition, bind.domain))
    elif on("apart"):
        found = [Led(condition.constant(-1), None)]
    else:
        raise NoMask
    for led in found:
        for mask in beyond(led):
            yield bits.both(led.mask, mask)


def _leading(condition: MaskedCondition, domain: Expr) -> Iterator[Led]:
    match domain:
        case Ways():
            first, known = first_step(domain), condition.known.and_other(domain.slot)
            yield from condition.inner(condition.env, known, lambda c: list(_leading(c, first)), begun=True)
        case Call() if condition.w.program.definitions[domain.definition].deep is None:
            body = condition.w.program.definitions[domain.definition].body
            yield from condition.inner(*condition.given(domain), lambda c: list(_leading(c, body)))
        case If():
            yield from _branches(condition, domain)
        case Fold(word="list", binds=binds) if not binds.stop_at_first_failure:
            yield _some(condition, binds.binds, conjuncts(binds.condition))
        case Fold(word="list", binds=binds):
            yield _first(condition, domain)
        case Apply(op="joined", arguments=parts):
            for part_ in parts:
                yield from _leading(condition, part_)
        case Const(value=()):
            return
        case Apply(op="list"):
            yield Led(condition.constant(-1), None)
        case Apply(op="step", arguments=(cell, direction)):
            view = condition.stepped(cell, direction, 1)
            yield Led(condition.constant(view.defined), view)
        case _:
            raise NoMask


def _some(condition: MaskedCondition, binds: Sequence[Bind], tests: Sequence[Expr]) -> Led:
    found = condition.constant(0)
    for mask in condition.combinations(binds, tests):
        found = bits.either(found, mask)
    return Led(condition.fixed(found), None)


def _branches(condition: MaskedCondition, domain: If) -> Iterator[Led]:
    try:
        holds = condition.fixed(condition.of(domain.condition))
        fails = bits.opposite(holds)
    except NoMask:
        holds = fails = condition.constant(-1)
    for mask, branch in ((holds, domain.then), (fails, domain.otherwise)):
        if bits.is_never(mask):
            continue
        try:
            found = list(_leading(condition, branch))
        except NoMask:
            found = [Led(condition.constant(-1), None)]
        for led in found:
            yield Led(bits.both(mask, led.mask), led.view)


def _first(condition: MaskedCondition, fold: Fold) -> Led:
    """Along a ray while a test holds: there is nothing unless it holds for the first cell."""
    match fold.binds.binds:
        case (Bind(slot=slot, domain=Apply(op="ray", arguments=(cell, direction))),):
            pass
        case (
            Bind(
                slot=slot,
                domain=Apply(op="part", arguments=(Apply(op="ray", arguments=(cell, direction)), Const(value=1), *_)),
            ),
        ):
            pass
        case _:
            raise NoMask
    view = condition.stepped(cell, direction, 1)
    known = condition.known.and_view(slot, view)
    tests = conjuncts(fold.binds.passing)
    led = condition.inner(condition.env, known, lambda c: _some(c, (), tests))
    return Led(bits.both(condition.constant(view.defined), led.mask), None)


# ---------------------------------------------------------------- tests on two members


def part(condition: MaskedCondition, expr: Expr) -> Mask | None:
    """More members than a test holds for, part by part; None where it has only one part."""
    if not condition.begun and not on("apart"):
        return None
    match expr:
        case Apply(op="and", arguments=parts):
            found = condition.constant(-1)
            for each in parts:
                found = bits.both(found, condition.part(each))
        case Call(type=FlagType()) if condition.varies(expr) and condition.w.inlines(expr):
            body = condition.w.program.definitions[expr.definition].body
            found = condition.inner(*_given(condition, expr), lambda c: c.part(body))
        case _:
            return None
    condition.apart = condition.apart or not condition.begun
    return found


def _given(condition: MaskedCondition, expr: Call) -> tuple[Env, Known]:
    """What a call gives to its definition; of what masks cannot say, nothing is known."""
    try:
        return condition.given(expr)
    except NoMask:
        pass
    env: dict[int, Val] = {}
    known = Known()
    for param, argument in zip(condition.w.program.definitions[expr.definition].params, expr.arguments, strict=True):
        if not condition.varies(argument):
            env[param.slot] = condition.w.fix(condition.w.fitted(argument, param.type, condition.env))
            continue
        try:
            known = known.and_view(param.slot, condition.view(argument))
        except NoMask:
            known = known.and_other(param.slot)
    return env, known


def alike(condition: MaskedCondition, a: Expr, b: Expr) -> Mask:
    """Whether two things that both depend on the member are the same. Raises NoMask."""
    if not condition.begun:
        raise NoMask
    match a, b:
        case Local(), Local() if isinstance(a.type, MemberType) and a.type == b.type:
            one, other = condition.view(a).leads, condition.view(b).leads
            if one is None or other is None:
                raise NoMask
            members = [m for m in range(condition.size) if (to := one(m)) is not None and to == other(m)]
            return bits.of_members(members, condition.words)
        case Read(), Read() if a.type == b.type:
            item = a.type.item if isinstance(a.type, OptionalType) else a.type
            if not isinstance(item, MemberType) or len(item.domain) > MOST_ALIKE:
                raise NoMask
            found = condition.constant(0)
            for value in range(-1 if isinstance(a.type, OptionalType) else 0, len(item.domain)):
                both = bits.both(condition.plane(a, ir.const(value)), condition.plane(b, ir.const(value)))
                found = bits.either(found, both)
            return found
    raise NoMask
