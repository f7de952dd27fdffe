"""Code that goes through the members of something, without making a list of them where that can be helped."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from rulelang import types as ty
from rulelang.program import Apply, Bind, Call, ColumnOf, Expr, Fold, GroupOf, If
from rulelang.program.analysis.cardinality import MOST
from rulelang.program.walk import conjuncts

from ...passes import on
from ..emit import registry
from ..emit.emitter import FEW, Emitter, item_of, static_members
from ..emit.registry import Env, Val
from ..layout.shapes import WORD, NotLowered, first_value, mask_size, words
from ..masks import bits, led
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E, sourced

Body = Callable[[Val], None]

COPIES = 16
"""Copies of one piece of code that unrolled loops around it may make together."""


def iterate(writer: Emitter, domain: Expr, env: Env, body: Body, *, back: bool = False, release: bool = True) -> None:
    """Writes ``body`` for every member of ``domain`` in order, or backwards.

    ``release``: what a pass keeps in the arena is given up at its end.
    """
    _Iteration(writer, env, body, back, release).go(domain)


def iterate_value(writer: Emitter, value: Val, body: Body, *, release: bool = True) -> None:
    """Writes ``body`` for every member of a value."""
    _Iteration(writer, {}, body, False, release).value(value)


def rows_where(
    writer: Emitter, bind: Bind, column: ColumnOf, wanted: Expr, env: Env, body: Body, *, release: bool = True
) -> None:
    """Writes ``body`` for the rows of a table whose cell in a column is ``wanted``, by an index made beforehand."""
    _Iteration(writer, env, body, False, release).where(bind, column, wanted)


def iterate_mask(writer: Emitter, mask: Mask, item: ty.Type, body: Body, *, release: bool = True) -> None:
    """Writes ``body`` for every member whose bit is set."""
    _Iteration(writer, {}, body, False, release)._words(mask, item)


def iterate_ray(writer: Emitter, cells: Mask, rises: E, item: ty.Type, body: Body, *, release: bool = True) -> None:
    """Writes ``body`` for every cell of a mask, the lowest first where ``rises`` says so and else the highest."""
    if rises.is_const:
        _Iteration(writer, {}, body, not rises.value, release)._words(cells, item)
    else:
        _Iteration(writer, {}, body, False, release)._either_way(cells, rises, item)


def _reach(item: ty.Type) -> int:
    """How far the least and the greatest value of a type are apart."""
    low, high = registry.bounds(item)
    return high - low


_FAR = 1 << 24
"""Of numbers further apart than this, passes are not paid for beforehand: hardly any loop makes them all."""


class _Iteration:
    def __init__(self, writer: Emitter, env: Env, body: Body, back: bool, release: bool) -> None:
        self.w = writer
        self.b = writer.b
        self.env = env
        self.body = body
        self.back = back
        self.release = release
        self.most: int | None = None
        """The members there are at most; None: nobody knows."""

    @sourced
    def go(self, domain: Expr) -> None:
        most = self.w.bounds.of(domain)
        self.most = most if most < MOST else None
        known = static_members(self.w, domain, self.env)
        if known is not None and self._unrolled(known, item_of(domain.type)):
            return
        match domain:
            case Apply(op="members"):
                item = item_of(domain.type)
                low, high = registry.bounds(item)
                self.numbers(ir.const(low), ir.const(high), item)
            case Apply(op="range", arguments=(low_, high_)):
                first, last = (self.b.fix(self.w.scalar(end, self.env)) for end in (low_, high_))
                self.numbers(first, last, item_of(domain.type))
            case Apply(op="reversed", arguments=(inner,)) if not self._tells(inner):
                _Iteration(self.w, self.env, self.body, not self.back, self.release).go(inner)
            case Apply(op="ahead" | "behind" as op, arguments=(of,)):
                self._others(op, of)
            case Apply(op="rotate", arguments=(listed, start)) if (
                isinstance(listed, Apply) and listed.op == "members" and isinstance(start.type, ty.MemberType)
            ):
                size = len(start.type.domain)
                first = self.b.fix(self.w.scalar(start, self.env))
                self._round(first, 0, size, 1, size, start.type)
            case Apply(op="ray", arguments=(cell, direction)):
                self._row(ray_of(self.w, cell, direction, self.env), cell.type)
            case Apply(op="list", arguments=parts) if known is None and len(parts) * self.w.copies <= 4:
                for part in reversed(parts) if self.back else parts:
                    self._pass(self.w.fit(self.w.value(part, self.env), item_of(domain.type)), len(parts))
            case Apply(op="list", arguments=parts) if self._tells(domain):
                self._one_by_one(parts, item_of(domain.type))
            case GroupOf() if (group := self.w.group(domain, self.env)) is not None:
                self._words(Mask(group), item_of(domain.type))
            case Apply(op="kinds_in", arguments=(pieces,)):
                self.value(self.w.value(pieces, self.env))
            case Fold(word="list", body=element) if not self.back and element is not None:
                self._listed(domain, element)
            case Call() if self.w.inlines(domain) or self._tells(domain):
                definition = self.w.program.definitions[domain.definition]
                given = self.w.given(domain, self.env)
                with self.w.unfolding(when=not self.w.inlines(domain)):
                    _Iteration(self.w, given, self.body, self.back, self.release).go(definition.body)
            case If():
                self._branches(domain)
            case _:
                self.value(self.w.value(domain, self.env))

    def _listed(self, domain: Fold, element: Expr) -> None:
        """What ``list(element for ...)`` holds, without making the list."""
        if not self._stretch(domain, element):
            item = item_of(domain.type)

            def pass_on(found: Env) -> None:
                self.body(self.w.fit(self.w.value(element, found), item))

            self.w.run(domain.binds, self.env, pass_on, release=self.release)

    def _branches(self, domain: If) -> None:
        condition = self.w.flag(domain.condition, self.env)
        if condition.is_const:
            branch = domain.then if condition.value else domain.otherwise
            if isinstance(domain.type, ty.OptionalType):  # the branch may be a value that is never none
                self.value(self.w.fitted(branch, domain.type, self.env))
            else:
                self.go(branch)
        elif self._tells(domain) or (isinstance(domain.type, ty.ListType) and not self.w.split):
            self._either(condition, domain)
        else:
            self.value(self.w.value(domain, self.env))

    def _stretch(self, domain: Fold, element: Expr) -> bool:
        """``list(e for n in 1..count(...) + 1, e in ray(c, d)[n])`` by the bits of its cells, if it is that."""
        binds = domain.binds
        if binds.stop_at_first_failure or not on("rays") or self.w.faults.may(domain):
            return False
        used = [*conjuncts(binds.condition), element]
        found = self.b.attempt(lambda: led.stretch(self.w, binds.binds, used, self.env))
        if found is None:
            return False
        cells = led.stretched(self.w, *found)
        self.w.registry.done["rays"].append((self.w.where.rule, domain.span))
        bind, item = binds.binds[1], item_of(domain.type)

        def each(cell: Val) -> None:
            inner = {**self.env, bind.slot: self.w.fix(self.w.fit(cell, bind.type))}
            with self.b.block() as skip:
                for test in used[:-1]:
                    self.w.unless(test, inner, skip)
                self.body(self.w.fit(self.w.value(element, inner), item))

        iterate_ray(self.w, cells, found[0].rises, bind.type, each, release=self.release)
        return True

    def where(self, bind: Bind, column: ColumnOf, wanted: Expr) -> None:
        cells = self.w.program.tables[column.table].cells[column.column]
        rows: dict[int, list[int]] = {}
        for row, cell in enumerate(cells):
            rows.setdefault(int(cell), []).append(row)
        value = self.b.fix(self.w.scalar(wanted, self.env))
        if value.is_const:
            found = rows.get(value.value, [])
            if not found or self._unrolled(found, bind.type):
                return
        low, high = registry.bounds(wanted.type)
        table = self.w.memory.constant([self._row_list(rows.get(v, [])) for v in range(low, high + 1)])
        listed = ir.load((value - low) * WORD, table)
        self.most = max(map(len, rows.values()), default=0)
        self._row(Ray(self.b.fix(listed), 2), bind.type)

    def _row_list(self, rows: Sequence[int]) -> int:
        """The address of the number of some rows and the rows, two bytes each."""
        return self.w.memory.constant_bytes(struct.pack(f"<{1 + len(rows)}H", len(rows), *rows), 2)

    # -- lists whose members may fault, so that none may be worked out before its turn

    def _tells(self, domain: Expr) -> bool:
        """Whether it can be told if members of a list are worked out that nobody looks at."""
        return self.w.faults.comes_singly(domain) and self.w.faults.may(domain)

    def _one_by_one(self, parts: Sequence[Expr], item: ty.Type) -> None:
        """The members of a list that is written out: the body once, and before it a way to each member."""
        b = self.b
        locals_ = self.w.locals_for(item)
        with b.counting(ir.const(len(parts))) as i, self._releasing():
            for number, part in enumerate(parts):
                with b.if_(ir.eq(i, number)):
                    self.w.set_all(locals_, self.w.fitted(part, item, self.env))
            self._pass(self.w.fix(self.w.of_locals(item, locals_)))

    def _either(self, condition: E, domain: If) -> None:
        """One of two lists: the body for each of them. It does not count as unrolled."""
        item = item_of(domain.type)
        branches = []
        outer, self.w.split = self.w.split, True
        for branch in (domain.then, domain.otherwise):
            with self.b.aside() as code, self.w.unfolding():
                body = lambda found: self._pass(self.w.fit(found, item))  # noqa: E731
                _Iteration(self.w, self.env, body, self.back, self.release).go(branch)
            branches.append(code)
        self.w.split = outer
        self.b.either(self.b.fix(condition), *branches)

    # -- one pass

    def _pass(self, item: Val, copies: int = 1) -> None:
        outer = self.w.copies
        self.w.copies *= copies
        with self.b.block():
            self.body(item)
        self.w.copies = outer

    @contextmanager
    def _releasing(self) -> Iterator[None]:
        """A pass whose room in the arena is given back at its end, if it takes any."""
        if not self.release:
            yield
            return
        with self.w.releasing():
            yield

    @contextmanager
    def _stepping(self, most: int | E | None, empty: E, start: E, step: int, more: Callable[[E], E]) -> Iterator[E]:
        """A loop of such passes, unless it is empty, with a number that goes on by ``step`` while there is more."""
        i = self.b.let(start)
        with self.b.block() as done:
            self.b.br_if(done, empty)
            with self.b.loop(most) as again:
                with self._releasing():
                    yield self.b.get(i)
                self.b.add(i, step)
                self.b.br_if(again, more(self.b.get(i)))

    def _unrolled(self, members: Sequence[int], item: ty.Type) -> bool:
        if len(members) > 1 and (len(members) > FEW or self.w.copies * len(members) > COPIES):
            return False
        for member in reversed(members) if self.back else members:
            self._pass(registry.scalar(item, ir.const(member)), len(members))
        return True

    # -- shapes of runs

    def numbers(self, low: E, high: E, item: ty.Type) -> None:
        """From ``low`` to ``high``, both of them fixed."""
        start, end, step = (high, low, -1) if self.back else (low, high, 1)
        most: int | E | None = self.most
        if low.is_const and high.is_const:
            most = high.value - low.value + 1
        elif most is None and _reach(item) < _FAR:
            most = high - low + 1
        with self._stepping(
            most,
            start < end if self.back else start > end,
            start,
            step,
            lambda i: ir.not_(i < end if self.back else i > end),
        ) as i:
            self._pass(registry.scalar(item, self.b.fix(i)))

    def _others(self, op: str, of: Expr) -> None:
        item = of.type
        low, high = registry.bounds(item)
        first = self.b.fix(self.w.scalar(of, self.env))
        if isinstance(item, ty.MemberType) and item.domain.ring:
            size = high + 1
            self._round(first, 1, size, 1 if op == "ahead" else -1, size, item)
        elif op == "ahead":
            self.numbers(self.b.fix(first + 1), ir.const(high), item)
        else:
            _Iteration(self.w, self.env, self.body, not self.back, self.release).numbers(
                ir.const(low), self.b.fix(first - 1), item
            )

    def _round(self, first: E, start: int, stop: int, way: int, size: int, item: ty.Type) -> None:
        """The members ``start`` to before ``stop`` steps from ``first`` on, going round a ring."""
        if stop <= start:
            return
        steps, last, step = (stop - 1, start, -1) if self.back else (start, stop - 1, 1)
        more = lambda i: i <= last if step > 0 else i >= last  # noqa: E731
        with self._stepping(stop - start, ir.ZERO, ir.const(steps), step, more) as i:
            at = self.b.fix(first + i if way > 0 else first - i)
            if way > 0:
                wrapped = ir.select(at >= size, at - size, at)
            else:
                wrapped = ir.select(at < 0, at + size, at)
            self._pass(registry.scalar(item, self.b.fix(wrapped)))

    def _row(self, row: Ray, item: ty.Type) -> None:
        """The numbers in a row of a table."""
        number = self.b.fix(row.length)
        start, step = (number, -1) if self.back else (ir.ONE, 1)
        more = lambda i: i > 0 if self.back else i <= number  # noqa: E731
        with self._stepping(self.most, ir.not_(number), start, step, more) as i:
            self._pass(registry.scalar(item, self.b.fix(row.cell(i))))

    def value(self, value: Val) -> None:
        """The members of a value in its order."""
        match value.type:
            case ty.NothingType() | ty.ListType(ty.NeverType()) | ty.SetType(ty.NeverType()):
                return
            case ty.OptionalType():
                value = self.w.fix(value)
                with self.b.if_(registry.is_some(value)):
                    self._pass(registry.held(value))
            case ty.SetType(item) if mask_size(value.type) is not None:
                self._mask(value.one, item)
            case ty.ListType(item) | ty.SetType(item):
                self._rows(value.one, item)
            case ty.PiecesType(kind):
                self._kinds(value.one, kind)
            case _:
                raise NotLowered(f"going through {ty.describe(value.type)}")

    def _words(self, mask: Mask, item: ty.Type) -> None:
        if len(mask.words) == 1:
            self._mask(mask.words[0], item)
            return
        # The body is written once: around it goes a loop through the words.
        number = len(mask.words)
        i = self.b.let(ir.const(number - 1 if self.back else 0))
        with self.b.loop(number) as again:
            word = self.b.fix(bits.word_at(mask, self.b.get(i)))
            self._mask(word, item, self.b.get(i) * bits.WORD_BITS)
            self.b.add(i, -1 if self.back else 1)
            past = self.b.get(i) >= 0 if self.back else self.b.get(i) < number
            self.b.br_if(again, past)

    def _either_way(self, mask: Mask, rises: E, item: ty.Type) -> None:
        """The members of a mask from one end or the other."""
        b = self.b
        rest = bits.MaskVariable(b, mask)
        now = rest.now
        with b.block() as done:
            b.br_if(done, bits.is_empty(now))
            with b.loop(bits.WORD_BITS * len(mask.words)) as again:
                with self._releasing():
                    lowest, highest = bits.lowest(b, now, ir.ZERO), bits.highest(b, now, ir.ZERO)
                    place = b.fix(ir.select(rises, lowest, highest))
                    rest.set(now ^ bits.single(b, place, len(mask.words)))
                    member = place + first_value(item)
                    self._pass(registry.scalar(item, b.fix(member)))
                b.br_if(again, bits.is_some(now))

    def _mask(self, mask: E, item: ty.Type, start: E = ir.ZERO) -> None:
        """``start``: what the number of a bit is counted from."""
        rest = self.b.let(mask)
        now = self.b.get(rest)
        low = ir.const(first_value(item))
        with self.b.block() as done:
            self.b.br_if(done, ir.not_(now))
            with self.b.loop(bits.WORD_BITS) as again:
                with self._releasing():
                    if self.back:
                        place = self.b.fix(63 - ir.unary("i64.clz", now))
                        single = 1 << place
                        self.b.set(rest, now ^ single)
                    else:
                        place = self.b.fix(ir.unary("i64.ctz", now))
                        self.b.set(rest, now & (now - 1))
                    member = ir.narrow(place) + low + start
                    self._pass(registry.scalar(item, self.b.fix(member)))
                self.b.br_if(again, ir.binary("ne", now, 0))

    def _rows(self, address: E, item: ty.Type) -> None:
        address = self.b.fix(address)
        size = WORD * words(item)
        number = self.b.fix(ir.load(address) * size)
        end = self.b.fix(address + number + WORD)
        most = self.most if self.most is not None else ir.load(address)
        start, step = (address + number + (WORD - size), -size) if self.back else (address + WORD, size)
        more = lambda at: ir.binary("gt_u", at, address) if self.back else ir.binary("lt_u", at, end)  # noqa: E731
        with self._stepping(most, ir.not_(number), start, step, more) as at:
            here = self.b.fix(at)
            self._pass(self.w.fix(registry.load_value(here, item)))

    def _kinds(self, address: E, kind: ty.MemberType | ty.NumberType) -> None:
        address = self.b.fix(address)
        every = ty.kinds(kind)
        outer = self.body

        def present(item: Val) -> None:
            place = (item.one - every.start) * WORD + address
            with self.b.block() as skip:
                self.b.br_if(skip, ir.not_(ir.load(place)))
                outer(item)

        if len(every):
            _Iteration(self.w, self.env, present, self.back, self.release).numbers(
                ir.const(every.start), ir.const(every.stop - 1), kind
            )


# The cells from a cell in a direction, from a table that is worked out beforehand.


BYTES = 256
"""Cells up to which the number of a cell is a byte of the table; beyond it is two."""


@frozen
class Ray:
    """A row of the table: how many cells there are, then the number of each, in ``size`` bytes."""

    address: E
    size: int

    @property
    def length(self) -> E:
        return self._at(self.address)

    def cell(self, place: E) -> E:
        """The number of the cell at a place, counted from 1."""
        return self._at(self.address + place * self.size)

    def _at(self, address: E) -> E:
        return ir.load(address, 0, width="8_u" if self.size == 1 else "16_u")


def ray_of(writer: Emitter, cell: Expr, direction: Expr, env: Env) -> Ray:
    """The row of a cell and a direction."""
    assert isinstance(cell.type, ty.MemberType)
    grid = writer.program.grids[cell.type.domain.name]
    size = 1 if len(grid.domain) <= BYTES else 2
    memory = writer.memory
    c, d = writer.scalar(cell, env), writer.scalar(direction, env)
    ways = len(grid.directions)

    def row(cell_: int, way: int) -> int:
        cells = grid.ray(cell_, way)
        return memory.constant_bytes(struct.pack(f"<{1 + len(cells)}{'BH'[size - 1]}", len(cells), *cells), size)

    if c.is_const and d.is_const:
        return Ray(ir.const(row(c.value, d.value)), size)
    if d.is_const:
        rows, index = [row(cell_, d.value) for cell_ in range(len(grid.domain))], c
    else:
        rows = [row(cell_, way) for cell_ in range(len(grid.domain)) for way in range(ways)]
        index = c * ways + d
    return Ray(writer.b.fix(ir.load(index * WORD, memory.constant(rows))), size)
