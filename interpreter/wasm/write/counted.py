"""Options that chance takes without a list of them: they are counted, and only the one that is taken is made.

A binder can be counted by itself when its values are a mask, a whole domain, something that may be there, or bundles of
pieces. The options come in the order in which they would have been listed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from rulelang.program import Apply, Bind, Binds, Expr
from rulelang.program.walk import free_slots
from rulelang.types import ListType, NumberType, OptionalType, PiecesType, kinds

from ...passes import on
from ..emit import registry
from ..emit.emitter import item_of
from ..emit.registry import Env
from ..expr.runs import tightened
from ..expr.sequences import size_of_domain
from ..layout.shapes import WORD, is_scalar, row_size
from ..masks import bits, led, masks
from ..masks.bits import Mask
from ..wat import ir
from ..wat.builder import NotWritten
from ..wat.ir import E
from .emitter import RuleEmitter
from .options import read_row, write_row

MOST_WORK = 1000
"""Work up to which a mask of what a run leads to beats going from one member to another, when all are counted."""

MOST_OF_BUNDLE = 255
"""Pieces of a bundle up to which bundles are counted; the table for it grows with their number."""


class NotCounted(NotWritten):
    """These options have to be listed."""


class Counted(ABC):
    """The values of some binders that pass tests. ``count``, once, comes before ``take``.

    ``rows``: counting them takes room among the options; known once they are counted.
    """

    rows = False

    @abstractmethod
    def count(self) -> E:
        """Works out how many there are. Raises NotCounted, and what it wrote is to be dropped."""

    @abstractmethod
    def take(self, number: E) -> None:
        """Puts one of them, by its number from 0, which is fixed, into slots."""


class _Bits(Counted):
    """Members that pass tests, as a mask."""

    def __init__(self, writer: RuleEmitter, bind: Bind, tests: Sequence[Expr], env: Env) -> None:
        self._writer, self._bind, self._tests, self._env = writer, bind, tests, env
        self._rest: bits.MaskVariable

    def count(self) -> E:
        writer, b = self._writer, self._writer.b
        mask = masks.all_masked(writer, Binds((self._bind,), None, span=self._bind.span), self._tests, self._env)
        if mask is None:
            raise NotCounted
        self._rest = bits.MaskVariable(b, mask)
        return bits.count(mask)

    def take(self, number: E) -> None:
        b = self._writer.b
        member = bits.chosen(b, self._rest.now, number)
        self._writer.assign(self._bind.slot, registry.scalar(self._bind.type, member))


class _Whole(Counted):
    """All members of a domain, or all numbers of a range."""

    def __init__(self, writer: RuleEmitter, bind: Bind, domain: Apply, env: Env) -> None:
        self._writer, self._bind, self._domain, self._env = writer, bind, domain, env
        self._first = writer.b.local()

    def count(self) -> E:
        writer, domain = self._writer, self._domain
        if domain.op == "range":
            writer.b.set(self._first, writer.scalar(domain.arguments[0], self._env))
        else:
            writer.b.set(self._first, ir.const(registry.bounds(item_of(domain.type))[0]))
        size = size_of_domain(writer, domain, self._env)
        assert size is not None
        return size

    def take(self, number: E) -> None:
        item = registry.scalar(item_of(self._domain.type), self._writer.b.get(self._first) + number)
        self._writer.assign(self._bind.slot, self._writer.fit(item, self._bind.type))


class AtMostOne(Counted):
    """What may be there, if it passes tests."""

    def __init__(self, writer: RuleEmitter, bind: Bind, tests: Sequence[Expr], env: Env) -> None:
        self._writer, self._bind, self._tests, self._env = writer, bind, tests, env
        self._held = writer.b.local()

    def count(self) -> E:
        writer, b, bind = self._writer, self._writer.b, self._bind
        there = b.let(ir.ZERO)
        with b.block() as none:
            value = writer.fix(writer.value(bind.domain, self._env))
            b.br_if(none, ir.not_(registry.is_some(value)))
            held = writer.fix(writer.fit(registry.held(value), bind.type))
            for test in self._tests:
                writer.unless(test, {**self._env, bind.slot: held}, none)
            b.set(self._held, held.one)
            b.set(there, ir.ONE)
        return b.get(there)

    def take(self, number: E) -> None:
        self._writer.assign(self._bind.slot, registry.scalar(self._bind.type, self._writer.b.get(self._held)))


class _LedCount(Counted):
    """What a run leads to, counted as a mask; the one that is taken is looked for in the run."""

    def __init__(self, writer: RuleEmitter, bind: Bind, tests: Sequence[Expr], env: Env) -> None:
        self._writer, self._bind, self._tests, self._env = writer, bind, tests, env

    def count(self) -> E:
        binds = Binds((self._bind,), None, span=self._bind.span)
        mask = led.some_led_to(self._writer, binds, self._tests, self._env, MOST_WORK)
        if mask is None:
            raise NotCounted
        self._writer.registry.done["counted"].append((self._writer.where.rule, self._bind.span))
        return bits.count(mask)

    def take(self, number: E) -> None:
        left = self._writer.b.let(number)
        walk(self._writer, (self._bind,), self._tests, self._env, left)


class _Bundles(Counted):
    """All ways to take a number of pieces."""

    def __init__(self, writer: RuleEmitter, bind: Bind, domain: Apply, env: Env) -> None:
        self._writer, self._bind, self._env = writer, bind, env
        self._held, self._number = domain.arguments
        assert isinstance(bind.type, PiecesType)
        self._kinds = ir.const(len(kinds(bind.type.kind)))
        self._table = writer.b.local()

    def count(self) -> E:
        writer = self._writer
        held = writer.b.fix(writer.fitted(self._held, self._bind.type, self._env).one)
        number = writer.b.fix(writer.scalar(self._number, self._env))
        most = ir.const(writer.memory.limits.options + 1)
        writer.b.set(self._table, ir.call("bundle_table", (held, self._kinds, number, most)))
        return ir.load(writer.b.get(self._table), 3 * WORD)

    def take(self, number: E) -> None:
        writer = self._writer
        bundle = writer.runtime("bundle_at", writer.b.get(self._table), self._kinds, number)
        writer.assign(self._bind.slot, registry.scalar(self._bind.type, bundle))


def single(writer: RuleEmitter, bind: Bind, tests: Sequence[Expr], env: Env) -> Counted | None:
    """The values of one binder that pass tests, when they may be counted; writes nothing."""
    bind, tests = tightened(writer, bind, list(tests), env)
    type_ = bind.domain.type
    if isinstance(type_, PiecesType):
        return _Bits(writer, bind, tests, env)
    if isinstance(type_, OptionalType) and is_scalar(type_.item) and is_scalar(bind.type):
        return AtMostOne(writer, bind, tests, env)
    match bind.domain:
        case Apply(op="members") if tests:
            return _Bits(writer, bind, tests, env)
        case Apply(op="members" | "range") if not tests:
            return _Whole(writer, bind, bind.domain, env)
        case Apply(op="bundles", arguments=(held, number)) if not tests and held.type == bind.type:
            limits = writer.memory.limits
            if limits.members < limits.options:  # as a list, they would be too many
                return None
            if isinstance(number.type, NumberType) and 0 <= number.type.low <= number.type.high <= MOST_OF_BUNDLE:
                return _Bundles(writer, bind, bind.domain, env)
            return None
    if isinstance(type_, ListType) and is_scalar(bind.type) and on("counted") and not writer.repeats.may(bind.domain):
        return _LedCount(writer, bind, tests, env)
    return None


def enough(writer: RuleEmitter, number: E) -> E:
    """A number of options that can be added to others: one more than are allowed stands for all that are more."""
    b = writer.b
    most = ir.const(writer.memory.limits.options + 1)
    number = b.fix(number)
    return b.fix(ir.select(ir.binary("lt_u", number, most), number, most))


def walk(writer: RuleEmitter, binds: Sequence[Bind], tests: Sequence[Expr], env: Env, left: int) -> None:
    """Puts the combination into slots that comes after as many as the local ``left`` says."""
    b = writer.b

    def each(found: Env) -> None:
        with b.if_(ir.not_(b.get(left))):
            for bind in binds:
                writer.assign(bind.slot, found[bind.slot])
            b.br(done)
        b.add(left, -1)

    with writer.releasing(), b.block() as done:
        writer.run(Binds(tuple(binds), None, span=binds[0].span), env, each, tests)


# Options whose names depend on each other, counted: what follows from a name is counted for each of its values.
#
# Where few combinations can follow from the first name, each of them is a mask of its members. Otherwise there is a
# row for each value of the names before the last, with how many options there are up to there. What was taken is
# found out for one value only.


def dependent(writer: RuleEmitter, binds: Sequence[Bind], tests: Sequence[Expr]) -> Counted | None:
    """The combinations of binders that pass tests, each of which is about one of them, when they may be counted."""
    if not on("counted") or any(not is_scalar(bind.type) or writer.repeats.may(bind.domain) for bind in binds):
        return None
    return _Dependent(writer, binds, tests)


class _Dependent(Counted):
    """As masks where that can be, else in rows."""

    def __init__(self, writer: RuleEmitter, binds: Sequence[Bind], tests: Sequence[Expr]) -> None:
        self._writer, self._span = writer, binds[0].span
        self._form: Counted = _Masks(writer, binds, tests)
        self._other = _Rows(writer, binds, tests)

    def count(self) -> E:
        found = self._writer.b.attempt(self._form.count)
        if found is None:
            self._form, self.rows = self._other, True
            found = self._form.count()
        self._writer.registry.done["counted"].append((self._writer.where.rule, self._span))
        return found

    def take(self, number: E) -> None:
        self._form.take(number)


class _Masks(Counted):
    """For each combination of the names behind the first one, the mask of the first one's members that it follows."""

    def __init__(self, writer: RuleEmitter, binds: Sequence[Bind], tests: Sequence[Expr]) -> None:
        self._writer, self._binds, self._tests = writer, binds, tests
        self._masks: list[Mask] = []

    def count(self) -> E:
        writer, b = self._writer, self._writer.b
        found = masks.combined(writer, self._binds, self._tests, writer.env)
        if not found:
            raise NotCounted
        total: E = ir.ZERO
        for mask in found:
            self._masks.append(bits.MaskVariable(b, mask).now)
            total += bits.count(mask)
        return total

    def take(self, number: E) -> None:
        writer, b = self._writer, self._writer.b
        first, rest = self._binds[0], self._binds[1:]
        left = b.let(number)
        value = registry.scalar(first.type, b.fix(bits.chosen_of(b, self._masks, left)))
        writer.assign(first.slot, value)
        names = {bind.slot for bind in rest}
        about = [test for test in self._tests if free_slots(test) & names]
        walk(writer, rest, about, {**writer.env, first.slot: value}, left)


