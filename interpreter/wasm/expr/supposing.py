"""Code for suppositions: a value in the position as it would be after a rule.

The cells that the rule may change are copied to the arena, a function of the rule for this purpose changes them in
place, the value is worked out, and they are copied back. That function knows no watchers and counts nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import After, Expr, Rule
from rulelang.program.analysis.names import free_slots
from rulelang.program.analysis.supposing import supposed_writes
from rulelang.types import NumberType, OptionalType

from ...lowered.cells import argument_bounds
from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.addresses import CALLER, DIRTY, STATE, SUPPOSING
from ..layout.shapes import holds_addresses
from ..wat import ir
from ..wat.ir import E
from .copying import copied
from .depth import entered
from .remembered import readings, set_back


def after(writer: Emitter, expr: After, env: Env) -> Val:
    """The value of an expression in the position as it would be."""
    rule = writer.program.rules[expr.rule]
    locals_ = writer.locals_for(expr.type)
    with writer.releasing(when=not holds_addresses(expr.type)):
        given = [part for value in arguments(writer, rule, expr.arguments, env) for part in value.parts]
        # What has been worked out stays as it is when the cells change.
        kept = {slot: writer.fix(copied(writer, env[slot])) for slot in sorted(free_slots(expr.value))}
        changing = _changing(writer, expr.rule)
        saved = _save(writer, changing)
        clocks = readings(writer, supposed_writes(writer.program, expr.rule))
        version = _version(writer, expr.rule)
        dirty = writer.b.fix(ir.load(ir.ZERO, STATE + DIRTY)) if writer.program.watchers else None
        _run(writer, rule, given)
        with writer.elsewhere():
            writer.set_all(locals_, copied(writer, writer.fitted(expr.value, expr.type, {**env, **kept})))
        _restore(writer, changing, saved)
        set_back(writer, {**clocks, **version})
        if dirty is not None:
            writer.b.store(ir.ZERO, dirty, STATE + DIRTY)
    return writer.of_locals(expr.type, locals_)


# ---------------------------------------------------------------- arguments


def arguments(writer: Emitter, rule: Rule, given: Sequence[Expr], env: Env) -> list[Val]:
    """The values for the parameters of a rule, each fixed, within its bounds, and independent of the cells."""
    found = []
    for expr, param in zip(given, rule.params, strict=True):
        value = within(writer, rule, argument_bounds(param.type, expr.type), writer.fitted(expr, expr.type, env))
        found.append(writer.fix(copied(writer, writer.fit(value, param.type))))
    return found


def within(writer: Emitter, rule: Rule, bounds: NumberType | None, argument: Val) -> Val:
    """The argument, which must lie within the bounds of its parameter.

    Numbers are compared before they are fitted: one outside could look like none.
    """
    if bounds is None:
        return argument
    argument = writer.fix(argument)
    present: E = ir.ONE
    number = argument
    if isinstance(argument.type, OptionalType):
        present, number = values.is_some(argument), values.held(argument)
    if number.parts:
        outside = ir.either(ir.lt(number.one, ir.const(bounds.low)), ir.gt(number.one, ir.const(bounds.high)))
        with writer.b.if_(ir.both(present, outside)):
            writer.fault("argument", number.one, low=bounds.low, high=bounds.high, rule=rule.id)
    return argument


# ---------------------------------------------------------------- what changes, and is put back


Stretch = tuple[int, int]
"""An address, and a number of bytes."""

_GAP = 64
"""Bytes between two stretches up to which they are copied as one."""


def _changing(writer: Emitter, rule: str) -> list[Stretch]:
    """The stretches of memory that the rule may change: cells, and the planes that follow them."""
    memory = writer.memory
    found = []
    names = sorted(supposed_writes(writer.program, rule))
    for name in names:
        cell = memory.cells[name]
        found.append((cell.base, cell.size * cell.variable.cells))
        if writer.planes is not None and name in writer.planes.of_variable:
            kept = writer.planes.of_variable[name]
            found.append((kept.base, kept.all_bytes))
    joined: list[Stretch] = []
    for start, size in sorted(found):
        if joined and start - sum(joined[-1]) <= _GAP:
            first, _ = joined.pop()
            start, size = first, start + size - first
        joined.append((start, size))
    return joined


def _save(writer: Emitter, changing: Sequence[Stretch]) -> E:
    """A copy of the stretches, one after another."""
    saved = writer.runtime("alloc", ir.const(sum(size for _, size in changing)))
    at = 0
    for start, size in changing:
        writer.b.copy(ir.add(saved, ir.const(at)), ir.const(start), ir.const(size))
        at += size
    return saved


def _restore(writer: Emitter, changing: Sequence[Stretch], saved: E) -> None:
    at = 0
    for start, size in changing:
        writer.b.copy(ir.const(start), ir.add(saved, ir.const(at)), ir.const(size))
        at += size


def _version(writer: Emitter, rule: str) -> dict[str, E]:
    """The version of the grids, if the rule may change any of them."""
    if not any(writer.program.variables[name].kind == "grid" for name in supposed_writes(writer.program, rule)):
        return {}
    return {"version": writer.b.fix(ir.global_("version"))}


def _run(writer: Emitter, rule: Rule, given: Sequence[E]) -> None:
    """A call of the rule's function. A fault in it is told at the place that supposes it to run."""
    with entered(writer, rule):
        _run_function(writer, rule, given)


def _run_function(writer: Emitter, rule: Rule, given: Sequence[E]) -> None:
    b = writer.b
    supposing, caller = writer.memory.scratch + SUPPOSING, writer.memory.scratch + CALLER
    writer.stops = True
    here: E = ir.const(writer.registry.fault_point("supposed", writer.where, {}, shared=writer.shared) + 1)
    before = b.fix(ir.load(ir.ZERO, supposing))
    calling = b.fix(ir.load(ir.ZERO, caller)) if writer.shared else None
    if calling is not None:
        here = ir.add(calling, ir.ONE)
    b.store(ir.ZERO, ir.select(before, before, here), supposing)
    b.call(writer.registry.supposed(rule), given, (b.local(),))
    b.store(ir.ZERO, before, supposing)
    if calling is not None:
        b.store(ir.ZERO, calling, caller)
