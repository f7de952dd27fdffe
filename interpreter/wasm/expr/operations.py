"""Code for the built-in operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.program import Apply, Exchange, Expr, Read
from rulelang.program.analysis.faults import fits_word
from rulelang.types import FLAG, ListType, NothingType, PiecesType, kinds

from ...evaluation.payments import rate_of
from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.shapes import WORD, NotLowered
from ..wat import ir
from ..wat.ir import E
from . import domains, fingerprints, pieces, sequences
from .amounts import amount
from .comparing import same
from .sequences import as_listed

Code = Callable[[Emitter, Apply, Env], Val]


def apply(writer: Emitter, expr: Apply, env: Env) -> Val:
    """The value of an operation."""
    code = CODE.get(expr.op)
    if code is None:
        raise NotLowered(f"the operation {expr.op}")
    return code(writer, expr, env)


def narrowed(writer: Emitter, wide: E) -> E:
    """A number of 64 bits as one of 32; one that does not fit is a fault."""
    if wide.is_const:
        if not -(2**31) <= wide.value < 2**31:
            writer.fault("overflow")
        return ir.const(wide.value)
    wide = writer.b.fix(wide)
    narrow = writer.b.fix(E("i32.wrap_i64", "i32", (wide,)))
    with writer.b.if_(E("i64.ne", "i32", (E("i64.extend_i32_s", "i64", (narrow,)), wide))):
        writer.fault("overflow")
    return narrow


# ---------------------------------------------------------------- numbers


def _wide(writer: Emitter, expr: Expr, env: Env) -> E:
    return ir.unary("i64.extend_i32_s", writer.scalar(expr, env), "i64")


def _arithmetic(op: str) -> Code:
    def code(writer: Emitter, expr: Apply, env: Env) -> Val:
        a, b = expr.arguments
        if fits_word(expr.type):
            return Val(expr.type, (ir.binary(op, writer.scalar(a, env), writer.scalar(b, env)),))
        return Val(expr.type, (narrowed(writer, ir.binary(op, _wide(writer, a, env), _wide(writer, b, env))),))

    return code


def _negative(writer: Emitter, expr: Apply, env: Env) -> Val:
    (argument,) = expr.arguments
    if fits_word(expr.type):
        return Val(expr.type, (ir.sub(ir.ZERO, writer.scalar(argument, env)),))
    wide = ir.binary("sub", ir.const(0, "i64"), _wide(writer, argument, env))
    return Val(expr.type, (narrowed(writer, wide),))


def _divide(writer: Emitter, expr: Apply, env: Env) -> Val:
    """Rounded down, or up, or the rest; as in Python the rest has the sign of the divisor."""
    a, b = (writer.b.fix(writer.scalar(argument, env)) for argument in expr.arguments)
    if a.is_const and b.is_const and b.value:
        folded = {"div_down": a.value // b.value, "div_up": -(-a.value // b.value), "mod": a.value % b.value}
        return Val(expr.type, (ir.const(folded[expr.op]),))
    low_a, _ = values.bounds(expr.arguments[0].type)
    low_b, high_b = values.bounds(expr.arguments[1].type)
    if b.is_const:
        low_b = high_b = b.value
    if low_b <= 0 <= high_b:
        with writer.b.if_(ir.not_(b)):
            writer.fault("division")
    if low_a >= 0 and low_b >= 0:
        if expr.op == "mod":
            return Val(expr.type, (E("i32.rem_u", "i32", (a, b)),))
        top = ir.add(a, ir.sub(b, ir.ONE)) if expr.op == "div_up" else a
        return Val(expr.type, (E("i32.div_u", "i32", (top, b)),))
    if expr.op != "mod":
        with writer.b.if_(ir.both(ir.eq(b, ir.const(-1)), ir.eq(a, ir.const(-(2**31))))):
            writer.fault("overflow")
    rest = writer.b.fix(E("i32.rem_s", "i32", (a, b)))
    odd = ir.both(ir.ne(rest, ir.ZERO), ir.lt(E("i32.xor", "i32", (rest, b)), ir.ZERO))
    if expr.op == "mod":
        return Val(expr.type, (ir.add(rest, ir.select(odd, b, ir.ZERO)),))
    quotient = E("i32.div_s", "i32", (a, b))
    if expr.op == "div_down":
        return Val(expr.type, (ir.sub(quotient, odd),))
    even = ir.both(ir.ne(rest, ir.ZERO), ir.ge(E("i32.xor", "i32", (rest, b)), ir.ZERO))
    return Val(expr.type, (ir.add(quotient, even),))


def _most(writer: Emitter, expr: Apply, env: Env) -> Val:
    best = writer.b.fix(writer.scalar(expr.arguments[0], env))
    for argument in expr.arguments[1:]:
        other = writer.b.fix(writer.scalar(argument, env))
        better = ir.gt(other, best) if expr.op == "max" else ir.lt(other, best)
        best = writer.b.fix(ir.select(better, other, best))
    return Val(expr.type, (best,))


# ---------------------------------------------------------------- comparing, logic


def _same(writer: Emitter, expr: Apply, env: Env) -> Val:
    a, b = (writer.value(argument, env) for argument in expr.arguments)
    found = same(writer, a, b)
    return Val(FLAG, (found if expr.op == "is" else ir.not_(found),))


def _compare(op: str) -> Code:
    def code(writer: Emitter, expr: Apply, env: Env) -> Val:
        a, b = expr.arguments
        return Val(FLAG, (ir.binary(op, writer.scalar(a, env), writer.scalar(b, env)),))

    return code


def _logic(writer: Emitter, expr: Apply, env: Env) -> Val:
    return Val(FLAG, (writer.flag(expr, env),))


def _present(writer: Emitter, expr: Apply, env: Env) -> Val:
    return writer.fit(values.held(writer.value(expr.arguments[0], env)), expr.type)


def _otherwise(writer: Emitter, expr: Apply, env: Env) -> Val:
    optional, default = expr.arguments
    given = writer.fix(writer.value(optional, env))
    if isinstance(given.type, NothingType):
        return writer.fitted(default, expr.type, env)
    there = values.is_some(given)
    inside = writer.fit(values.held(given), expr.type)
    with writer.b.aside() as code:
        other = writer.fitted(default, expr.type, env)
    if not code and len(inside.parts) == 1:
        return Val(expr.type, (ir.if_else(there, inside.one, other.one),))
    locals_ = writer.locals_for(expr.type)
    writer.set_all(locals_, inside)
    with writer.b.if_(ir.not_(there)):
        writer.b.out.extend(code)
        writer.set_all(locals_, other)
    return writer.of_locals(expr.type, locals_)


# ---------------------------------------------------------------- pieces


def _count_of(writer: Emitter, expr: Apply, env: Env) -> Val:
    held, kind = expr.arguments
    assert isinstance(held.type, PiecesType)
    every = kinds(held.type.kind)
    if kind.type == held.type.kind and not isinstance(held, Read):
        found = amount(writer, held, writer.fix(writer.value(kind, env)), env)
        if found is not None:
            return Val(expr.type, (found,))
    place = ir.sub(writer.scalar(kind, env), ir.const(every.start))
    low, high = values.bounds(kind.type)
    address = writer.value(held, env).one
    if every.start <= low and high < every.stop:
        return Val(expr.type, (ir.load(ir.add(ir.mul(place, ir.const(WORD)), address)),))
    place = writer.b.fix(place)
    inside = ir.binary("lt_u", place, ir.const(len(every)))
    return Val(expr.type, (ir.if_else(inside, ir.load(ir.add(ir.mul(place, ir.const(WORD)), address)), ir.ZERO),))


def _pieces(writer: Emitter, expr: Apply, env: Env) -> Val:
    assert isinstance(expr.type, PiecesType)
    number = ir.const(len(kinds(expr.type.kind)))
    if expr.op == "scale_pieces":
        times, of = expr.arguments
        return Val(
            expr.type,
            (writer.runtime("scale_pieces", writer.scalar(times, env), writer.fitted(of, expr.type, env).one, number),),
        )
    a, b = (writer.fitted(argument, expr.type, env).one for argument in expr.arguments)
    return Val(expr.type, (writer.runtime(expr.op, a, b, number),))


def _kinds_in(writer: Emitter, expr: Apply, env: Env) -> Val:
    return as_listed(writer, expr, env)


def _spread(writer: Emitter, expr: Apply, env: Env) -> Val:
    (held,) = expr.arguments
    assert isinstance(held.type, PiecesType)
    every = kinds(held.type.kind)
    found = writer.runtime("spread", writer.value(held, env).one, ir.const(len(every)), ir.const(every.start))
    return Val(expr.type, (found,))


def _bundles(writer: Emitter, expr: Apply, env: Env) -> Val:
    """A list of pieces: the rows that the kernel makes, by their addresses."""
    held, number = expr.arguments
    assert isinstance(held.type, PiecesType) and isinstance(expr.type, ListType)
    size = len(kinds(held.type.kind))
    rows = writer.runtime("bundles", writer.value(held, env).one, ir.const(size), writer.scalar(number, env))
    row = WORD * size

    def addresses(push: Callable[[Val], None]) -> None:
        at = writer.b.local()
        writer.b.set(at, ir.add(rows, ir.const(WORD)))
        end = writer.b.fix(ir.add(ir.add(rows, ir.const(WORD)), ir.mul(ir.load(rows), ir.const(row))))
        with writer.b.block() as done:
            writer.b.br_if(done, ir.binary("ge_u", writer.b.get(at), end))
            with writer.b.loop() as again:
                push(Val(held.type, (writer.b.fix(writer.b.get(at)),)))
                writer.b.set(at, ir.add(writer.b.get(at), ir.const(row)))
                writer.b.br_if(again, ir.binary("lt_u", writer.b.get(at), end))

    return Val(expr.type, (writer.listed(expr.type, addresses),))


def _covers(writer: Emitter, expr: Apply, env: Env) -> Val:
    pool, *less, cost = expr.arguments
    exchanges: Sequence[Exchange] = ()
    if expr.op != "holds" and isinstance(pool, Read):
        exchanges = writer.program.variables[pool.variable].exchanges
    type_ = pool.type if isinstance(pool.type, PiecesType) else cost.type
    assert isinstance(type_, PiecesType)
    if not less and len(exchanges) <= 1 and len(kinds(type_.kind)) <= pieces.MOST_KINDS:
        return Val(FLAG, (pieces.covers(writer, pool, cost, env, type_, exchanges),))
    rate = rate_of(exchanges)
    if rate is None or less:
        return _covers_by(writer, pool, cost, less, exchanges, env)
    held, asked = writer.fitted(pool, type_, env).one, writer.fitted(cost, type_, env).one
    number = ir.const(len(kinds(type_.kind)))
    return Val(FLAG, (writer.runtime("covers", held, asked, number, ir.const(rate)),))


def _covers_by(
    writer: Emitter, pool: Expr, cost: Expr, less: Sequence[Expr], exchanges: Sequence[Exchange], env: Env
) -> Val:
    type_ = pool.type
    assert isinstance(type_, PiecesType)
    held, asked = writer.fitted(pool, type_, env).one, writer.fitted(cost, type_, env).one
    left_out = writer.scalar(less[0], env) if less else ir.ZERO
    table, number = pieces.exchange_table(writer, exchanges, type_)
    return Val(
        FLAG, (writer.runtime("covers_by", held, asked, ir.const(len(kinds(type_.kind))), table, number, left_out),)
    )


CODE: dict[str, Code] = {
    **sequences.CODE,
    **domains.CODE,
    **fingerprints.CODE,
    "+": _arithmetic("add"),
    "-": _arithmetic("sub"),
    "*": _arithmetic("mul"),
    "neg": _negative,
    "div_down": _divide,
    "div_up": _divide,
    "mod": _divide,
    "min": _most,
    "max": _most,
    "is": _same,
    "is_not": _same,
    "<": _compare("lt_s"),
    "<=": _compare("le_s"),
    ">": _compare("gt_s"),
    ">=": _compare("ge_s"),
    "and": _logic,
    "or": _logic,
    "not": _logic,
    "present": _present,
    "otherwise": _otherwise,
    "kinds_in": _kinds_in,
    "count_of": _count_of,
    "add_pieces": _pieces,
    "sub_pieces": _pieces,
    "scale_pieces": _pieces,
    "spread": _spread,
    "bundles": _bundles,
    "holds": _covers,
    "covers": _covers,
    "covers_all_but": _covers,
}
