"""The combinations of the names of an option, counted.

Names that do not depend on each other multiply; those that do are counted together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.program import Bind, Binds, Expr
from rulelang.program.analysis.free_variables import conjuncts, free_slots

from ..wat import ir
from ..wat.ir import E
from .counted import AtMostOne, Counted, single
from .dependent import dependent
from .emitter import RuleEmitter


def counted(writer: RuleEmitter, binds: Binds | None, conditions: Sequence[Expr] = ()) -> Product | None:
    """The combinations of binders that pass conditions, when they may be counted; writes nothing."""
    every = binds.binds if binds is not None else ()
    tests = [part for condition in conditions for part in conjuncts(condition)]
    if binds is not None:
        tests = [*conjuncts(binds.condition), *tests]
    if (binds is not None and binds.stop_at_first_failure) or writer.faults.may((every, tests)):
        return None
    slots = {bind.slot for bind in every}
    found: list[Counted] = []
    for some in _groups(every, tests):
        names = {bind.slot for bind in some}
        about = [test for test in tests if free_slots(test) & names]
        form = single(writer, some[0], about, writer.env) if len(some) == 1 else dependent(writer, some, about)
        if form is None:
            return None
        found.append(form)
    return Product(writer, found, [test for test in tests if not free_slots(test) & slots])


def _groups(binds: Sequence[Bind], tests: Sequence[Expr]) -> Iterator[Sequence[Bind]]:
    """Binders one after another, those together that depend on each other or stand between such."""
    slots = {bind.slot for bind in binds}
    shared = [slots & {bind.slot, *free_slots(bind.domain)} for bind in binds]
    shared += [slots & free_slots(test) for test in tests]
    start = 0
    while start < len(binds):
        end = at = start
        while at <= end:
            with_it = {slot for names in shared if binds[at].slot in names for slot in names}
            end = max(end, *(i for i, bind in enumerate(binds) if bind.slot in with_it))
            at += 1
        yield binds[start : end + 1]
        start = end + 1


class Product:
    """Combinations of values that do not depend on each other, if what is tested ``before`` holds."""

    def __init__(self, writer: RuleEmitter, parts: Sequence[Counted], before: Sequence[Expr]) -> None:
        self._writer, self._parts, self._before = writer, parts, before
        self._sizes = [writer.b.local() for _ in parts]

    @property
    def saves(self) -> bool:
        """Whether there may be so many that it is less work to count them than to list them."""
        return any(not isinstance(part, AtMostOne) for part in self._parts)

    @property
    def rows(self) -> bool:
        """Whether counting them takes room among the options; known once they are counted."""
        return any(part.rows for part in self._parts)

    def count(self) -> E:
        """Works out how many combinations there are; one more than are allowed stands for any number of them.

        Raises NotCounted.
        """
        if not self._before:
            return self._product()
        writer, b = self._writer, self._writer.b
        total = b.local()
        b.set(total, ir.ZERO)
        with b.block() as none:
            for test in self._before:
                writer.unless(test, writer.env, none)
            b.set(total, self._product())
        return b.get(total)

    def _product(self) -> E:
        b = self._writer.b
        for size, part in zip(self._sizes, self._parts, strict=True):
            b.set(size, part.count())
        most = ir.const(self._writer.memory.limits.options + 1)
        if not self._sizes:
            return ir.ONE
        total = b.get(self._sizes[0])
        for size in self._sizes[1:]:
            wide = [ir.unary("i64.extend_i32_u", number, "i64") for number in (total, b.get(size))]
            product = b.fix(ir.binary("mul", *wide))
            less = ir.binary("lt_u", product, ir.unary("i64.extend_i32_u", most, "i64"))
            total = b.fix(ir.select(less, ir.unary("i32.wrap_i64", product, "i32"), most))
        return total

    def take(self, number: E) -> None:
        """Puts the values of a combination, by its number, into their slots."""
        b = self._writer.b
        chosen: list[tuple[Counted, E]] = []
        for size, part in zip(reversed(self._sizes[1:]), reversed(self._parts[1:]), strict=True):
            number = b.fix(number)
            chosen.append((part, b.fix(E("i32.rem_u", "i32", (number, b.get(size))))))
            number = E("i32.div_u", "i32", (number, b.get(size)))
        if self._parts:
            chosen.append((self._parts[0], b.fix(number)))
        for part, at in chosen:
            part.take(at)
