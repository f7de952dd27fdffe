"""Code for operations on members of domains, cells of boards and squares of grids."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.program import SIDE_STEPS, Apply, Read
from rulelang.types import REACH, ListType, MemberType, NumberType, OptionalType, SetType, Type, describe

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.shapes import ANY, WORD, NotLowered, mask_size
from ..wat import ir
from ..wat.ir import E
from .iteration import iterate_value
from .sequences import as_listed

Code = Callable[[Emitter, Apply, Env], Val]


def _domain(type_: Type) -> tuple[int, int, bool]:
    """The first and last member, and whether it is a ring."""
    match type_:
        case MemberType(domain):
            return 0, len(domain) - 1, domain.ring
        case NumberType(low, high):
            return low, high, False
        case ListType(item) | OptionalType(item):
            return _domain(item)
    raise NotLowered(f"members of {describe(type_)}")


def _step(writer: Emitter, expr: Apply, env: Env) -> Val:
    (argument,) = expr.arguments
    low, high, ring = _domain(argument.type)
    value = writer.b.fix(writer.scalar(argument, env))
    step, last, round_to = (1, high, low) if expr.op == "next" else (-1, low, high)
    moved = ir.add(value, ir.const(step))
    if isinstance(expr.type, OptionalType):
        end = ir.const(round_to) if ring else values.none(expr.type).one
    else:
        end = ir.const(round_to)
        if low == 0 and high == 1:
            return Val(expr.type, (ir.binary("xor", value, ir.ONE),))
    return Val(expr.type, (ir.select(ir.eq(value, ir.const(last)), end, moved),))


def _index(writer: Emitter, expr: Apply, env: Env) -> Val:
    (argument,) = expr.arguments
    return Val(expr.type, (ir.sub(writer.scalar(argument, env), ir.const(_domain(argument.type)[0])),))


def _distance(writer: Emitter, expr: Apply, env: Env) -> Val:
    a, b = expr.arguments
    low, high, ring = _domain(a.type)
    steps = ir.sub(writer.scalar(b, env), writer.scalar(a, env))
    if ring:
        steps = writer.b.fix(steps)
        steps = ir.select(ir.lt(steps, ir.ZERO), ir.add(steps, ir.const(high - low + 1)), steps)
    return Val(expr.type, (steps,))


def _combination(writer: Emitter, expr: Apply, env: Env) -> Val:
    place: E = ir.ZERO
    for part in expr.arguments:
        place = ir.add(ir.mul(place, ir.const(values.size_of(part.type))), writer.scalar(part, env))
    return Val(expr.type, (place,))


def _opposite(writer: Emitter, expr: Apply, env: Env) -> Val:
    low, high, _ = _domain(expr.type)
    size = high - low + 1
    value = writer.b.fix(writer.scalar(expr.arguments[0], env))
    if size & (size - 1) == 0:
        return Val(expr.type, (ir.binary("xor", value, ir.const(size // 2)),))
    moved = ir.add(value, ir.const(size // 2))
    return Val(expr.type, (ir.select(ir.ge(value, ir.const(size - size // 2)), ir.sub(moved, ir.const(size)), moved),))


def _on_grid(writer: Emitter, expr: Apply, env: Env) -> Val:
    cell, direction = expr.arguments
    if expr.op == "ray":
        return as_listed(writer, expr, env)
    assert isinstance(cell.type, MemberType)
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
        return Val(expr.type, (ir.load(ir.mul(c, ir.const(WORD)), table),))
    table = writer.memory.constant([to(cell_, way) for cell_ in range(len(grid.domain)) for way in range(ways)])
    return Val(expr.type, (ir.load(ir.mul(ir.add(ir.mul(c, ir.const(ways)), d), ir.const(WORD)), table),))


def _hex_distance(writer: Emitter, expr: Apply, env: Env) -> Val:
    """The greatest of the differences along the three axes."""
    a, b = expr.arguments
    assert isinstance(a.type, MemberType)
    grid = writer.program.grids[a.type.domain.name]
    columns, rows = (writer.memory.constant([cell[i] for cell in grid.cells]) for i in (0, 1))
    first, second = (writer.b.fix(ir.mul(writer.scalar(cell, env), ir.const(WORD))) for cell in (a, b))
    dx, dy = (writer.b.fix(ir.sub(ir.load(second, at), ir.load(first, at))) for at in (columns, rows))
    across = writer.b.fix(ir.add(dx, dy) if grid.lean > 0 else ir.sub(dx, dy))
    most: E = ir.ZERO
    for difference in (dx, dy, across):
        size = writer.b.fix(ir.select(ir.lt(difference, ir.ZERO), ir.sub(ir.ZERO, difference), difference))
        most = writer.b.fix(ir.select(ir.gt(size, most), size, most))
    return Val(expr.type, (most,))


# ---------------------------------------------------------------- grids of laid pieces


def _square(writer: Emitter, expr: Apply, env: Env) -> Val:
    spot = writer.value(expr.arguments[0], env)
    return Val(expr.type, spot.parts[1:3])


def _beside(writer: Emitter, expr: Apply, env: Env) -> Val:
    grid, square, side = expr.arguments
    assert isinstance(expr.type, OptionalType)
    address = writer.b.fix(writer.value(grid, env).one)
    given = writer.value(square, env)
    x, y = given.parts[:2] if len(given.parts) == 2 else given.parts[1:3]
    way = writer.b.fix(writer.scalar(side, env))
    if way.is_const:
        dx, dy = (ir.const(step) for step in SIDE_STEPS[way.value])
    else:
        table = writer.memory.constant([step for steps in SIDE_STEPS for step in steps])
        place = writer.b.fix(ir.mul(way, ir.const(2 * WORD)))
        dx, dy = ir.load(place, table), ir.load(place, table + WORD)
    name = "beside_of" if isinstance(grid, Read) else "beside"
    found = writer.b.fix(ir.call(name, (address, ir.add(x, dx), ir.add(y, dy))))
    locals_ = writer.locals_for(expr.type)
    writer.b.set(locals_[0], ir.ne(found, ir.ZERO))
    spot = values.load_value(found, expr.type.item)
    for local, part in zip(locals_[1:], spot.parts, strict=True):
        writer.b.set(local, part)
    return writer.of_locals(expr.type, locals_)


def _openings(writer: Emitter, expr: Apply, env: Env) -> Val:
    (grid,) = expr.arguments
    capacity = writer.program.variables[grid.variable].capacity if isinstance(grid, Read) else None
    limit = ir.const(capacity if capacity is not None else ANY)
    address = writer.value(grid, env).one
    return Val(
        expr.type, (writer.runtime("openings", address, limit, ir.const(REACH), ir.const(int(isinstance(grid, Read)))),)
    )


def _turned(writer: Emitter, expr: Apply, env: Env) -> Val:
    members, steps = expr.arguments
    item = expr.type.item if isinstance(expr.type, SetType) else expr.type
    assert isinstance(item, MemberType)
    size = len(item.domain)
    by = writer.b.fix(writer.scalar(steps, env))
    low, high = values.bounds(steps.type)
    if not 0 <= low <= high < size:
        by = writer.b.fix(_modulo(by, size))
    if not isinstance(expr.type, SetType):
        moved = writer.b.fix(ir.add(writer.scalar(members, env), by))
        return Val(expr.type, (_round(moved, size),))
    if mask_size(expr.type) is None:
        given = writer.fix(writer.fitted(members, expr.type, env))

        def each(push: Callable[[Val], None]) -> None:
            def put(member: Val) -> None:
                push(Val(item, (_round(writer.b.fix(ir.add(member.one, by)), size),)))

            iterate_value(writer, given, put)

        return Val(expr.type, (writer.runtime("rising", writer.listed(expr.type, each), ir.ONE),))
    mask = writer.b.fix(writer.fitted(members, expr.type, env).one)
    wide = writer.b.fix(ir.unary("i64.extend_i32_u", by, "i64"))
    left = ir.binary("shl", mask, wide)
    right = ir.binary("shr_u", mask, ir.sub(ir.const(size, "i64"), wide))
    full = ir.const((1 << size) - 1, "i64")
    turned = ir.binary("and", ir.binary("or", left, right), full)
    if size == 64:
        turned = E("i64.rotl", "i64", (mask, wide))
    return Val(expr.type, (turned,))


def _round(moved: E, size: int) -> E:
    """A member of a ring that was moved on by less than the ring's size."""
    if size & (size - 1) == 0:
        return ir.binary("and", moved, ir.const(size - 1))
    return ir.select(ir.ge(moved, ir.const(size)), ir.sub(moved, ir.const(size)), moved)


def _modulo(value: E, size: int) -> E:
    if size & (size - 1) == 0:
        return ir.binary("and", value, ir.const(size - 1))
    rest = E(
        "i32.rem_s", "i32", (ir.add(E("i32.rem_s", "i32", (value, ir.const(size))), ir.const(size)), ir.const(size))
    )
    return rest


CODE: dict[str, Code] = {
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
}
