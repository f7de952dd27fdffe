"""Values that a loop has come to before: equal options are listed once, binder by binder where that can be done."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.types import OptionalType, TupleType, Type

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Val
from ..layout.shapes import WORD, is_scalar
from ..wat import ir
from ..wat.ir import E

MOST_BITS = 1 << 15
"""Values of a binder that are kept apart by a bit each."""

_WORD_BITS = 8 * WORD


def bits_for(type_: Type) -> int | None:
    """The number of bits in which the values of a binder can be noted, None where that is no way to do it."""
    size = _size(type_)
    return size if size is not None and size <= MOST_BITS else None


def _size(type_: Type) -> int | None:
    if is_scalar(type_):
        return values.size_of(type_)
    items: Sequence[Type]
    match type_:
        case OptionalType(item) if is_scalar(item):
            return 1 + values.size_of(item)
        case TupleType(items):
            total = 1
            for item in items:
                size = _size(item)
                if size is None or total > MOST_BITS:
                    return None
                total *= size
            return total
    return None


class Seen:
    """The values that a loop has come to since it began: bits of a local, or of words in the arena.

    To be made right before the loop, for a type that ``bits_for`` takes.
    """

    def __init__(self, writer: Emitter, type_: Type) -> None:
        size = bits_for(type_)
        assert size is not None
        self._b = writer.b
        if size <= 64:
            self._bits: int | E = writer.b.local("i64")
            writer.b.set(self._bits, ir.ZERO64)
        else:
            self._bits = writer.runtime("zeroes", ir.const(-(-size // _WORD_BITS)))

    def note(self, value: Val, skip: str) -> None:
        """Goes to ``skip`` where the value, which is fixed, has been there before."""
        b = self._b
        place = b.fix(_place(value))
        if isinstance(self._bits, int):
            bit = b.fix(ir.bit(place))
            bits = b.get(self._bits)
            b.br_if(skip, E("i64.ne", "i32", (ir.binary("and", bits, bit), ir.ZERO64)))
            b.set(self._bits, ir.binary("or", bits, bit))
            return
        at = b.fix(ir.add(ir.mul(ir.binary("shr_u", place, ir.const(5)), ir.const(WORD)), self._bits))
        bit = b.fix(ir.binary("shl", ir.ONE, ir.binary("and", place, ir.const(_WORD_BITS - 1))))
        word = b.fix(ir.load(at))
        b.br_if(skip, ir.binary("and", word, bit))
        b.store(at, ir.binary("or", word, bit))


def _place(value: Val) -> E:
    """The number of a value among all of its type."""
    type_ = value.type
    if isinstance(type_, OptionalType):
        item = values.held(value)
        return ir.select(values.is_some(value), ir.add(_place(item), ir.ONE), ir.ZERO)
    if isinstance(type_, TupleType):
        place: E = ir.ZERO
        for i, item_type in enumerate(type_.items):
            size = _size(item_type)
            assert size is not None
            place = ir.add(ir.mul(place, ir.const(size)), _place(values.part_of(value, i)))
        return place
    return ir.sub(value.one, ir.const(values.bounds(type_)[0]))