class _Rows(Counted):
    """For each value of the names before the last, a row: how many options there are up to there, and the values."""

    def __init__(self, writer: RuleEmitter, binds: Sequence[Bind], tests: Sequence[Expr]) -> None:
        self._writer = writer
        self._outer, self._last = binds[:-1], binds[-1]
        self._early = [test for test in tests if self._last.slot not in free_slots(test)]
        self._late = [test for test in tests if self._last.slot in free_slots(test)]
        self._bytes = WORD * (1 + sum(row_size(bind.type) or 0 for bind in self._outer))
        every = Binds(tuple(binds), None, span=binds[0].span)
        self._many = writer.bounds.combinations(every) > writer.memory.limits.options
        self._before = Binds(tuple(self._outer), None, span=self._last.span)
        self._start, self._total = writer.b.local(), writer.b.local()

    def count(self) -> E:
        writer, b = self._writer, self._writer.b
        failed = False

        def each(env: Env) -> None:
            nonlocal failed
            following = self._following(env)
            if following is None:
                failed = True
                return
            here = enough(writer, following) if self._many else b.fix(following)
            with b.if_(here):
                total = b.get(self._total) + here
                b.set(self._total, enough(writer, total) if self._many else total)
                at = b.fix(ir.call("offer", (ir.const(self._bytes),)))
                b.store(at, b.get(self._total))
                write_row(writer, at, env, self._outer, WORD)

        b.set(self._start, ir.global_("offers"))
        b.set(self._total, ir.ZERO)
        with writer.releasing():
            writer.run(self._before, writer.env, each, self._early)
        if failed:  # not raised earlier, in the midst of loops that are being written
            raise NotCounted
        return b.get(self._total)

    def _following(self, env: Env) -> E | None:
        """How many values the last name has, with those of the others known; None where that cannot be told."""
        form = single(self._writer, self._last, self._late, env)
        if form is None or isinstance(form, AtMostOne):  # one at most is no less work to count than to list
            return None
        try:
            return form.count()
        except NotCounted:
            return None

    def take(self, number: E) -> None:
        writer, b = self._writer, self._writer.b
        at, before, left = b.local(), b.local(), b.local()
        b.set(at, b.get(self._start))
        b.set(before, ir.ZERO)
        with b.until(number < ir.load(b.get(at)), writer.bounds.combinations(self._before)):
            b.set(before, ir.load(b.get(at)))
            b.add(at, self._bytes)
        b.set(left, number - b.get(before))
        read_row(writer, b.get(at), self._outer, WORD)
        walk(writer, (self._last,), self._late, dict(writer.env), left)
