"""Options whose names depend on each other, counted: what follows from a name is counted for each of its values.

Where few combinations can follow from the first name, each of them is a mask of its members. Otherwise there is a row
for each value of the names before the last, with how many options there are up to there. What was taken is found out
for one value only.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Bind, Binds, Expr
from rulelang.program.analysis.free_variables import free_slots

from ...passes import on
from ..emit import values
from ..emit.values import Env
from ..layout.rows import row_size
from ..layout.shapes import WORD, is_scalar
from ..masks import bits, masks
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E
from .counted import AtMostOne, Counted, NotCounted, enough, single, tried, walk
from .emitter import RuleEmitter
from .rows import read_row, write_row


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
        found = tried(self._writer, self._form.count)
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
            kept = [b.local("i64") for _ in mask.words]
            for local, word in zip(kept, mask.words, strict=True):
                b.set(local, word)
            self._masks.append(Mask(tuple(map(b.get, kept))))
            total = ir.add(total, bits.count(mask))
        return total

    def take(self, number: E) -> None:
        writer, b = self._writer, self._writer.b
        first, rest = self._binds[0], self._binds[1:]
        left = b.local()
        b.set(left, number)
        value = values.scalar(first.type, b.fix(bits.chosen_of(b, self._masks, left)))
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
                total = ir.add(b.get(self._total), here)
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
        with b.until(ir.lt(number, ir.load(b.get(at))), writer.bounds.combinations(self._before)):
            b.set(before, ir.load(b.get(at)))
            b.set(at, ir.add(b.get(at), ir.const(self._bytes)))
        b.set(left, ir.sub(number, b.get(before)))
        read_row(writer, b.get(at), self._outer, WORD)
        walk(writer, (self._last,), self._late, dict(writer.env), left)
