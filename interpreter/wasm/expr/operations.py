"""Code for the built-in operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang import types as ty
from rulelang.program import SIDE_STEPS, Apply, Exchange, Expr, Read
from rulelang.program.analysis.faults import fits_word

from ...evaluation.payments import rate_of
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, Val
from ..layout.shapes import ANY, WORD, NotLowered, mask_size
from ..wat import ir
from ..wat.ir import E
from . import fingerprints, pieces, sequences
from .conversions import same
from .iteration import iterate_value
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
    narrow = writer.b.fix(ir.narrow(wide))
    with writer.b.if_(ir.binary("ne", ir.unary("i64.extend_i32_s", narrow), wide)):
        writer.fault("overflow")
    return narrow


# ---------------------------------------------------------------- numbers


def _wide(writer: Emitter, expr: Expr, env: Env) -> E:
    return ir.unary("i64.extend_i32_s", writer.scalar(expr, env))


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
        return Val(expr.type, (-writer.scalar(argument, env),))
    wide = -_wide(writer, argument, env)
    return Val(expr.type, (narrowed(writer, wide),))


def _divide(writer: Emitter, expr: Apply, env: Env) -> Val:
    """Rounded down, or up, or the rest; as in Python the rest has the sign of the divisor."""
    a, b = (writer.b.fix(writer.scalar(argument, env)) for argument in expr.arguments)
    if a.is_const and b.is_const and b.value:
        folded = {"div_down": a.value // b.value, "div_up": -(-a.value // b.value), "mod": a.value % b.value}
        return Val(expr.type, (ir.const(folded[expr.op]),))
    low_a, _ = registry.bounds(expr.arguments[0].type)
    low_b, high_b = registry.bounds(expr.arguments[1].type)
    if b.is_const:
        low_b = high_b = b.value
    if low_b <= 0 <= high_b:
        with writer.b.if_(ir.not_(b)):
            writer.fault("division")
    if low_a >= 0 and low_b >= 0:
        if expr.op == "mod":
            return Val(expr.type, (ir.binary("rem_u", a, b),))
        top = a + (b - 1) if expr.op == "div_up" else a
        return Val(expr.type, (ir.binary("div_u", top, b),))
    if expr.op != "mod":
        with writer.b.if_(ir.both(ir.eq(b, -1), ir.eq(a, -(2**31)))):
            writer.fault("overflow")
    rest = writer.b.fix(ir.binary("rem_s", a, b))
    odd = ir.both(ir.ne(rest, 0), (rest ^ b) < 0)
    if expr.op == "mod":
        return Val(expr.type, (rest + ir.select(odd, b, ir.ZERO),))
    quotient = ir.binary("div_s", a, b)
    if expr.op == "div_down":
        return Val(expr.type, (quotient - odd,))
    even = ir.both(ir.ne(rest, 0), (rest ^ b) >= 0)
    return Val(expr.type, (quotient + even,))


def _most(writer: Emitter, expr: Apply, env: Env) -> Val:
    best = writer.b.fix(writer.scalar(expr.arguments[0], env))
    for argument in expr.arguments[1:]:
        other = writer.b.fix(writer.scalar(argument, env))
        better = other > best if expr.op == "max" else other < best
        best = writer.b.fix(ir.select(better, other, best))
    return Val(expr.type, (best,))


# ---------------------------------------------------------------- comparing, logic


def _same(writer: Emitter, expr: Apply, env: Env) -> Val:
    a, b = (writer.value(argument, env) for argument in expr.arguments)
    found = same(writer, a, b)
    return Val(ty.FLAG, (found if expr.op == "is" else ir.not_(found),))


def _compare(op: str) -> Code:
    def code(writer: Emitter, expr: Apply, env: Env) -> Val:
        a, b = expr.arguments
        return Val(ty.FLAG, (ir.binary(op, writer.scalar(a, env), writer.scalar(b, env)),))

    return code


def _logic(writer: Emitter, expr: Apply, env: Env) -> Val:
    return Val(ty.FLAG, (writer.flag(expr, env),))


def _present(writer: Emitter, expr: Apply, env: Env) -> Val:
    return writer.fit(registry.held(writer.value(expr.arguments[0], env)), expr.type)


def _otherwise(writer: Emitter, expr: Apply, env: Env) -> Val:
    optional, default = expr.arguments
    given = writer.fix(writer.value(optional, env))
    if isinstance(given.type, ty.NothingType):
        return writer.fitted(default, expr.type, env)
    there = registry.is_some(given)
    inside = writer.fit(registry.held(given), expr.type)
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
    assert isinstance(held.type, ty.PiecesType)
    every = ty.kinds(held.type.kind)
    place = writer.scalar(kind, env) - every.start
    low, high = registry.bounds(kind.type)
    address = writer.value(held, env).one
    if every.start <= low and high < every.stop:
        return Val(expr.type, (ir.load(place * WORD + address),))
    place = writer.b.fix(place)
    inside = ir.binary("lt_u", place, len(every))
    return Val(expr.type, (ir.if_else(inside, ir.load(place * WORD + address), ir.ZERO),))


def _pieces(writer: Emitter, expr: Apply, env: Env) -> Val:
    assert isinstance(expr.type, ty.PiecesType)
    number = ir.const(len(ty.kinds(expr.type.kind)))
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
    assert isinstance(held.type, ty.PiecesType)
    every = ty.kinds(held.type.kind)
    found = writer.runtime("spread", writer.value(held, env).one, ir.const(len(every)), ir.const(every.start))
    return Val(expr.type, (found,))


def _bundles(writer: Emitter, expr: Apply, env: Env) -> Val:
    """A list of pieces: the rows that the kernel makes, by their addresses."""
    held, number = expr.arguments
    assert isinstance(held.type, ty.PiecesType) and isinstance(expr.type, ty.ListType)
    size = len(ty.kinds(held.type.kind))
    rows = writer.runtime("bundles", writer.value(held, env).one, ir.const(size), writer.scalar(number, env))
    row = WORD * size

    def addresses(push: Callable[[Val], None]) -> None:
        at = writer.b.let(rows + WORD)
        end = writer.b.fix(rows + WORD + ir.load(rows) * row)
        with writer.b.block() as done:
            writer.b.br_if(done, ir.binary("ge_u", writer.b.get(at), end))
            with writer.b.loop() as again:
                push(Val(held.type, (writer.b.fix(writer.b.get(at)),)))
                writer.b.add(at, row)
                writer.b.br_if(again, ir.binary("lt_u", writer.b.get(at), end))

    return Val(expr.type, (writer.listed(expr.type, addresses),))


def _covers(writer: Emitter, expr: Apply, env: Env) -> Val:
    pool, *less, cost = expr.arguments
    exchanges: Sequence[Exchange] = ()
    if expr.op != "holds" and isinstance(pool, Read):
        exchanges = writer.program.variables[pool.variable].exchanges
    type_ = pool.type if isinstance(pool.type, ty.PiecesType) else cost.type
    assert isinstance(type_, ty.PiecesType)
    if not less and len(exchanges) <= 1 and len(ty.kinds(type_.kind)) <= pieces.MOST_KINDS:
        return Val(ty.FLAG, (pieces.covers(writer, pool, cost, env, type_, exchanges),))
    rate = rate_of(exchanges)
    if rate is None or less:
        return _covers_by(writer, pool, cost, less, exchanges, env)
    held, asked = writer.fitted(pool, type_, env).one, writer.fitted(cost, type_, env).one
    number = ir.const(len(ty.kinds(type_.kind)))
    return Val(ty.FLAG, (writer.runtime("covers", held, asked, number, ir.const(rate)),))


def _covers_by(
    writer: Emitter, pool: Expr, cost: Expr, less: Sequence[Expr], exchanges: Sequence[Exchange], env: Env
) -> Val:
    type_ = pool.type
    assert isinstance(type_, ty.PiecesType)
    held, asked = writer.fitted(pool, type_, env).one, writer.fitted(cost, type_, env).one
    left_out = writer.scalar(less[0], env) if less else ir.ZERO
    table, number = pieces.exchange_table(writer, exchanges, type_)
    return Val(
        ty.FLAG,
        (writer.runtime("covers_by", held, asked, ir.const(len(ty.kinds(type_.kind))), table, number, left_out),),
    )


# Code for operations on members of domains, cells of boards and squares of grids.


def _domain(type_: ty.Type) -> tuple[int, int, bool]:
    """The first and last member, and whether it is a ring."""
    match type_:
        case ty.MemberType(domain):
            return 0, len(domain) - 1, domain.ring
        case ty.NumberType(low, high):
            return low, high, False
        case ty.ListType(item) | ty.OptionalType(item):
            return _domain(item)
    raise NotLowered(f"members of {ty.describe(type_)}")


def _step(writer: Emitter, expr: Apply, env: Env) -> Val:
    (argument,) = expr.arguments
    low, high, ring = _domain(argument.type)
    value = writer.b.fix(writer.scalar(argument, env))
    step, last, round_to = (1, high, low) if expr.op == "next" else (-1, low, high)
    moved = value + step
    if isinstance(expr.type, ty.OptionalType):
        end = ir.const(round_to) if ring else registry.none(expr.type).one
    else:
        end = ir.const(round_to)
        if low == 0 and high == 1:
            return Val(expr.type, (value ^ 1,))
    return Val(expr.type, (ir.select(ir.eq(value, last), end, moved),))


def _index(writer: Emitter, expr: Apply, env: Env) -> Val:
    (argument,) = expr.arguments
    return Val(expr.type, (writer.scalar(argument, env) - _domain(argument.type)[0],))


def _distance(writer: Emitter, expr: Apply, env: Env) -> Val:
    a, b = expr.arguments
    low, high, ring = _domain(a.type)
    steps = writer.scalar(b, env) - writer.scalar(a, env)
    if ring:
        steps = writer.b.fix(steps)
        steps = ir.select(steps < 0, steps + (high - low + 1), steps)
    return Val(expr.type, (steps,))


def _combination(writer: Emitter, expr: Apply, env: Env) -> Val:
    place: E = ir.ZERO
    for part in expr.arguments:
        place = place * registry.size_of(part.type) + writer.scalar(part, env)
    return Val(expr.type, (place,))


def _opposite(writer: Emitter, expr: Apply, env: Env) -> Val:
    low, high, _ = _domain(expr.type)
    size = high - low + 1
    value = writer.b.fix(writer.scalar(expr.arguments[0], env))
    if size & (size - 1) == 0:
        return Val(expr.type, (value ^ (size // 2),))
    moved = value + size // 2
    return Val(expr.type, (ir.select(value >= size - size // 2, moved - size, moved),))


def _on_grid(writer: Emitter, expr: Apply, env: Env) -> Val:
    cell, direction = expr.arguments
    if expr.op == "ray":
        return as_listed(writer, expr, env)
    assert isinstance(cell.type, ty.MemberType)
    grid = writer.program.grids[cell.type.domain.name]
    c, d = writer.scalar(cell, env), writer.scalar(direction, env)

    def to(cell_: int, way: int) -> int:
        found = grid.neighbour(cell_, way)
        return -1 if found is None else found

    ways = len(grid.directions)
    if c.is_const and d.is_const:
        return Val(expr.type, (ir.const(to(c.value, d.value)),))
    if d.is_const:
        table = writer.memory.constant([to(cell_, d.value) for cell_ in range(len(grid.domain))])
        return Val(expr.type, (ir.load(c * WORD, table),))
    table = writer.memory.constant([to(cell_, way) for cell_ in range(len(grid.domain)) for way in range(ways)])
    return Val(expr.type, (ir.load((c * ways + d) * WORD, table),))


def _hex_distance(writer: Emitter, expr: Apply, env: Env) -> Val:
    """The greatest of the differences along the three axes."""
    a, b = expr.arguments
    assert isinstance(a.type, ty.MemberType)
    grid = writer.program.grids[a.type.domain.name]
    columns, rows = (writer.memory.constant([cell[i] for cell in grid.cells]) for i in (0, 1))
    first, second = (writer.b.fix(writer.scalar(cell, env) * WORD) for cell in (a, b))
    dx, dy = (writer.b.fix(ir.load(second, at) - ir.load(first, at)) for at in (columns, rows))
    across = writer.b.fix(dx + dy if grid.lean > 0 else dx - dy)
    most: E = ir.ZERO
    for difference in (dx, dy, across):
        size = writer.b.fix(ir.select(difference < 0, -difference, difference))
        most = writer.b.fix(ir.greatest(size, most))
    return Val(expr.type, (most,))


# ---------------------------------------------------------------- grids of laid pieces


def _square(writer: Emitter, expr: Apply, env: Env) -> Val:
    spot = writer.value(expr.arguments[0], env)
    return Val(expr.type, spot.parts[1:3])


def _beside(writer: Emitter, expr: Apply, env: Env) -> Val:
    grid, square, side = expr.arguments
    assert isinstance(expr.type, ty.OptionalType)
    address = writer.b.fix(writer.value(grid, env).one)
    given = writer.value(square, env)
    x, y = given.parts[:2] if len(given.parts) == 2 else given.parts[1:3]
    way = writer.b.fix(writer.scalar(side, env))
    if way.is_const:
        dx, dy = (ir.const(step) for step in SIDE_STEPS[way.value])
    else:
        table = writer.memory.constant([step for steps in SIDE_STEPS for step in steps])
        place = writer.b.fix(way * (2 * WORD))
        dx, dy = ir.load(place, table), ir.load(place, table + WORD)
    name = "beside_of" if isinstance(grid, Read) else "beside"
    found = writer.b.fix(ir.call(name, (address, x + dx, y + dy)))
    locals_ = writer.locals_for(expr.type)
    writer.b.set(locals_[0], ir.ne(found, 0))
    spot = registry.load_value(found, expr.type.item)
    for local, part in zip(locals_[1:], spot.parts, strict=True):
        writer.b.set(local, part)
    return writer.of_locals(expr.type, locals_)


def _openings(writer: Emitter, expr: Apply, env: Env) -> Val:
    (grid,) = expr.arguments
    capacity = writer.program.variables[grid.variable].capacity if isinstance(grid, Read) else None
    limit = ir.const(capacity if capacity is not None else ANY)
    address = writer.value(grid, env).one
    return Val(
        expr.type,
        (writer.runtime("openings", address, limit, ir.const(ty.REACH), ir.const(int(isinstance(grid, Read)))),),
    )


def _turned(writer: Emitter, expr: Apply, env: Env) -> Val:
    members, steps = expr.arguments
    item = expr.type.item if isinstance(expr.type, ty.SetType) else expr.type
    assert isinstance(item, ty.MemberType)
    size = len(item.domain)
    by = writer.b.fix(writer.scalar(steps, env))
    low, high = registry.bounds(steps.type)
    if not 0 <= low <= high < size:
        by = writer.b.fix(_modulo(by, size))
    if not isinstance(expr.type, ty.SetType):
        moved = writer.b.fix(writer.scalar(members, env) + by)
        return Val(expr.type, (_round(moved, size),))
    if mask_size(expr.type) is None:
        given = writer.fix(writer.fitted(members, expr.type, env))

        def each(push: Callable[[Val], None]) -> None:
            def put(member: Val) -> None:
                push(Val(item, (_round(writer.b.fix(member.one + by), size),)))

            iterate_value(writer, given, put)

        return Val(expr.type, (writer.runtime("rising", writer.listed(expr.type, each), ir.ONE),))
    mask = writer.b.fix(writer.fitted(members, expr.type, env).one)
    wide = writer.b.fix(ir.wide(by))
    left = mask << wide
    right = mask >> (size - wide)
    full = ir.const((1 << size) - 1, "i64")
    turned = (left | right) & full
    if size == 64:
        turned = ir.binary("rotl", mask, wide)
    return Val(expr.type, (turned,))


def _round(moved: E, size: int) -> E:
    """A member of a ring that was moved on by less than the ring's size."""
    if size & (size - 1) == 0:
        return moved & (size - 1)
    return ir.select(moved >= size, moved - size, moved)


def _modulo(value: E, size: int) -> E:
    if size & (size - 1) == 0:
        return value & (size - 1)
    rest = ir.binary("rem_s", ir.binary("rem_s", value, size) + size, size)
    return rest


CODE: dict[str, Code] = {
    **sequences.CODE,
    "next": _step,
    "prev": _step,
    "index": _index,
    "distance": _distance,
    "combination": _combination,
    "opposite": _opposite,
    "step": _on_grid,
    "ray": _on_grid,
    "hex_distance": _hex_distance,
    "square": _square,
    "beside": _beside,
    "openings": _openings,
    "turned": _turned,
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
