"""How the option that is taken gets into the slots: from its row, or, where chance takes one, without a list of rows.

What can be counted is not listed then. In a step, where the game stops and somebody chooses, there is a row for each
option; the same code serves playouts from such a place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from rulelang.program import Bind, Binds, Expr
from rulelang.program.walk import conjuncts, free_slots

from ...lowered import code
from ...passes import on
from ..emit.registry import PlanStep
from ..layout.shapes import WORD
from ..wat import ir
from ..wat.ir import E
from .counted import AtMostOne, Counted, NotCounted, dependent, enough, single
from .emitter import RuleEmitter
from .options import listing, read_row, row_of


class Picking(ABC):
    """The options of one decision.

    ``by_number``: a local that is set where the option taken has no row; ``rows``: counting takes room among the
    options, which is known once they are counted.
    """

    def __init__(self, writer: RuleEmitter, bytes_: int) -> None:
        self.writer, self.bytes_ = writer, bytes_
        self.counts = False
        self.rows = True
        self.by_number = writer.b.local()

    @abstractmethod
    def offer(self) -> None:
        """Lists the rows."""

    def count(self) -> E | None:
        """Works out how many options there are, listing only what must be; None if that is all of them."""
        found = self.writer.b.attempt(self._count)
        self.counts = found is not None
        if self.counts:
            self.writer.registry.planned.extend(PlanStep(bind, "unranking") for bind in self._by_rank())
        return found

    def take(self, number: E) -> None:
        """Takes an option into its slots, by its number."""
        writer, b = self.writer, self.writer.b
        with b.aside() as by_row:
            self._by_row(number)
        if not self.counts:
            b.out.extend(by_row)
            return
        with b.aside() as by_number:
            self._by_number(number)
        if writer.steps:
            b.either(b.get(self.by_number), by_number, by_row)
        else:
            b.out.extend(by_number)

    @abstractmethod
    def _count(self) -> E: ...

    @abstractmethod
    def _by_rank(self) -> Iterable[Bind]:
        """The names of what is counted."""

    @abstractmethod
    def _by_row(self, number: E) -> None: ...

    @abstractmethod
    def _by_number(self, number: E) -> None: ...


class OfValues(Picking):
    """A choice of values."""

    def __init__(self, writer: RuleEmitter, binds: Binds, bytes_: int) -> None:
        super().__init__(writer, bytes_)
        self._binds = binds
        self._counted = counted(writer, binds)

    def offer(self) -> None:
        listing(self.writer, self._binds, (), self.bytes_, roomy=True)

    def _count(self) -> E:
        if self._counted is None:
            raise NotCounted
        found = self._counted.count()
        self.rows = self._counted.rows
        return found

    def _by_rank(self) -> Iterable[Bind]:
        return self._binds.binds

    def _by_row(self, number: E) -> None:
        read_row(self.writer, row_of(self.writer, number, self.bytes_), self._binds.binds)

    def _by_number(self, number: E) -> None:
        assert self._counted is not None
        self._counted.take(number)


class OfMenu(Picking):
    """A menu. ``way``: a local for the number of the option that was taken; ``roomy``: there is room for all rows;
    ``many``: there may be more options than are allowed.

    In ``ends`` are, once they were listed or counted, how many options there are up to the end of each item.
    """

    def __init__(
        self, writer: RuleEmitter, items: Sequence[code.Item], bytes_: int, way: int, *, roomy: bool, many: bool
    ) -> None:
        super().__init__(writer, bytes_)
        self._items, self._way, self._roomy, self._many = items, way, roomy, many
        self._counted = [counted(writer, item.binds, item.conditions) for item in items]
        self.ends = [writer.b.local() for _ in items]
        self._starts = [writer.b.local() for _ in items]

    def offer(self) -> None:
        writer, b = self.writer, self.writer.b
        for i in range(len(self._items)):
            self._list(i)
            if writer.recording is not None:
                b.set(self.ends[i], self._number(ir.const(writer.memory.options)))

    def _count(self) -> E:
        if not on("counted"):
            raise NotCounted
        b = self.writer.b
        total: E = ir.ZERO
        for i in range(len(self._items)):
            made = self._counted[i]
            here = b.attempt(made.count) if made is not None else None
            if here is None:
                self._counted[i] = None
                b.set(self._starts[i], ir.global_("offers"))
                self._list(i)
                here = self._number(b.get(self._starts[i]))
            if self._many:
                here = enough(self.writer, here)
            b.set(self.ends[i], total + here)
            total = b.get(self.ends[i])
        if not any(made is not None and made.saves for made in self._counted):
            raise NotCounted
        return total

    def _list(self, i: int) -> None:
        item = self._items[i]
        listing(self.writer, item.binds, item.conditions, self.bytes_, (i,), roomy=self._roomy)

    def _number(self, begin: E) -> E:
        """How many rows there are from an address on."""
        return ir.binary("div_u", ir.global_("offers") - begin, self.bytes_)

    def _by_rank(self) -> Iterable[Bind]:
        for item, made in zip(self._items, self._counted, strict=True):
            if made is not None and item.binds is not None:
                yield from item.binds.binds

    def _by_row(self, number: E) -> None:
        writer, b = self.writer, self.writer.b
        at = row_of(writer, number, self.bytes_)
        b.set(self._way, ir.load(at))
        for i, item in enumerate(self._items):
            if item.binds is not None:
                with b.if_(ir.eq(b.get(self._way), i)):
                    read_row(writer, at, item.binds.binds, WORD)

    def _by_number(self, number: E) -> None:
        writer, b = self.writer, self.writer.b
        with b.block() as done:
            before: E = ir.ZERO
            for i, (item, made) in enumerate(zip(self._items, self._counted, strict=True)):
                with b.if_(number < b.get(self.ends[i])):
                    b.set(self._way, ir.const(i))
                    if item.binds is not None:
                        here = b.fix(number - before)
                        if made is not None:
                            made.take(here)
                        else:
                            at = b.fix(here * self.bytes_ + b.get(self._starts[i]))
                            read_row(writer, at, item.binds.binds, WORD)
                    b.br(done)
                before = b.get(self.ends[i])


# The combinations of the names of an option, counted.
#
# Names that do not depend on each other multiply; those that do are counted together.


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
        total = b.let(ir.ZERO)
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
            wide = [ir.wide(number) for number in (total, b.get(size))]
            product = b.fix(ir.binary("mul", *wide))
            less = ir.binary("lt_u", product, ir.wide(most))
            total = b.fix(ir.select(less, ir.narrow(product), most))
        return total

    def take(self, number: E) -> None:
        """Puts the values of a combination, by its number, into their slots."""
        b = self._writer.b
        chosen: list[tuple[Counted, E]] = []
        for size, part in zip(reversed(self._sizes[1:]), reversed(self._parts[1:]), strict=True):
            number = b.fix(number)
            chosen.append((part, b.fix(ir.binary("rem_u", number, b.get(size)))))
            number = ir.binary("div_u", number, b.get(size))
        if self._parts:
            chosen.append((self._parts[0], b.fix(number)))
        for part, at in chosen:
            part.take(at)
