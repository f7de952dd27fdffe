"""Pieces as counts in locals, where few enough kinds make that cheaper than memory."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import Apply, Call, Const, Exchange, Expr, If, PiecesOf
from rulelang.types import NO_PIECES, PiecesType, kinds

from ...evaluation.payments import marked
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env
from ..layout.shapes import ANY, WORD, is_scalar
from ..wat import ir
from ..wat.ir import E
from .hoisted import kept

MOST_KINDS = 8
MOST_ENTRIES = 4


def counts(writer: Emitter, expr: Expr, env: Env, type_: PiecesType) -> list[E]:
    """The count of every kind, each fixed. For few kinds only; nothing is kept in memory where that can be helped."""
    every = kinds(type_.kind)
    match expr:
        case Const(value) if expr.type != NO_PIECES:
            return [ir.const(n) for n in value]
        case _ if expr.type == NO_PIECES:
            return [ir.ZERO] * len(every)
        case PiecesOf() if expr.binds is None and len(expr.entries) <= (2 if _may_be_too_many(expr) else MOST_ENTRIES):
            return _entries(writer, expr, env, every)
        case Call() if writer.inlines(expr):
            definition, given = writer.program.definitions[expr.definition], writer.given(expr, env)
            if kept(writer, definition, given) is None:
                return counts(writer, definition.body, given, type_)
        case Apply(op="add_pieces" | "sub_pieces" as op, arguments=(a, b)) if expr.type == type_:
            together = zip(counts(writer, a, env, type_), counts(writer, b, env, type_), strict=True)
            return [writer.b.fix(_sum(x, y) if op == "add_pieces" else _difference(writer, x, y)) for x, y in together]
        case If():
            return _either(writer, expr, env, type_)
    address = writer.b.fix(writer.fitted(expr, type_, env).one)
    return [writer.b.fix(ir.load(address, WORD * i)) for i in range(len(every))]


def _entries(writer: Emitter, expr: PiecesOf, env: Env, every: range) -> list[E]:
    b = writer.b
    totals: list[E] = [ir.ZERO] * len(every)
    known: list[tuple[Expr, E]] = []
    for kind_, count_ in expr.entries:
        count = next((found for other, found in known if other == count_), None)
        if count is None:
            count = b.fix(writer.scalar(count_, env))
            low = registry.bounds(count_.type)[0] if is_scalar(count_.type) else -1
            if low < 0:
                count = b.fix(ir.select(count > 0, count, ir.ZERO))
            known.append((count_, count))
        kind = b.fix(writer.scalar(kind_, env))
        for i, member in enumerate(every):
            totals[i] = totals[i] + ir.select(ir.eq(kind, member), count, ir.ZERO)
    if _may_be_too_many(expr):
        totals = [_at_most(b.fix(total)) for total in totals]
    return [b.fix(total) for total in totals]


def _may_be_too_many(expr: PiecesOf) -> bool:
    """Whether the counts of one kind in several entries may add up to more than the greatest number."""
    return len(expr.entries) > 1 and sum(registry.bounds(count.type)[1] for _, count in expr.entries) > ANY


def _at_most(total: E) -> E:
    """A sum of two counts, which looks negative where it is too great."""
    return ir.select(total < 0, ir.const(ANY), total)


def _sum(a: E, b: E) -> E:
    if a.is_const and b.is_const:
        return ir.const(min(a.value + b.value, ANY))
    return ir.select(a + b < 0, ir.const(ANY), a + b)


def _difference(writer: Emitter, a: E, b: E) -> E:
    left = writer.b.fix(a - b)
    return ir.select(left > 0, left, ir.ZERO)


def _either(writer: Emitter, expr: If, env: Env, type_: PiecesType) -> list[E]:
    b = writer.b
    condition = writer.flag(expr.condition, env)
    if condition.is_const:
        return counts(writer, expr.then if condition.value else expr.otherwise, env, type_)
    locals_ = [b.local() for _ in kinds(type_.kind)]
    with b.if_(condition):
        for local, part in zip(locals_, counts(writer, expr.then, env, type_), strict=True):
            b.set(local, part)
    with b.else_():
        for local, part in zip(locals_, counts(writer, expr.otherwise, env, type_), strict=True):
            b.set(local, part)
    return [b.fix(b.get(local)) for local in locals_]


def covers(writer: Emitter, held: Expr, cost: Expr, env: Env, type_: PiecesType, exchanges: Sequence[Exchange]) -> E:
    """Whether a cost can be paid; see ``covers_by`` of the reference engine. For few kinds and one exchange at most."""
    there = counts(writer, held, env, type_)
    asked = counts(writer, cost, env, type_)
    for number, given, due in marked(exchanges, type_.kind):
        return _covers_through(writer, list(zip(there, asked, given, due, strict=True)), number)
    enough: E = ir.ONE
    for h, c in zip(there, asked, strict=True):
        enough = ir.both(enough, h >= c)
    return enough


def _covers_through(writer: Emitter, parts: Sequence[tuple[E, E, int, int]], number: int) -> E:
    """``parts``: of each kind what is there, what is asked for, and whether it may be given, and may be due.

    What is left over is the difference and what is missing, which is counted ``number`` + 1 times then: in 64 bits, as
    a cost can be any number.
    """
    enough: E = ir.ONE
    missing: E = ir.ZERO64
    left: E = ir.ZERO64
    for h, c, given, due in parts:
        more = writer.b.fix(h - c)
        lack = writer.b.fix(ir.select(more < 0, more, ir.ZERO))
        if due:
            missing -= _wide(lack)
        else:
            enough = ir.both(enough, more >= 0)
        left += _wide(more if given else lack)
    missing = writer.b.fix(missing)
    through = left >= missing * (number - 1)
    return ir.both(enough, ir.either(ir.not_(missing), through))


def _wide(number: E) -> E:
    return ir.unary("i64.extend_i32_s", number)


def exchange_table(writer: Emitter, exchanges: Sequence[Exchange], type_: PiecesType) -> tuple[E, E]:
    """The address of a pool's exchanges as the kernel reads them, and how many there are."""
    words = [word for number, given, due in marked(exchanges, type_.kind) for word in (number, *given, *due)]
    return ir.const(writer.memory.constant(words) if words else 0), ir.const(len(exchanges))
