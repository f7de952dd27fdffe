"""The members that a run leads to, as one mask: asked whether there is one among them, nobody goes from one to another.

What the state does not decide (the neighbours of a cell, what a leap reaches) is a table of masks. What lies along a
ray, up to something, is found by counting zeros. Conditions on the members are masks like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import attrs

from rulelang.program import Apply, Bind, Binds, Call, ColumnOf, Const, Expr, Fold, If, Local
from rulelang.program.analysis.effects import reads_state
from rulelang.program.walk import conjuncts, free_slots, walk
from rulelang.types import FLAG, ListType, MemberType, OptionalType, SetType

from ...evaluation.meter import METER, Undefined
from ...passes import on
from ..emit import registry
from ..emit.emitter import FEW, Emitter, item_of, static_members
from ..emit.registry import Env
from ..layout.shapes import is_scalar
from ..wat import ir
from ..wat.ir import E, all_weight
from . import along, bits
from .bits import Mask
from .conditions import MaskedCondition
from .views import Known, NoMask, itself

MOST_PARTS = 24
"""Masks that are worked out one by one, times words, to ask once whether there is a member."""

MOST_WORK = 250
"""Work up to which it beats going from one member to another, where the first may decide."""

MOST_PASSES = 100_000
"""Passes of loops that a table of masks may take."""

MOST_DEEP = 8
"""Definitions in one another that are written out."""

MOST_ROWS = 1 << 10
"""Rows of a table of masks, times words."""


def led_to(writer: Emitter, sequence: Expr, env: Env) -> Mask | None:
    """The mask of the members that a list, a set or an optional gives; None where that is not worth it."""
    if not isinstance(sequence.type, (ListType, SetType)) or writer.faults.may(sequence):
        return None
    return _tried(writer, lambda led: led.of(sequence, env))


def some_led_to(writer: Emitter, binds: Binds, tests: Sequence[Expr], env: Env, most: int = MOST_WORK) -> Mask | None:
    """The mask of the last binder's members for which some combination passes all tests; None as above.

    ``most``: the work that it may take.
    """
    if binds.stop_at_first_failure or writer.faults.may((*binds.binds, *tests)):
        return None
    if len(binds.binds) == 1 and not isinstance(binds.binds[0].domain.type, ListType):
        return None
    return _tried(writer, lambda led: led.run(binds.binds, tests, env), most)


def _tried(writer: Emitter, ask: Callable[[_Led], Mask], most: int = MOST_WORK) -> Mask | None:
    if writer.planes is None or not on("led"):
        return None

    def not_too_much() -> Mask | None:
        found = bits.fixed(writer.b, ask(_Led(writer)))
        return found if all_weight(writer.b.out) <= most else None

    found = writer.b.attempt(not_too_much)
    if found is not None:
        writer.registry.done["led"].append((writer.where.rule, writer.where.span))
    return found


def _members(type_: Any) -> MemberType:
    """The type of the members of a run, if they can be the bits of a mask."""
    item = item_of(type_)
    if isinstance(item, MemberType) and 2 < len(item.domain) <= along.MOST_WORDS * bits.WORD_BITS:
        return item
    raise NoMask


class _Led:
    def __init__(self, writer: Emitter) -> None:
        self.w = writer
        self.b = writer.b
        self._parts = 0
        self._deep = 0

    # -- what an expression gives

    def of(self, expr: Expr, env: Env) -> Mask:
        """The members that a run gives. Raises NoMask."""
        type_ = _members(expr.type)
        size = len(type_.domain)
        words = bits.words_of(size)
        settled = self._table(expr, env, words)
        if settled is not None:
            return settled
        match expr:
            case Const(value):
                members = [value] if isinstance(value, int) else value or ()
                return bits.of_members([int(v) for v in members], words)
            case Fold(word="list" | "set", binds=binds, body=Local(slot)) if slot == binds.binds[-1].slot:
                return self._gone_through(binds, env)
            case Fold(word="first"):
                looked = along.first_along(self.w, expr, env)
                if looked is None:
                    raise NoMask
                self._count(words)
                return looked.turned(self.w).met(self.w)
            case Apply(op="at", arguments=(Apply(op="ray", arguments=(cell, direction)), position)):
                past = along.past_run(self.w, cell, direction, position, env)
                if past is None:
                    raise NoMask
                self._count(words)
                return past.met(self.w)
            case Apply(op="part"):
                self._count(words)
                return along.begun(self.w, expr, env)
            case Apply(op="list", arguments=parts) if all(is_scalar(part.type) for part in parts):
                return self._either([bits.single(self.b, self.w.scalar(part, env), words) for part in parts], words)
            case ColumnOf() if isinstance(expr.type, (ListType, SetType)):
                return self._column(expr, env, words)
            case If():
                return self._if(expr, env)
        if isinstance(expr, Call) and expr.definition not in self.w.registry.plan.kept:
            return self._called(expr, env)
        if isinstance(expr.type, OptionalType) and is_scalar(expr.type.item):
            member = self.w.fix(self.w.value(expr, env))
            there = bits.all_or_none(self.b.fix(registry.is_some(member)), words)
            return bits.single(self.b, member.one, words) & there
        raise NoMask

    def _called(self, expr: Call, env: Env) -> Mask:
        definition = self.w.program.definitions[expr.definition]
        if definition.deep is not None or self._deep >= MOST_DEEP:
            raise NoMask
        self._deep += 1
        found = self.of(definition.body, self.w.given(expr, env))
        self._deep -= 1
        return found

    def _gone_through(self, binds: Binds, env: Env) -> Mask:
        if not binds.stop_at_first_failure:
            return self.run(binds.binds, conjuncts(binds.condition), env)
        looked = along.running(self.w, binds, env)
        if looked is None:
            raise NoMask
        found = looked.open(self.w)
        self._count(len(found.words))
        return found

    def _if(self, expr: If, env: Env) -> Mask:
        flag = self.b.fix(self.w.flag(expr.condition, env))
        if flag.is_const:
            return self.of(expr.then if flag.value else expr.otherwise, env)
        branches, before, most = [], self._parts, 0
        for branch in (expr.then, expr.otherwise):
            self._parts = before
            with self.b.aside() as code:
                mask = self.of(branch, env)
            branches.append((code, mask))
            most = max(most, self._parts)
        self._parts = most
        found = bits.MaskVariable(self.b, bits.constant(0, len(branches[0][1].words)))
        for code, mask in branches:
            with self.b.aside() as setting:
                found.set(mask)
            code.extend(setting)
        self.b.either(flag, *(code for code, _ in branches))
        return bits.fixed(self.b, found.now)

    # -- runs of several names

    def run(self, binds: Sequence[Bind], tests: Sequence[Expr], env: Env) -> Mask:
        """The last binder's members for which some combination passes all tests. Raises NoMask."""
        last = binds[-1]
        type_ = _members(last.domain.type)
        words = bits.words_of(len(type_.domain))
        slots = {bind.slot for bind in binds}
        about = [test for test in tests if free_slots(test) & slots == {last.slot}]
        others = [test for test in tests if test not in about]
        settled = [test for test in others if free_slots(test) & slots and not self._reads(test)]
        outer = [test for test in others if not free_slots(test) & slots]
        if len(settled) + len(outer) == len(others) and not any(self._reads(bind.domain) for bind in binds):
            found = self._listed(binds, settled, env, words)
            if found is not None:
                return self._passing(found, last, about, outer, env)
        if len(binds) == 1:
            return self._passing(self.of(last.domain, env), last, about, outer, env)
        ray = self._up_to(binds, tests, env)
        if ray is not None:
            return self._passing(ray, last, about, outer, env)
        parts = _parts_of(binds, tests)
        if parts is not None:
            return self._either([self.run((part, *binds[2:]), tests, env) for part in parts], words)
        early = [test for test in tests if not free_slots(test) & (slots - {binds[0].slot})]
        late = [test for test in tests if test not in early]
        each = [self._beyond(binds, early, late, inner, there) for inner, there in self._each(binds[0], env)]
        return self._either([mask for mask in each if mask is not None], words)

    def _each(self, bind: Bind, env: Env) -> Iterator[tuple[Env, E]]:
        """The values of a binder that has few, and whether each is there."""
        known = static_members(self.w, bind.domain, env)
        if known is not None and len(known) <= FEW:
            for member in known:
                yield {**env, bind.slot: registry.scalar(bind.type, ir.const(member))}, ir.ONE
            return
        type_ = bind.domain.type
        if not isinstance(type_, OptionalType) or not is_scalar(type_.item):
            raise NoMask
        given = self.w.fix(self.w.value(bind.domain, env))
        there = self.b.fix(registry.is_some(given))
        # What would be looked up for none is looked up for the first value instead.
        low, _ = registry.bounds(bind.type)
        item = self.b.fix(ir.select(there, given.one, ir.const(low)))
        yield {**env, bind.slot: self.w.fit(registry.scalar(registry.held(given).type, item), bind.type)}, there

    def _beyond(
        self, binds: Sequence[Bind], early: Sequence[Expr], late: Sequence[Expr], env: Env, there: E
    ) -> Mask | None:
        """What a value of the first binder leads to; None for what is known to be nothing."""
        for test in early:
            there = ir.both(there, self.w.flag(test, env))
        if there.is_const and not there.value:
            return None
        mask = self.run(binds[1:], late, env)
        there = self.b.fix(there)
        return mask if there.is_const else mask & bits.all_or_none(there, len(mask.words))

    def _up_to(self, binds: Sequence[Bind], tests: Sequence[Expr], env: Env) -> Mask | None:
        """``n in 1..count(...) + 1, e in ray(c, d)[n]``, where nothing else asks for ``n``."""
        found = stretch(self.w, binds, tests, env)
        if found is None:
            return None
        self._count(len(found[0].cells.words))
        return stretched(self.w, *found)

    # -- conditions

    def _passing(self, mask: Mask, last: Bind, about: Sequence[Expr], outer: Sequence[Expr], env: Env) -> Mask:
        """The members of a mask that pass the tests about them, if the others hold."""
        type_ = _members(last.domain.type)
        if last.type != type_:
            raise NoMask
        if about:
            condition = MaskedCondition(self.w, env, Known({last.slot: itself(type_)}), len(type_.domain))
            for test in about:
                mask = mask & condition.of(test)
        there: E = ir.ONE
        for test in outer:
            there = ir.both(there, self.w.flag(test, env))
        there = self.b.fix(there)
        if not (there.is_const and there.value):
            mask = mask & bits.all_or_none(there, len(mask.words))
        return bits.fixed(self.b, mask)

    # -- what the state does not decide

    def _reads(self, expr: Expr) -> bool:
        known = self.w.registry.reading
        if id(expr) not in known:  # the expression is kept, so that no other one can get its number
            known[id(expr)] = expr, reads_state(self.w.program, expr)
        return known[id(expr)][1]

    def _listed(self, binds: Sequence[Bind], tests: Sequence[Expr], env: Env, words: int) -> Mask | None:
        """What binders lead to that do not depend on the state."""
        condition = None
        for test in tests:
            condition = test if condition is None else Apply("and", (condition, test), FLAG, span=test.span)
        last, span = binds[-1], binds[0].span
        body = Local(last.slot, last.name, last.type, span=span)
        run = Binds(tuple(binds), condition, span=span)
        return self._table(Fold("list", body, run, ListType(item_of(last.domain.type)), span=span), env, words)

    def _table(self, expr: Expr, env: Env, words: int) -> Mask | None:
        """The row of a table by the values of the names in an expression that does not look at the state."""
        known = self.w.registry.known
        new = lambda node: isinstance(node, ColumnOf) and node.table not in known.program.tables  # noqa: E731
        if self._reads(expr) or any(map(new, walk(expr))):
            return None
        slots = sorted(free_slots(expr))
        given = [env.get(slot) for slot in slots]
        if any(value is None or not is_scalar(value.type) for value in given):
            return None
        asked = [value for value in given if value is not None]
        if any(v.is_const and v.one.value not in _span(v.type) for v in asked):  # what would follow from nothing
            raise NoMask
        spans = [range(v.one.value, v.one.value + 1) if v.is_const else _span(v.type) for v in asked]
        if prod(map(len, spans)) * words > MOST_ROWS:
            return None
        self._count(words)
        tables = self.w.registry.masks
        key = (expr, tuple((span.start, len(span)) for span in spans))
        if key not in tables:
            try:
                with METER.counting(self.w.memory.limits, MOST_PASSES):
                    masks = [self._mask_of(expr, slots, case) for case in product(*spans)]
            except Undefined:  # it takes too long to be worked out beforehand
                tables[key] = None
            else:
                tables[key] = self._kept(masks, words)
        if tables[key] is None:
            raise NoMask
        place: E = ir.ZERO
        for value, span in zip(asked, spans, strict=True):
            if not value.is_const:
                place = place * len(span) + (value.one - span.start)
        return self._row(tables[key], place, words)

    def _mask_of(self, expr: Expr, slots: Sequence[int], case: Sequence[int]) -> int:
        local: list[Any] = [None] * (max([*slots, *_bound(expr)], default=-1) + 1)
        for slot, value in zip(slots, case, strict=True):
            local[slot] = value
        found = self.w.registry.known.evaluate(expr, local)
        members = [found] if isinstance(found, int) else found or ()
        return sum(1 << member for member in set(members))

    def _column(self, expr: ColumnOf, env: Env, words: int) -> Mask:
        """The members in a cell of a table."""
        cells = self.w.program.tables[expr.table].cells[expr.column]
        if len(cells) * words > MOST_ROWS:
            raise NoMask
        self._count(words)
        tables, key = self.w.registry.masks, (expr.table, expr.column)
        if key not in tables:
            tables[key] = self._kept([sum(1 << int(member) for member in set(cell)) for cell in cells], words)
        return self._row(tables[key], self.w.scalar(expr.row, env), words)

    def _kept(self, masks: Sequence[int], words: int) -> int | Mask:
        """The address of a table of masks, or the mask that all rows have."""
        if all(mask == masks[0] for mask in masks):
            return bits.constant(masks[0], words)
        return self.w.memory.constant_bytes(b"".join(bits.packed(mask, words) for mask in masks), 8)

    def _row(self, table: int | Mask, place: E, words: int) -> Mask:
        if isinstance(table, Mask):
            return table
        at = self.b.fix(place * (8 * words) + table)
        return bits.fixed(self.b, bits.load(at, 0, words))

    # -- small things

    def _either(self, masks: Sequence[Mask], words: int) -> Mask:
        return bits.fixed(self.b, bits.any_of(masks, words))

    def _count(self, words: int) -> None:
        self._parts += words
        if self._parts > MOST_PARTS:
            raise NoMask


