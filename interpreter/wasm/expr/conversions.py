"""Values of one type as values of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulelang import types as ty

from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Val
from ..layout import shapes
from ..layout.memory import Memory
from ..wat import ir
from ..wat.ir import E
from .iteration import iterate_value


def widened(part: E, given: ty.Type, wanted: ty.Type) -> E:
    """An optional of ``given`` values as one of ``wanted`` values, which may have another number for none."""
    a, b = shapes.none_of(given), shapes.none_of(wanted)
    if a == b:
        return part
    if part.is_const:
        return ir.const(b) if part.value == a else part
    return ir.select(ir.eq(part, a), ir.const(b), part)


def fit(writer: Emitter, value: Val, type_: ty.Type) -> Val:
    """The value in the representation of another type that takes it."""
    given = value.type
    if given == type_ or (shapes.is_scalar(given) and shapes.is_scalar(type_)):
        return Val(type_, value.parts)
    match type_:
        case ty.OptionalType(item):
            if isinstance(given, ty.NothingType):
                return registry.none(type_)
            if not isinstance(given, ty.OptionalType):
                return registry.some(fit(writer, value, item), type_)
            if shapes.is_scalar(item):
                fixed = value if shapes.none_of(given.item) == shapes.none_of(item) else writer.fix(value)
                return Val(type_, (widened(fixed.one, given.item, item),))
            return Val(type_, (value.parts[0], *fit(writer, registry.held(value), item).parts))
        case ty.SetType(item):
            if _never_filled(given):
                return registry.constant(writer.memory, (), type_)
            assert isinstance(given, (ty.ListType, ty.SetType))
            if isinstance(given, ty.ListType) or not same_words(given, type_):
                return as_set(writer, value, type_)
        case ty.ListType() if _never_filled(given):
            return registry.constant(writer.memory, (), type_)
        case ty.ListType(item) if isinstance(given, ty.SetType) or not same_words(given.item, item):  # type: ignore[union-attr]
            return Val(type_, (_listed(writer, value, type_),))
        case ty.PiecesType(kind) if given == ty.NO_PIECES:
            return registry.constant(writer.memory, (0,) * len(ty.kinds(kind)), type_)
    if shapes.components(given) != shapes.components(type_):
        raise shapes.NotLowered(f"a value of {ty.describe(given)} as one of {ty.describe(type_)}")
    items = getattr(type_, "items", None)
    if items is not None and hasattr(given, "items"):
        parts: list[E] = []
        for i, item in enumerate(items):
            parts.extend(fit(writer, registry.part_of(value, i), item).parts)
        return Val(type_, tuple(parts))
    return Val(type_, value.parts)


def _never_filled(type_: ty.Type) -> bool:
    return isinstance(type_, (ty.ListType, ty.SetType)) and isinstance(type_.item, ty.NeverType)


def same_words(given: ty.Type, wanted: ty.Type) -> bool:
    """Whether the words of a value of one type are those of the same value of another type that takes it."""
    if given == wanted or (shapes.is_scalar(given) and shapes.is_scalar(wanted)):
        return True
    match given, wanted:
        case ty.OptionalType(a), ty.OptionalType(b):
            same_none = not shapes.is_scalar(b) or (shapes.is_scalar(a) and shapes.none_of(a) == shapes.none_of(b))
            return same_none and same_words(a, b)
        case _, ty.OptionalType(b) if shapes.is_scalar(b):
            return shapes.is_scalar(given) or (
                isinstance(given, ty.NothingType) and shapes.none_of(b) == shapes.NONE_LOW
            )
        case ty.ListType(a), ty.ListType(b):
            return not isinstance(a, ty.NeverType) and same_words(a, b)
        case ty.SetType(a), ty.SetType(b):
            if isinstance(a, ty.NeverType) or shapes.mask_size(given) != shapes.mask_size(wanted):
                return False
            return not differ(a, b) if shapes.mask_size(given) is not None else same_words(a, b)
        case ((ty.TupleType() | ty.RecordType()), (ty.TupleType() | ty.RecordType())):
            return all(map(same_words, given.items, wanted.items))
    return False


def _listed(writer: Emitter, value: Val, type_: ty.ListType | ty.SetType) -> E:
    """A new list of the members of a value."""
    item = type_.item
    return writer.listed(
        type_, lambda push: iterate_value(writer, value, lambda v: push(fit(writer, v, item)), release=False)
    )


def differ(a: ty.Type, b: ty.Type) -> bool:
    """Whether the bits of a mask mean other values."""
    return shapes.is_scalar(a) and shapes.is_scalar(b) and shapes.first_value(a) != shapes.first_value(b)


# ---------------------------------------------------------------- sets


def bit(member: E, type_: ty.SetType) -> E:
    """The mask of one member."""
    return ir.bit(member - shapes.first_value(type_.item))


def add_member(writer: Emitter, mask: int, value: Val, type_: ty.SetType) -> None:
    """Adds a member to the mask in a local."""
    writer.b.set(mask, writer.b.get(mask) | bit(value.one, type_))


def as_set(writer: Emitter, value: Val, type_: ty.SetType) -> Val:
    """The members of a list, or of another set, as a set."""
    item = type_.item
    if shapes.mask_size(type_) is None:
        if isinstance(value.type, ty.ListType) and same_words(value.type.item, item):
            listed = writer.runtime("copy_list", value.one, ir.const(shapes.words(item)))
        else:
            listed = _listed(writer, value, type_)
        return Val(type_, (writer.runtime("rising", listed, row(writer, item)),))
    mask = writer.b.let(ir.ZERO64)
    iterate_value(writer, value, lambda v: add_member(writer, mask, fit(writer, v, item), type_))
    return Val(type_, (writer.b.get(mask),))


# Code that compares two values.


def same(writer: Emitter, a: Val, b: Val) -> E:
    """Whether two values are equal. Components may be used twice: they are fixed where they are."""
    if isinstance(a.type, ty.NothingType) and isinstance(b.type, ty.NothingType):
        return ir.ONE
    if isinstance(b.type, ty.NothingType):
        a, b = b, a
    if isinstance(a.type, ty.NothingType):
        return registry.is_none(b) if isinstance(b.type, ty.OptionalType) else ir.ZERO
    if isinstance(a.type, ty.OptionalType) and not isinstance(b.type, ty.OptionalType):
        a, b = b, a
    if isinstance(b.type, ty.OptionalType):
        return _same_optional(writer, a, b)
    if shapes.is_scalar(a.type):
        return ir.eq(a.one, b.one)
    match a.type, b.type:
        case ((ty.ListType(ty.NeverType()) | ty.SetType(ty.NeverType())), _):
            return _is_empty(b)
        case _, (ty.ListType(ty.NeverType()) | ty.SetType(ty.NeverType())):
            return _is_empty(a)
        case (ty.PiecesType(), ty.PiecesType()) if ty.NO_PIECES in (a.type, b.type):
            (kind,) = {a.type.kind, b.type.kind} - {ty.NO_PIECES.kind} or {ty.NO_PIECES.kind}
            whole = b if a.type == ty.NO_PIECES else a
            return ir.not_(writer.runtime("sum_words", whole.one, ir.const(len(ty.kinds(kind)))))
        case ty.PiecesType(kind), ty.PiecesType():
            return writer.runtime("same_words", a.one, b.one, ir.const(len(ty.kinds(kind))))
        case (ty.SetType() as type_, ty.ListType()) | (ty.ListType(), ty.SetType() as type_):
            return same(writer, writer.fit(a, type_), writer.fit(b, type_))
        case (ty.SetType(), ty.SetType()) if (
            shapes.mask_size(a.type) is not None or shapes.mask_size(b.type) is not None
        ):
            if not same_words(a.type, b.type):
                low, high = zip(registry.bounds(a.type.item), registry.bounds(b.type.item), strict=True)
                both = ty.SetType(ty.NumberType(min(low), max(high)))
                return same(writer, writer.fit(a, both), writer.fit(b, both))
            return ir.eq(a.one, b.one)
        case (ty.SetType(), ty.SetType()) | (ty.ListType(), ty.ListType()):
            item = a.type.item  # type: ignore[union-attr]
            if shapes.holds_addresses(item) or not same_words(item, b.type.item):  # type: ignore[union-attr]
                return _same_members(writer, writer.fix(a), writer.fix(b))
            return writer.runtime("same_list", a.one, b.one, ir.const(shapes.words(item)))
    result = ir.ONE
    for i in range(len(a.type.items)):  # type: ignore[union-attr]
        result = ir.both(result, same(writer, registry.part_of(a, i), registry.part_of(b, i)))
    return result


def _is_empty(listed: Val) -> E:
    """Whether a list or set has no members."""
    return ir.not_(listed.one) if listed.one.ty == "i64" else ir.not_(ir.load(listed.one))


def _same_members(writer: Emitter, a: Val, b: Val) -> E:
    """Whether two lists are alike, member by member."""
    found, at = writer.b.local(), writer.b.local()
    number = writer.b.fix(ir.load(a.one))
    writer.b.set(found, ir.eq(number, ir.load(b.one)))
    writer.b.set(at, number * writer.b.get(found))
    with writer.releasing(), writer.b.block() as done, writer.b.loop() as again:
        writer.b.br_if(done, ir.not_(writer.b.get(at)))
        writer.b.add(at, -1)
        members = []
        for listed in (a, b):
            item = listed.type.item  # type: ignore[union-attr]
            place = writer.b.get(at) * (shapes.WORD * shapes.words(item)) + listed.one
            members.append(writer.fix(registry.load_value(writer.b.fix(place), item, shapes.WORD)))
        writer.b.set(found, same(writer, *members))
        writer.b.br_if(again, writer.b.get(found))
    return writer.b.get(found)


def _same_optional(writer: Emitter, a: Val, b: Val) -> E:
    """``b`` is an optional, ``a`` perhaps."""
    assert isinstance(b.type, ty.OptionalType)
    item = b.type.item
    if shapes.is_scalar(item):
        if isinstance(a.type, ty.OptionalType):
            x, y = a, b
            if shapes.none_of(a.type.item) != shapes.none_of(item):
                x, y = writer.fix(a), writer.fix(b)
                wide = ty.NumberType(shapes.NONE_WIDE + 1, 0)
                return ir.eq(widened(x.one, a.type.item, wide), widened(y.one, item, wide))
            return ir.eq(x.one, y.one)
        missing = shapes.none_of(item)
        low, high = registry.bounds(a.type)
        if low <= missing <= high:
            fixed = writer.fix(b)
            return ir.both(ir.ne(fixed.one, missing), ir.eq(a.one, fixed.one))
        return ir.eq(a.one, b.one)
    a, b = writer.fix(a), writer.fix(b)
    if isinstance(a.type, ty.OptionalType):
        both_none = ir.both(registry.is_none(a), registry.is_none(b))
        alike = ir.both(
            ir.both(registry.is_some(a), registry.is_some(b)), same(writer, registry.held(a), registry.held(b))
        )
        return ir.either(both_none, alike)
    return ir.both(registry.is_some(b), same(writer, a, registry.held(b)))


# Copies of values that lie in memory, so that they stay as they are when cells change.


def copied(writer: Emitter, value: Val) -> Val:
    """The value with whatever it holds by address copied to the arena, unless it is a constant."""
    if not shapes.holds_addresses(value.type):
        return value
    match value.type:
        case ty.PiecesType(kind):
            if _is_constant(writer, value.one):
                return value
            return Val(value.type, (writer.runtime("copy_words", value.one, ir.const(len(ty.kinds(kind)))),))
        case ty.ListType(item) | ty.SetType(item):
            if _is_constant(writer, value.one):
                return value
            if not shapes.holds_addresses(item):
                return Val(value.type, (writer.runtime("copy_list", value.one, ir.const(shapes.words(item))),))
            return Val(value.type, (_members_copied(writer, value, value.type),))
        case ty.OptionalType() as type_:
            value = writer.fix(value)
            locals_ = writer.locals_for(type_)
            writer.set_all(locals_, registry.none(type_))
            with writer.b.if_(registry.is_some(value)):
                writer.set_all(locals_, registry.some(copied(writer, registry.held(value)), type_))
            return writer.of_locals(value.type, locals_)
    parts: list[E] = []
    for i in range(len(value.type.items)):  # type: ignore[union-attr]
        parts.extend(copied(writer, registry.part_of(value, i)).parts)
    return Val(value.type, tuple(parts))


def _is_constant(writer: Emitter, address: E) -> bool:
    """Whether an address is one of the tables, which never change. That of a cell may be known as well."""
    return address.is_const and address.value >= writer.memory.tables


def _members_copied(writer: Emitter, value: Val, type_: ty.ListType | ty.SetType) -> E:
    """A list whose members lie in memory as well, each of them copied."""

    def members(push: Callable[[Val], None]) -> None:
        iterate_value(writer, value, lambda member: push(copied(writer, member)), release=False)

    return writer.listed(type_, members)


# Descriptions of the members of a list, by which the kernel compares them and puts them in order.
#
# The order is that of the reference engine (``rulelang.program.values.rising``): none before everything else, then
# number by number, kind by kind, member by member.


_WORDS, _MASK, _PIECES, _LIST, _OPTIONAL = 1, 2, 3, 4, 5  # see ``$order`` in the kernel


def row(writer: Emitter, type_: ty.Type) -> E:
    """How rows of values of the type are compared, as the kernel's ``$row``."""
    return ir.const(_row(writer.memory, type_))


