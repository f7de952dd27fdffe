"""Values that do not depend on a loop, worked out once: when they are asked for first, and kept until the loop ends.

So nothing is worked out that nobody asks for, and a fault comes where it would come without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from rulelang.program import After, Apply, ByLength, Call, Expr, Fold, GroupOf, LongestTrail
from rulelang.program.analysis.free_variables import free_slots

from ...passes import on
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.shapes import holds_addresses
from ..wat import ir
from ..wat.ir import E, Statement
from .remembered import heavy

_COSTLY = frozenset(("covers", "holds"))
"""Operations that take more than looking at a flag."""


@attrs.define
class Runs:
    """The runs of values that an expression is being written inside of.

    ``before``: of each, the outermost first, the statements before its loop. ``settled``: locals below this number stay
    as they are while all of them go on.
    """

    before: list[list[Statement]] = attrs.field(factory=list)
    settled: int = 0
    moving: dict[int, int] = attrs.field(factory=dict)
    """Locals with the address of something that changes in place, and the level of the body in which it does not."""
    wanted: bool = attrs.field(factory=lambda: on("hoist"))

    @contextmanager
    def inside(self, writer: Emitter) -> Iterator[None]:
        """The code written inside goes through values; what it needs before can be put where it begins."""
        if not self.before:
            self.settled = len(writer.b.function.locals)
        self.before.append(writer.b.out)
        try:
            yield
        finally:
            self.before.pop()

    @contextmanager
    def moved(self, writer: Emitter, address: E) -> Iterator[None]:
        """What lies at an address stays the same within one pass of the body now open, and no longer."""
        level = writer.b.level(writer.b.out)
        assert address.op == "get" and level is not None
        self.moving[address.imm] = level
        try:
            yield
        finally:
            del self.moving[address.imm]


def hoisted(writer: Emitter, runs: Runs, expr: Expr, env: Env, work_out: Callable[[], Val]) -> Val | None:
    """The value of an expression, worked out once for all passes of the loops around that it does not depend on.

    None where there is no such loop, or nothing is won.
    """
    if not runs.before or not runs.wanted or not _costs(writer, expr):
        return None
    before = _outermost(writer, runs, expr, env)
    if before is None:
        return None
    b = writer.b
    with b.aside() as code:
        value = writer.fix(work_out())
    if not heavy(code) or holds_addresses(value.type):
        b.out.extend(code)
        return value
    writer.registry.done["hoist"].append((writer.where.rule, expr.span))
    known = b.local()
    before.append(("set", known, ir.ZERO))
    locals_ = [b.local(part.ty) for part in value.parts]
    with b.aside() as first:
        b.out.extend(code)
        writer.set_all(locals_, value)
        b.set(known, ir.ONE)
    b.either(ir.not_(b.get(known)), first, [])
    return Val(value.type, tuple(b.get(local) for local in locals_))


def _costs(writer: Emitter, expr: Expr) -> bool:
    """Whether an expression may take much, and its value needs no room that a pass gives back."""
    match expr:
        case Fold() | GroupOf() | ByLength() | LongestTrail() | After():
            return not holds_addresses(expr.type)
        case Call():
            return not holds_addresses(expr.type) and not writer.inlines(expr)
        case Apply(op=op):
            return op in _COSTLY
    return False


def _outermost(writer: Emitter, runs: Runs, expr: Expr, env: Env) -> list[Statement] | None:
    """The statements before the outermost loop that an expression does not depend on."""
    least = 0
    for slot in free_slots(expr):
        for part in env[slot].parts if slot in env else ():
            level = _level(writer, runs, part)
            if level is None:
                return None
            least = max(least, level)
    for before in runs.before:
        level = writer.b.level(before)
        if level is not None and level >= least:
            return before if writer.b.loops_within(level) else None
    return None


def _level(writer: Emitter, runs: Runs, part: E) -> int | None:
    """How deep a value is known at least, as a level of open statements; None where that cannot be told."""
    if part.op == "get":
        if part.imm in runs.moving:
            return runs.moving[part.imm]
        return 0 if part.imm < runs.settled or _steady(writer, runs, part) else writer.b.level_of(part.imm)
    return 0 if part.is_const else None


def _steady(writer: Emitter, runs: Runs, part: E) -> bool:
    """Whether a value is made of nothing but locals that are settled, and of constants."""
    if part.op == "get":
        if part.imm in runs.moving:
            return False
        fixed = writer.b.fixed(part.imm)
        return part.imm < runs.settled or (fixed is not None and _steady(writer, runs, fixed))
    looks = part.op in ("global", "call") or ".load" in part.op
    return not looks and all(_steady(writer, runs, arg) for arg in part.args)
