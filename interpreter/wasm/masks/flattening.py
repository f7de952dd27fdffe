"""What a domain may hold, alternative by alternative: where each is there, and what is known of its value.

Definitions and cases are gone into, lists that a run makes are taken apart. Whatever masks cannot say may be there for
every member. Of ways only the first step is looked at: where there is none, there is no way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from rulelang.program import (
    DIRECTIONS,
    Apply,
    Bind,
    Binds,
    Call,
    Const,
    Expr,
    Fold,
    If,
    Local,
    Node,
    PartOf,
    Program,
    Read,
    Ways,
)
from rulelang.program.analysis.faults import may_leave
from rulelang.program.walk import conjuncts, rewrite, walk
from rulelang.types import NothingType, NumberType, OptionalType

from ..emit import registry
from ..emit.emitter import Emitter, item_of, static_members
from ..layout.shapes import is_scalar
from ..wat import ir
from . import bits, counting
from .bits import Between, exact
from .views import MemberView, NoMask

if TYPE_CHECKING:
    from .conditions import MaskedCondition

Value = registry.Val | MemberView | Read | None
"""A value: one that does not depend on the member in question, a member that follows from it, or what lies in a cell
that is not empty; None where nothing is known of it."""

Alternative = tuple[Between, Value]


def of(condition: MaskedCondition, domain: Expr) -> list[Alternative]:
    """The alternatives of a domain, in no order. What nothing is known of raises NoMask where it must be exact."""
    found = condition.w.b.attempt(lambda: list(_alternatives(condition, domain)))
    return [(condition.unknown, None)] if found is None else found


def _alternatives(condition: MaskedCondition, domain: Expr) -> Iterator[Alternative]:
    always = condition.known_to(-1)
    members = None if condition.varies(domain) else static_members(condition.w, domain, condition.env)
    if members is not None and len(members) <= len(DIRECTIONS):
        for member in members:
            yield always, registry.scalar(item_of(domain.type), ir.const(member))
        return
    match domain:
        case Fold(word="list", binds=binds, body=body) if body is not None and not binds.stop_at_first_failure:
            for inner, held in condition.rows(binds.binds, conjuncts(binds.condition)):
                yield held, _value(inner, body)
        case Apply(op="joined", arguments=parts):
            for part in parts:
                yield from of(condition, part)
        case Apply(op="list", arguments=parts):
            for part in parts:
                yield always, _value(condition, part)
        case Call() if condition.w.program.definitions[domain.definition].deep is None:
            inner = condition.within(*condition.given(domain))
            yield from map(_from_within, of(inner, condition.w.program.definitions[domain.definition].body))
        case If():
            yield from _branches(condition, domain)
        case Const(None | ()):
            return
        case _ if isinstance(domain.type, OptionalType):
            yield from _optional(condition, domain)
        case Apply():
            yield from _on_board(condition, domain)
        case _:
            yield _beginning(condition, domain), None


def _on_board(condition: MaskedCondition, domain: Apply) -> Iterator[Alternative]:
    """The cells of a ray one by one, one of them, or all."""
    match domain:
        case Apply(op="at", arguments=(Apply(op="ray", arguments=(cell, direction)), position)):
            for steps, mask in counting.numbers(condition, position).items():
                for defined, away in _stepped(condition, cell, direction, steps) if steps > 0 else ():
                    yield exact(mask) & defined, away
        case Apply(op="ray", arguments=(cell, direction)):
            steps = 1
            while found := list(_stepped(condition, cell, direction, steps)):
                yield from found
                steps += 1
        case _:
            yield condition.unknown, None


def _optional(condition: MaskedCondition, domain: Expr) -> Iterator[Alternative]:
    match domain:
        case Apply(op="step", arguments=(cell, direction)):
            yield from _stepped(condition, cell, direction, 1)
        case Apply(op="at"):
            yield from _on_board(condition, domain)
        case Read():
            there = ~condition.fixed(condition.plane(domain, ir.const(-1)))
            yield exact(there), domain
        case _ if condition.varies(domain):
            yield condition.unknown, None
        case _:
            given = condition.w.fix(condition.w.value(domain, condition.env))
            some = condition.w.b.fix(registry.is_some(given))
            value = registry.held(given)
            if is_scalar(value.type):  # what would be looked up for none is looked up for the first value instead
                first = ir.const(registry.bounds(value.type)[0])
                value = registry.scalar(value.type, ir.select(some, value.one, first))
            yield exact(condition.same_for_all(some)), value


def _stepped(condition: MaskedCondition, cell: Expr, direction: Expr, steps: int) -> Iterator[Alternative]:
    view = condition.stepped(cell, direction, steps)
    if view.defined:
        yield condition.known_to(view.defined), view


def _value(condition: MaskedCondition, expr: Expr) -> Value:
    """What is known of a value."""
    if not condition.varies(expr):
        return condition.w.fix(condition.w.value(expr, condition.env)) if is_scalar(expr.type) else None
    try:
        return condition.view(expr)
    except NoMask:
        return None


def _from_within(found: Alternative) -> Alternative:
    """An alternative of a definition; a cell whose names are those of the definition says nothing outside of it."""
    there, value = found
    return there, None if isinstance(value, Read) else value


def _branches(condition: MaskedCondition, domain: If) -> Iterator[Alternative]:
    holds = condition.between(domain.condition).fixed(condition.w.b)
    for where, branch in ((holds, domain.then), (~holds, domain.otherwise)):
        if bits.is_never(where.may):
            continue
        if isinstance(domain.type, OptionalType) and not isinstance(branch.type, (OptionalType, NothingType)):
            yield where, _value(condition, branch)  # it is never none
            continue
        for there, value in of(condition, branch):
            yield where & there, value


def _beginning(condition: MaskedCondition, domain: Expr) -> Between:
    """Where a domain may have something of whose first value only masks can say more."""
    always, unknown = condition.known_to(-1), condition.unknown
    match domain:
        case Ways():
            inner = condition.within(condition.env, condition.known.and_other(domain.slot))
            found = condition.known_to(0)
            for there, _ in of(inner, first_step(domain)):
                found = found | there
            return found & unknown
        case Fold(word="list", binds=Binds((Bind(slot=slot, domain=along),)) as binds):
            match along:
                case Apply(op="ray", arguments=(cell, direction)):
                    pass
                case Apply(op="part", arguments=(Apply(op="ray", arguments=(cell, direction)), Const(1), *_)):
                    pass
                case _:
                    return unknown
            found = condition.known_to(0)
            for defined, view in _stepped(condition, cell, direction, 1):
                inner = condition.within(*condition.bound(slot, view))
                found = always & defined
                for test in conjuncts(binds.passing):
                    found = found & inner.between(test)
            return found & unknown
    return unknown


# Ways: their first step stands for them.


def ways_of(program: Program, domain: Expr) -> Ways | None:
    """The ways that a domain consists of."""
    while isinstance(domain, Call) and program.definitions[domain.definition].deep is None:
        domain = program.definitions[domain.definition].body
    return domain if isinstance(domain, Ways) else None


def may_fault(writer: Emitter, domain: Expr) -> bool:
    """Whether working out a domain may fault where it has no first step."""
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
