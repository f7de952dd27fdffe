"""Code for operations on lists, stacks, sets and tuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.program import Apply, Expr, Fold, Read
from rulelang.types import FLAG, ListType, MemberType, NothingType, OptionalType, PiecesType, SetType, Type, kinds

from ...passes import on
from ..emit import registry
from ..emit.emitter import Emitter, static_members
from ..emit.registry import Env, Val
from ..layout import shapes
from ..masks import along, bits, led
from ..wat import ir
from ..wat.ir import E
from . import conversions, iteration
from .conversions import same, same_words
from .iteration import iterate, iterate_value

Code = Callable[[Emitter, Apply, Env], Val]


def _in(writer: Emitter, expr: Apply, env: Env) -> Val:
    wanted, sequence = expr.arguments
    value = writer.fix(writer.value(wanted, env))
    known = static_members(writer, sequence, env)
    if known is not None and shapes.is_scalar(value.type) and len(known) <= 8:
        found: E = ir.ZERO
        for member in known:
            found = ir.either(found, ir.eq(value.one, member))
        return Val(FLAG, (found,))
    match sequence:
        case Apply(op="list", arguments=parts) if len(parts) <= 8 and not writer.faults.may(parts):
            found = ir.ZERO
            for part in parts:
                found = ir.either(found, same(writer, value, writer.fix(writer.value(part, env))))
            return Val(FLAG, (found,))
        case Apply(op="range", arguments=(low, high)) if shapes.is_scalar(value.type):
            above = value.one >= writer.scalar(low, env)
            return Val(FLAG, (ir.both(above, value.one <= writer.scalar(high, env)),))
    if isinstance(value.type, MemberType):
        reached = led.led_to(writer, sequence, env)
        if reached is not None:
            return Val(FLAG, (bits.holds(reached, value.one),))
    if isinstance(sequence.type, (OptionalType, SetType)):
        return Val(FLAG, (contains(writer, writer.value(sequence, env), value),))
    return Val(FLAG, (_found(writer, value, lambda body: iterate(writer, sequence, env, body)),))


def _found(writer: Emitter, value: Val, go: Callable[[Callable[[Val], None]], None]) -> E:
    found = writer.b.let(ir.ZERO)
    with writer.b.block() as end:

        def compare(item: Val) -> None:
            with writer.b.if_(same(writer, value, item)):
                writer.b.set(found, ir.ONE)
                writer.b.br(end)

        go(compare)
    return writer.b.get(found)


def contains(writer: Emitter, sequence: Val, value: Val) -> E:
    """Whether a fixed value is in an optional, a set or a list."""
    match sequence.type:
        case OptionalType():
            sequence = writer.fix(sequence)
            return ir.both(registry.is_some(sequence), same(writer, value, registry.held(sequence)))
        case SetType(item) if shapes.mask_size(sequence.type) is not None and shapes.is_scalar(value.type):
            place = writer.b.fix(value.one - shapes.first_value(item))
            moved = sequence.one >> ir.wide(place)
            present = ir.narrow(moved) & 1
            size = shapes.mask_size(sequence.type) or 0
            low, high = registry.bounds(value.type)
            first = shapes.first_value(item)
            if first <= low and high < first + size:
                return present
            return ir.both(ir.binary("lt_u", place, size), present)
        case SetType(item) if same_words(value.type, item):
            row = writer.b.fix(ir.call("alloc", (ir.const(shapes.WORD * shapes.words(item)),)))
            writer.store(row, value)
            at = writer.b.fix(ir.call("find", (sequence.one, row, conversions.row(writer, item))))
            writer.b.set_global("top", row)
            return at >= 0
    return _found(writer, value, lambda body: iterate_value(writer, sequence, body))


def _at(writer: Emitter, expr: Apply, env: Env) -> Val:
    """The member at a position from 1, or none. ``position`` may itself be none."""
    sequence, position = expr.arguments
    if isinstance(expr.type, NothingType):
        writer.value(position, env)
        writer.value(sequence, env)
        return registry.none(expr.type)
    assert isinstance(sequence.type, ListType) and isinstance(expr.type, OptionalType)
    if isinstance(sequence, Apply) and sequence.op == "ray":
        cell, direction = sequence.arguments
        past = _past_run(writer, cell, direction, position, env)
        if past is not None:
            return Val(expr.type, (past,))
        place = writer.b.fix(writer.value(position, env).one)
        ray = iteration.ray_of(writer, cell, direction, env)
        inside = ir.binary("lt_u", place - 1, ray.length)
        return Val(expr.type, (ir.if_else(inside, ray.cell(place), registry.none(expr.type).one),))
    place = writer.b.fix(writer.value(position, env).one)
    listed = writer.fix(writer.value(sequence, env))
    if place.is_const and place.value < 1:
        return registry.none(expr.type)
    return _member_at(writer, expr.type, listed, place, ir.binary("lt_u", place - 1, ir.load(listed.one)))


def _member_at(writer: Emitter, type_: OptionalType, listed: Val, place: E, there: E) -> Val:
    """The member of a fixed list at a place from 1 if it is ``there``, else none. It may be an optional itself."""
    item = listed.type.item  # type: ignore[union-attr]
    size = shapes.WORD * shapes.words(item)
    row = place * size + listed.one
    if shapes.is_scalar(item):
        # With no member the word read is that of another, or before them: harmless.
        return Val(type_, (ir.if_else(there, ir.load(row), registry.none(type_).one),))
    locals_ = writer.locals_for(type_)
    writer.set_all(locals_, registry.none(type_))
    with writer.b.if_(there):
        at = writer.b.fix(row + (shapes.WORD - size))
        inside = isinstance(item, OptionalType)
        member = registry.load_value(at, type_ if inside else item)
        writer.set_all(locals_, member if inside else registry.some(member, type_))
    return writer.of_locals(type_, locals_)


def _past_run(writer: Emitter, cell: Expr, direction: Expr, position: Expr, env: Env) -> E | None:
    """The cell that ends a run along a ray, for ``ray(c, d)[count(e in ray(c, d) while ...) + 1]``."""
    if not on("rays") or writer.faults.may((cell, direction, position)):
        return None
    past = writer.b.attempt(lambda: along.past_run(writer, cell, direction, position, env))
    return None if past is None else writer.b.fix(along.first_of(writer, past.turned(writer)))


def _end_of(writer: Emitter, expr: Apply, env: Env) -> Val:
    """The top or the bottom of a stack."""
    listed = writer.fix(writer.value(expr.arguments[0], env))
    if isinstance(expr.type, NothingType):
        return registry.none(expr.type)
    assert isinstance(expr.type, OptionalType)
    number = writer.b.fix(ir.load(listed.one))
    return _member_at(writer, expr.type, listed, number if expr.op == "top" else ir.ONE, number)


def as_listed(writer: Emitter, expr: Apply, env: Env) -> Val:
    """A list made by going through what the operation gives."""
    assert isinstance(expr.type, ListType)
    item = expr.type.item
    known = static_members(writer, expr, env)
    if known is not None:
        return registry.constant(writer.memory, tuple(known), expr.type)
    if expr.op == "list":

        def parts(push: Callable[[Val], None]) -> None:
            for argument in expr.arguments:
                push(writer.fitted(argument, item, env))

        return Val(expr.type, (writer.listed(expr.type, parts, len(expr.arguments)),))
    keep = not shapes.holds_addresses(item)

    def each(push: Callable[[Val], None]) -> None:
        iterate(writer, expr, env, lambda v: push(writer.fit(v, item)), release=keep)

    return Val(expr.type, (writer.listed(expr.type, each, writer.bounds.of(expr)),))


def _reversed(writer: Emitter, expr: Apply, env: Env) -> Val:
    listed = writer.value(expr.arguments[0], env)
    assert isinstance(listed.type, (ListType, SetType))
    return Val(expr.type, (writer.runtime("reversed", listed.one, ir.const(shapes.words(listed.type.item))),))


def _rotate(writer: Emitter, expr: Apply, env: Env) -> Val:
    listed, start = expr.arguments
    assert isinstance(expr.type, ListType)
    if isinstance(listed, Apply) and listed.op == "members":
        return as_listed(writer, expr, env)
    item = expr.type.item
    whole = writer.fix(_as_list(writer, listed, expr.type, env))
    first = writer.fix(writer.fitted(start, item, env))
    number = writer.b.fix(ir.load(whole.one))
    size = shapes.WORD * shapes.words(item)
    at = writer.b.let(ir.ZERO)
    with writer.b.block() as end:

        def compare(member: Val) -> None:
            with writer.b.if_(same(writer, first, member)):
                writer.b.br(end)
            writer.b.add(at, 1)

        iterate_value(writer, whole, compare)
        writer.b.set(at, ir.ZERO)
    made = writer.b.fix(ir.call("copy_list", (whole.one, ir.const(shapes.words(item)))))
    head = writer.b.fix(writer.b.get(at) * size)
    tail = writer.b.fix(number * size - head)
    from_ = whole.one + shapes.WORD
    writer.b.copy(made + shapes.WORD, from_ + head, tail)
    writer.b.copy(made + tail + shapes.WORD, from_, head)
    return Val(expr.type, (made,))


def _as_list(writer: Emitter, expr: Expr, type_: ListType, env: Env) -> Val:
    value = writer.value(expr, env)
    if isinstance(value.type, ListType):
        return value
    return Val(
        type_,
        (writer.listed(type_, lambda push: iterate_value(writer, value, lambda v: push(writer.fit(v, type_.item)))),),
    )


def _part(writer: Emitter, expr: Apply, env: Env) -> Val:
    """The rows between two positions; ends beyond the list are moved to its ends."""
    whole, *ends = expr.arguments
    assert isinstance(expr.type, ListType)
    listed = writer.fix(writer.fitted(whole, expr.type, env))
    first, last = (writer.b.fix(writer.scalar(end, env)) for end in ends)
    return Val(expr.type, (writer.runtime("part", listed.one, first, last, ir.const(shapes.words(expr.type.item))),))


def _joined(writer: Emitter, expr: Apply, env: Env) -> Val:
    type_ = expr.type
    assert isinstance(type_, ListType)
    parts = [writer.fix(writer.value(argument, env)) for argument in expr.arguments]
    most = writer.bounds.of(expr)
    return Val(type_, (writer.listed(type_, lambda push: _all(writer, parts, type_.item, push), most),))


def _all(writer: Emitter, parts: Sequence[Val], item: Type, push: Callable[[Val], None]) -> None:
    """Hands over the members of each list or set in turn."""
    for value in parts:
        iterate_value(
            writer, value, lambda member: push(writer.fit(member, item)), release=not shapes.holds_addresses(item)
        )


def _sets(writer: Emitter, expr: Apply, env: Env) -> Val:
    """A union or a difference: of two masks at once, of sets without bounds member by member."""
    type_ = expr.type
    assert isinstance(type_, SetType)
    united = expr.op == "united"
    a, b = (writer.fix(writer.fitted(argument, type_, env)) for argument in expr.arguments)
    if shapes.mask_size(type_) is None and united:
        listed = writer.listed(type_, lambda push: _all(writer, (a, b), type_.item, push))
        return Val(type_, (writer.runtime("rising", listed, conversions.row(writer, type_.item)),))
    if shapes.mask_size(type_) is not None:
        if united:
            return Val(type_, (a.one | b.one,))
        return Val(type_, (a.one & ~b.one,))

    def left_over(push: Callable[[Val], None]) -> None:
        def member(value: Val) -> None:
            value = writer.fix(value)
            with writer.b.if_(ir.not_(contains(writer, b, value))):
                push(value)

        iterate_value(writer, a, member)

    return Val(type_, (writer.listed(type_, left_over),))


def _tuple(writer: Emitter, expr: Apply, env: Env) -> Val:
    parts: list[E] = []
    for argument, item in zip(expr.arguments, expr.type.items, strict=True):  # type: ignore[union-attr]
        parts.extend(writer.fix(writer.fitted(argument, item, env)).parts)
    return Val(expr.type, tuple(parts))


def size_of_domain(writer: Emitter, domain: Expr, env: Env) -> E | None:
    """How many members a domain has, where that can be told without going through it."""
    known = static_members(writer, domain, env)
    if known is not None:
        return ir.const(len(known))
    match domain:
        case Apply(op="members"):
            low, high = registry.bounds(domain.type.item)  # type: ignore[union-attr]
            return ir.const(high - low + 1)
        case Apply(op="range", arguments=(low_, high_)):
            first, last = writer.b.fix(writer.scalar(low_, env)), writer.b.fix(writer.scalar(high_, env))
            number = writer.b.fix(last - first + 1)
            some = last >= first
            least, most = registry.bounds(domain.type.item)  # type: ignore[union-attr]
            if most - least >= shapes.ANY:
                with writer.b.if_(ir.both(some, number < 1)):
                    writer.fault("overflow")
            return ir.select(some, number, ir.ZERO)
        case Apply(op="reversed" | "rotate", arguments=(_, *rest)) if not writer.faults.may(rest):
            return size_of_domain(writer, domain.arguments[0], env)
        case Apply(op="ray", arguments=(cell, direction)):
            return iteration.ray_of(writer, cell, direction, env).length
        case Fold(word="list") | Apply():
            return None
    if isinstance(domain.type, PiecesType):
        return None
    return _size_of(writer, writer.value(domain, env))


def _size_of(writer: Emitter, value: Val) -> E:
    match value.type:
        case PiecesType(kind):
            return writer.runtime("sum_words", value.one, ir.const(len(kinds(kind))))
        case OptionalType():
            return registry.is_some(value)
        case SetType() if shapes.mask_size(value.type) is not None:
            return ir.narrow(ir.popcount(value.one))
    return ir.load(value.one)


def _size(writer: Emitter, expr: Apply, env: Env) -> Val:
    (container,) = expr.arguments
    if isinstance(container.type, PiecesType):
        number = len(kinds(container.type.kind))
        if isinstance(container, Read) and number <= 8:
            address = writer.b.fix(writer.value(container, env).one)
            total: E = ir.ZERO
            for i in range(number):
                total += ir.load(address, shapes.WORD * i)
            return Val(expr.type, (total,))  # what lies in a place is never so much that this is too great
        return Val(expr.type, (_size_of(writer, writer.value(container, env)),))
    found = size_of_domain(writer, container, env) if isinstance(container.type, ListType) else None
    return Val(expr.type, (found if found is not None else _size_of(writer, writer.value(container, env)),))


CODE: dict[str, Code] = {
    "in": _in,
    "at": _at,
    "top": _end_of,
    "bottom": _end_of,
    "part": _part,
    "joined": _joined,
    "united": _sets,
    "without": _sets,
    "reversed": _reversed,
    "range": as_listed,
    "list": as_listed,
    "members": as_listed,
    "ahead": as_listed,
    "behind": as_listed,
    "rotate": _rotate,
    "tuple": _tuple,
    "size": _size,
}
