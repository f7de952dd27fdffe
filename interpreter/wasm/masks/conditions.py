"""Masks of conditions on a bound member: a bit for each member for which the condition holds."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from rulelang.program import DIRECTIONS, Apply, Bind, Binds, Call, ColumnOf, Expr, Fold, Grid, If, Local, Read
from rulelang.program.analysis.names import conjuncts, free_slots
from rulelang.types import FlagType, MemberType, NothingType, NumberType, OptionalType, Type

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.known import static_members
from ..emit.values import Env
from ..layout.planes import MOST_MEMBERS, PLANE
from ..layout.shapes import is_scalar
from ..wat import ir
from ..wat.ir import E
from ..wat.sources import sourced

# ---------------------------------------------------------------- masks


def both(a: E, b: E) -> E:
    if b.is_const and b.value == -1:
        return a
    if a.is_const and a.value == -1:
        return b
    return ir.binary("and", a, b)


def _or(a: E, b: E) -> E:
    return ir.binary("or", a, b)


def _not(a: E) -> E:
    return ir.binary("xor", a, ir.const(-1, "i64"))


def without(a: E, b: E) -> E:
    return both(a, _not(b))


def _all_or_none(flag: E) -> E:
    """All bits for a flag that holds."""
    if flag.is_const:
        return ir.const(-1 if flag.value else 0, "i64")
    return ir.binary("sub", ir.ZERO64, ir.unary("i64.extend_i32_u", flag, "i64"))


def _constant(members: Sequence[int]) -> E:
    return ir.const(sum(1 << m for m in members), "i64")


@attrs.frozen
class View:
    """A member that follows from the one in question: itself, the next one, the one a step away.

    ``pull`` makes of a mask over these members the mask of those from which one of them is reached.
    """

    type: MemberType
    pull: Callable[[E], E]
    defined: int


class NoMask(Exception):
    """A condition that masks cannot say."""


Numbers = Mapping[int, E]
"""A number that depends on the member: for each value the mask of the members for which it is that."""

MOST_NUMBERS = 12


@attrs.frozen
class Known:
    """Bound names, by slot.

    ``views``: what follows from the member in question; ``reads``: the content of a cell that is there; ``numbers``:
    numbers that depend on the member.
    """

    views: Mapping[int, View] = {}
    reads: Mapping[int, Read] = {}
    numbers: Mapping[int, Numbers] = {}

    @property
    def slots(self) -> set[int]:
        return {*self.views, *self.reads, *self.numbers}

    def and_view(self, slot: int, view: View) -> Known:
        return attrs.evolve(self, views={**self.views, slot: view})

    def and_read(self, slot: int, read: Read) -> Known:
        return attrs.evolve(self, reads={**self.reads, slot: read})


class Condition:
    """Works out masks of conditions on a bound member, none of which may fault: they are tested for all at once."""

    def __init__(self, writer: Emitter, env: Env, known: Known, size: int) -> None:
        self.w = writer
        self.env = env
        self.known = known
        self.full = (1 << size) - 1
        self.size = size
        self.looked = False
        """Whether a plane, or a column, was looked at: else there is nothing to win."""
        self._slots = known.slots
        self._counted: dict[Expr, Numbers] = {}

    def _varies(self, expr: Any) -> bool:
        """Whether an expression depends on the member."""
        return bool(free_slots(expr) & self._slots)

    def _inner(self, env: Env, known: Known, ask: Callable[[Condition], Any]) -> Any:
        inner = Condition(self.w, env, known, self.size)
        found = ask(inner)
        self.looked = self.looked or inner.looked
        return found

    @sourced
    def of(self, expr: Expr) -> E:
        """The mask of the members for which the condition holds. NoMask when that cannot be said."""
        if not self._varies(expr):
            return self._same_for_all(expr)
        match expr:
            case Apply(op="and", arguments=(a, b)):
                return both(self.of(a), self.of(b))
            case Apply(op="or", arguments=(a, b)):
                return _or(self.of(a), self.of(b))
            case Apply(op="not", arguments=(a,)):
                return _not(self.of(a))
            case Apply(op="is" | "is_not" | "<" | "<=" | ">" | ">=" as op, arguments=(a, b)) if isinstance(
                a.type, NumberType
            ) and isinstance(b.type, NumberType):
                return self._compared(op, a, b)
            case Apply(op="is", arguments=(a, b)):
                return self._is(a, b)
            case Apply(op="is_not", arguments=(a, b)):
                return _not(self._is(a, b))
            case Apply(op="in", arguments=(a, Apply(op="list", arguments=parts))):
                found: E = ir.ZERO64
                for part in parts:
                    found = _or(found, self._is(a, part))
                return found
            case Read(type=FlagType()):
                return self._plane(expr, ir.ONE)
            case ColumnOf(type=FlagType()):
                return self._where(expr, bool)
            case Fold(word="some", binds=binds, body=body) if not binds.stop_at_first_failure:
                return self._exists(binds.binds, [*conjuncts(binds.condition), *conjuncts(body)])
            case Fold(word="every", binds=binds, body=body) if not binds.stop_at_first_failure and body is not None:
                fails = Apply("not", (body,), FlagType(), span=expr.span)
                return _not(self._exists(binds.binds, [*conjuncts(binds.condition), fails]))
            case If():
                condition = self._decided(expr.condition)
                if condition.is_const:
                    return self.of(expr.then if condition.value else expr.otherwise)
                return _or(both(self.of(expr.then), condition), without(self.of(expr.otherwise), condition))
            case Call() if self.w.inlines(expr):
                body = self.w.program.definitions[expr.definition].body
                return self._inner(*self._given(expr), lambda inner: inner.of(body))  # type: ignore[no-any-return]
        raise NoMask

    def _same_for_all(self, expr: Expr) -> E:
        found = self.w.flag(expr, self.env)
        return self.w.b.fix(_all_or_none(self.w.b.fix(found)))

    def _decided(self, expr: Expr) -> E:
        return self.w.b.fix(self.of(expr))

    def _view(self, expr: Expr) -> View:
        """The member that an expression leads to from the member in question."""
        match expr:
            case Local(slot) if slot in self.known.views:
                return self.known.views[slot]
            case Apply(op="next" | "prev" as op, arguments=(inner,)):
                view = self._view(inner)
                domain = view.type.domain
                size = len(domain)
                if not domain.ring or view.defined != self.full or size != self.size:
                    raise NoMask
                by = 1 if op == "next" else size - 1
                return View(view.type, lambda mask: view.pull(_turned(self.w, mask, by, size)), view.defined)
        raise NoMask

    def _is(self, a: Expr, b: Expr) -> E:
        if self._varies(b):
            a, b = b, a
        if self._varies(b):
            raise NoMask
        match a:
            case Read():
                return self._plane(a, self._number(b, a.type))
            case ColumnOf():
                known = self.w.quick(b, self.env)
                if known is None:
                    return self._column(a, b)
                return self._where(a, lambda cell: cell is not None and int(cell) == known)
            case Local(slot) if slot in self.known.reads:
                read = self.known.reads[slot]
                return self._plane(read, self._number(b, read.type))
            case Local() if isinstance(b.type, MemberType):
                view = self._view(a)
                return view.pull(self.w.b.fix(ir.bit(self.w.b.fix(self._scalar(b).one))))
            case Fold(word="first", binds=binds, body=body) if (
                not binds.stop_at_first_failure and body is not None and is_scalar(b.type)
            ):
                # Of at most one combination the first is something if there is one of which that is so.
                if not all(isinstance(bind.domain.type, OptionalType) for bind in binds.binds):
                    raise NoMask
                alike = Apply("is", (body, b), FlagType(), span=a.span)
                return self._exists(binds.binds, [*conjuncts(binds.condition), alike])
            case Call() if self.w.inlines(a) and is_scalar(b.type):
                env, known_here = self._given(a)
                wanted = self.w.fix(self._scalar(b))
                # The value goes with the body under a slot of its own.
                slot = -1
                env = {**env, slot: wanted}
                body = self.w.program.definitions[a.definition].body
                value = Local(slot, "", b.type)
                return self._inner(env, known_here, lambda inner: inner._is(body, value))  # type: ignore[no-any-return]
        raise NoMask

    def _scalar(self, expr: Expr) -> values.Val:
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

    def _plane(self, read: Read, value: E) -> E:
        planes = self.w.planes
        if planes is None or read.variable not in planes.base:
            raise NoMask
        view = self._view(read.indices[0])
        self.looked = True
        # One is added to the value itself: an address must not be negative before the offset is added.
        place = ir.add(ir.mul(ir.add(value, ir.ONE), ir.const(PLANE)), ir.const(planes.base[read.variable]))
        return view.pull(self.w.b.fix(ir.load(place, 0, "i64")))

    def _where(self, column: ColumnOf, holds: Callable[[Any], bool]) -> E:
        view = self._view(column.row)
        self.looked = True
        cells = self.w.program.tables[column.table].cells[column.column]
        return view.pull(_constant([row for row, cell in enumerate(cells) if holds(cell)]))

    def _column(self, column: ColumnOf, wanted: Expr) -> E:
        """The mask of the rows whose cell is a value that is known only when it runs."""
        if column.type != wanted.type or not is_scalar(wanted.type) or values.size_of(wanted.type) > MOST_MEMBERS:
            raise NoMask
        view = self._view(column.row)
        self.looked = True
        cells = self.w.program.tables[column.table].cells[column.column]
        low, high = values.bounds(wanted.type)
        table = self.w.memory.constant_bytes(
            b"".join(
                struct.pack("<Q", sum(1 << row for row, cell in enumerate(cells) if int(cell) == v))
                for v in range(low, high + 1)
            ),
            8,
        )
        value = ir.sub(self._scalar(wanted).one, ir.const(low))
        return view.pull(self.w.b.fix(ir.load(ir.mul(value, ir.const(PLANE)), table, "i64")))

    # -- the one thing that an optional holds

    def _exists(self, binds: Sequence[Bind], parts: Sequence[Expr]) -> E:
        """The members for which some combination makes all parts hold."""
        if not binds:
            found: E = ir.const(-1, "i64")
            for part in parts:
                found = both(found, self.of(part))
            return found
        bind, rest = binds[0], binds[1:]

        def beyond(known: Known) -> E:
            return self._inner(self.env, known, lambda inner: inner._exists(rest, parts))  # type: ignore[no-any-return]

        members = None if self._varies(bind.domain) else static_members(self.w, bind.domain, self.env)
        if members is not None and len(members) <= len(DIRECTIONS):
            any_of: E = ir.ZERO64
            for member in members:
                env = {**self.env, bind.slot: values.scalar(bind.type, ir.const(member))}
                any_of = _or(any_of, self._inner(env, self.known, lambda inner: inner._exists(rest, parts)))
            return self.w.b.fix(any_of)
        match bind.domain:
            case Apply(op="step", arguments=(cell, direction)):
                view = self._stepped(cell, direction, 1)
                return both(ir.const(view.defined, "i64"), beyond(self.known.and_view(bind.slot, view)))
            case Apply(op="at", arguments=(Apply(op="ray", arguments=(cell, direction)), position)):
                total: E = ir.ZERO64
                for steps, mask in self.numbers(position).items():
                    away = self._stepped(cell, direction, steps) if steps > 0 else None
                    if away is not None and away.defined:
                        there = beyond(self.known.and_view(bind.slot, away))
                        total = _or(total, both(both(mask, ir.const(away.defined, "i64")), there))
                return self.w.b.fix(total)
            case Read(type=OptionalType()) as read:
                empty = self._plane(read, ir.const(-1))
                return without(beyond(self.known.and_read(bind.slot, read)), empty)
        raise NoMask

    def _stepped(self, cell: Expr, direction: Expr, steps: int) -> View:
        way = self.w.quick(direction, self.env)
        view = self._view(cell)
        grid = self.w.program.grids[view.type.domain.name]
        if way is None or view.defined != self.full or len(grid.domain) != self.size:
            raise NoMask
        return _stepped(view, grid, way, steps)

    # -- numbers

    def _compared(self, op: str, a: Expr, b: Expr) -> E:
        if self._varies(b):
            a, b, op = b, a, _MIRRORED[op]
        with_ = self.w.quick(b, self.env)
        if with_ is None or self._varies(b):
            raise NoMask
        total: E = ir.ZERO64
        for value, mask in self.numbers(a).items():
            if _COMPARE[op](value, with_):
                total = _or(total, mask)
        return self.w.b.fix(total)

    @sourced
    def numbers(self, expr: Expr) -> Numbers:
        """The masks of a number, by its value."""
        found = self._counted.get(expr)
        if found is None:
            found = self._counted[expr] = self._numbers(expr)
            if len(found) > MOST_NUMBERS:
                raise NoMask
        return found

    def _numbers(self, expr: Expr) -> Numbers:
        if not self._varies(expr):
            value = self.w.quick(expr, self.env)
            if value is None:
                raise NoMask
            return {value: ir.const(-1, "i64")}
        match expr:
            case Local(slot) if slot in self.known.numbers:
                return self.known.numbers[slot]
            case Apply(op="+" | "-" as op, arguments=(a, b)) if not self._varies(b):
                by = self.w.quick(b, self.env)
                if by is None:
                    raise NoMask
                return {value + (by if op == "+" else -by): mask for value, mask in self.numbers(a).items()}
            case ColumnOf(type=NumberType()):
                view = self._view(expr.row)
                self.looked = True
                rows: dict[int, list[int]] = {}
                for row, cell in enumerate(self.w.program.tables[expr.table].cells[expr.column]):
                    rows.setdefault(int(cell), []).append(row)
                return {value: view.pull(_constant(members)) for value, members in rows.items()}
            case If():
                condition = self._decided(expr.condition)
                if condition.is_const:
                    return self.numbers(expr.then if condition.value else expr.otherwise)
                then, other = self.numbers(expr.then), self.numbers(expr.otherwise)
                none = ir.ZERO64
                return {
                    value: self.w.b.fix(
                        _or(both(then.get(value, none), condition), without(other.get(value, none), condition))
                    )
                    for value in sorted({*then, *other})
                }
            case Fold(word="count", binds=Binds((_,), stop_at_first_failure=True, passing=None) as binds, body=None):
                return self._run(binds)
            case Call() if self.w.inlines(expr):
                body = self.w.program.definitions[expr.definition].body
                return self._inner(*self._given(expr), lambda inner: inner.numbers(body))  # type: ignore[no-any-return]
        raise NoMask

    def _run(self, binds: Binds) -> Numbers:
        """How many cells of a ray in a row fulfil a condition: cell after cell, as long as there are any."""
        (bind,) = binds.binds
        match bind.domain:
            case Apply(op="ray", arguments=(cell, direction)):
                pass
            case _:
                raise NoMask
        assert binds.condition is not None
        condition = binds.condition
        found: dict[int, E] = {}
        so_far: E = ir.const(self.full, "i64")
        steps = 0
        while True:
            steps += 1
            view = self._stepped(cell, direction, steps)
            if not view.defined:
                found[steps - 1] = so_far
                return found
            known = self.known.and_view(bind.slot, view)
            holds = self._inner(self.env, known, lambda inner: inner.of(condition))
            longer = self.w.b.fix(both(both(so_far, holds), ir.const(view.defined, "i64")))
            found[steps - 1] = self.w.b.fix(without(so_far, longer))
            so_far = longer

    # -- calls

    def _given(self, expr: Call) -> tuple[Env, Known]:
        definition = self.w.program.definitions[expr.definition]
        env: dict[int, values.Val] = {}
        views: dict[int, View] = {}
        numbers: dict[int, Numbers] = {}
        for param, argument in zip(definition.params, expr.arguments, strict=True):
            if not self._varies(argument):
                env[param.slot] = self.w.fix(self.w.fit(self._scalar(argument), param.type))
            elif isinstance(param.type, MemberType):
                views[param.slot] = self._view(argument)
            elif isinstance(param.type, NumberType):
                numbers[param.slot] = self.numbers(argument)
            else:
                raise NoMask
        return env, Known(views, {}, numbers)


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "is": operator.eq,
    "is_not": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_MIRRORED = {"is": "is", "is_not": "is_not", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _turned(writer: Emitter, mask: E, by: int, size: int) -> E:
    """The mask of the members that come ``by`` places before those of a mask, on a ring."""
    mask = writer.b.fix(mask)
    low = ir.binary("shr_u", mask, ir.const(by, "i64"))
    high = ir.binary("shl", mask, ir.const(size - by, "i64"))
    return both(_or(low, high), ir.const((1 << size) - 1, "i64"))


def _stepped(view: View, grid: Grid, way: int, steps: int) -> View:
    """The cell so many steps away, where there is one."""
    defined = 0
    offsets = set()
    for cell in range(len(grid.domain)):
        ray = grid.ray(cell, way)
        if len(ray) >= steps:
            defined |= 1 << cell
            offsets.add(ray[steps - 1] - cell)
    if len(offsets) > 1:  # the rows of a hexagon are not of one length
        raise NoMask
    offset = offsets.pop() if offsets else 0

    def pull(mask: E) -> E:
        by = ir.const(abs(offset), "i64")
        moved = ir.binary("shr_u" if offset > 0 else "shl", mask, by)
        return view.pull(both(moved, ir.const(defined, "i64")))

    return View(view.type, pull, defined)
