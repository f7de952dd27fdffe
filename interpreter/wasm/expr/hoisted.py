"""Values that do not depend on a loop, worked out once: when they are asked for first, and kept until the loop ends.

So nothing is worked out that nobody asks for, and a fault comes where it would come without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import attrs

from rulelang.program import After, Apply, ByLength, Call, Definition, Expr, Fold, GroupOf, LongestTrail
from rulelang.program.walk import free_slots
from rulelang.types import OptionalType, PiecesType, Type, kinds

from ...passes import on
from ...passes.remember import KeptDefinition, Span
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, Registry, Val
from ..layout.shapes import NONE_LOW, WORD, holds_addresses, is_scalar, none_of, words
from ..wat import ir
from ..wat.builder import Builder
from ..wat.ir import E, Statement

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


# Values of definitions that are remembered in a table by their arguments, until what they read changes.
#
# An entry is a stamp, of 64 bits, and the words of a value. It counts while its stamp is what the clock of the
# definition reads (``passes/remember.py``). A clock that is set takes a number that none ever had (``$ticks``), so
# what was remembered before a supposition counts again after it.


STAMP = 2 * WORD
"""Bytes of a stamp."""

MOST_WORDS = 4
"""Words of a value that a table can hold."""

MOST_KINDS = 16
"""Kinds of pieces that a table can hold the counts of."""

FOR_EVER = ir.const(1, "i64")
"""The stamp of what never changes; a memory begins with zeroes."""


# ---------------------------------------------------------------- what can be remembered


def span(type_: Type) -> Span | None:
    """How the values of a type are numbered; none, where a value may be none, comes before the others."""
    if is_scalar(type_):
        low, high = registry.bounds(type_)
        return low, high - low + 1
    if isinstance(type_, OptionalType) and is_scalar(type_.item) and none_of(type_.item) == NONE_LOW:
        _, high = registry.bounds(type_.item)
        return NONE_LOW, high - NONE_LOW + 1
    return None


def fits(type_: Type) -> bool:
    """Whether a table can hold values of a type."""
    if isinstance(type_, PiecesType):
        return len(kinds(type_.kind)) <= MOST_KINDS
    return not holds_addresses(type_) and words(type_) <= MOST_WORDS


# ---------------------------------------------------------------- clocks


def clock(number: int) -> str:
    """The global that holds a clock."""
    return f"clock{number}"


def changed(writer: Emitter, variables: Iterable[str]) -> None:
    """Sets the clocks that go by variables which have changed."""
    set_clocks(writer.b, writer.registry, writer.registry.plan.clocks_of(variables))


def set_clocks(b: Builder, registry: Registry, numbers: Iterable[int] | None = None) -> None:
    """Sets these clocks, or all of them."""
    names = [clock(n) for n in (range(len(registry.plan.clocks)) if numbers is None else numbers)]
    if names:
        b.set_global("ticks", ir.global_("ticks", "i64") + 1)
    for name in names:
        b.set_global(name, ir.global_("ticks", "i64"))


def readings(writer: Emitter, variables: Iterable[str]) -> dict[str, E]:
    """What the clocks read that go by these variables."""
    names = map(clock, writer.registry.plan.clocks_of(variables))
    return {name: writer.b.fix(ir.global_(name, "i64")) for name in names}


def set_back(writer: Emitter, before: Mapping[str, E]) -> None:
    """Sets clocks, or other globals, back, where all is again as it was when they read this."""
    for name, reading in before.items():
        writer.b.set_global(name, reading)


# ---------------------------------------------------------------- tables


def kept(writer: Emitter, definition: Definition, given: Mapping[int, Val]) -> KeptDefinition | None:
    """How the value for these arguments is remembered, if it is."""
    found = writer.registry.plan.kept.get(definition.name)
    if found is None or (found.clock is None and all(v.is_const for v in given.values())):
        return None  # what is known by now is worked out now
    return found


def recalled(
    writer: Emitter, definition: Definition, how: KeptDefinition, given: Mapping[int, Val], work_out: Callable[[], Val]
) -> Val:
    """The body of a function that gives the value for these arguments."""
    b, type_ = writer.b, definition.type
    size = STAMP + 2 * WORD * ((_held_words(type_) + 1) // 2)
    base = writer.registry.room_for(definition.name, how.entries * size)
    if base is None:
        return work_out()
    if how.clock is not None:
        writer.registry.clocks_read.add(how.clock)
    inside, at = _entry(writer, definition, how, given, size, base)
    now = FOR_EVER if how.clock is None else ir.global_(clock(how.clock), "i64")
    with b.if_(inside), b.if_(ir.eq(ir.load(at, 0, "i64"), now)):
        b.ret(*_taken(writer, at, type_).parts)
    value = writer.fix(work_out())
    with b.if_(inside):
        b.store(at, now)
        _put(writer, at, value)
    return value


def _held_words(type_: Type) -> int:
    """The words of a value in a table; the counts of pieces lie in the table itself."""
    return len(kinds(type_.kind)) if isinstance(type_, PiecesType) else words(type_)


def _taken(writer: Emitter, at: E, type_: Type) -> Val:
    """The value of an entry. Pieces are copied, as they may be held on to for longer than the entry counts."""
    if not isinstance(type_, PiecesType):
        return registry.load_value(at, type_, STAMP)
    room = writer.runtime("alloc", ir.const(WORD * _held_words(type_)))
    _copy(writer, at, STAMP, room, 0, _held_words(type_))
    return Val(type_, (room,))


def _put(writer: Emitter, at: E, value: Val) -> None:
    if isinstance(value.type, PiecesType):
        _copy(writer, value.one, 0, at, STAMP, _held_words(value.type))
    else:
        writer.store(at, value, STAMP)


def _copy(writer: Emitter, source: E, offset: int, target: E, into: int, number: int) -> None:
    """Copies words, two at a time; both addresses are fixed."""
    for place in range(0, number - 1, 2):
        writer.b.store(target, ir.load(source, offset + WORD * place, "i64"), into + WORD * place)
    if number % 2:
        writer.b.store(target, ir.load(source, offset + WORD * (number - 1)), into + WORD * (number - 1))


def _entry(
    writer: Emitter, definition: Definition, how: KeptDefinition, given: Mapping[int, Val], size: int, base: int
) -> tuple[E, E]:
    """Whether there is an entry for these arguments, and its address.

    What cannot fault may be worked out for arguments that no call has, so they may lie outside.
    """
    b = writer.b
    number: E = ir.ZERO
    inside: E = ir.ONE
    for param, (low, count) in zip(definition.params, how.spans, strict=True):
        place = b.fix(given[param.slot].one - low)
        inside = ir.both(inside, ir.binary("lt_u", place, count))
        number = number * count + place
    return b.fix(inside), b.fix(number * size + base)


def heavy(code: Sequence[Statement]) -> bool:
    """Whether working something out goes round a loop or calls a function, so that looking it up takes less."""
    heads = (part.op if isinstance(part, E) else part[0] if part else "" for part in ir.parts(code))
    return any(head in ("loop", "call") for head in heads)


# ---------------------------------------------------------------- what a module declares


def clocks(registry: Registry) -> list[str]:
    """The globals that hold the clocks which some table goes by, and the last number that one of them took."""
    return ["ticks", *map(clock, sorted(registry.clocks_read))] if registry.clocks_read else []


def idle(registry: Registry) -> frozenset[str]:
    """The globals of the plan that no table goes by."""
    planned = {"ticks", *map(clock, range(len(registry.plan.clocks)))}
    return frozenset(planned.difference(clocks(registry)))
