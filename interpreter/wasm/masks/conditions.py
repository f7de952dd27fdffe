"""Masks of conditions on a bound member: a bit for each member for which the condition holds."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs

from rulelang.program import Apply, Bind, Call, ColumnOf, Const, Expr, Fold, GroupOf, If, Local, Read
from rulelang.program.walk import conjuncts, free_slots
from rulelang.types import FlagType, MemberType, NothingType, NumberType, OptionalType, PiecesType, SetType, Type

from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env
from ..layout.shapes import MOST_MEMBERS, NONE_LOW, is_scalar, mask_size, none_of
from ..wat import ir
from ..wat.ir import E, sourced
from . import bits, counting, flattening, views
from .bits import Between, Mask
from .views import Known, MemberView, NoMask, Numbers

MOST_ALIKE = 4
"""Values of a variable up to which two of its cells are compared by their planes."""

MOST_COMBINATIONS = 64
"""Combinations of directions, steps and the like, times words, that a condition is written out for."""


class MaskedCondition:
    """Works out masks of conditions on a bound member, none of which may fault: they are tested for all at once.

    ``strict``: what masks cannot say raises NoMask. Else nothing is known of it: it must hold for no member, and may
    hold for every one.
    """

    def __init__(
        self, writer: Emitter, env: Env, known: Known, size: int, *, strict: bool = True, used: Used | None = None
    ) -> None:
        self.w = writer
        self.env = env
        self.known = known
        self.full = (1 << size) - 1
        self.size = size
        self.words = bits.words_of(size)
        self.strict = strict
        self.used = used or Used()
        self.counted: dict[Expr, Numbers] = {}
        self._slots = known.slots

    def varies(self, expr: Any) -> bool:
        """Whether an expression depends on the member."""
        return bool(free_slots(expr) & self._slots)

    def within(self, env: Env, known: Known) -> MaskedCondition:
        """The same with other names bound."""
        return MaskedCondition(self.w, env, known, self.size, strict=self.strict, used=self.used)

    def constant(self, mask: int) -> Mask:
        return bits.constant(mask, self.words)

    def fixed(self, mask: Mask) -> Mask:
        return bits.fixed(self.w.b, mask)

    def known_to(self, mask: int) -> Between:
        """Exactly the members of a mask that is known while code is written."""
        return bits.exact(self.constant(mask))

    @property
    def unknown(self) -> Between:
        """What is known of something that masks cannot say. NoMask where that is not enough."""
        if self.strict:
            raise NoMask
        return Between(self.constant(0), self.constant(-1))

    def of(self, expr: Expr) -> Mask:
        """The mask of the members for which the condition holds. NoMask when that cannot be said."""
        return exactly(self.between(expr))

    @sourced
    def between(self, expr: Expr) -> Between:
        """The members for which the condition holds, as far as masks can say."""
        if self.varies(expr):
            match expr:
                case Apply(op="and", arguments=(a, b)):
                    return self.between(a) & self.between(b)
                case Apply(op="or", arguments=(a, b)):
                    return self.between(a) | self.between(b)
                case Apply(op="not", arguments=(a,)):
                    return ~self.between(a)
                case Fold(word="some", binds=binds, body=body) if not binds.stop_at_first_failure:
                    return self.exists(binds.binds, [*conjuncts(binds.condition), *conjuncts(body)])
                case Fold(word="every", binds=binds, body=body) if not binds.stop_at_first_failure and body is not None:
                    fails = Apply("not", (body,), FlagType(), span=expr.span)
                    return ~self.exists(binds.binds, [*conjuncts(binds.condition), fails])
                case If():
                    return self._branches(expr)
                case Call() if self.w.inlines(expr) or self._by_cases(expr.definition):
                    return self._called(expr)
        if self.strict:
            return bits.exact(self._leaf(expr))
        found = self.w.b.attempt(lambda: self._leaf(expr))
        return self.unknown if found is None else bits.exact(found)

    def _called(self, expr: Call) -> Between:
        hopeless = self.w.registry.hopeless
        asked = id(expr), self.known.kinds(free_slots(expr))
        if not self.strict and asked in hopeless:
            return self.unknown
        found = self.within(*self.given(expr)).between(self.w.program.definitions[expr.definition].body)
        if not found.exact and found.may.is_const:  # tried once only, however often its run is written out
            hopeless[asked] = expr
        return found

    def _by_cases(self, name: str) -> bool:
        """Whether a definition that is called is gone into: one of its cases may be easy to tell."""
        definition = self.w.program.definitions[name]
        return not self.strict and definition.deep is None and isinstance(definition.body, If)

    def _branches(self, expr: If) -> Between:
        condition = self.between(expr.condition).fixed(self.w.b)
        if condition.may.is_const and condition.exact and condition.may.words[0].value in (0, -1):
            if not self.varies(expr.condition):
                return self.between(expr.then if condition.may.words[0].value else expr.otherwise)
        then, otherwise = self.between(expr.then), self.between(expr.otherwise)
        return (then & condition) | (otherwise & ~condition)

    def _leaf(self, expr: Expr) -> Mask:
        if not self.varies(expr):
            return self.same_for_all(self.w.flag(expr, self.env))
        match expr:
            case Apply(op="is" | "is_not" | "<" | "<=" | ">" | ">=" as op, arguments=(a, b)) if isinstance(
                a.type, NumberType
            ) and isinstance(b.type, NumberType):
                return counting.compared(self, op, a, b)
            case Apply(op="is", arguments=(a, b)):
                return self._is(a, b)
            case Apply(op="is_not", arguments=(a, b)):
                return ~self._is(a, b)
            case Apply(op="in", arguments=(a, among)):
                return self._among(a, among)
            case Read(type=FlagType()):
                return self.plane(expr, ir.ONE)
            case ColumnOf(type=FlagType()):
                return self.where(expr, bool)
        raise NoMask

    def same_for_all(self, flag: E) -> Mask:
        """All members if a flag holds that does not depend on them."""
        return self.fixed(bits.all_or_none(self.w.b.fix(flag), self.words))

    def either_of(self, expr: If, ask: Callable[[Expr], Mask]) -> Mask:
        """What is asked of a branch, for the members that come to it."""
        condition = self.fixed(self.of(expr.condition))
        if condition.is_const and condition.words[0].value in (0, -1) and not self.varies(expr.condition):
            return ask(expr.then if condition.words[0].value else expr.otherwise)
        then, otherwise = ask(expr.then), ask(expr.otherwise)
        return (then & condition) | (otherwise & ~condition)

    # -- members

    def view(self, expr: Expr) -> MemberView:
        """The member that an expression leads to from the member in question."""
        match expr:
            case Local(slot) if slot in self.known.views:
                return self.known.views[slot]
            case Apply(op="next" | "prev" as op, arguments=(inner,)):
                view = self.view(inner)
                domain = view.type.domain
                if not domain.ring or view.defined != self.full or len(domain) != self.size:
                    raise NoMask
                return views.round_ring(self.w.b, view, 1 if op == "next" else self.size - 1)
        raise NoMask

    def stepped(self, cell: Expr, direction: Expr, steps: int) -> MemberView:
        """The cell so many steps away from one that an expression leads to."""
        way = self.w.quick(direction, self.env)
        view = self.view(cell)
        grid = self.w.program.grids[view.type.domain.name]
        if way is None or len(grid.domain) != self.size:
            raise NoMask
        return views.stepped(self.w.b, view, grid, way, steps)

    def _is(self, a: Expr, b: Expr) -> Mask:
        if self.varies(b):
            a, b = b, a
        if self.varies(b):
            return self._alike(a, b)
        match a:
            case Read():
                return self.plane(a, self._number(b, a.type))
            case ColumnOf():
                known = self.w.quick(b, self.env)
                if known is None:
                    return self._column(a, b)
                return self.where(a, lambda cell: cell is not None and int(cell) == known)
            case Local(slot) if slot in self.known.reads:
                read = self.known.reads[slot]
                return self.plane(read, self._number(b, read.type))
            case Local():
                return self.view(a).pull(self.fixed(self._one(b)))
            case Fold(word="first", binds=binds, body=body) if (
                not binds.stop_at_first_failure and body is not None and is_scalar(b.type)
            ):
                # Of at most one combination the first is something if there is one of which that is so.
                if not all(isinstance(bind.domain.type, OptionalType) for bind in binds.binds):
                    raise NoMask
                alike = Apply("is", (body, b), FlagType(), span=a.span)
                return exactly(self.exists(binds.binds, [*conjuncts(binds.condition), alike]))
            case Call() if self.w.inlines(a) and is_scalar(b.type):
                env, known_here = self.given(a)
                wanted = self.w.fix(self._scalar(b))
                # The value goes with the body under a slot of its own.
                slot = -1
                body = self.w.program.definitions[a.definition].body
                return self.within({**env, slot: wanted}, known_here)._is(body, Local(slot, "", b.type))
        raise NoMask

    def _one(self, expr: Expr) -> Mask:
        """The mask of a member that does not depend on the one in question, or of none."""
        match expr.type:
            case NothingType():
                return self.constant(0)
            case MemberType():
                return bits.single(self.w.b, self._scalar(expr).one, self.words)
            case OptionalType(MemberType()):
                member = self.w.fix(self._scalar(expr))
                there = self.same_for_all(registry.is_some(member))
                # The bit of none is that of another member, and is taken away.
                return bits.single(self.w.b, member.one, self.words) & there
        raise NoMask

    def _among(self, a: Expr, among: Expr) -> Mask:
        """Whether something is a member of a list, a set, an optional."""
        if isinstance(among, Apply) and among.op == "list":
            return bits.any_of((self._same(a, part) for part in among.arguments), self.words)
        if isinstance(among, Apply) and among.op == "range" and isinstance(a.type, NumberType):
            low, high = among.arguments
            return counting.compared(self, ">=", a, low) & counting.compared(self, "<=", a, high)
        if self.varies(among):
            raise NoMask
        if isinstance(among.type, (OptionalType, NothingType)):
            return self._same(a, among)
        if isinstance(among, Const):
            item = among.type.item  # type: ignore[union-attr]
            every = (Const(value, item, span=among.span) for value in among.value)
            return bits.any_of((self._same(a, value) for value in every), self.words)
        if not isinstance(a, Local) or not isinstance(a.type, MemberType):
            raise NoMask
        return self.view(a).pull(self._members(among, a.type))

    def _members(self, among: Expr, item: MemberType) -> Mask:
        """The members of something that is not told member by member."""
        self.used.looked = True
        if isinstance(among, GroupOf):
            group = self.w.group(among, self.env)
            if group is not None and len(group) == self.words:
                return Mask(group)
        elif isinstance(among.type, PiecesType) and among.type.kind == item and counting.can_be_told(among):
            self.used.heaps = True
            return counting.above(self.w, among, ir.ZERO, self.env)
        elif isinstance(among.type, SetType) and among.type.item == item and mask_size(among.type) is not None:
            return Mask((self.w.b.fix(self._scalar(among).one),))
        raise NoMask

    def _same(self, a: Expr, b: Expr) -> Mask:
        if isinstance(a.type, NumberType) and isinstance(b.type, NumberType):
            return counting.compared(self, "is", a, b)
        return self._is(a, b)

    def _scalar(self, expr: Expr) -> registry.Val:
        return self.w.value(expr, self.env)

    def _number(self, expr: Expr, type_: Type) -> E:
        """The value that a plane is looked up for; none is -1."""
        if isinstance(expr.type, NothingType):
            return ir.const(-1)
        item = expr.type.item if isinstance(expr.type, OptionalType) else expr.type
        mine = type_.item if isinstance(type_, OptionalType) else type_
        if item != mine:
            raise NoMask
        return self.w.b.fix(self._scalar(expr).one)

    # -- planes and columns

    def plane(self, read: Read, value: E) -> Mask:
        planes = self.w.planes
        kept = planes.of_variable.get(read.variable) if planes is not None else None
        if kept is None or any(self.varies(x) for i, x in enumerate(read.indices) if i != kept.axis):
            raise NoMask
        view = self.view(read.indices[kept.axis])
        self.used.looked = True
        self.w.registry.looked_at(read.variable)
        # One is added to the value itself: an address must not be negative before the offset is added.
        number = value + 1
        others = [x for i, x in enumerate(read.indices) if i != kept.axis]
        for other, stride in zip(others, kept.strides, strict=True):
            number += self._scalar(other).one * stride
        place = self.w.b.fix(number * kept.bytes)
        return view.pull(self.fixed(bits.load(place, kept.base, self.words)))

    def where(self, column: ColumnOf, holds: Callable[[Any], bool]) -> Mask:
        """The members whose cell in a column, which is known, is as it should be."""
        view = self.view(column.row)
        self.used.looked = True
        cells = self.w.program.tables[column.table].cells[column.column]
        return view.pull(bits.of_members([row for row, cell in enumerate(cells) if holds(cell)], self.words))

    def _column(self, column: ColumnOf, wanted: Expr) -> Mask:
        """The mask of the rows whose cell is a value that is known only when it runs."""
        first, last = _span(column.type, wanted.type)
        view = self.view(column.row)
        self.used.looked = True
        rows: dict[int, int] = {}
        for row, cell in enumerate(self.w.program.tables[column.table].cells[column.column]):
            number = NONE_LOW if cell is None else int(cell)
            rows[number] = rows.get(number, 0) | 1 << row
        packed = b"".join(bits.packed(rows.get(v, 0), self.words) for v in range(first, last + 1))
        table = self.w.memory.constant_bytes(packed, 8)
        place = self._scalar(wanted).one - first
        return view.pull(self.fixed(bits.load(self.w.b.fix(place * (8 * self.words)), table, self.words)))

    def _alike(self, a: Expr, b: Expr) -> Mask:
        """Whether two things that both depend on the member are the same. Raises NoMask."""
        match a, b:
            case Local(), Local() if isinstance(a.type, MemberType) and a.type == b.type:
                one, other = self.view(a).leads, self.view(b).leads
                if one is None or other is None:
                    raise NoMask
                members = [m for m in range(self.size) if (to := one(m)) is not None and to == other(m)]
                return bits.of_members(members, self.words)
            case Read(), Read() if a.type == b.type:
                item = a.type.item if isinstance(a.type, OptionalType) else a.type
                if not isinstance(item, MemberType) or len(item.domain) > MOST_ALIKE:
                    raise NoMask
                every = map(ir.const, range(-1 if isinstance(a.type, OptionalType) else 0, len(item.domain)))
                return bits.any_of((self.plane(a, value) & self.plane(b, value) for value in every), self.words)
        raise NoMask

    # -- what there is for a member

    def exists(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> Between:
        """The members for which some combination makes all parts hold."""

        def any_of_them() -> Between:
            return functools.reduce(operator.or_, (held for _, held in self.rows(binds, parts)), self.known_to(0))

        found = self.w.b.attempt(any_of_them)
        return self.unknown if found is None else found.fixed(self.w.b)

    def rows(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> Iterator[tuple[MaskedCondition, Between]]:
        """For each combination that there can be, the members for which there is, and all parts hold.

        With it goes the condition in which its names are bound. NoMask where there may be too many.
        """
        for number, row in enumerate(self._rows(binds, parts), 1):
            if number * self.words > MOST_COMBINATIONS:
                raise NoMask
            yield row

    def _rows(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> Iterator[tuple[MaskedCondition, Between]]:
        """Parts are tested as soon as all their names are bound."""
        unbound = {bind.slot for bind in binds}
        found = self.known_to(-1)
        for part in parts:
            if not free_slots(part) & unbound:
                found = found & self.between(part)
                if bits.is_never(found.may):
                    return
        if not binds:
            yield self, found
            return
        found = found.fixed(self.w.b)
        later = [part for part in parts if free_slots(part) & unbound]
        bind = binds[0]
        for there, value in flattening.of(self, bind.domain):
            held = found & there
            if not bits.is_never(held.may):
                for inner, beyond in self.within(*self.bound(bind.slot, value, bind.type))._rows(binds[1:], later):
                    if not bits.is_never((all_of := held & beyond).may):
                        yield inner, all_of

    def combinations(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> list[Mask]:
        """The exact mask for each combination. Raises NoMask."""
        return [exactly(held) for _, held in self.rows(binds, parts)]

    def bound(self, slot: int, value: flattening.Value, type_: Type | None = None) -> tuple[Env, Known]:
        """What is known with a name bound to a value, of that type if it has another than its own."""
        match value:
            case registry.Val():
                return {**self.env, slot: self.w.fix(self.w.fit(value, type_ or value.type))}, self.known
            case MemberView():
                return self.env, self.known.and_view(slot, value)
            case Read():
                return self.env, self.known.and_read(slot, value)
        return self.env, self.known.and_other(slot)

    # -- calls

    def given(self, expr: Call) -> tuple[Env, Known]:
        """What a call gives to its definition."""
        env: dict[int, registry.Val] = {}
        known = Known()
        for param, argument in zip(self.w.program.definitions[expr.definition].params, expr.arguments, strict=True):
            if not self.varies(argument):
                env[param.slot] = self.w.fix(self.w.fitted(argument, param.type, self.env))
                continue
            try:
                if isinstance(param.type, MemberType):
                    known = known.and_view(param.slot, self.view(argument))
                elif isinstance(param.type, NumberType):
                    known = known.and_numbers(param.slot, counting.numbers(self, argument))
                else:
                    raise NoMask
            except NoMask:
                if self.strict:
                    raise
                known = known.and_other(param.slot)
        return env, known


def _span(column: Type, wanted: Type) -> tuple[int, int]:
    """The first and the last number that stands for a value looked for in a column. NoMask where they are not alike."""
    one, other = (t.item if isinstance(t, OptionalType) else t for t in (column, wanted))
    if one != other or not is_scalar(one) or registry.size_of(one) > MOST_MEMBERS:
        raise NoMask
    if not isinstance(wanted, OptionalType) and not isinstance(column, OptionalType):
        return registry.bounds(one)
    if none_of(one) != NONE_LOW:
        raise NoMask
    return NONE_LOW, registry.bounds(one)[1]


@attrs.define
class Used:
    """What conditions look at, together. ``looked``: a plane or a column, without which there is nothing to win."""

    looked: bool = False
    heaps: bool = False


def exactly(found: Between) -> Mask:
    """The mask of what is known exactly; NoMask of anything else."""
    if not found.exact:
        raise NoMask
    return found.may
