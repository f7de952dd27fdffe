"""Code for suppositions: a value in the position as it would be after a rule.

The cells that the rule may change are copied to the arena, a function of the rule for this purpose changes them in
place, the value is worked out, and they are copied back. That function knows no watchers and counts nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rulelang.program import After, Expr, Rule
from rulelang.program.analysis.effects import supposed_writes
from rulelang.program.walk import free_slots
from rulelang.types import NumberType, OptionalType

from ...lowered.cells import argument_bounds
from ...passes.suppose import Supposition
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, Val
from ..layout.addresses import CALLER, DIRTY, STATE, SUPPOSING
from ..layout.shapes import WORD, holds_addresses
from ..wat import ir
from ..wat.builder import SMALL
from ..wat.ir import E
from .conversions import copied
from .hoisted import readings, set_back
from .shared import entered


def after(writer: Emitter, expr: After, env: Env) -> Val:
    """The value of an expression in the position as it would be."""
    rule = writer.program.rules[expr.rule]
    locals_ = writer.locals_for(expr.type)
    with writer.releasing(when=not holds_addresses(expr.type)):
        given = [part for value in arguments(writer, rule, expr.arguments, env) for part in value.parts]
        # What has been worked out stays as it is when the cells change.
        kept = {slot: writer.fix(copied(writer, env[slot])) for slot in sorted(free_slots(expr.value))}
        function, how = writer.registry.supposed(rule, expr.value)
        _tell(writer, expr, how)
        changed = supposed_writes(writer.program, expr.rule) - how.kept
        changing = _changing(writer, changed, how)
        saved = _save(writer, changing)
        notes = begin(writer, how.notes)
        clocks = readings(writer, changed)
        version = _version(writer, expr.rule)
        dirty = writer.b.fix(ir.load(ir.ZERO, STATE + DIRTY)) if writer.program.watchers else None
        _run(writer, rule, function, given)
        with writer.elsewhere():
            writer.set_all(locals_, copied(writer, writer.fitted(expr.value, expr.type, {**env, **kept})))
        if notes is not None:
            undo(writer, notes)
        _restore(writer, changing, saved)
        set_back(writer, {**clocks, **version})
        if dirty is not None:
            writer.b.store(ir.ZERO, dirty, STATE + DIRTY)
    return writer.of_locals(expr.type, locals_)


def _tell(writer: Emitter, expr: After, how: Supposition) -> None:
    """Says what is done in a quicker way."""
    parts = [
        f"{', '.join(sorted(names))} {what}"
        for names, what in ((how.kept, "left as it is"), (how.function.noted, "put back cell by cell"))
        if names
    ]
    if parts:
        writer.registry.done["suppose"].append((f"{expr.rule}: {'; '.join(parts)}", expr.span))


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
        present, number = registry.is_some(argument), registry.held(argument)
    if number.parts:
        outside = ir.either(number.one < bounds.low, number.one > bounds.high)
        with writer.b.if_(ir.both(present, outside)):
            writer.fault("argument", number.one, low=bounds.low, high=bounds.high, rule=rule.id)
    return argument


_BY_WORDS = 192
"""Bytes up to which a stretch is copied word by word."""

# ---------------------------------------------------------------- what changes, and is put back


Stretch = tuple[int, int]
"""An address, and a number of bytes."""

_GAP = 64
"""Bytes between two stretches up to which they are copied as one."""


def _changing(writer: Emitter, changed: Iterable[str], how: Supposition) -> list[Stretch]:
    """The stretches of memory to copy for variables that may change: cells without notes, and all planes."""
    memory = writer.memory
    found = []
    for name in sorted(changed):
        cell = memory.cells[name]
        if name not in how.function.noted:
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
        _copy(writer, saved + at, ir.const(start), size)
        at += size
    return saved


def _restore(writer: Emitter, changing: Sequence[Stretch], saved: E) -> None:
    at = 0
    for start, size in changing:
        _copy(writer, ir.const(start), saved + at, size)
        at += size


def _copy(writer: Emitter, to: E, source: E, size: int) -> None:
    """Copies bytes that do not overlap: some by words, since a copy of many is a call."""
    most = SMALL if size <= _BY_WORDS else size
    for at in range(0, size, most):
        writer.b.copy(to + at, source + at, ir.const(min(most, size - at)))


def _version(writer: Emitter, rule: str) -> dict[str, E]:
    """The version of the grids, if the rule may change any of them."""
    if not any(writer.program.variables[name].kind == "grid" for name in supposed_writes(writer.program, rule)):
        return {}
    return {"version": writer.b.fix(ir.global_("version"))}


def _run(writer: Emitter, rule: Rule, function: str, given: Sequence[E]) -> None:
    """A call of the rule's function. A fault in it is told at the place that supposes it to run."""
    with entered(writer, rule):
        _run_function(writer, function, given)


def _run_function(writer: Emitter, function: str, given: Sequence[E]) -> None:
    b = writer.b
    supposing, caller = writer.memory.scratch + SUPPOSING, writer.memory.scratch + CALLER
    writer.stops = True
    here: E = ir.const(writer.registry.fault_point("supposed", writer.where, {}, shared=writer.shared) + 1)
    before = b.fix(ir.load(ir.ZERO, supposing))
    calling = b.fix(ir.load(ir.ZERO, caller)) if writer.shared else None
    if calling is not None:
        here = calling + 1
    b.store(ir.ZERO, ir.select(before, before, here), supposing)
    b.call(function, given, (b.local(),))
    b.store(ir.ZERO, before, supposing)
    if calling is not None:
        b.store(ir.ZERO, calling, caller)


# Notes of what cells held before a supposition changed them: an address and a word each, one after another.
#
# They lie in the arena, as many as there can be; a global says where the next one goes.


NOTES = "notes"
"""The global that says where the next note goes."""

NOTE = 2 * WORD
"""Bytes of a note."""


class SuppositionNotes(NamedTuple):
    """Where the notes of a supposition begin, and where those of one around it go on."""

    first: E
    outer: E


def begin(writer: Emitter, number: int) -> SuppositionNotes | None:
    """Takes room for so many notes; None for none."""
    if not number:
        return None
    writer.registry.notes = True
    first = writer.runtime("alloc", ir.const(NOTE * number))
    outer = writer.b.fix(ir.global_(NOTES))
    writer.b.set_global(NOTES, first)
    return SuppositionNotes(first, outer)


def note(writer: Emitter, address: E, word: E) -> None:
    """Notes what is in a cell that is about to change; both are fixed."""
    b = writer.b
    at = b.fix(ir.global_(NOTES))
    b.store(at, address)
    b.store(at, word, WORD)
    b.set_global(NOTES, at + NOTE)


def undo(writer: Emitter, notes: SuppositionNotes) -> None:
    """Puts back what has been noted, the last first."""
    b = writer.b
    at = b.let(ir.global_(NOTES))
    with b.block() as done:
        b.br_if(done, ir.eq(b.get(at), notes.first))
        with b.loop(1) as again:  # what was noted has been paid for when it was
            b.add(at, -NOTE)
            b.store(b.fix(ir.load(b.get(at))), ir.load(b.get(at), WORD))
            b.br_if(again, ir.ne(b.get(at), notes.first))
    b.set_global(NOTES, notes.outer)
