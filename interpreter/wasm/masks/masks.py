"""Conditions on all members of a domain at once, as a mask with a bit for each.

A variable that is kept for each member of a domain, and holds one of a few values, is also kept as *planes*: for each
value the mask of the members that hold it. A condition on a member then is a few operations on masks, and a loop goes
through the members that fulfil it only. What cannot be said with masks is tested member by
member as before. The planes follow from the cells, and no state holds them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Apply, Binds, Expr, GroupOf
from rulelang.types import ListType, MemberType, SetType

from ..emit.emitter import Emitter
from ..emit.values import Env
from ..layout.planes import MOST_MEMBERS
from ..wat import ir
from . import bits
from .bits import Mask
from .conditions import Condition, Known
from .views import NoMask, itself


def masked(writer: Emitter, domain: Expr, slot: int, tests: Sequence[Expr], env: Env) -> tuple[Mask, list[Expr]] | None:
    """The mask of the members that pass the tests that masks can say, and the other tests; None without a gain."""
    type_ = domain.type.item if isinstance(domain.type, (ListType, SetType)) else None
    if not isinstance(type_, MemberType) or not 2 < len(type_.domain) <= MOST_MEMBERS:
        return None
    grown = isinstance(domain, GroupOf)
    if not grown and (writer.planes is None or not tests or not (isinstance(domain, Apply) and domain.op == "members")):
        return None
    size = len(type_.domain)
    found = bits.whole(size)
    looked = False
    code: list[ir.Statement] = []
    if isinstance(domain, GroupOf):
        with writer.b.aside() as code:
            group = writer.group(domain, env)
        if group is None:
            return None
        found, looked = Mask(group), True
    rest = []
    for test in tests:
        if writer.planes is None or writer.faults.may(test):
            rest.append(test)
            continue
        condition = Condition(writer, env, Known({slot: itself(type_)}), size)
        try:
            with writer.b.aside() as needed:
                passes = condition.of(test)
        except NoMask:
            rest.append(test)
            continue
        found = bits.both(found, passes)
        looked = looked or condition.looked
        code.extend(needed)
    if not looked:
        return None
    writer.b.out.extend(code)
    return bits.fixed(writer.b, found), rest


def all_masked(writer: Emitter, binds: Binds, tests: Sequence[Expr], env: Env) -> Mask | None:
    """The mask of the members of one binder that pass all tests, when masks can say them all."""
    if len(binds.binds) > 1 or binds.stop_at_first_failure:
        return None
    (bind,) = binds.binds
    with writer.b.aside() as code:
        found = masked(writer, bind.domain, bind.slot, tests, env)
    if found is None or found[1]:
        return None
    writer.b.out.extend(code)
    return found[0]
