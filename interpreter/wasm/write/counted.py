"""Options that chance takes without a list of them: they are counted, and only the one that is taken is made.

A binder can be counted when its values are a mask, a whole domain, or bundles of pieces; several of them when none
depends on another. The options come in the order in which they would have been listed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from rulelang.program import Apply, Bind, Binds, Expr
from rulelang.program.analysis.names import conjuncts, free_slots
from rulelang.types import NumberType, PiecesType, kinds

from ..emit import values
from ..emit.known import item_of
from ..emit.values import Val
from ..expr.sequences import size_of_domain
from ..layout.shapes import WORD
from ..masks import bits, masks
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E
from .emitter import RuleEmitter

MOST_OF_BUNDLE = 255
"""Pieces of a bundle up to which bundles are counted; the table for it grows with their number."""


class Counted(ABC):
    """The values of one binder. ``count``, once, comes before ``value``, which makes the one with a number from 0."""

    def __init__(self, writer: RuleEmitter, bind: Bind) -> None:
        self.writer, self.bind = writer, bind

    @abstractmethod
    def count(self) -> E:
        """Works out how many there are."""

    @abstractmethod
    def value(self, number: E) -> Val:
        """One of them."""


class _Bits(Counted):
    """Members that pass tests, as a mask."""

    def __init__(self, writer: RuleEmitter, bind: Bind, tests: Sequence[Expr]) -> None:
        super().__init__(writer, bind)
        self._rest: list[int] = []
        binds = Binds((bind,), None, span=bind.span)
        with writer.elsewhere(), writer.b.aside() as self._code:
            self._mask = masks.all_masked(writer, binds, tests, writer.env)

    @property
    def can_be_said(self) -> bool:
        """Whether masks can say the tests."""
        return self._mask is not None

    def count(self) -> E:
        assert self._mask is not None
        b = self.writer.b
        b.out.extend(self._code)
        self._rest = [b.local("i64") for _ in self._mask.words]
        for local, word in zip(self._rest, self._mask.words, strict=True):
            b.set(local, word)
        return bits.count(self._mask)

    def value(self, number: E) -> Val:
        b = self.writer.b
        member = bits.chosen(b, Mask(tuple(b.get(local) for local in self._rest)), number)
        return values.scalar(self.bind.type, member)


class _Whole(Counted):
    """All members of a domain, or all numbers of a range."""

    def __init__(self, writer: RuleEmitter, bind: Bind, domain: Apply) -> None:
        super().__init__(writer, bind)
        self._domain = domain
        self._first = writer.b.local()

    def count(self) -> E:
        writer, domain = self.writer, self._domain
        if domain.op == "range":
            writer.b.set(self._first, writer.scalar(domain.arguments[0], writer.env))
        else:
            writer.b.set(self._first, ir.const(values.bounds(item_of(domain.type))[0]))
        size = size_of_domain(writer, domain, writer.env)
        assert size is not None
        return size

    def value(self, number: E) -> Val:
        item = values.scalar(item_of(self._domain.type), ir.add(self.writer.b.get(self._first), number))
        return self.writer.fit(item, self.bind.type)


class _Bundles(Counted):
    """All ways to take a number of pieces."""

    def __init__(self, writer: RuleEmitter, bind: Bind, domain: Apply) -> None:
        super().__init__(writer, bind)
        self._held, self._number = domain.arguments
        assert isinstance(bind.type, PiecesType)
        self._kinds = ir.const(len(kinds(bind.type.kind)))
        self._table = writer.b.local()

    def count(self) -> E:
        writer = self.writer
        held = writer.b.fix(writer.fitted(self._held, self.bind.type, writer.env).one)
        number = writer.b.fix(writer.scalar(self._number, writer.env))
        most = ir.const(writer.memory.limits.options + 1)
        writer.b.set(self._table, ir.call("bundle_table", (held, self._kinds, number, most)))
        return ir.load(writer.b.get(self._table), 3 * WORD)

    def value(self, number: E) -> Val:
        return Val(
            self.bind.type, (self.writer.runtime("bundle_at", self.writer.b.get(self._table), self._kinds, number),)
        )


def counted(writer: RuleEmitter, binds: Binds) -> Product | None:
    """The combinations of binders, when they can be counted; writes nothing."""
    if binds.stop_at_first_failure or writer.faults.may(binds):
        return None
    slots = {bind.slot for bind in binds.binds}
    tests: dict[int, list[Expr]] = {bind.slot: [] for bind in binds.binds}
    before: list[Expr] = []
    for test in conjuncts(binds.condition):
        used = free_slots(test) & slots
        if len(used) > 1:
            return None
        (tests[next(iter(used))] if used else before).append(test)
    found = []
    for bind in binds.binds:
        form = None if free_slots(bind.domain) & slots else _form(writer, bind, tests[bind.slot])
        if form is None:
            return None
        found.append(form)
    return Product(writer, found, before)


def _form(writer: RuleEmitter, bind: Bind, tests: Sequence[Expr]) -> Counted | None:
    if isinstance(bind.domain.type, PiecesType):
        form = _Bits(writer, bind, tests)
        return form if form.can_be_said else None
    match bind.domain:
        case Apply(op="members") if tests:
            form = _Bits(writer, bind, tests)
            return form if form.can_be_said else None
        case Apply(op="members" | "range") if not tests:
            return _Whole(writer, bind, bind.domain)
        case Apply(op="bundles", arguments=(held, number)) if not tests and held.type == bind.type:
            limits = writer.memory.limits
            if limits.members < limits.options:  # as a list, they would be too many
                return None
            if isinstance(number.type, NumberType) and 0 <= number.type.low <= number.type.high <= MOST_OF_BUNDLE:
                return _Bundles(writer, bind, bind.domain)
    return None


class Product:
    """Combinations of values that do not depend on each other, if what is tested ``before`` holds."""

    def __init__(self, writer: RuleEmitter, parts: Sequence[Counted], before: Sequence[Expr]) -> None:
        self._writer, self._parts, self._before = writer, parts, before
        self._sizes = [writer.b.local() for _ in parts]

    def count(self) -> E:
        """Works out how many combinations there are; one more than are allowed stands for any number of them."""
        writer, b = self._writer, self._writer.b
        for size, part in zip(self._sizes, self._parts, strict=True):
            b.set(size, part.count())
        most = ir.const(writer.memory.limits.options + 1)
        total = b.get(self._sizes[0])
        for size in self._sizes[1:]:
            wide = [ir.unary("i64.extend_i32_u", number, "i64") for number in (total, b.get(size))]
            product = b.fix(ir.binary("mul", *wide))
            less = ir.binary("lt_u", product, ir.unary("i64.extend_i32_u", most, "i64"))
            total = b.fix(ir.select(less, ir.unary("i32.wrap_i64", product, "i32"), most))
        for test in self._before:
            total = ir.select(writer.flag(test, writer.env), total, ir.ZERO)
        return total

    def take(self, number: E) -> None:
        """Puts the values of a combination, by its number, into their slots."""
        writer, b = self._writer, self._writer.b
        chosen: list[tuple[Counted, E]] = []
        for size, part in zip(reversed(self._sizes[1:]), reversed(self._parts[1:]), strict=True):
            number = b.fix(number)
            chosen.append((part, b.fix(E("i32.rem_u", "i32", (number, b.get(size))))))
            number = E("i32.div_u", "i32", (number, b.get(size)))
        chosen.append((self._parts[0], b.fix(number)))
        for part, at in chosen:
            writer.set_all(writer.slot(part.bind.slot, part.bind.type), part.value(at))