def _row(memory: Memory, type_: ty.Type) -> int:
    if _is_plain(type_):
        return shapes.words(type_)
    shape = [number for part in _parts(memory, type_) for number in part]
    return -memory.constant([shapes.words(type_), *shape, 0])


def _is_plain(type_: ty.Type) -> bool:
    """Whether the words of two values, one after another, tell which comes first."""
    match type_:
        case ty.TupleType() | ty.RecordType():
            return all(map(_is_plain, type_.items))
        case ty.OptionalType(item):
            return shapes.is_scalar(item)
        case ty.SetType() | ty.ListType() | ty.PiecesType():
            return False
    return True


def _parts(memory: Memory, type_: ty.Type) -> Iterator[tuple[int, int]]:
    if _is_plain(type_):
        yield _WORDS, shapes.words(type_)
        return
    match type_:
        case ty.TupleType() | ty.RecordType():
            for item in type_.items:
                yield from _parts(memory, item)
        case ty.OptionalType(item):
            yield _OPTIONAL, _row(memory, item)
        case ty.PiecesType(kind):
            yield _PIECES, len(ty.kinds(kind))
        case ty.SetType() if shapes.mask_size(type_) is not None:
            yield _MASK, 0
        case ty.ListType(item) | ty.SetType(item):
            yield _LIST, _row(memory, item)
