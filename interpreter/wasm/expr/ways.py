"""Code for ways: a search that remembers, for each step of the way so far, which others are still to be tried."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.program import Fold, Ways
from rulelang.types import ListType

from ..emit.emitter import Emitter
from ..emit.values import Env, Val, load_value
from ..layout.shapes import WORD, words
from ..wat import ir
from ..wat.ir import E

FRAME = 3 * WORD
"""What is remembered of a step: the address of the next one to try, of the end of them, and the top of the arena."""


def ways(writer: Emitter, expr: Ways, env: Env) -> Val:
    """All ways, as a list of lists in the arena."""
    assert isinstance(expr.type, ListType)
    b, step = writer.b, expr.step_type
    size = WORD * words(step)
    start = writer.fix(writer.fitted(expr.start, step, env))
    way = writer.runtime("alloc", ir.const(WORD + size * (expr.most + 1)))
    frames = writer.runtime("alloc", ir.const(FRAME * (expr.most + 1)))
    b.store(way, ir.ONE)
    writer.store(way, start, WORD)
    inner = {**env, expr.slot: Val(ListType(step, filled=True), (way,))}
    depth, floor = b.local(), b.local()  # steps made; below the floor lie ways that have been found

    def found(push: Callable[[Val], None]) -> None:
        copy = writer.runtime("copy_list", way, ir.const(words(step)))
        push(Val(ListType(step, filled=True), (copy,)))
        b.set(floor, ir.global_("top"))

    def search(push: Callable[[Val], None]) -> None:
        with b.loop() as onwards, writer.moved(way):
            frame = b.fix(ir.add(frames, ir.mul(b.get(depth), ir.const(FRAME))))
            b.store(frame, ir.global_("top"), 2 * WORD)
            further = _further(writer, expr, inner)
            number = b.fix(ir.load(further))
            with b.if_(ir.both(ir.ne(number, ir.ZERO), ir.eq(b.get(depth), ir.const(expr.most)))):
                writer.fault("steps", name=expr.name, most=expr.most)
            with b.if_(b.get(depth)):
                ends = ir.not_(number) if expr.end is None else writer.flag(expr.end, inner)
                with b.if_(ends):
                    found(push)
            first = b.fix(ir.add(further, ir.const(WORD)))
            b.store(frame, first)
            b.store(frame, ir.add(first, ir.mul(number, ir.const(size))), WORD)
            with b.loop() as back:
                _try_next(writer, expr, way, frames, depth, onwards)
                here = b.fix(ir.add(frames, ir.mul(b.get(depth), ir.const(FRAME))))
                mark = b.fix(ir.load(here, 2 * WORD))
                b.set_global("top", ir.select(ir.binary("gt_u", b.get(floor), mark), b.get(floor), mark))
                b.set(depth, ir.sub(b.get(depth), ir.ONE))
                b.br_if(back, ir.ge(b.get(depth), ir.ZERO))

    b.set(depth, ir.ZERO)
    b.set(floor, ir.ZERO)
    return Val(expr.type, (writer.listed(expr.type, search),))


def _further(writer: Emitter, expr: Ways, env: Env) -> E:
    """The address of a new list of what the next step can lead to, each once."""
    type_ = ListType(expr.step_type)
    size = ir.const(words(expr.step_type))
    listed = writer.fitted(expr.steps, type_, env).one
    if not isinstance(expr.steps, Fold):
        listed = writer.runtime("copy_list", listed, size)
    return writer.runtime("distinct", listed, size)


def _try_next(writer: Emitter, expr: Ways, way: E, frames: E, depth: int, onwards: str) -> None:
    """Goes a step on, if there is one left to try."""
    b, step = writer.b, expr.step_type
    size = WORD * words(step)
    frame = b.fix(ir.add(frames, ir.mul(b.get(depth), ir.const(FRAME))))
    at = b.fix(ir.load(frame))
    with b.if_(ir.binary("lt_u", at, ir.load(frame, WORD))):
        b.store(frame, ir.add(at, ir.const(size)))
        b.set(depth, ir.add(b.get(depth), ir.ONE))
        place = b.fix(ir.add(way, ir.mul(b.get(depth), ir.const(size))))
        writer.store(place, writer.fix(load_value(at, step)), WORD)
        b.store(way, ir.add(b.get(depth), ir.ONE))
        b.br(onwards)
    # What is given up is no longer part of the way.
    b.store(way, b.get(depth))
