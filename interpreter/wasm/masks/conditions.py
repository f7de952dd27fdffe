"""Masks of conditions on a bound member: a bit for each member for which the condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulelang.program import DIRECTIONS, Apply, Bind, Call, ColumnOf, Const, Expr, Fold, GroupOf, If, Local, Read
from rulelang.program.walk import conjuncts, free_slots
from rulelang.types import FlagType, MemberType, NothingType, NumberType, OptionalType, PiecesType, SetType, Type

from ..emit import registry
from ..emit.emitter import Emitter, static_members
from ..emit.registry import Env
from ..layout.shapes import MOST_MEMBERS, is_scalar, mask_size
from ..wat import ir
from ..wat.ir import E, sourced
from . import begun, bits, counting, views
from .bits import Mask
from .views import Known, MemberView, NoMask, Numbers

MOST_COMBINATIONS = 64
"""Combinations of directions, steps and the like, times words, that a condition is written out for."""


class MaskedCondition:
    """Works out masks of conditions on a bound member, none of which may fault: they are tested for all at once.

    ``loose``: of combinations, what masks cannot say is taken to hold, so that more members pass than should.
    ``begun``: they are about the first step of ways.
    """

    def __init__(
        self, writer: Emitter, env: Env, known: Known, size: int, *, loose: bool = False, begun: bool = False
    ) -> None:
        self.w = writer
        self.env = env
        self.known = known
        self.full = (1 << size) - 1
        self.size = size
        self.words = bits.words_of(size)
        self.loose = loose
        self.begun = begun
        self.said = 0
        self.apart = False
        """Whether a part of a condition was said by itself."""
        """How many conditions on combinations have been said."""
        self.looked = False
        """Whether a plane, or a column, was looked at: else there is nothing to win."""
        self.heaps = False
        """Whether the pieces of a heap were."""
        self.counted: dict[Expr, Numbers] = {}
        self._slots = known.slots

    def varies(self, expr: Any) -> bool:
        """Whether an expression depends on the member."""
        return bool(free_slots(expr) & self._slots)

    def inner(self, env: Env, known: Known, ask: Callable[[MaskedCondition], Any], *, begun: bool = False) -> Any:
        """What is asked with other names bound."""
        inner = MaskedCondition(self.w, env, known, self.size, loose=self.loose, begun=begun or self.begun)
        found = ask(inner)
        self.looked = self.looked or inner.looked
        self.heaps = self.heaps or inner.heaps
        self.said += inner.said
        self.apart = self.apart or inner.apart
        return found

    def constant(self, mask: int) -> Mask:
        return bits.constant(mask, self.words)

    def fixed(self, mask: Mask) -> Mask:
        return bits.fixed(self.w.b, mask)

    @sourced
    def of(self, expr: Expr) -> Mask:
        """The mask of the members for which the condition holds. NoMask when that cannot be said."""
        if not self.varies(expr):
            return self.same_for_all(self.w.flag(expr, self.env))
        match expr:
            case Apply(op="and", arguments=(a, b)):
                return bits.both(self.of(a), self.of(b))
            case Apply(op="or", arguments=(a, b)):
                return bits.either(self.of(a), self.of(b))
            case Apply(op="not", arguments=(a,)):
                return bits.opposite(self.of(a))
            case Apply(op="is" | "is_not" | "<" | "<=" | ">" | ">=" as op, arguments=(a, b)) if isinstance(
                a.type, NumberType
            ) and isinstance(b.type, NumberType):
                return counting.compared(self, op, a, b)
            case Apply(op="is", arguments=(a, b)):
                return self._is(a, b)
            case Apply(op="is_not", arguments=(a, b)):
                return bits.opposite(self._is(a, b))
            case Apply(op="in", arguments=(a, among)):
                return self._among(a, among)
            case Read(type=FlagType()):
                return self.plane(expr, ir.ONE)
            case ColumnOf(type=FlagType()):
                return self.where(expr, bool)
            case Fold(word="some", binds=binds, body=body) if not binds.stop_at_first_failure:
                return self._exists(binds.binds, [*conjuncts(binds.condition), *conjuncts(body)])
            case Fold(word="every", binds=binds, body=body) if not binds.stop_at_first_failure and body is not None:
                fails = Apply("not", (body,), FlagType(), span=expr.span)
                return bits.opposite(self._exists(binds.binds, [*conjuncts(binds.condition), fails]))
            case If():
                return self.either_of(expr, lambda branch: self.of(branch))
            case Call() if self.w.inlines(expr):
                body = self.w.program.definitions[expr.definition].body
                return self.inner(*self.given(expr), lambda inner: inner.of(body))  # type: ignore[no-any-return]
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
        return bits.either(bits.both(then, condition), bits.without(otherwise, condition))

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
            return begun.alike(self, a, b)
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
                return self._exists(binds.binds, [*conjuncts(binds.condition), alike])
            case Call() if self.w.inlines(a) and is_scalar(b.type):
                env, known_here = self.given(a)
                wanted = self.w.fix(self._scalar(b))
                # The value goes with the body under a slot of its own.
                slot = -1
                env = {**env, slot: wanted}
                body = self.w.program.definitions[a.definition].body
                value = Local(slot, "", b.type)
                return self.inner(env, known_here, lambda inner: inner._is(body, value))  # type: ignore[no-any-return]
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
                return bits.both(bits.single(self.w.b, member.one, self.words), there)
        raise NoMask

    def _among(self, a: Expr, among: Expr) -> Mask:
        """Whether something is a member of a list, a set, an optional."""
        if isinstance(among, Apply) and among.op == "list":
            found = self.constant(0)
            for part in among.arguments:
                found = bits.either(found, self._same(a, part))
            return found
        if isinstance(among, Apply) and among.op == "range" and isinstance(a.type, NumberType):
            low, high = among.arguments
            return bits.both(counting.compared(self, ">=", a, low), counting.compared(self, "<=", a, high))
        if self.varies(among):
            raise NoMask
        if isinstance(among.type, (OptionalType, NothingType)):
            return self._same(a, among)
        if isinstance(among, Const):
            item = among.type.item  # type: ignore[union-attr]
            found = self.constant(0)
            for value in among.value:
                found = bits.either(found, self._same(a, Const(value, item, span=among.span)))
            return found
        if not isinstance(a, Local) or not isinstance(a.type, MemberType):
            raise NoMask
        view = self.view(a)
        if isinstance(among, GroupOf):
            group = self.w.group(among, self.env)
            if group is None or len(group) != self.words:
                raise NoMask
            self.looked = True
            return view.pull(Mask(group))
        if isinstance(among.type, PiecesType) and among.type.kind == a.type and counting.can_be_told(among):
            self.looked = self.heaps = True
            return view.pull(counting.above(self.w, among, ir.ZERO, self.env))
        if isinstance(among.type, SetType) and among.type.item == a.type and mask_size(among.type) is not None:
            self.looked = True
            return view.pull(Mask((self.w.b.fix(self._scalar(among).one),)))
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
        self.looked = True
        self.w.registry.looked_at(read.variable)
        # One is added to the value itself: an address must not be negative before the offset is added.
        number = ir.add(value, ir.ONE)
        others = [x for i, x in enumerate(read.indices) if i != kept.axis]
        for other, stride in zip(others, kept.strides, strict=True):
            number = ir.add(number, ir.mul(self._scalar(other).one, ir.const(stride)))
        place = self.w.b.fix(ir.mul(number, ir.const(kept.bytes)))
        return view.pull(self.fixed(bits.load(place, kept.base, self.words)))

    def where(self, column: ColumnOf, holds: Callable[[Any], bool]) -> Mask:
        """The members whose cell in a column, which is known, is as it should be."""
        view = self.view(column.row)
        self.looked = True
        cells = self.w.program.tables[column.table].cells[column.column]
        return view.pull(bits.of_members([row for row, cell in enumerate(cells) if holds(cell)], self.words))

    def _column(self, column: ColumnOf, wanted: Expr) -> Mask:
        """The mask of the rows whose cell is a value that is known only when it runs."""
        if column.type != wanted.type or not is_scalar(wanted.type) or registry.size_of(wanted.type) > MOST_MEMBERS:
            raise NoMask
        view = self.view(column.row)
        self.looked = True
        cells = self.w.program.tables[column.table].cells[column.column]
        low, high = registry.bounds(wanted.type)
        rows: dict[int, int] = {}
        for row, cell in enumerate(cells):
            rows[int(cell)] = rows.get(int(cell), 0) | 1 << row
        packed = b"".join(bits.packed(rows.get(v, 0), self.words) for v in range(low, high + 1))
        table = self.w.memory.constant_bytes(packed, 8)
        value = ir.sub(self._scalar(wanted).one, ir.const(low))
        place = self.w.b.fix(ir.mul(value, ir.const(8 * self.words)))
        return view.pull(self.fixed(bits.load(place, table, self.words)))

    # -- what there is for a member

    def _exists(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> Mask:
        """The members for which some combination makes all parts hold."""
        found = self.constant(0)
        for mask in self.combinations(binds, parts):
            found = bits.either(found, mask)
        return self.fixed(found)

    def combinations(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> list[Mask]:
        """For each combination that there can be, the mask of the members for which there is, and all parts hold."""
        found = []
        for mask in self._combinations(binds, parts):
            found.append(mask)
            if len(found) * self.words > MOST_COMBINATIONS:
                raise NoMask
        return found

    def _combinations(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> Iterator[Mask]:
        """Parts are tested as soon as all their names are bound."""
        unbound = {bind.slot for bind in binds}
        found = self.constant(-1)
        for part in parts:
            if not free_slots(part) & unbound:
                found = bits.both(found, self.part(part))
                if bits.is_never(found):
                    return
        if not binds:
            yield found
            return
        found = self.fixed(found)
        later = [part for part in parts if free_slots(part) & unbound]
        try:
            for mask in self._bound(binds, later):
                mask = bits.both(found, mask)
                if not bits.is_never(mask):
                    yield mask
        except NoMask:
            if not self.loose:
                raise
            yield found

    def part(self, part: Expr) -> Mask:
        if not self.loose:
            return self.of(part)
        if (found := begun.part(self, part)) is not None:
            return found
        try:
            with self.w.b.aside() as code:
                found = self._strictly(part)
        except NoMask:
            return self.constant(-1)
        self.said += 1
        self.w.b.out.extend(code)
        return found

    def _strictly(self, part: Expr) -> Mask:
        """A condition in full: inside one that is turned round, more would be less."""
        self.loose = False
        try:
            return self.of(part)
        finally:
            self.loose = True

    def _bound(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> Iterator[Mask]:
        """The same, with the first name bound to each of its values."""
        bind, rest = binds[0], binds[1:]

        def beyond(env: Env, known: Known) -> list[Mask]:
            return self.inner(env, known, lambda inner: inner.combinations(rest, parts))  # type: ignore[no-any-return]

        members = None if self.varies(bind.domain) else static_members(self.w, bind.domain, self.env)
        if members is not None and len(members) <= len(DIRECTIONS):
            for member in members:
                yield from beyond({**self.env, bind.slot: registry.scalar(bind.type, ir.const(member))}, self.known)
            return
        match bind.domain:
            case Apply(op="step", arguments=(cell, direction)):
                view = self.stepped(cell, direction, 1)
                for mask in beyond(self.env, self.known.and_view(bind.slot, view)):
                    yield bits.both(self.constant(view.defined), mask)
            case Apply(op="at", arguments=(Apply(op="ray", arguments=(cell, direction)), position)):
                for steps, there in counting.numbers(self, position).items():
                    away = self.stepped(cell, direction, steps) if steps > 0 else None
                    if away is not None and away.defined:
                        there = bits.both(there, self.constant(away.defined))
                        for mask in beyond(self.env, self.known.and_view(bind.slot, away)):
                            yield bits.both(there, mask)
            case Apply(op="ray", arguments=(cell, direction)):
                steps = 1
                while (away := self.stepped(cell, direction, steps)).defined:
                    for mask in beyond(self.env, self.known.and_view(bind.slot, away)):
                        yield bits.both(self.constant(away.defined), mask)
                    steps += 1
            case Read(type=OptionalType()) as read:
                empty = self.fixed(self.plane(read, ir.const(-1)))
                for mask in beyond(self.env, self.known.and_read(bind.slot, read)):
                    yield bits.without(mask, empty)
            case _:
                yield from begun.bound(self, bind, lambda led: beyond(self.env, self.known.led(bind.slot, led.view)))

    # -- calls

    def given(self, expr: Call) -> tuple[Env, Known]:
        """What a call gives to its definition."""
        definition = self.w.program.definitions[expr.definition]
        env: dict[int, registry.Val] = {}
        found: dict[int, MemberView] = {}
        numbers: dict[int, Numbers] = {}
        for param, argument in zip(definition.params, expr.arguments, strict=True):
            if not self.varies(argument):
                env[param.slot] = self.w.fix(self.w.fit(self._scalar(argument), param.type))
            elif isinstance(param.type, MemberType):
                found[param.slot] = self.view(argument)
            elif isinstance(param.type, NumberType):
                numbers[param.slot] = counting.numbers(self, argument)
            else:
                raise NoMask
        return env, Known(found, {}, numbers)
