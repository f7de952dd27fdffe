"""Arguments of definitions and graphs: worked out before what is called, and within the bounds of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.program import Expr, Param
from rulelang.program.analysis.faults import may_leave
from rulelang.types import ListType, NothingType, NumberType, OptionalType, RecordType, SetType, TupleType, Type

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..wat import ir
from ..wat.ir import E
from .iteration import iterate_value


def arguments(writer: Emitter, given: Sequence[Expr], params: Sequence[Param], name: str, env: Env) -> dict[int, Val]:
    """The values of the parameters of a definition or graph by their slots, each fixed."""
    found = {}
    for argument, param in zip(given, params, strict=True):
        value = writer.value(argument, env)
        if may_leave(param.type, argument.type):
            value = writer.fix(value)
            within(writer, value, param.type, name)
        found[param.slot] = writer.fix(writer.fit(value, param.type))
    return found


def within(writer: Emitter, value: Val, type_: Type, name: str, verb: str = "accepts") -> None:
    """A fault where a number is outside; it is looked at before it is fitted, as it could look like another then.

    ``verb``: ``gives`` of the value of a definition.
    """

    def outside(number: E, low: int, high: int) -> None:
        beyond = ir.either(ir.lt(number, ir.const(low)), ir.gt(number, ir.const(high)))
        with writer.b.if_(beyond):
            writer.fault("beyond", number, low=low, high=high, name=name, verb=verb)

    numbers(writer, value, type_, outside)


def numbers(writer: Emitter, value: Val, type_: Type, look: Callable[[E, int, int], None]) -> None:
    """Writes ``look`` for every number in a value, with the bounds it has in a type that takes the value."""
    if isinstance(value.type, NothingType):
        return
    match type_:
        case OptionalType(item) if isinstance(value.type, OptionalType):
            fixed = writer.fix(value)
            with writer.b.if_(values.is_some(fixed)):
                numbers(writer, values.held(fixed), item, look)
        case OptionalType(item):
            numbers(writer, value, item, look)
        case NumberType(low, high):
            look(writer.b.fix(value.one), low, high)
        case TupleType(items) | RecordType(items=items):
            for position, item in enumerate(items):
                numbers(writer, values.part_of(value, position), item, look)
        case ListType(item) | SetType(item):
            iterate_value(writer, value, lambda member: numbers(writer, member, item, look))
