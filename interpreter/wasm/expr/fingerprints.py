"""Code for histories: the fingerprint of a position, and how often a history holds it.

The words that are mixed, and how, are those of ``evaluation/fingerprints.py``.
"""

from __future__ import annotations

from rulelang.program import Apply
from rulelang.types import ListType, NothingType, NumberType, OptionalType, PiecesType, SetType, kinds

from ...evaluation.fingerprints import SEED, is_row, whole
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, Val
from ..layout.shapes import WORD, is_scalar, mask_size, words
from ..wat import ir
from ..wat.ir import E
from .iteration import iterate_value


def fingerprint(writer: Emitter, expr: Apply, env: Env) -> Val:
    """The two halves of 64 bits."""
    bits = writer.b.let(ir.const(SEED, "i64"))
    for part in expr.arguments:
        variable = whole(writer.program, part)
        if variable is not None and is_row(variable.type):
            cell = writer.memory.cells[variable.name]
            _word(writer, bits, ir.const(variable.cells))
            _row(writer, bits, ir.const(cell.base), ir.const(variable.cells * words(variable.type)))
        else:
            with writer.releasing():
                _mix(writer, bits, writer.fix(writer.fitted(part, part.type, env)))
    found = writer.b.fix(ir.call("scramble", (writer.b.get(bits),), "i64"))
    low = ir.narrow(found)
    high = ir.narrow(found >> 32)
    return Val(expr.type, (writer.b.fix(low), writer.b.fix(high)))


def _word(writer: Emitter, bits: int, word: E) -> None:
    writer.b.set(bits, ir.call("mix", (writer.b.get(bits), word), "i64"))


def _row(writer: Emitter, bits: int, address: E, number: E) -> None:
    """Words that lie in memory one after another."""
    writer.b.set(bits, ir.call("mix_words", (writer.b.get(bits), address, number), "i64"))


def _mix(writer: Emitter, bits: int, value: Val) -> None:
    type_ = value.type
    match type_:
        case OptionalType(item) if not is_scalar(item):
            value = writer.fix(value)
            _word(writer, bits, registry.is_some(value))
            with writer.b.if_(registry.is_some(value)):
                _mix(writer, bits, registry.held(value))
        case PiecesType(kind):
            _row(writer, bits, value.one, ir.const(len(kinds(kind))))
        case SetType() if mask_size(type_) is not None:
            mask = writer.b.fix(value.one)
            _word(writer, bits, ir.narrow(mask))
            _word(writer, bits, ir.narrow(mask >> 32))
        case ListType(item) | SetType(item) if is_row(item):
            address = writer.b.fix(value.one)
            number = writer.b.fix(ir.load(address))
            _word(writer, bits, number)
            _row(writer, bits, address + WORD, number * words(item))
        case ListType() | SetType():
            address = writer.b.fix(value.one)
            _word(writer, bits, ir.load(address))
            iterate_value(writer, Val(type_, (address,)), lambda member: _mix(writer, bits, member))
        case _ if hasattr(type_, "items"):
            for position in range(len(type_.items)):
                _mix(writer, bits, registry.part_of(value, position))
        case NothingType():
            _word(writer, bits, ir.const(-1))
        case _:
            _word(writer, bits, value.one)


def occurrences(writer: Emitter, expr: Apply, env: Env) -> Val:
    """A loop over the fingerprints that are kept."""
    past, now = expr.arguments
    assert isinstance(expr.type, NumberType)
    low, high = (writer.b.fix(part) for part in writer.value(now, env).parts)
    listed = writer.value(past, env).one
    return Val(expr.type, (writer.runtime("pairs_like", listed, low, high),))


CODE = {"fingerprint": fingerprint, "occurrences": occurrences}
