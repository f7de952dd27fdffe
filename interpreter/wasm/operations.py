"""Code for the built-in operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rulelang.program import DIRECTIONS, SIDE_STEPS, Apply, Const, Expr, Fold, Read
from rulelang.types import (
    FLAG,
    REACH,
    Domain,
    ListType,
    MemberType,
    NothingType,
    NumberType,
    OptionalType,
    PiecesType,
    SetType,
    Type,
    kinds,
)

from . import ir, pieces, values
from .ir import E
from .iteration import iterate, iterate_value, ray_table, static_members
from .shapes import WORD, NotLowered, components, first_value, holds_addresses, is_scalar, mask_size, words
from .values import Val

if TYPE_CHECKING:
    from .expressions import Writer

Env = Mapping[int, Val]
Code = Callable[["Writer", Apply, Env], Val]

ANY = 2**31 - 1


def apply(writer: Writer, expr: Apply, env: Env) -> Val:
    """The value of an operation."""
    code = _CODE.get(expr.op)
    if code is None:
        raise NotLowered(f"the operation {expr.op}")
    return code(writer, expr, env)


def narrowed(writer: Writer, wide: E) -> E:
    """A number of 64 bits as one of 32; one that does not fit is a fault."""
    if wide.is_const:
        return ir.const(wide.value)
    wide = writer.b.fix(wide)
    narrow = writer.b.fix(E("i32.wrap_i64", "i32", (wide,)))
    with writer.b.if_(E("i64.ne", "i32", (E("i64.extend_i32_s", "i64", (narrow,)), wide))):
        writer.fault("overflow")
    return narrow


# ---------------------------------------------------------------- numbers


def _fits(type_: Type) -> bool:
    return not isinstance(type_, NumberType) or (type_.low > -ANY and type_.high < ANY)


def _wide(writer: Writer, expr: Expr, env: Env) -> E:
    return ir.unary("i64.extend_i32_s", writer.scalar(expr, env), "i64")


def _arithmetic(op: str) -> Code:
    def code(writer: Writer, expr: Apply, env: Env) -> Val:
        a, b = expr.arguments
        if _fits(expr.type):
            return Val(expr.type, (ir.binary(op, writer.scalar(a, env), writer.scalar(b, env)),))
        return Val(expr.type, (narrowed(writer, ir.binary(op, _wide(writer, a, env), _wide(writer, b, env))),))

    return code


def _negative(writer: Writer, expr: Apply, env: Env) -> Val:
    return Val(expr.type, (ir.sub(ir.ZERO, writer.scalar(expr.arguments[0], env)),))


def _divide(writer: Writer, expr: Apply, env: Env) -> Val:
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


def _most(writer: Writer, expr: Apply, env: Env) -> Val:
    best = writer.b.fix(writer.scalar(expr.arguments[0], env))
    for argument in expr.arguments[1:]:
        other = writer.b.fix(writer.scalar(argument, env))
        better = ir.gt(other, best) if expr.op == "max" else ir.lt(other, best)
        best = writer.b.fix(ir.select(better, other, best))
    return Val(expr.type, (best,))


# ---------------------------------------------------------------- comparing, logic


def _same(writer: Writer, expr: Apply, env: Env) -> Val:
    a, b = (writer.value(argument, env) for argument in expr.arguments)
    found = values.same(writer, a, b)
    return Val(FLAG, (found if expr.op == "is" else ir.not_(found),))


def _compare(op: str) -> Code:
    def code(writer: Writer, expr: Apply, env: Env) -> Val:
        a, b = expr.arguments
        return Val(FLAG, (ir.binary(op, writer.scalar(a, env), writer.scalar(b, env)),))

    return code


def _logic(writer: Writer, expr: Apply, env: Env) -> Val:
    return Val(FLAG, (writer.flag(expr, env),))


def _otherwise(writer: Writer, expr: Apply, env: Env) -> Val:
    optional, default = expr.arguments
    given = writer.fix(writer.value(optional, env))
    if isinstance(given.type, NothingType):
        return writer.fitted(default, expr.type, env)
    there = values.is_some(given)
    inside = values.fit(writer, values.held(given), expr.type)
    other, code = writer._aside(lambda: writer.fitted(default, expr.type, env))
    if not code and len(inside.parts) == 1:
        return Val(expr.type, (ir.if_else(there, inside.one, other.one),))
    locals_ = writer.locals_for(expr.type)
    writer.set_all(locals_, inside)
    with writer.b.if_(ir.not_(there)):
        writer.b.out.extend(code)
        writer.set_all(locals_, other)
    return writer.of_locals(expr.type, locals_)


# ---------------------------------------------------------------- sequences


def _in(writer: Writer, expr: Apply, env: Env) -> Val:
    wanted, sequence = expr.arguments
    value = writer.fix(writer.value(wanted, env))
    known = static_members(writer, sequence, env)
    if known is not None and is_scalar(value.type) and len(known) <= 8:
        found: E = ir.ZERO
        for member in known:
            found = ir.either(found, ir.eq(value.one, ir.const(member)))
        return Val(FLAG, (found,))
    match sequence:
        case Apply(op="list", arguments=parts) if len(parts) <= 8:
            found = ir.ZERO
            for part in parts:
                found = ir.either(found, values.same(writer, value, writer.fix(writer.value(part, env))))
            return Val(FLAG, (found,))
        case Apply(op="range", arguments=(low, high)) if is_scalar(value.type):
            above = ir.ge(value.one, writer.scalar(low, env))
            return Val(FLAG, (ir.both(above, ir.le(value.one, writer.scalar(high, env))),))
    if isinstance(sequence.type, (OptionalType, SetType, NothingType)):
        return Val(FLAG, (contains(writer, writer.value(sequence, env), value),))
    return Val(FLAG, (_found(writer, value, lambda body: iterate(writer, sequence, env, body)),))


def _found(writer: Writer, value: Val, go: Callable[[Callable[[Val], None]], None]) -> E:
    found = writer.b.local()
    writer.b.set(found, ir.ZERO)
    with writer.b.block() as end:

        def compare(item: Val) -> None:
            with writer.b.if_(values.same(writer, value, item)):
                writer.b.set(found, ir.ONE)
                writer.b.br(end)

        go(compare)
    return writer.b.get(found)


def contains(writer: Writer, sequence: Val, value: Val) -> E:
    """Whether a fixed value is in an optional, a set or a list."""
    match sequence.type:
        case NothingType():
            return ir.ZERO
        case OptionalType():
            sequence = writer.fix(sequence)
            return ir.both(values.is_some(sequence), values.same(writer, value, values.held(sequence)))
        case SetType(item) if mask_size(sequence.type) is not None and is_scalar(value.type):
            place = writer.b.fix(ir.sub(value.one, ir.const(first_value(item))))
            moved = E("i64.shr_u", "i64", (sequence.one, ir.unary("i64.extend_i32_u", place, "i64")))
            present = E("i32.and", "i32", (E("i32.wrap_i64", "i32", (moved,)), ir.ONE))
            size = mask_size(sequence.type) or 0
            low, high = values.bounds(value.type)
            first = first_value(item)
            if first <= low and high < first + size:
                return present
            return ir.both(ir.binary("lt_u", place, ir.const(size)), present)
        case SetType(item) if not holds_addresses(item) and components(item) == components(value.type):
            row = writer.b.fix(ir.call("alloc", (ir.const(WORD * words(item)),)))
            values.store_value(writer, row, value)
            at = writer.b.fix(ir.call("find", (sequence.one, row, ir.const(words(item)))))
            writer.b.set_global("top", row)
            return ir.ge(at, ir.ZERO)
    return _found(writer, value, lambda body: iterate_value(writer, sequence, body))


def _at(writer: Writer, expr: Apply, env: Env) -> Val:
    """The member at a position from 1, or none. ``position`` may itself be none."""
    sequence, position = expr.arguments
    assert isinstance(expr.type, OptionalType)
    item = expr.type.item
    given = writer.value(position, env)
    place = writer.b.fix(given.one) if given.parts else ir.const(0)  # no position is 0, and none is below it
    if isinstance(sequence, Apply) and sequence.op == "ray":
        cell, direction = sequence.arguments
        row = writer.b.fix(ray_table(writer, cell, direction, env))
        inside = ir.binary("lt_u", ir.sub(place, ir.ONE), ir.load(row, 0, width="8_u"))
        found = ir.load(ir.add(row, place), 0, width="8_u")
        return Val(expr.type, (ir.if_else(inside, found, values.none(expr.type).one),))
    listed = writer.value(sequence, env)
    if isinstance(listed.type, NothingType):
        return values.none(expr.type)
    address = writer.b.fix(listed.one)
    inside = ir.binary("lt_u", ir.sub(place, ir.ONE), ir.load(address))
    size = WORD * words(item)
    if is_scalar(item):
        if place.is_const and place.value < 1:
            return values.none(expr.type)
        found = ir.load(ir.add(ir.mul(place, ir.const(size)), address))
        return Val(expr.type, (ir.if_else(inside, found, values.none(expr.type).one),))
    locals_ = writer.locals_for(expr.type)
    writer.set_all(locals_, values.none(expr.type))
    with writer.b.if_(inside):
        row = writer.b.fix(ir.add(ir.mul(ir.sub(place, ir.ONE), ir.const(size)), address))
        writer.set_all(locals_, values.some(values.load_value(row, item, WORD), expr.type))
    return writer.of_locals(expr.type, locals_)


def _end_of(writer: Writer, expr: Apply, env: Env) -> Val:
    """The top or the bottom of a stack."""
    (stack,) = expr.arguments
    assert isinstance(expr.type, OptionalType)
    item = expr.type.item
    listed = writer.value(stack, env)
    if isinstance(listed.type, NothingType):
        return values.none(expr.type)
    address = writer.b.fix(listed.one)
    number = writer.b.fix(ir.load(address))
    size = WORD * words(item)
    row = ir.add(ir.mul(number, ir.const(size)), address) if expr.op == "top" else address
    offset = WORD - size if expr.op == "top" else WORD
    if is_scalar(item):
        # With no member the word read is the number of members, or before it: harmless.
        return Val(expr.type, (ir.if_else(number, ir.load(row, offset), values.none(expr.type).one),))
    locals_ = writer.locals_for(expr.type)
    writer.set_all(locals_, values.none(expr.type))
    with writer.b.if_(number):
        fixed = writer.b.fix(ir.add(row, ir.const(offset)))
        writer.set_all(locals_, values.some(values.load_value(fixed, item), expr.type))
    return writer.of_locals(expr.type, locals_)


def _listed(writer: Writer, expr: Apply, env: Env) -> Val:
    """A list made by going through what the operation gives."""
    assert isinstance(expr.type, ListType)
    item = expr.type.item
    known = static_members(writer, expr, env)
    if known is not None:
        return values.constant(writer, tuple(known), expr.type)
    if expr.op == "list":

        def parts(push: Callable[[Val], None]) -> None:
            for argument in expr.arguments:
                push(writer.fitted(argument, item, env))

        return Val(expr.type, (writer.listed(expr.type, parts),))
    keep = not holds_addresses(item)
    return Val(
        expr.type,
        (
            writer.listed(
                expr.type,
                lambda push: iterate(writer, expr, env, lambda v: push(values.fit(writer, v, item)), release=keep),
            ),
        ),
    )


def _reversed(writer: Writer, expr: Apply, env: Env) -> Val:
    listed = writer.value(expr.arguments[0], env)
    if isinstance(listed.type, NothingType):
        return listed
    assert isinstance(listed.type, (ListType, SetType))
    return Val(expr.type, (writer.runtime("reversed", listed.one, ir.const(words(listed.type.item))),))


def _rotate(writer: Writer, expr: Apply, env: Env) -> Val:
    listed, start = expr.arguments
    assert isinstance(expr.type, ListType)
    if isinstance(listed, Apply) and listed.op == "members":
        return _listed(writer, expr, env)
    item = expr.type.item
    whole = writer.fix(_as_list(writer, listed, expr.type, env))
    first = writer.fix(writer.fitted(start, item, env))
    number = writer.b.fix(ir.load(whole.one))
    size = WORD * words(item)
    at = writer.b.local()
    writer.b.set(at, ir.ZERO)
    with writer.b.block() as end:

        def compare(member: Val) -> None:
            with writer.b.if_(values.same(writer, first, member)):
                writer.b.br(end)
            writer.b.set(at, ir.add(writer.b.get(at), ir.ONE))

        iterate_value(writer, whole, compare)
        writer.b.set(at, ir.ZERO)
    made = writer.b.fix(ir.call("copy_list", (whole.one, ir.const(words(item)))))
    head = writer.b.fix(ir.mul(writer.b.get(at), ir.const(size)))
    tail = writer.b.fix(ir.sub(ir.mul(number, ir.const(size)), head))
    from_ = ir.add(whole.one, ir.const(WORD))
    writer.b.copy(ir.add(made, ir.const(WORD)), ir.add(from_, head), tail)
    writer.b.copy(ir.add(ir.add(made, tail), ir.const(WORD)), from_, head)
    return Val(expr.type, (made,))


def _as_list(writer: Writer, expr: Expr, type_: ListType, env: Env) -> Val:
    value = writer.value(expr, env)
    if isinstance(value.type, ListType):
        return value
    return Val(
        type_,
        (
            writer.listed(
                type_, lambda push: iterate_value(writer, value, lambda v: push(values.fit(writer, v, type_.item)))
            ),
        ),
    )


def _tuple(writer: Writer, expr: Apply, env: Env) -> Val:
    parts: list[E] = []
    for argument, item in zip(expr.arguments, expr.type.items, strict=True):  # type: ignore[union-attr]
        parts.extend(writer.fix(writer.fitted(argument, item, env)).parts)
    return Val(expr.type, tuple(parts))


def _set_of(writer: Writer, expr: Apply, env: Env) -> Val:
    assert isinstance(expr.type, SetType)
    item = expr.type.item

    def parts(push: Callable[[Val], None]) -> None:
        for argument in expr.arguments:
            push(writer.fitted(argument, item, env))

    if mask_size(expr.type) is None:
        listed = writer.listed(expr.type, parts)
        return Val(expr.type, (writer.runtime("rising", listed, ir.const(words(item))),))
    from .expressions import bit

    mask: E = ir.ZERO64
    for argument in expr.arguments:
        mask = ir.binary("or", mask, bit(writer.fitted(argument, item, env).one, expr.type))
    return Val(expr.type, (mask,))


def _sets(writer: Writer, expr: Apply, env: Env) -> Val:
    assert isinstance(expr.type, SetType)
    a, b = (writer.fix(writer.fitted(argument, expr.type, env)) for argument in expr.arguments)
    if mask_size(expr.type) is not None:
        other = ir.binary("xor", b.one, ir.const(-1, "i64")) if expr.op == "minus_set" else b.one
        return Val(expr.type, (ir.binary("or" if expr.op == "union_set" else "and", a.one, other),))
    size = ir.const(words(expr.type.item))
    if expr.op == "union_set":
        return Val(expr.type, (writer.runtime("union", a.one, b.one, size),))
    return Val(expr.type, (writer.runtime("kept", a.one, b.one, size, ir.const(int(expr.op == "intersect_set"))),))


def size_of_domain(writer: Writer, domain: Expr, env: Env) -> E | None:
    """How many members a domain has, where that can be told without going through it."""
    known = static_members(writer, domain, env)
    if known is not None:
        return ir.const(len(known))
    match domain:
        case Apply(op="members"):
            low, high = values.bounds(domain.type.item)  # type: ignore[union-attr]
            return ir.const(high - low + 1)
        case Apply(op="range", arguments=(low_, high_)):
            number = writer.b.fix(ir.add(ir.sub(writer.scalar(high_, env), writer.scalar(low_, env)), ir.ONE))
            return ir.select(ir.gt(number, ir.ZERO), number, ir.ZERO)
        case Apply(op="reversed" | "rotate"):
            return size_of_domain(writer, domain.arguments[0], env)
        case Apply(op="ray", arguments=(cell, direction)):
            return ir.load(ray_table(writer, cell, direction, env), 0, width="8_u")
        case Fold(word="list") | Apply():
            return None
    if isinstance(domain.type, PiecesType):
        return None
    return _size_of(writer, writer.value(domain, env))


def _size_of(writer: Writer, value: Val) -> E:
    match value.type:
        case NothingType():
            return ir.ZERO
        case PiecesType(kind):
            return writer.runtime("sum_words", value.one, ir.const(len(kinds(kind))))
        case OptionalType():
            return values.is_some(value)
        case SetType() if mask_size(value.type) is not None:
            return ir.unary("i32.wrap_i64", ir.unary("i64.popcnt", value.one, "i64"), "i32")
    return ir.load(value.one)


def _size(writer: Writer, expr: Apply, env: Env) -> Val:
    (container,) = expr.arguments
    if isinstance(container.type, PiecesType):
        number = len(kinds(container.type.kind))
        if isinstance(container, Read) and number <= 8:
            address = writer.b.fix(writer.value(container, env).one)
            total: E = ir.ZERO
            for i in range(number):
                total = ir.add(total, ir.load(address, WORD * i))
            return Val(expr.type, (total,))
        return Val(expr.type, (_size_of(writer, writer.value(container, env)),))
    found = size_of_domain(writer, container, env) if isinstance(container.type, ListType) else None
    return Val(expr.type, (found if found is not None else _size_of(writer, writer.value(container, env)),))


# ---------------------------------------------------------------- domains


def _domain(type_: Type) -> tuple[int, int, bool]:
    """The first and last member, and whether it is a ring."""
    match type_:
        case MemberType(domain):
            return 0, len(domain) - 1, domain.ring
        case NumberType(low, high):
            return low, high, False
        case ListType(item) | OptionalType(item):
            return _domain(item)
    raise NotLowered(f"members of {type_!r}")


def _step(writer: Writer, expr: Apply, env: Env) -> Val:
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


def _end(writer: Writer, expr: Apply, env: Env) -> Val:
    low, high, _ = _domain(expr.type)
    return values.number(low if expr.op == "first" else high, expr.type)


def _index(writer: Writer, expr: Apply, env: Env) -> Val:
    (argument,) = expr.arguments
    return Val(expr.type, (ir.sub(writer.scalar(argument, env), ir.const(_domain(argument.type)[0])),))


def _distance(writer: Writer, expr: Apply, env: Env) -> Val:
    a, b = expr.arguments
    low, high, ring = _domain(a.type)
    steps = ir.sub(writer.scalar(b, env), writer.scalar(a, env))
    if ring:
        steps = writer.b.fix(steps)
        steps = ir.select(ir.lt(steps, ir.ZERO), ir.add(steps, ir.const(high - low + 1)), steps)
    return Val(expr.type, (steps,))


def _opposite(writer: Writer, expr: Apply, env: Env) -> Val:
    low, high, _ = _domain(expr.type)
    size = high - low + 1
    value = writer.b.fix(writer.scalar(expr.arguments[0], env))
    if size & (size - 1) == 0:
        return Val(expr.type, (ir.binary("xor", value, ir.const(size // 2)),))
    moved = ir.add(value, ir.const(size // 2))
    return Val(expr.type, (ir.select(ir.ge(value, ir.const(size - size // 2)), ir.sub(moved, ir.const(size)), moved),))


def _on_grid(writer: Writer, expr: Apply, env: Env) -> Val:
    cell, direction = expr.arguments
    if expr.op == "ray":
        return _listed(writer, expr, env)
    assert isinstance(cell.type, MemberType)
    grid = writer.program.grids[cell.type.domain.name]
    c, d = writer.scalar(cell, env), writer.scalar(direction, env)

    def to(cell_: int, way: int) -> int:
        found = grid.neighbour(cell_, way)
        return -1 if found is None else found

    ways = len(DIRECTIONS)
    if c.is_const and d.is_const:
        return Val(expr.type, (ir.const(to(c.value, d.value)),))
    if d.is_const:
        table = writer.memory.constant([to(cell_, d.value) for cell_ in range(len(grid.domain))])
        return Val(expr.type, (ir.load(ir.mul(c, ir.const(WORD)), table),))
    table = writer.memory.constant([to(cell_, way) for cell_ in range(len(grid.domain)) for way in range(ways)])
    return Val(expr.type, (ir.load(ir.mul(ir.add(ir.mul(c, ir.const(ways)), d), ir.const(WORD)), table),))


# ---------------------------------------------------------------- grids of laid pieces


def _square(writer: Writer, expr: Apply, env: Env) -> Val:
    spot = writer.value(expr.arguments[0], env)
    return Val(expr.type, spot.parts[1:3])


def _beside(writer: Writer, expr: Apply, env: Env) -> Val:
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


def _openings(writer: Writer, expr: Apply, env: Env) -> Val:
    (grid,) = expr.arguments
    capacity = writer.program.variables[grid.variable].capacity if isinstance(grid, Read) else None
    limit = ir.const(capacity if capacity is not None else ANY)
    address = writer.value(grid, env).one
    return Val(expr.type, (writer.runtime("openings", address, limit, ir.const(REACH)),))


def _turned(writer: Writer, expr: Apply, env: Env) -> Val:
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


# ---------------------------------------------------------------- pieces


def _count_of(writer: Writer, expr: Apply, env: Env) -> Val:
    held, kind = expr.arguments
    assert isinstance(held.type, PiecesType)
    every = kinds(held.type.kind)
    place = ir.sub(writer.scalar(kind, env), ir.const(every.start))
    low, high = values.bounds(kind.type)
    address = writer.value(held, env).one
    if every.start <= low and high < every.stop:
        return Val(expr.type, (ir.load(ir.add(ir.mul(place, ir.const(WORD)), address)),))
    place = writer.b.fix(place)
    inside = ir.binary("lt_u", place, ir.const(len(every)))
    return Val(expr.type, (ir.if_else(inside, ir.load(ir.add(ir.mul(place, ir.const(WORD)), address)), ir.ZERO),))


def _pieces(writer: Writer, expr: Apply, env: Env) -> Val:
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


def _kinds_in(writer: Writer, expr: Apply, env: Env) -> Val:
    return _listed(writer, expr, env)


def _spread(writer: Writer, expr: Apply, env: Env) -> Val:
    (held,) = expr.arguments
    assert isinstance(held.type, PiecesType)
    every = kinds(held.type.kind)
    found = writer.runtime("spread", writer.value(held, env).one, ir.const(len(every)), ir.const(every.start))
    return Val(expr.type, (found,))


def _bundles(writer: Writer, expr: Apply, env: Env) -> Val:
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


def _covers(writer: Writer, expr: Apply, env: Env) -> Val:
    pool, cost = expr.arguments
    rate = 0
    if expr.op == "covers" and isinstance(pool, Read):
        exchange = writer.program.variables[pool.variable].exchange
        rate = exchange.rate if exchange is not None else 0
    type_ = pool.type if isinstance(pool.type, PiecesType) else cost.type
    assert isinstance(type_, PiecesType)
    if len(kinds(type_.kind)) <= pieces.MOST_KINDS:
        return Val(FLAG, (pieces.covers(writer, pool, cost, env, type_, rate),))
    held, asked = writer.fitted(pool, type_, env).one, writer.fitted(cost, type_, env).one
    number = ir.const(len(kinds(type_.kind)))
    return Val(FLAG, (writer.runtime("covers", held, asked, number, ir.const(rate)),))


_CODE: dict[str, Code] = {
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
    "otherwise": _otherwise,
    "in": _in,
    "at": _at,
    "top": _end_of,
    "bottom": _end_of,
    "reversed": _reversed,
    "range": _listed,
    "list": _listed,
    "members": _listed,
    "ahead": _listed,
    "behind": _listed,
    "kinds_in": _kinds_in,
    "rotate": _rotate,
    "tuple": _tuple,
    "set": _set_of,
    "union_set": _sets,
    "intersect_set": _sets,
    "minus_set": _sets,
    "size": _size,
    "next": _step,
    "prev": _step,
    "first": _end,
    "last": _end,
    "index": _index,
    "distance": _distance,
    "opposite": _opposite,
    "step": _on_grid,
    "ray": _on_grid,
    "square": _square,
    "beside": _beside,
    "openings": _openings,
    "turned": _turned,
    "count_of": _count_of,
    "add_pieces": _pieces,
    "sub_pieces": _pieces,
    "scale_pieces": _pieces,
    "spread": _spread,
    "bundles": _bundles,
    "holds": _covers,
    "covers": _covers,
}

__all__ = ["Const", "Domain", "apply", "contains", "narrowed", "size_of_domain"]
