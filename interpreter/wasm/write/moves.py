"""Code for moves of pieces between places."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.structural import Structural, frozen
from rulelang.types import REACH, ListType, MemberType, NumberType, PiecesType, kinds

from ...lowered import code
from ..emit import registry
from ..emit.registry import Val
from ..layout.shapes import WORD, Location, NotLowered, none_of
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter, dirty, follow, grids_changed
from .options import outcome

SPOT = 4
"""Words of a piece that lies in a grid."""


@frozen
class Pieces(Structural):
    """The pieces a move takes: ``number`` pieces of ``kind``, or counts by kind, or a list of kinds, by address."""

    element: MemberType | NumberType
    kind: E | None = None
    number: E | None = None
    counts: E | None = None
    listed: E | None = None


def move(writer: RuleEmitter, s: code.MovePieces) -> None:
    b = writer.b
    source, target = writer.memory.cells[s.source.variable], writer.memory.cells[s.target.variable]
    element = source.variable.element
    assert element is not None
    env = writer.env
    amount = kind = None
    if s.amount is not None:
        if s.what == "pieces":
            amount = writer.fix(writer.fitted(s.amount, PiecesType(element), env)).one
        else:
            amount = b.fix(writer.scalar(s.amount, env))
    if s.kind is not None:
        kind = b.fix(writer.scalar(s.kind, env))
    from_ = b.fix(writer.address(source, s.source.indices, env))
    to = b.fix(writer.address(target, s.target.indices, env))
    laid = None
    if s.square is not None and s.turn is not None:
        square = writer.fix(writer.value(s.square, env))
        laid = (*square.parts[:2], b.fix(writer.scalar(s.turn, env)))
    if s.what in ("number", "number of", "at") and amount is not None and s.amount is not None:
        low, _ = registry.bounds(s.amount.type)
        if low < 0:
            with b.if_(amount < 0):
                writer.fault("negative", amount)
    move = _Move(writer, s, source, from_, element, amount, kind)
    pieces = move.take()
    if writer.recording is not None and s.up_to and (s.what == "at" or amount is not None):
        _count_if_short(writer, s, amount, pieces)
    if laid is None:
        add(writer, target, to, pieces)
    else:
        _lay(writer, target, to, pieces, laid)


def _count_if_short(writer: RuleEmitter, s: code.MovePieces, amount: E | None, pieces: Pieces) -> None:
    """Counts a move that takes fewer pieces than it would if they were there."""
    assert writer.recording is not None
    asked = ir.ONE
    if s.what == "pieces" and amount is not None:
        asked = writer.runtime("sum_words", amount, ir.const(len(kinds(pieces.element))))
    elif s.what != "at" and amount is not None:
        asked = amount
    writer.recording.cut_short(writer, s.source.variable, asked, _total(writer, pieces))


@frozen
class _Move(Structural):
    writer: RuleEmitter
    s: code.MovePieces
    source: Location
    at: E
    element: MemberType | NumberType
    amount: E | None
    kind: E | None

    def take(self) -> Pieces:
        if self.source.variable.kind in ("pool", "bag"):
            return self._from_counts()
        if self.source.variable.kind == "slot":
            return self._from_slot()
        return self._from_rows()

    def _enough(self, asked: E, there: E, kind: E | None = None) -> E:
        """How many to take; fewer than asked only when the move says ``up to``. Both are fixed."""
        b = self.writer.b
        if self.s.up_to:
            return b.fix(ir.least(asked, there))
        with b.if_(asked > there):
            named = ir.const(-1) if kind is None else kind
            self._short(there, asked, named, kind is not None)
        return asked

    def _short(self, there: E, asked: E, kind: E, named: bool) -> None:
        self.writer.fault("short", there, asked, kind, place=self.source.variable.name, named=named)

    def _kind_at(self, kind: E) -> tuple[E, E]:
        """The address of the count of a kind, and whether there is such a kind."""
        every = kinds(self.element)
        assert self.s.kind is not None
        place = self.writer.b.fix(kind - every.start)
        low, high = registry.bounds(self.s.kind.type)
        known = ir.ONE
        if not (every.start <= low and high < every.stop):
            known = self.writer.b.fix(ir.binary("lt_u", place, len(every)))
        return self.writer.b.fix(place * WORD + self.at), known

    def _from_counts(self) -> Pieces:
        writer, b, what = self.writer, self.writer.b, self.s.what
        every = kinds(self.element)
        size = ir.const(len(every))
        if what == "number":
            assert self.amount is not None
            return self._drawn(every) if self.source.variable.kind == "bag" else self._any_kind(every)
        if what in ("number of", "all of"):
            assert self.kind is not None
            at, known = self._kind_at(self.kind)
            there = b.fix(ir.if_else(known, ir.load(at), ir.ZERO))
            number = there
            if what == "number of":
                assert self.amount is not None
                number = self._enough(self.amount, there, self.kind)
            with b.if_(known):
                b.store(at, there - number)
            dirty(writer, self.source, number > 0)
            return Pieces(self.element, kind=self.kind, number=number)
        if what == "all":
            counts = writer.runtime("copy_words", self.at, size)
            b.fill(self.at, ir.const(WORD * len(every)))
            if writer.program.watchers:
                dirty(writer, self.source, writer.runtime("sum_words", counts, size))
            return Pieces(self.element, counts=counts)
        assert what == "pieces" and self.amount is not None
        counts = writer.runtime("copy_words", self.amount, size)
        with b.counting(ir.const(WORD * len(every)), WORD) as i:
            here, wanted = i + self.at, i + counts
            there, asked = b.fix(ir.load(here)), b.fix(ir.load(wanted))
            kind = b.fix((i >> 2) + every.start)
            number = self._enough(asked, there, kind)
            b.store(i + counts, number)
            b.store(i + self.at, there - number)
        if writer.program.watchers:
            dirty(writer, self.source, writer.runtime("sum_words", counts, size))
        return Pieces(self.element, counts=counts)

    def _any_kind(self, every: range) -> Pieces:
        """Pieces of the only kind that a pool holds."""
        writer, b = self.writer, self.writer.b
        assert self.amount is not None
        total = writer.runtime("sum_words", self.at, ir.const(len(every)))
        number = self._enough(self.amount, total)
        kind, present, i = b.let(ir.ZERO), b.let(ir.ZERO), b.let(ir.ZERO)
        with b.loop(len(every)) as again:
            with b.if_(ir.load(b.get(i) * WORD + self.at)):
                b.set(kind, b.get(i))
                b.add(present, 1)
            b.add(i, 1)
            b.br_if(again, b.get(i) < len(every))
        with b.if_(number):
            with b.if_(ir.ne(b.get(present), 1)):
                writer.fault("kinds")
            at = b.fix(b.get(kind) * WORD + self.at)
            b.store(at, ir.load(at) - number)
        dirty(writer, self.source, number > 0)
        return Pieces(self.element, kind=b.fix(b.get(kind) + every.start), number=number)

    def _drawn(self, every: range) -> Pieces:
        """Pieces from a bag, one by one."""
        writer, b = self.writer, self.writer.b
        assert self.amount is not None
        size = ir.const(len(every))
        total = writer.runtime("sum_words", self.at, size)
        number = self._enough(self.amount, total)
        dirty(writer, self.source, number > 0)

        def draw() -> E:
            by_chance = ir.call("drawn", (self.at, size))
            place = outcome(writer, by_chance, self.at, element=self.element)
            at = b.fix(place * WORD + self.at)
            b.store(at, ir.load(at) - 1)
            return place + every.start

        if self.amount.is_const and self.amount.value == 1:
            kind = b.let(ir.const(every.start))
            with b.if_(number):
                b.set(kind, draw())
            return Pieces(self.element, kind=b.fix(b.get(kind)), number=number)

        def all_of_them(push: Callable[[Val], None]) -> None:
            left = b.let(number)
            with b.until(ir.not_(b.get(left))):
                push(Val(self.element, (draw(),)))
                b.add(left, -1)

        return Pieces(self.element, listed=writer.listed(ListType(self.element), all_of_them))

    def _from_slot(self) -> Pieces:
        writer, b, what = self.writer, self.writer.b, self.s.what
        none = ir.const(none_of(self.element))
        held = b.fix(ir.load(self.at))
        there = b.fix(ir.ne(held, none))
        if what in ("all of", "number of"):
            assert self.kind is not None
            there = b.fix(ir.both(there, ir.eq(held, self.kind)))
        number = there
        if what in ("number", "number of"):
            assert self.amount is not None
            number = self._enough(self.amount, there, self.kind)
        elif what == "at":
            assert self.amount is not None
            number = b.fix(ir.both(there, ir.eq(self.amount, 1)))
            if not self.s.up_to:
                with b.if_(ir.not_(number)):
                    writer.fault("position", there, self.amount, place=self.source.variable.name)
        elif what == "pieces":
            assert self.amount is not None
            size = ir.const(len(kinds(self.element)))
            asked = writer.runtime("sum_words", self.amount, size)
            place = (held - kinds(self.element).start) * WORD
            of_it = b.fix(ir.if_else(there, ir.load(place + self.amount), ir.ZERO))
            if not self.s.up_to:
                with b.if_(ir.either(of_it > 1, ir.ne(asked, of_it))):
                    self._short(there, asked, ir.const(-1), False)
            number = b.fix(of_it > 0)
        with b.if_(number):
            b.store(self.at, none)
            follow(writer, self.source, self.at, held, none)
        dirty(writer, self.source, number)
        return Pieces(self.element, kind=held, number=number)

    def _from_rows(self) -> Pieces:
        """From a stack, or from a grid, whose last piece is the open end."""
        writer, b, what = self.writer, self.writer.b, self.s.what
        row = SPOT if self.source.variable.kind == "grid" else 1
        size = ir.const(row)
        length = b.fix(ir.load(self.at))
        amount = self.amount
        if row == 1 and what == "number" and amount is not None and amount.is_const and amount.value == 1:
            number = self._enough(amount, length)
            kind = b.fix(ir.load(length * WORD + self.at))
            b.store(self.at, length - number)
            dirty(writer, self.source, number)
            return Pieces(self.element, kind=kind, number=number)
        if row == 1 and what in ("number", "all"):
            assert what == "all" or self.amount is not None
            number = length if self.amount is None else self._enough(self.amount, length)
            left = b.fix(length - number)
            listed = b.fix(ir.call("alloc", ((number + 1) * WORD,)))
            b.store(listed, number)
            first = left * WORD + self.at + WORD
            b.copy(listed + WORD, first, number * WORD)
            b.store(self.at, left)
            dirty(writer, self.source, number)
            return Pieces(self.element, listed=listed)
        marks = b.fix(ir.call("zeroes", ((length >> 2) + 1,)))
        self._mark(marks, length, size)
        taken = writer.runtime("taken", self.at, size, marks)
        if row == SPOT:
            grids_changed(writer)
        dirty(writer, self.source, ir.load(taken))
        return Pieces(self.element, listed=taken)

    def _mark(self, marks: E, length: E, size: E) -> None:
        """Marks the rows that move."""
        writer, b, what = self.writer, self.writer.b, self.s.what
        if what == "all":
            b.call("mark_last", (self.at, marks, length))
        elif what == "number":
            assert self.amount is not None
            b.call("mark_last", (self.at, marks, self._enough(self.amount, length)))
        elif what == "at":
            assert self.amount is not None
            inside = ir.binary("lt_u", self.amount - 1, length)
            if not self.s.up_to:
                with b.if_(ir.not_(inside)):
                    writer.fault("position", length, self.amount, place=self.source.variable.name)
            with b.if_(inside):
                b.store(self.amount - 1 + marks, ir.ONE, 0, "8")
        elif what in ("all of", "number of"):
            assert self.kind is not None
            asked = ir.const(2**31 - 1) if self.amount is None else self.amount
            there = b.fix(ir.call("mark_kind", (self.at, size, marks, self.kind, asked)))
            if what == "number of":
                self._enough(asked, there, self.kind)
        else:
            assert what == "pieces" and self.amount is not None
            every = kinds(self.element)
            with b.counting(ir.const(len(every))) as i:
                asked = b.fix(ir.load(i * WORD + self.amount))
                kind = b.fix(i + every.start)
                there = b.fix(ir.call("mark_kind", (self.at, size, marks, kind, asked)))
                self._enough(asked, there, kind)


def add(writer: RuleEmitter, target: Location, to: E, pieces: Pieces) -> None:
    """Lays pieces into a place, on the open end of a stack. ``to`` is fixed."""
    match target.variable.kind:
        case "slot":
            _into_slot(writer, target, to, pieces)
        case "stack":
            _onto_stack(writer, target, to, pieces)
        case "grid":
            raise NotLowered("pieces in a grid without a square")
        case _:
            _into_pool(writer, target, to, pieces)


def _into_slot(writer: RuleEmitter, target: Location, to: E, pieces: Pieces) -> None:
    b = writer.b
    number, kind = _single(writer, pieces)
    with b.if_(number):
        none = ir.const(none_of(pieces.element))
        with b.if_(ir.either(number > 1, ir.ne(ir.load(to), none))):
            writer.fault("full", number, to, cell=target.variable.name, capacity=1)
        b.store(to, kind)
        follow(writer, target, to, none, kind)


def _onto_stack(writer: RuleEmitter, target: Location, to: E, pieces: Pieces) -> None:
    b, every, room = writer.b, kinds(pieces.element), target.room
    assert room is not None
    total = _total(writer, pieces)
    length = b.fix(ir.load(to))
    with b.if_(ir.both(length + total > room, total > 0)):
        problem = "full" if target.variable.capacity is not None else "no room"
        writer.fault(problem, total, to, cell=target.variable.name, capacity=room)
    end = b.fix(length * WORD + to + WORD)
    if pieces.listed is not None:
        b.copy(end, pieces.listed + WORD, total * WORD)
    elif pieces.counts is not None:
        b.call("spread_to", (pieces.counts, ir.const(len(every)), ir.const(every.start), end))
    else:
        assert pieces.kind is not None
        kind = pieces.kind
        _times(writer, total, lambda i: b.store(i * WORD + end, kind))
    b.store(to, length + total)


def _into_pool(writer: RuleEmitter, target: Location, to: E, pieces: Pieces) -> None:
    b, every, capacity = writer.b, kinds(pieces.element), target.variable.capacity
    total = _total(writer, pieces)
    if capacity is not None:
        now = writer.runtime("sum_words", to, ir.const(len(every)))
        with b.if_(ir.both(now + total > capacity, total > 0)):
            writer.fault("full", total, to, cell=target.variable.name, capacity=capacity)

    def more_of(kind: E, number: E) -> None:
        place = b.fix((kind - every.start) * WORD + to)
        b.store(place, ir.load(place) + number)

    if pieces.counts is not None:
        counts = pieces.counts
        if len(every) <= 8:
            for i in range(len(every)):
                b.store(to, ir.load(to, WORD * i) + ir.load(counts, WORD * i), WORD * i)
        else:
            b.call("add_to", (to, counts, ir.const(len(every))))
    elif pieces.listed is not None:
        listed = pieces.listed
        _times(writer, total, lambda i: more_of(ir.load(i * WORD + listed, WORD), ir.ONE))
    else:
        assert pieces.kind is not None
        with b.if_(total):
            more_of(pieces.kind, total)


def _times(writer: RuleEmitter, number: E, write_: Callable[[E], None]) -> None:
    b = writer.b
    i = b.let(ir.ZERO)
    number = b.fix(number)
    with b.until(b.get(i) >= number):
        write_(b.fix(b.get(i)))
        b.add(i, 1)


def _total(writer: RuleEmitter, pieces: Pieces) -> E:
    if pieces.number is not None:
        return pieces.number
    if pieces.listed is not None:
        return writer.b.fix(ir.load(pieces.listed))
    assert pieces.counts is not None
    return writer.runtime("sum_words", pieces.counts, ir.const(len(kinds(pieces.element))))


def _single(writer: RuleEmitter, pieces: Pieces) -> tuple[E, E]:
    """The number of pieces, and the kind of the first."""
    b = writer.b
    number = _total(writer, pieces)
    if pieces.kind is not None:
        return number, pieces.kind
    if pieces.listed is not None:
        return number, b.fix(ir.load(pieces.listed, WORD))
    assert pieces.counts is not None
    every = kinds(pieces.element)
    listed = writer.runtime("spread", pieces.counts, ir.const(len(every)), ir.const(every.start))
    return number, b.fix(ir.load(listed, WORD))


def _lay(writer: RuleEmitter, target: Location, to: E, pieces: Pieces, laid: tuple[E, ...]) -> None:
    """Lays one piece on a square of a grid."""
    b = writer.b
    x, y, turn = laid
    number, kind = _single(writer, pieces)
    name = target.variable.name
    with b.if_(number):
        with b.if_(number > 1):
            writer.fault("one_square", number)
        length = b.fix(ir.load(to))
        assert target.room is not None
        with b.if_(length >= target.room):
            writer.fault("full", ir.ONE, to, cell=name, capacity=target.room)
        far = ir.binary("gt_u", x + REACH, 2 * REACH)
        far_y = ir.binary("gt_u", y + REACH, 2 * REACH)
        with b.if_(ir.either(far, far_y)):
            writer.fault("reach", x, y, place=name)
        with b.if_(ir.call("beside", (to, x, y))):
            writer.fault("taken", x, y, place=name)
        with b.if_(ir.binary("gt_u", turn, 3)):
            writer.fault("turn", turn)
        at = b.fix(length * (WORD * SPOT) + to)
        for i, part in enumerate((kind, x, y, turn)):
            b.store(at, part, WORD * (1 + i))
        b.store(to, length + 1)
        grids_changed(writer)
