"""Runs of values that are known while code is written."""

from __future__ import annotations

from rulelang.program import Apply, Call, Const, Expr
from rulelang.types import ListType, MemberType, OptionalType, PiecesType, SetType, Type

from ..layout.shapes import is_scalar
from ..wat import ir
from . import values
from .emitter import Emitter
from .values import Env

FEW = 8
"""Members of a run of constants that is written out one by one."""


def item_of(type_: Type) -> Type:
    """The type of the members of a run."""
    match type_:
        case ListType(item) | SetType(item) | OptionalType(item):
            return item
        case PiecesType(kind):
            return kind
    return type_


def static_members(writer: Emitter, domain: Expr, env: Env) -> list[int] | None:
    """The members of a run of scalars, when they are known while the code is written."""
    if isinstance(domain.type, ListType) and not is_scalar(domain.type.item):
        return None

    def known(expr: Expr) -> int | None:
        return writer.quick(expr, env)

    match domain:
        case Const(value, ListType()):
            return [int(v) for v in value]
        case Const(None):
            return []
        case Apply(op="members"):
            low, high = values.bounds(item_of(domain.type))
            return list(range(low, high + 1)) if high - low < FEW else None
        case Apply(op="range", arguments=(low_, high_)):
            a, b = known(low_), known(high_)
            return None if a is None or b is None or b - a > FEW else list(range(a, b + 1))
        case Apply(op="list", arguments=parts):
            found = [known(part) for part in parts]
            return None if None in found else [f for f in found if f is not None]
        case Apply(op="reversed", arguments=(inner,)):
            listed = static_members(writer, inner, env)
            return None if listed is None else listed[::-1]
        case Apply(op="ray", arguments=(cell, direction)):
            c, d = known(cell), known(direction)
            assert isinstance(cell.type, MemberType)
            return None if c is None or d is None else list(writer.program.grids[cell.type.domain.name].ray(c, d))
        case Call() if writer.inlines(domain):
            definition = writer.program.definitions[domain.definition]
            given = {}
            for p, argument in zip(definition.params, domain.arguments, strict=True):
                value = writer.quick(argument, env)
                if value is None:
                    return None
                given[p.slot] = values.scalar(p.type, ir.const(value))
            return static_members(writer, definition.body, given)
    return None
