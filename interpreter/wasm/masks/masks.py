"""Conditions on all members of a domain at once, as a mask with a bit for each.

A variable that is kept for each member of a domain, and holds one of a few values, is also kept as *planes*: for each
value the mask of the members that hold it. A condition on a member then is a few operations on masks, and a loop goes
through the members that fulfil it only. What cannot be said with masks is tested member by
member as before. The planes follow from the cells, and no state holds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

import attrs

from rulelang.program import Apply, Bind, Binds, Expr, GroupOf
from rulelang.program.walk import free_slots
from rulelang.types import ListType, MemberType, PiecesType, SetType, Type

from ...passes import on
from ..emit.emitter import FEW, Emitter
from ..emit.registry import Env
from ..layout.shapes import MOST_MEMBERS
from ..wat import ir
from . import bits, counting, flattening
from .bits import Between, Mask
from .conditions import MaskedCondition
from .views import Known, itself


@attrs.frozen(eq=False)
class Masked:
    """The members that ``may`` pass some tests, those that ``must``, if there are any, and what is ``left`` to test."""

    may: Mask
    must: Mask | None
    left: list[Expr]


def masked(writer: Emitter, domain: Expr, slot: int, tests: Sequence[Expr], env: Env) -> Masked | str:
    """The members that pass tests, as far as masks can say; the reason where nothing is gained."""
    heap = domain if isinstance(domain.type, PiecesType) else None
    if isinstance(domain, Apply) and domain.op == "kinds_in":
        heap = domain.arguments[0]
    type_ = domain.type.item if isinstance(domain.type, (ListType, SetType)) else None
    if heap is not None and isinstance(heap.type, PiecesType):
        type_ = heap.type.kind
    unsaid = _unsaid(domain, type_, heap, tests)
    if unsaid is not None:
        return unsaid
    assert isinstance(type_, MemberType)
    begin = None
    if isinstance(domain, GroupOf):
        group = writer.b.attempt(lambda: writer.group(domain, env))
        if group is None:
            return "the nodes of its graph are no members of one domain"
        begin = Mask(group)
    elif heap is not None:
        begin = counting.above(writer, heap, ir.ZERO, env)
    found = writer.b.attempt(lambda: _passing(writer, slot, type_, begin, tests, env))
    return "no mask follows the cells that are tested" if found is None else found


def _passing(
    writer: Emitter, slot: int, type_: MemberType, begin: Mask | None, tests: Sequence[Expr], env: Env
) -> Masked | None:
    """The members that pass tests, of those that there are to ``begin`` with (None: all); None if nothing is gained."""
    size = len(type_.domain)
    found = must = bits.whole(size)
    looked = begin is not None
    if begin is not None:
        found = begin
    strict = looked or size <= FEW or not on("semijoin")
    left = []
    for test in tests:
        condition = MaskedCondition(writer, env, Known({slot: itself(type_)}), size, strict=strict)
        passes = None if writer.faults.may(test) else writer.b.attempt(partial(_said, condition, test))
        if passes is None or not passes.exact:
            left.append(test)
            must = bits.constant(0, len(found.words)) if passes is None else must & passes.must
        if passes is not None:
            found &= passes.may
            # Without planes there are only columns, which an index tells as well, and heaps.
            looked = looked or (condition.used.looked and (writer.planes is not None or condition.used.heaps))
    if not looked:
        return None
    sure = None if not left or bits.is_never(must) else bits.fixed(writer.b, must)
    return Masked(bits.fixed(writer.b, found), sure, left)


def _said(condition: MaskedCondition, test: Expr) -> Between | None:
    """The members that pass a test, if masks can say anything of them."""
    found = condition.between(test)
    return found if found.exact or not found.may.is_const else None


def _unsaid(domain: Expr, type_: Type | None, heap: Expr | None, tests: Sequence[Expr]) -> str | None:
    """Why masks have nothing to say of values of a type, if that is known before any is written."""
    if not isinstance(type_, MemberType) or not 2 < len(type_.domain) <= MOST_MEMBERS:
        return f"its values are not members of a domain of 3 to {MOST_MEMBERS}"
    if heap is not None:
        return None if counting.can_be_told(heap) else f"its pieces are not of {counting.FEWEST} kinds or more"
    if isinstance(domain, GroupOf):
        return None
    if not (isinstance(domain, Apply) and domain.op == "members"):
        return "it does not go through all members of a domain"
    return None if tests else "it has no test, or only such as may fault"


def all_masked(writer: Emitter, binds: Binds, tests: Sequence[Expr], env: Env) -> Mask | None:
    """The mask of the members of one binder that pass all tests, when masks can say them all."""
    if len(binds.binds) > 1 or binds.stop_at_first_failure:
        return None
    (bind,) = binds.binds

    def all_of_them() -> Mask | None:
        found = masked(writer, bind.domain, bind.slot, tests, env)
        return None if isinstance(found, str) or found.left else found.may

    return writer.b.attempt(all_of_them)


def combined(writer: Emitter, binds: Sequence[Bind], tests: Sequence[Expr], env: Env) -> list[Mask] | None:
    """For each combination of the names behind the first one, the mask of the first one's members that pass all tests.

    Fixed. None when masks cannot say it, or nothing is gained.
    """
    condition = _on_members(writer, binds, tests, env)
    if condition is None:
        return None
    whole = bits.whole(condition.size)

    def one_by_one() -> list[Mask] | None:
        found = [condition.fixed(whole & mask) for mask in condition.combinations(binds[1:], tests)]
        return found if condition.used.looked else None

    return writer.b.attempt(one_by_one)


def promising(writer: Emitter, binds: Sequence[Bind], tests: Sequence[Expr], env: Env) -> Mask | None:
    """The mask of the members of the first binder for which there may be a combination that passes all tests."""
    if not on("semijoin"):
        return None
    binds, tests = _unfailing(writer, binds, tests)
    condition = _on_members(writer, binds, tests, env, strict=False) if len(binds) > 1 else None
    if condition is None:
        return None
    later = {bind.slot for bind in binds[1:]}

    def found_there() -> Mask | None:
        found = condition.exists(binds[1:], [test for test in tests if free_slots(test) & later]).may
        return found if condition.used.looked and not found.is_const else None

    found = writer.b.attempt(found_there)
    if found is None:
        return None
    writer.registry.done["semijoin"].append((writer.where.rule, binds[0].span))
    return bits.fixed(writer.b, bits.whole(condition.size) & found)


def _unfailing(writer: Emitter, binds: Sequence[Bind], tests: Sequence[Expr]) -> tuple[Sequence[Bind], Sequence[Expr]]:
    """The binders and the tests that come before any test that may fault: if they fail, it is not reached."""
    free = list(takewhile(lambda test: not writer.faults.may(test), tests))
    if len(free) == len(tests):
        return binds, tests
    place = {bind.slot: number for number, bind in enumerate(binds)}

    def due(test: Expr) -> int:
        return max((place[slot] for slot in free_slots(test) if slot in place), default=0)

    first = min(due(test) for test in tests[len(free) :] if writer.faults.may(test))
    return binds[: first + 1], [test for test in free if due(test) <= first]


def some_masked(writer: Emitter, binds: Binds, tests: Sequence[Expr], env: Env) -> Mask | None:
    """The mask of the members of the first binder for which some combination passes all tests, which masks can say."""
    if len(binds.binds) == 1:
        return all_masked(writer, binds, tests, env)
    if binds.stop_at_first_failure:
        return None
    found = combined(writer, binds.binds, tests, env)
    if found is None:
        return None
    type_ = binds.binds[0].domain.type
    assert isinstance(type_, ListType) and isinstance(type_.item, MemberType)
    return bits.fixed(writer.b, bits.any_of(found, bits.words_of(len(type_.item.domain))))


def _on_members(
    writer: Emitter, binds: Sequence[Bind], tests: Sequence[Expr], env: Env, *, strict: bool = True
) -> MaskedCondition | None:
    """Conditions on the members of the first binder."""
    first = binds[0]
    type_ = first.domain.type.item if isinstance(first.domain.type, ListType) else None
    if writer.planes is None or not isinstance(type_, MemberType) or not FEW < len(type_.domain) <= MOST_MEMBERS:
        return None
    if not (isinstance(first.domain, Apply) and first.domain.op == "members"):
        return None
    may_fault = writer.faults.may if strict else lambda domain: flattening.may_fault(writer, domain)
    if writer.faults.may(tests) or any(may_fault(bind.domain) for bind in binds):
        return None
    return MaskedCondition(writer, env, Known({first.slot: itself(type_)}), len(type_.domain), strict=strict)
