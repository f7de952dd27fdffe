"""Code for expressions.

Definitions are written out where they are called, with what is known about their arguments, so that conditions on
constants vanish and no list is made that is only gone through. Big definitions become functions, one for each
combination of constant arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

from rulelang.program import (
    After,
    Apply,
    Binds,
    ByLength,
    Call,
    ColumnOf,
    Const,
    Definition,
    Expr,
    Fold,
    GroupOf,
    Groups,
    If,
    Local,
    LongestTrail,
    PartOf,
    PiecesOf,
    Read,
    Ways,
)
from rulelang.program.analysis.effects import reads_state
from rulelang.program.analysis.faults import may_leave
from rulelang.program.walk import free_slots
from rulelang.types import OptionalType, Type, kinds

from ...passes.remember import KeptDefinition
from ..emit import registry
from ..emit.emitter import Body, Emitter
from ..emit.registry import Env, Registry, Val, Where
from ..layout.shapes import ANY, WORD, NotLowered, components, is_address, is_scalar, words
from ..wat import ir
from ..wat.builder import Builder
from ..wat.ir import E, light, sourced, straight
from . import conversions, folds, graphs, hoisted, operations, runs, shared, supposing
from .shared import arguments, within


class ExpressionWriter(Emitter):
    """Writes the expressions of one function."""

    def __init__(self, registry: Registry, builder: Builder, where: Where, *, shared: bool = False) -> None:
        super().__init__(registry, builder, where, shared=shared)
        self._called: dict[tuple[Any, ...], tuple[list[ir.Statement], Val]] = {}
        """Values of calls that were worked out, and the statements among which that was done."""
        self.runs = hoisted.Runs()

    def another(self, builder: Builder, where: Where) -> ExpressionWriter:
        return ExpressionWriter(self.registry, builder, where, shared=True)

    def fit(self, value: Val, type_: Type) -> Val:
        return conversions.fit(self, value, type_)

    # -- values

    @sourced
    def value(self, expr: Expr, env: Env) -> Val:
        kept = hoisted.hoisted(self, self.runs, expr, env, lambda: self._value(expr, env))
        return self._value(expr, env) if kept is None else kept

    def _value(self, expr: Expr, env: Env) -> Val:
        match expr:
            case Const(value, type_):
                return registry.constant(self.memory, value, type_)
            case Local(slot):
                return env[slot]
            case Read():
                return self.read(expr, env)
            case ColumnOf():
                return self._column(expr, env)
            case PartOf():
                whole = self.value(expr.value, env)
                if isinstance(whole.type, OptionalType):
                    whole = registry.held(whole)
                return registry.part_of(whole, expr.position)
            case Call():
                return self.call(expr, env)
            case If():
                return self._if(expr, env)
            case Fold():
                return folds.fold(self, expr, env)
            case PiecesOf():
                return self._pieces(expr, env)
            case GroupOf():
                return graphs.group_of(self, expr, env)
            case Groups():
                return graphs.groups(self, expr, env)
            case LongestTrail():
                return graphs.longest_trail(self, expr, env)
            case Ways():
                return graphs.ways(self, expr, env)
            case ByLength():
                return graphs.way(self, expr, env)
            case After():
                return supposing.after(self, expr, env)
            case Apply():
                return operations.apply(self, expr, env)
        raise NotLowered(f"the expression {type(expr).__name__}")

    def read(self, expr: Read, env: Env) -> Val:
        cell = self.memory.cells[expr.variable]
        address = self.address(cell, expr.indices, env)
        type_ = cell.type
        if is_address(type_):
            return Val(type_, (address,))
        if len(components(type_)) > 1:
            address = self.b.fix(address)
        return registry.load_value(address, type_)

    def _column(self, expr: ColumnOf, env: Env) -> Val:
        column = self.program.tables[expr.table].cells[expr.column]
        type_ = self.program.tables[expr.table].types[expr.column]
        row = self.scalar(expr.row, env)
        if row.is_const:
            return registry.constant(self.memory, column[row.value], type_)
        known = self.registry.columns
        if (expr.table, expr.column) not in known:
            known[expr.table, expr.column] = self._column_words(column, type_)
        found = known[expr.table, expr.column]
        if not isinstance(found, int):
            return Val(type_, found)
        address = row * (WORD * words(type_)) + found
        if len(components(type_)) > 1:
            address = self.b.fix(address)
        return registry.load_value(address, type_)

    def _column_words(self, column: Sequence[Any], type_: Type) -> int | tuple[E, ...]:
        """The address of a column's words, row after row; the value itself where all rows have the same."""
        found = [registry.constant(self.memory, value, type_).parts for value in column]
        if all(parts == found[0] or _alike(parts, found[0]) for parts in found):
            return found[0]
        flat: list[int] = []
        for parts in found:
            for part in parts:
                flat.append(part.value if part.ty == "i32" else ir.signed(part.value))
                if part.ty == "i64":
                    flat.append(ir.signed(part.value >> 32))
        return self.memory.constant(flat)

    def _if(self, expr: If, env: Env) -> Val:
        condition = self.flag(expr.condition, env)
        if condition.is_const:
            return self.fitted(expr.then if condition.value else expr.otherwise, expr.type, env)
        type_ = expr.type
        with self.b.aside() as then_code:
            then = self.fitted(expr.then, type_, env)
        with self.b.aside() as other_code:
            other = self.fitted(expr.otherwise, type_, env)
        if not then_code and not other_code and len(then.parts) == 1:
            return Val(type_, (ir.if_else(condition, then.one, other.one),))
        locals_ = self.locals_for(type_)
        with self.b.if_(condition):
            self.b.out.extend(then_code)
            self.set_all(locals_, then)
        with self.b.else_():
            self.b.out.extend(other_code)
            self.set_all(locals_, other)
        return self.of_locals(type_, locals_)

    def quick(self, expr: Expr, env: Env) -> int | None:
        if isinstance(expr, Const):
            return int(expr.value) if isinstance(expr.value, int) else None
        if not is_scalar(expr.type) or not all(slot in env and env[slot].is_const for slot in free_slots(expr)):
            return None
        if reads_state(self.program, expr):
            return None
        with self.b.aside() as code:
            found = self.value(expr, env)
        return found.one.value if not code and found.is_const else None

    # -- conditions

    @sourced
    def flag(self, expr: Expr, env: Env) -> E:
        match expr:
            case Const(value):
                return ir.const(int(bool(value)))
            case Apply(op="and" | "or" as op, arguments=(left, right)):
                return self._logic(op, left, right, env)
            case Apply(op="not", arguments=(inner,)):
                return ir.not_(self.flag(inner, env))
        return self.scalar(expr, env)

    def _logic(self, op: str, left: Expr, right: Expr, env: Env) -> E:
        a = self.flag(left, env)
        decisive = int(op == "or")
        if a.is_const:
            return a if a.value == decisive else self.flag(right, env)
        with self.b.aside() as code:
            b = self.flag(right, env)
        if code and straight(code, b, 24):
            # Working it out in any case costs less than a jump that is hard to foresee. Nothing that is read can fail:
            # values are in their domains wherever they come from, and the guard at the start of memory takes none.
            self.b.out.extend(code)
            return ir.both(a, b) if op == "and" else ir.either(a, b)
        if not code:
            if b.is_const:
                return b if b.value == decisive else a
            if op == "and":
                return ir.both(a, b) if light(b) else ir.if_else(a, b, ir.ZERO)
            return ir.either(a, b) if light(b) else ir.if_else(a, ir.ONE, b)
        result = self.b.let(a)
        with self.b.if_(self.b.get(result) if op == "and" else ir.not_(self.b.get(result))):
            self.b.out.extend(code)
            self.b.set(result, b)
        return self.b.get(result)

    @sourced
    def unless(self, expr: Expr, env: Env, label: str) -> None:
        match expr:
            case Const(value):
                if not value:
                    self.b.br(label)
            case Apply(op="and", arguments=parts):
                for part in parts:
                    self.unless(part, env, label)
            case Apply(op="or", arguments=(left, right)):
                a = self.flag(left, env)
                if a.is_const:
                    if not a.value:
                        self.unless(right, env, label)
                    return
                with self.b.block() as holds:
                    self.b.br_if(holds, a)
                    self.unless(right, env, label)
            case Call() if self.inlines(expr):
                definition = self.program.definitions[expr.definition]
                given = self.given(expr, env)
                if self._recalls(definition, given) is not None:
                    self.b.br_if(label, ir.not_(self._called_with(expr, given).one))
                else:
                    self.unless(definition.body, given, label)
            case If():
                condition = self.flag(expr.condition, env)
                if condition.is_const:
                    self.unless(expr.then if condition.value else expr.otherwise, env, label)
                else:
                    self.b.br_if(label, ir.not_(self._if(expr, env).one))
            case _:
                self.b.br_if(label, ir.not_(self.flag(expr, env)))

    # -- definitions

    def given(self, expr: Call, env: Env) -> dict[int, Val]:
        definition = self.program.definitions[expr.definition]
        return arguments(self, expr.arguments, definition.params, definition.name, env)

    def call(self, expr: Call, env: Env) -> Val:
        return self._called_with(expr, self.given(expr, env))

    def _called_with(self, expr: Call, given: Mapping[int, Val]) -> Val:
        definition = self.program.definitions[expr.definition]
        key = (expr.definition, *((p.op, p.imm) for value in given.values() for p in value.parts))
        known = self._called.get(key)
        if known is not None and self.b.is_open(known[0]):
            return known[1]
        where = self.b.out
        found = self._of_definition(expr, definition, given)
        if not found.is_const and self.b.out is where:
            found = self.fix(found)
            self._called[key] = (where, found)
        return found

    def group(self, expr: GroupOf, env: Env) -> tuple[E, ...] | None:
        mask = graphs.group_mask(self, expr, env)
        return None if mask is None else mask.words

    def forget(self) -> None:
        """Forget computed values: a cell or a local changes."""
        self._called.clear()

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        outer, self._called = self._called, {}
        runs, self.runs = self.runs, hoisted.Runs()
        try:
            yield
        finally:
            self._called, self.runs = outer, runs

    def moved(self, address: E) -> AbstractContextManager[None]:
        return self.runs.moved(self, address)

    def _of_definition(self, expr: Call, definition: Definition, given: Mapping[int, Val]) -> Val:
        how = self._recalls(definition, given)
        if how is None and self.inlines(expr):
            return self.fitted(definition.body, definition.type, given)

        def write(writer: Emitter, env: Env) -> Val:
            work_out = partial(_worked_out, writer, definition, env)
            return work_out() if how is None else hoisted.recalled(writer, definition, how, env, work_out)

        made = shared.function(self, "d", definition, given, definition.type, write)
        self.calling(made.name)
        args = made.arguments(given)
        results = components(definition.type)
        if len(results) == 1:
            return Val(definition.type, (self.b.fix(ir.call(made.name, args, results[0])),))
        locals_ = self.locals_for(definition.type)
        self.b.call(made.name, args, locals_)
        return self.of_locals(definition.type, locals_)

    def _recalls(self, definition: Definition, given: Mapping[int, Val]) -> KeptDefinition | None:
        """How a value for these arguments is remembered, if that takes less than working it out."""
        how = hoisted.kept(self, definition, given)
        if how is None:
            return None
        constant = tuple((slot, v.one.value) for slot, v in sorted(given.items()) if v.is_const)
        key = (definition.name, constant)
        worth = self.registry.worth
        if key not in worth:
            with self.b.aside() as code, self.elsewhere():
                self.fitted(definition.body, definition.type, given)
            worth[key] = hoisted.heavy(code)
        return how if worth[key] else None

    # -- runs of values

    def run(
        self,
        binds: Binds,
        env: Env,
        body: Body,
        extra: Sequence[Expr] = (),
        release: bool = True,
        last: Callable[[Env, E], None] | None = None,
        once: Collection[int] = (),
    ) -> None:
        runs.run(self, binds, env, body, extra, release, last, once)

    def _pieces(self, expr: PiecesOf, env: Env) -> Val:
        every = kinds(expr.type.kind)
        at = self.runtime("zeroes", ir.const(len(every)))

        def put(inner: Env, entry: tuple[Expr, Expr]) -> None:
            kind = self.b.fix(self.scalar(entry[0], inner) - every.start)
            count = self.b.fix(self.scalar(entry[1], inner))
            low, high = registry.bounds(entry[0].type) if is_scalar(entry[0].type) else (-ANY, ANY)
            counts: E = ir.ONE if count.is_const and count.value > 0 else count > 0
            if not (every.start <= low and high < every.stop):
                counts = ir.both(counts, ir.binary("lt_u", kind, len(every)))
            with self.b.if_(counts):
                place = self.b.fix(kind * WORD + at)
                self.b.store(place, ir.call("at_most", (ir.load(place, 0, "i64", "32_u") + wide(count),)))

        if expr.binds is None:
            for entry in expr.entries:
                put(env, entry)
        else:
            self.run(expr.binds, env, lambda inner: put(inner, expr.entries[0]))
        return Val(expr.type, (at,))


def wide(count: E) -> E:
    return ir.wide(count)


def _alike(a: Sequence[E], b: Sequence[E]) -> bool:
    return all(x.value == y.value for x, y in zip(a, b, strict=True))


def _worked_out(writer: Emitter, definition: Definition, env: Env) -> Val:
    """The value of a definition; of one that may use itself, within the bounds that it promises."""
    body = definition.body
    if definition.deep is None or not may_leave(definition.type, body.type):
        return writer.fitted(body, definition.type, env)
    value = writer.fix(writer.value(body, env))
    within(writer, value, definition.type, definition.name, "gives")
    return writer.fit(value, definition.type)
