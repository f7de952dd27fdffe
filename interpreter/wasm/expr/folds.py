"""Code for folds: counts, sums, greatest and least, some, every, first, lists and sets of what a run gives."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.program import Apply, Binds, Expr, Fold, Local
from rulelang.program.analysis.faults import fits_word
from rulelang.program.walk import conjuncts
from rulelang.types import FLAG, ListType, NumberType, OptionalType, SetType, TupleType

from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, PlanStep, Val
from ..layout.shapes import ANY, WORD, NotLowered, first_value, holds_addresses, is_scalar, mask_size, words
from ..masks import along, bits, led, masks
from ..wat import ir
from ..wat.ir import E, jumps, weight
from . import conversions
from .conversions import add_member
from .iteration import iterate_value
from .operations import narrowed
from .sequences import size_of_domain


def fold(writer: Emitter, expr: Fold, env: Env) -> Val:
    body = expr.body
    match expr.word:
        case "count":
            return _count(writer, expr, env)
        case "sum":
            return _sum(writer, expr, env)
        case "max" | "min":
            return _most(writer, expr, env)
        case "some" | "every":
            return Val(FLAG, (_some(writer, expr, env),))
        case "first":
            assert body is not None
            return _first(writer, expr, body, env)
        case "list":
            assert body is not None and isinstance(expr.type, ListType)
            return Val(expr.type, (_list(writer, expr.binds, body, expr.type, env),))
        case "ranked" | "leaders":
            assert body is not None and isinstance(expr.type, ListType)
            return Val(expr.type, (_ranked(writer, expr, body, expr.type, env),))
        case "set":
            assert body is not None and isinstance(expr.type, SetType)
            return _set(writer, expr.binds, body, expr.type, env)
    raise NotLowered(f"the fold {expr.word}")


def _planned(writer: Emitter, expr: Fold, operator: str, mark: int) -> None:
    """Notes how a fold is answered as a whole. ``mark``: where its code begins."""
    writer.registry.planned.append(PlanStep(expr, operator, code=writer.b.out[mark:]))


def _count(writer: Emitter, expr: Fold, env: Env) -> Val:
    binds, mark = expr.binds.binds, len(writer.b.out)
    if len(binds) == 1 and expr.binds.condition is None and expr.body is None:
        size = size_of_domain(writer, binds[0].domain, env)
        if size is not None:
            _planned(writer, expr, "size", mark)
            return Val(expr.type, (size,))
    length = along.run_length(writer, expr, env)
    if length is not None:
        _planned(writer, expr, "prefix", mark)
        return Val(expr.type, (length,))
    extra = [] if expr.body is None else [expr.body]
    tests = [*conjuncts(expr.binds.condition), *(p for c in extra for p in conjuncts(c))]
    mask = masks.all_masked(writer, expr.binds, tests, env)
    if mask is not None:
        _planned(writer, expr, "bit count", mark)
        return Val(expr.type, (bits.count(mask),))
    if len(binds) > 1 and not expr.binds.stop_at_first_failure:
        found = masks.combined(writer, binds, tests, env)
        if found is not None:
            _planned(writer, expr, "bit count", mark)
            number: E = ir.ZERO
            for mask in found:
                number += bits.count(mask)
            return Val(expr.type, (number,))
    total = writer.b.let(ir.ZERO)
    writer.run(expr.binds, env, lambda _: writer.b.set(total, writer.b.get(total) + 1), extra)
    return Val(expr.type, (writer.b.get(total),))


def _sum(writer: Emitter, expr: Fold, env: Env) -> Val:
    body = expr.body
    assert body is not None
    wide = not fits_word(expr.type)
    ty: ir.Ty = "i64" if wide else "i32"
    total = writer.b.local(ty)
    writer.b.set(total, ir.const(0, ty))

    def add(inner: Env) -> None:
        part = writer.scalar(body, inner)
        if wide:
            part = ir.unary("i64.extend_i32_s", part)
        writer.b.add(total, part)

    writer.run(expr.binds, env, add)
    return Val(expr.type, (narrowed(writer, writer.b.get(total)) if wide else writer.b.get(total),))


def _most(writer: Emitter, expr: Fold, env: Env) -> Val:
    body = expr.body
    assert body is not None and isinstance(expr.type, OptionalType)
    none = registry.none(expr.type).one
    best = writer.b.let(none)

    def compare(inner: Env) -> None:
        given = writer.b.fix(writer.fit(writer.value(body, inner), expr.type).one)
        now = writer.b.get(best)
        if expr.word == "max":
            better = given > now
        else:
            better = ir.either(ir.eq(now, none), given < now)
        writer.b.set(best, ir.select(better, given, now))

    writer.run(expr.binds, env, compare)
    return Val(expr.type, (writer.b.get(best),))


def _of_optional(writer: Emitter, expr: Fold, env: Env) -> E | None:
    """``some`` or ``every`` over the one value of an optional, when that takes no statement and little work."""
    binds = expr.binds
    if len(binds.binds) > 1 or binds.stop_at_first_failure:
        return None
    bind = binds.binds[0]
    if not (isinstance(bind.domain.type, OptionalType) and is_scalar(bind.domain.type.item)):
        return None
    parts = [p for c in (binds.condition, expr.body) if c is not None for p in conjuncts(c)]

    with writer.b.aside() as code:
        given = writer.fix(writer.value(bind.domain, env))
        there = writer.b.fix(registry.is_some(given))
        # What the body would look up for none is looked up for the first value instead.
        low, _ = registry.bounds(bind.type)
        item = writer.b.fix(ir.select(there, given.one, ir.const(low)))
        inner = {**env, bind.slot: writer.fit(registry.scalar(registry.held(given).type, item), bind.type)}
        before = len(code)
        holds: E = ir.ONE
        for part in parts:
            holds = ir.both(holds, writer.flag(part, inner))
    if len(code) > before or jumps(holds) or weight(holds) > 30:
        return None
    if expr.word == "some":
        found = ir.both(there, holds)
    elif binds.condition is None:
        found = ir.either(ir.not_(there), holds)
    else:
        return None
    writer.b.out.extend(code)
    return found


def _some(writer: Emitter, expr: Fold, env: Env) -> E:
    simple, mark = _of_optional(writer, expr, env), len(writer.b.out)
    if simple is not None:
        return simple
    tests = [*conjuncts(expr.binds.condition), *conjuncts(expr.body)]
    if expr.word == "every" and expr.body is not None:
        fails = Apply("not", (expr.body,), FLAG, span=expr.span)
        tests = [*conjuncts(expr.binds.condition), fails]
    if expr.word == "some" or expr.body is not None:
        mask = masks.some_masked(writer, expr.binds, tests, env)
        operator = "image" if mask is None else "mask"
        mask = mask or led.some_led_to(writer, expr.binds, tests, env)
        if mask is not None:
            _planned(writer, expr, operator, mark)
            return (bits.is_some if expr.word == "some" else bits.is_empty)(mask)
    found = writer.b.local()
    word = expr.word
    writer.b.set(found, ir.const(int(word == "every")))
    with writer.b.block() as end:

        def decide(inner: Env) -> None:
            if word == "some":
                with writer.b.block() as skip:
                    if expr.body is not None:
                        writer.unless(expr.body, inner, skip)
                    writer.b.set(found, ir.ONE)
                    writer.b.br(end)
            elif expr.body is not None:
                with writer.b.block() as fails:
                    with writer.b.block() as holds:
                        writer.unless(expr.body, inner, holds)
                        writer.b.br(fails)
                    writer.b.set(found, ir.ZERO)
                    writer.b.br(end)

        writer.run(expr.binds, env, decide)
    return writer.b.get(found)


def _first(writer: Emitter, expr: Fold, body: Expr, env: Env) -> Val:
    mark = len(writer.b.out)
    found = along.first(writer, expr, env)
    if found is not None:
        _planned(writer, expr, "prefix", mark)
        return Val(expr.type, (found,))
    locals_ = writer.locals_for(expr.type)
    writer.set_all(locals_, registry.none(expr.type))
    with writer.b.block() as end:

        def take(inner: Env) -> None:
            writer.set_all(locals_, writer.fitted(body, expr.type, inner))
            writer.b.br(end)

        writer.run(expr.binds, env, take, release=not holds_addresses(expr.type))
    return writer.of_locals(expr.type, locals_)


def _list(writer: Emitter, binds: Binds, body: Expr, type_: ListType | SetType, env: Env) -> E:
    """A new list in the arena."""
    return writer.listed(type_, lambda push: writer.run(
        binds, env, lambda inner: push(writer.fitted(body, type_.item, inner)),
        release=not holds_addresses(type_.item),
    ), writer.bounds.combinations(binds))  # fmt: skip


_WORD = NumberType(-ANY - 1, ANY)


def _ranked(writer: Emitter, expr: Fold, body: Expr, type_: ListType, env: Env) -> E:
    """A list put in order as a set is: each row begins with its keys, the least first, and its place in the run."""
    b = writer.b
    keys = len(expr.ranks)
    row = TupleType((*(_WORD,) * (keys + 1), type_.item))
    place = b.let(ir.ZERO)

    def rows(push: Callable[[Val], None]) -> None:
        def one(inner: Env) -> None:
            parts: list[E] = []
            for key in expr.ranks:
                value = b.fix(writer.scalar(key.value, inner))
                # The complement of a number turns the order round, and has no number that it cannot do it for.
                parts.append(b.fix(~value) if key.most else value)
            parts.append(b.fix(b.get(place)))
            b.add(place, 1)
            push(Val(row, (*parts, *writer.fix(writer.fitted(body, type_.item, inner)).parts)))

        writer.run(expr.binds, env, one, release=not holds_addresses(type_.item))

    listed = writer.runtime("rising", writer.listed(ListType(row), rows), ir.const(words(row)))
    first = [b.fix(ir.load(listed, WORD * (1 + i))) for i in range(keys)] if expr.word == "leaders" else []

    def members(push: Callable[[Val], None]) -> None:
        with b.block() as rest:

            def member(value: Val) -> None:
                for part, best in zip(value.parts, first, strict=False):
                    b.br_if(rest, ir.ne(part, best))
                push(registry.part_of(value, keys + 1))

            iterate_value(writer, Val(ListType(row), (listed,)), member)

    return writer.listed(type_, members)


def _set(writer: Emitter, binds: Binds, body: Expr, type_: SetType, env: Env) -> Val:
    if mask_size(type_) is None:
        listed = _list(writer, binds, body, type_, env)
        return Val(type_, (writer.runtime("rising", listed, conversions.row(writer, type_.item)),))
    if first_value(type_.item) == 0 and isinstance(body, Local) and body.slot == binds.binds[-1].slot:
        reached = led.some_led_to(writer, binds, conjuncts(binds.condition), env)
        if reached is not None:
            return Val(type_, reached.words)
    mask = writer.b.let(ir.ZERO64)
    writer.run(binds, env, lambda inner: add_member(writer, mask, writer.fitted(body, type_.item, inner), type_))
    return Val(type_, (writer.b.get(mask),))
