"""Runs of values: all that a list, a set or several of them together give one after another, and pass their tests.

A test runs as soon as all that it speaks of is known. Which values are tried at all is found out first: those of a mask
of members that pass, the rows of a table that have something in a column, the part of a range that can pass, or all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

import attrs

from rulelang.program import Apply, Bind, Binds, Call, ColumnOf, Const, Expr, Local, Node
from rulelang.program.analysis.faults import fits_word
from rulelang.program.walk import conjuncts, free_slots, rewrite, substitute
from rulelang.types import NumberType, OptionalType, TupleType, Type

from ...passes import on
from ..emit import registry
from ..emit.emitter import Body, Emitter
from ..emit.registry import Env, PlanStep, Val
from ..layout.shapes import WORD, is_scalar
from ..masks import along, bits, masks
from ..wat import ir
from ..wat.ir import E, all_weight, straight, weight
from .iteration import iterate, iterate_mask, iterate_ray, rows_where

if TYPE_CHECKING:
    from .expressions import ExpressionWriter

MOST_DEEP = 6
"""Definitions in one another that are looked into for bounds."""

MOST_SLOTS = 1 << 16

UNSWITCHED = 60
"""The most that a test may take which is made before a run, though the run may have nothing to go through."""


def run(
    writer: ExpressionWriter,
    binds: Binds,
    env: Env,
    body: Body,
    extra: Sequence[Expr] = (),
    release: bool = True,
    last: Callable[[Env, E], None] | None = None,
    once: Collection[int] = (),
) -> None:
    """Does ``body`` for each run of values that passes; the parameters are those of ``Emitter.run``."""
    if binds.stop_at_first_failure:
        if _along(writer, binds, env, body, extra, release):
            return
        with writer.b.block() as end:
            tests = _unswitched(writer, binds, conjuncts(binds.passing), env, end)
            if tests is not None:
                _Nest(writer, binds, body, release, once, end, extra, binds.condition).loop(0, env, tests)
    else:
        parts = [p for c in (*conjuncts(binds.condition), *extra) for p in conjuncts(c)]
        with writer.b.block() as end:
            tests = _unswitched(writer, binds, parts, env, end)
            if tests is not None:
                _Nest(writer, binds, body, release, once, "", last=last).loop(0, env, tests)


def _unswitched(writer: ExpressionWriter, binds: Binds, tests: Sequence[Expr], env: Env, end: str) -> list[Expr] | None:
    """The tests that are left once those have been made that need no name of the run; None where one always fails.

    Where one fails there is no run, so it goes to ``end``. Tests that take a loop stay where they are, as do all behind
    something that may fault: the run may come to nothing before them.
    """
    if writer.faults.may(binds.binds[0].domain):
        return list(tests)
    names = {bind.slot for bind in binds.binds}
    left: list[Expr] = []
    for number, test in enumerate(tests):
        if writer.faults.may(test):
            return [*left, *tests[number:]]
        if free_slots(test) & names:
            left.append(test)
            continue
        with writer.b.aside() as code:
            holds = writer.flag(test, env)
        if holds.is_const and not holds.value:
            return None
        if all_weight(code) + weight(holds) > UNSWITCHED:
            left.append(test)
        elif not holds.is_const:
            writer.b.out.extend(code)
            writer.b.br_if(end, ir.not_(holds))
    return left


@attrs.define(eq=False)
class _Nest:
    """Loops over the binders of a run, one in another; fields as the parameters of ``run``.

    ``stop``: the condition that ends the run where it fails first, at ``end``.
    """

    writer: ExpressionWriter
    binds: Binds
    body: Body
    release: bool
    once: Collection[int]
    end: str
    extra: Sequence[Expr] = ()
    stop: Expr | None = None
    last: Callable[[Env, E], None] | None = None

    def loop(self, depth: int, env: Env, waiting: list[Expr]) -> None:
        """The loop of one binder. ``waiting``: the tests not made yet."""
        writer, bind = self.writer, self.binds.binds[depth]
        is_last = depth + 1 == len(self.binds.binds)
        waiting = within_range(writer, bind, waiting)
        unbound = {b.slot for b in self.binds.binds[depth + 1 :]}
        tests = [c for c in waiting if not free_slots(c) & unbound]
        rest = [c for c in waiting if c not in tests] if tests else waiting
        bind, tests = tightened(writer, bind, tests, env)
        if is_last and _never(writer, bind, tests, env):
            return
        seen = SeenValues(writer, bind.type) if bind.slot in self.once else None
        # Of tests that may fault, and those behind them, none is made out of turn.
        free = list(takewhile(lambda test: not writer.faults.may(test), tests))
        found_mask, found = self._way_through(depth, bind, tests, free, waiting, env)
        sure: bits.Mask | None = None

        def each(item: Val) -> None:
            value = writer.fix(writer.fit(item, bind.type))
            passes = None if sure is None else bits.holds(sure, item.one)
            if seen is None:
                self._one(depth, {**env, bind.slot: value}, tests, rest, passes)
                return
            with writer.b.block() as again:
                seen.note(value, again)
                self._one(depth, {**env, bind.slot: value}, tests, rest, passes)

        with writer.runs.inside(writer):
            if found_mask is not None:
                sure = found_mask.must if len(free) == len(tests) else None
                tests = [*found_mask.left, *tests[len(free) :]]
                iterate_mask(writer, found_mask.may, bind.type, each, release=self.release)
            elif found is not None:
                test, column, wanted = found
                tests = [t for t in tests if t is not test]
                rows_where(writer, bind, column, wanted, env, each, release=self.release)
            else:
                iterate(writer, bind.domain, env, each, release=self.release)

    def _way_through(
        self, depth: int, bind: Bind, tests: list[Expr], free: list[Expr], waiting: list[Expr], env: Env
    ) -> tuple[masks.Masked | None, tuple[Expr, ColumnOf, Expr] | None]:
        """How the values of a binder are found: by a mask, by an index of a column, or (None, None) one by one.

        ``free``: the tests before any that may fault.
        """
        writer, mark = self.writer, len(self.writer.b.out)
        masked = masks.masked(writer, bind.domain, bind.slot, free, env)
        found = None if isinstance(masked, str) else masked
        operator = "loop" if found is None else "mask"
        if depth + 1 < len(self.binds.binds) and self.stop is None and len(free) == len(tests):
            promising = masks.promising(writer, self.binds.binds[depth:], waiting, env)
            if promising is not None:
                operator = "semi-join"
                found = found or masks.Masked(promising, None, tests)
                found = attrs.evolve(found, may=bits.fixed(writer.b, found.may & promising))
        index = None if found is not None else _looked_up(bind, free)
        left = tests if found is None else found.left
        why = [("mask", masked, left)] if isinstance(masked, str) else []
        operator = operator if index is None else "index"
        writer.registry.planned.append(PlanStep(bind, operator, tests, left, writer.b.out[mark:], why))
        return found, index

    def _one(self, depth: int, env: Env, tests: list[Expr], rest: list[Expr], passes: E | None) -> None:
        """What is done for one value of a binder: the tests, unless it is known that it passes, then the next loop or
        the body."""
        writer, is_last = self.writer, depth + 1 == len(self.binds.binds)
        if self.last is not None and is_last and tests:
            holds = _at_once(writer, tests, env)
            if holds is not None:
                self.last(env, holds)
                return
        with writer.b.block() as skip:
            with writer.b.block() as sure:
                if passes is not None:
                    writer.b.br_if(sure, passes)
                for test in tests:
                    writer.unless(test, env, skip)
            if not is_last:
                self.loop(depth + 1, env, rest)
                return
            if self.stop is not None:
                writer.unless(self.stop, env, self.end)
            for test in self.extra:
                writer.unless(test, env, skip)
            self.body(env)


def _along(writer: ExpressionWriter, binds: Binds, env: Env, body: Body, tests: Sequence[Expr], release: bool) -> bool:
    """Goes along a ray up to the first cell that fails, by the bits of its cells; tells whether it could."""
    if not on("rays"):
        return False
    with writer.b.aside() as code:
        looked = along.running(writer, binds, env)
    if looked is None or (len(looked.cells.words) > 1 and looked.whole):
        return False
    writer.b.out.extend(code)
    (bind,) = binds.binds

    def each(item: Val) -> None:
        inner = {**env, bind.slot: writer.fix(writer.fit(item, bind.type))}
        with writer.b.block() as skip:
            for test in tests:
                writer.unless(test, inner, skip)
            body(inner)

    writer.registry.done["rays"].append((writer.where.rule, binds.span))
    writer.registry.planned.append(PlanStep(bind, "prefix", conjuncts(binds.condition), (), code))
    cells = bits.fixed(writer.b, looked.open(writer))
    with writer.runs.inside(writer):
        iterate_ray(writer, cells, looked.rises, bind.type, each, release=release)
    return True


def _never(writer: ExpressionWriter, bind: Bind, tests: Sequence[Expr], env: Env) -> bool:
    """Whether what is known already says that no value of an optional passes the tests."""
    if not isinstance(bind.domain.type, OptionalType) or not tests or writer.faults.may((bind.domain, tests)):
        return False
    anything = writer.of_locals(bind.type, writer.locals_for(bind.type))
    inner = {**env, bind.slot: anything}
    for test in tests:
        with writer.b.aside():
            holds = writer.flag(test, inner)
        if holds.is_const and not holds.value:
            return True
    return False


def _at_once(writer: ExpressionWriter, tests: Sequence[Expr], env: Env) -> E | None:
    """All tests as one flag, when that takes no statement and little work."""

    with writer.b.aside() as code:
        holds: E = ir.ONE
        for test in tests:
            holds = ir.both(holds, writer.flag(test, env))
    if not straight(code, holds, 60):
        return None
    writer.b.out.extend(code)
    return holds


def _looked_up(bind: Bind, tests: Sequence[Expr]) -> tuple[Expr, ColumnOf, Expr] | None:
    """A test that a column of the bound row is something that does not depend on the row."""
    if not (isinstance(bind.domain, Apply) and bind.domain.op == "members"):
        return None
    for test in tests:
        if isinstance(test, Apply) and test.op == "is":
            for column, wanted in (test.arguments, test.arguments[::-1]):
                if (
                    isinstance(column, ColumnOf)
                    and isinstance(column.row, Local)
                    and column.row.slot == bind.slot
                    and bind.slot not in free_slots(wanted)
                    and is_scalar(column.type)
                    and is_scalar(wanted.type)
                    and not isinstance(wanted, Const)
                ):
                    return test, column, wanted
    return None


__all__ = ["run"]


# Bounds of ranges, tightened by tests: ``i in 1..n where i + 2 <= m and ...`` ends with ``m - 2``.
#
# The test that says so may stand in a definition. Neither it nor any test before it may fault.


def within_range(writer: Emitter, bind: Bind, tests: list[Expr]) -> list[Expr]:
    """Tests on a number of a range, which may be known to end sooner than its type says.

    So fewer of them may fault: places in a stack lie within the bounds of a parameter that takes any of them.
    """
    domain, type_ = bind.domain, bind.type
    if not on("ranges") or not (isinstance(domain, Apply) and domain.op == "range" and isinstance(type_, NumberType)):
        return tests
    last = writer.bounds.last(domain.arguments[1])
    if not type_.low <= last < type_.high:
        return tests
    narrower = attrs.evolve(type_, high=last)

    def change(node: Node) -> Node:
        return attrs.evolve(node, type=narrower) if isinstance(node, Local) and node.slot == bind.slot else node

    return [rewrite(test, change) if bind.slot in free_slots(test) else test for test in tests]


def tightened(writer: Emitter, bind: Bind, tests: list[Expr], env: Env) -> tuple[Bind, list[Expr]]:
    """A binder over a range that is no longer than the tests on its numbers allow, and the tests that are left."""
    domain, type_ = bind.domain, bind.type
    if not on("ranges") or not (isinstance(domain, Apply) and domain.op == "range" and isinstance(type_, NumberType)):
        return bind, tests
    low, high = domain.arguments
    left = []
    for number, test in enumerate(tests):
        if writer.faults.may(test):
            left += tests[number:]
            break
        found = list(_bounds(writer, test, bind.slot))
        taken = [bound for bound in found if _is_brief(writer, bound[1], env)]
        low = _best("max", [low, *(bound for above, bound in taken if not above)])
        high = _best("min", [high, *(bound for above, bound in taken if above)])
        if isinstance(test, Call) or not found or len(taken) < len(found):
            left.append(test)
        if taken:
            writer.registry.done["ranges"].append((writer.where.rule, test.span))
    if (low, high) == domain.arguments:
        return bind, tests
    return attrs.evolve(bind, domain=attrs.evolve(domain, arguments=(low, high))), left


def _bounds(writer: Emitter, test: Expr, slot: int, depth: int = 1) -> Iterator[tuple[bool, Expr]]:
    """What the number in a slot is not above, or else (False) not below, if a test passes."""
    match test:
        case Apply(op="and", arguments=parts):
            for part in parts:
                yield from _bounds(writer, part, slot, depth)
        case Call() if writer.inlines(test) and test.definition not in writer.registry.plan.kept:
            definition = writer.program.definitions[test.definition]
            given = {param.slot: value for param, value in zip(definition.params, test.arguments, strict=True)}
            body = substitute(definition.body, given, -MOST_SLOTS * depth)
            if depth < MOST_DEEP:
                yield from _bounds(writer, body, slot, depth + 1)
        case Apply(op="<" | "<=" as op, arguments=(less, more)) | Apply(op=">" | ">=" as op, arguments=(more, less)):
            yield from _isolated(less, more, slot, True, len(op) == 1)
            yield from _isolated(more, less, slot, False, len(op) == 1)
        case Apply(op="is", arguments=(a, b)):
            for above in (True, False):
                yield from _isolated(a, b, slot, above, False)
                yield from _isolated(b, a, slot, above, False)


def _isolated(side: Expr, other: Expr, slot: int, above: bool, strict: bool) -> Iterator[tuple[bool, Expr]]:
    """The bound of the number in a slot where a side that has it is at most (``above``), or at least, the other."""
    if slot in free_slots(other) or not (isinstance(side.type, NumberType) and isinstance(other.type, NumberType)):
        return
    match side:
        case Local(slot=found) if found == slot:
            one = Const(1, NumberType(1, 1), span=other.span)
            bound = _sum("-" if above else "+", other, one) if strict else other
            if fits_word(bound.type):
                yield above, bound
        case Apply(op="+", arguments=(a, b)):
            yield from _isolated(a, _sum("-", other, b), slot, above, strict)
            yield from _isolated(b, _sum("-", other, a), slot, above, strict)
        case Apply(op="-", arguments=(a, b)):
            yield from _isolated(a, _sum("+", other, b), slot, above, strict)
            yield from _isolated(b, _sum("-", a, other), slot, not above, strict)


def _sum(op: str, a: Expr, b: Expr) -> Expr:
    """The sum or difference of two numbers, with the bounds that it has."""
    assert isinstance(a.type, NumberType) and isinstance(b.type, NumberType)
    low, high = (b.type.low, b.type.high) if op == "+" else (-b.type.high, -b.type.low)
    type_ = NumberType(a.type.low + low, a.type.high + high)
    if isinstance(a, Const) and isinstance(b, Const):
        return Const(type_.low, type_, span=a.span)
    return Apply(op, (a, b), type_, span=a.span)


def _best(op: str, ends: list[Expr]) -> Expr:
    """The greatest or the least of some numbers."""
    first, *more = dict.fromkeys(ends)
    if not more:
        return first
    types = [end.type for end in (first, *more) if isinstance(end.type, NumberType)]
    best = max if op == "max" else min
    return Apply(
        op, (first, *more), NumberType(best(t.low for t in types), best(t.high for t in types)), span=first.span
    )


def _is_brief(writer: Emitter, bound: Expr, env: Env) -> bool:
    """Whether a bound takes so little that it may be worked out where the range turns out to be empty."""
    if writer.faults.may(bound) or not free_slots(bound) <= env.keys():
        return False
    with writer.b.aside() as code:
        value = writer.scalar(bound, env)
    return all_weight(code) + weight(value) <= UNSWITCHED


# Values that a loop has come to before: equal options are listed once, binder by binder where that can be done.


MOST_BITS = 1 << 15
"""Values of a binder that are kept apart by a bit each."""

_WORD_BITS = 8 * WORD


def bits_for(type_: Type) -> int | None:
    """The number of bits in which the values of a binder can be noted, None where that is no way to do it."""
    size = _size(type_)
    return size if size is not None and size <= MOST_BITS else None


def _size(type_: Type) -> int | None:
    if is_scalar(type_):
        return registry.size_of(type_)
    items: Sequence[Type]
    match type_:
        case OptionalType(item) if is_scalar(item):
            return 1 + registry.size_of(item)
        case TupleType(items):
            total = 1
            for item in items:
                size = _size(item)
                if size is None or total > MOST_BITS:
                    return None
                total *= size
            return total
    return None


class SeenValues:
    """The values that a loop has come to since it began: bits of a local, or of words in the arena.

    To be made right before the loop, for a type that ``bits_for`` takes.
    """

    def __init__(self, writer: Emitter, type_: Type) -> None:
        size = bits_for(type_)
        assert size is not None
        self._b = writer.b
        if size <= 64:
            self._bits: int | E = writer.b.local("i64")
            writer.b.set(self._bits, ir.ZERO64)
        else:
            self._bits = writer.runtime("zeroes", ir.const(-(-size // _WORD_BITS)))

    def note(self, value: Val, skip: str) -> None:
        """Goes to ``skip`` where the value, which is fixed, has been there before."""
        b = self._b
        place = b.fix(_place(value))
        if isinstance(self._bits, int):
            bit = b.fix(ir.bit(place))
            bits = b.get(self._bits)
            b.br_if(skip, ir.binary("ne", bits & bit, 0))
            b.set(self._bits, bits | bit)
            return
        at = b.fix((place >> 5) * WORD + self._bits)
        bit = b.fix(1 << (place & (_WORD_BITS - 1)))
        word = b.fix(ir.load(at))
        b.br_if(skip, word & bit)
        b.store(at, word | bit)


def _place(value: Val) -> E:
    """The number of a value among all of its type."""
    type_ = value.type
    if isinstance(type_, OptionalType):
        item = registry.held(value)
        return ir.select(registry.is_some(value), _place(item) + 1, ir.ZERO)
    if isinstance(type_, TupleType):
        place: E = ir.ZERO
        for i, item_type in enumerate(type_.items):
            size = _size(item_type)
            assert size is not None
            place = place * size + _place(registry.part_of(value, i))
        return place
    return value.one - registry.bounds(type_)[0]