def stretch(writer: Emitter, binds: Sequence[Bind], used: Sequence[Expr], env: Env) -> tuple[along.Along, bool] | None:
    """What ``n in 1..count(...), e in ray(c, d)[n]`` goes along, and whether it is one cell more.

    ``used``: what else may ask for ``n``; then it is nothing of the kind.
    """
    if len(binds) != 2:
        return None
    number, cell = binds
    match number.domain, cell.domain:
        case (
            Apply(op="range", arguments=(Const(1), last)),
            Apply(op="at", arguments=(Apply(op="ray", arguments=(from_, direction)) as ray, Local(slot))),
        ) if slot == number.slot and number.slot not in free_slots(ray):
            if any(number.slot in free_slots(part) for part in used):
                return None
            return along.up_to_run(writer, from_, direction, last, env)
    return None


def stretched(writer: Emitter, looked: along.Along, one_more: bool) -> Mask:
    """The cells of a stretch."""
    found = looked.open(writer)
    return bits.fixed(writer.b, found | looked.met(writer) if one_more else found)


def _parts_of(binds: Sequence[Bind], tests: Sequence[Expr]) -> list[Bind] | None:
    """For ``part in [A, B], x in part``, where nothing else asks for the part, a binder of ``x`` for each of them."""
    first, second, *others = binds
    asked = free_slots(second.domain) == {first.slot} and isinstance(second.domain, Local)
    if not asked or any(first.slot in free_slots(part) for part in (*(bind.domain for bind in others), *tests)):
        return None
    match first.domain:
        case Apply(op="list", arguments=lists) if all(isinstance(part.type, ListType) for part in lists):
            return [attrs.evolve(second, domain=part) for part in lists]
    return None


def _span(type_: Any) -> range:
    low, high = registry.bounds(type_)
    return range(low, high + 1)


def _bound(expr: Expr) -> Iterator[int]:
    return (node.slot for node in walk(expr) if isinstance(node, Bind))
