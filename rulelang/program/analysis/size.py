"""Sizes known before the game starts: the pieces a place begins with, at most, and the bytes of a state."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from ...types import FlagType, ListType, MemberType, NumberType, OptionalType, PiecesType, RecordType, TupleType, Type
from ...types import kinds as kinds_of
from .. import nodes as ir

MANY = 1_000
"""The members assumed of a list of which nothing is known."""

_MOST = 2**62


def pieces_at_start(variable: ir.Variable) -> int:
    """The pieces that all cells of a place hold together when the game begins, at most."""
    if variable.kind == "value" or variable.initial is None:
        return 0
    if variable.kind == "slot":
        return variable.cells
    return min(_MOST, variable.cells * _pieces(variable.initial))


def pieces_by_sort(program: ir.Program) -> dict[MemberType | NumberType, int]:
    """The pieces of each sort that the game begins with, at most. Moves neither make nor lose any."""
    found: dict[MemberType | NumberType, int] = {}
    for variable in program.variables.values():
        if variable.element is not None:
            found[variable.element] = found.get(variable.element, 0) + pieces_at_start(variable)
    return found


def _pieces(expr: ir.Expr) -> int:
    """How many pieces, or members of a list, an expression gives at most."""
    match expr:
        case ir.Const(value) if isinstance(value, tuple):
            return sum(value) if isinstance(expr.type, PiecesType) else len(value)
        case ir.Const():
            return 0
        case ir.PiecesOf():
            each = sum(_high(count) for _, count in expr.entries)
            return min(_MOST, each * (1 if expr.binds is None else _passes(expr.binds)))
        case ir.If():
            return max(_pieces(expr.then), _pieces(expr.otherwise))
        case ir.Fold(word="list" | "ranked" | "leaders"):
            return _passes(expr.binds)
        case ir.Apply(op="spread" | "reversed" | "rotate" | "part" | "sub_pieces"):
            return _pieces(expr.arguments[0])
        case ir.Apply(op="add_pieces" | "joined"):
            return min(_MOST, sum(map(_pieces, expr.arguments)))
        case ir.Apply(op="scale_pieces", arguments=(number, pieces)):
            return min(_MOST, _high(number) * _pieces(pieces))
        case ir.Apply(op="list"):
            return len(expr.arguments)
        case ir.Apply(op="members" | "range"):
            return _values(expr.type)
    return len(kinds_of(expr.type.kind)) * MANY if isinstance(expr.type, PiecesType) else MANY


def _high(expr: ir.Expr) -> int:
    return max(0, expr.type.high) if isinstance(expr.type, NumberType) else MANY


def _passes(binds: ir.Binds) -> int:
    return min(_MOST, prod(_members(bind.domain) for bind in binds.binds))


def _members(domain: ir.Expr) -> int:
    match domain.type:
        case OptionalType():
            return 1
        case PiecesType(kind):
            return len(kinds_of(kind))
    if isinstance(domain, ir.Apply) and domain.op in ("ahead", "behind", "ray"):
        return _values(domain.type)
    return _pieces(domain)


def _values(type_: Type) -> int:
    """The values of the members of a list."""
    item = type_.item if isinstance(type_, ListType) else type_
    return len(kinds_of(item)) if isinstance(item, (MemberType, NumberType)) else MANY


def state_bytes(program: ir.Program) -> int:
    """Bytes that the cells of a state need when packed, without the place the game is stopped at."""
    pieces = pieces_by_sort(program)
    return sum(v.cells * cell_bytes(v, pieces) for v in program.variables.values())


def cell_bytes(variable: ir.Variable, pieces: Mapping[MemberType | NumberType, int]) -> int:
    """Bytes of one cell; ``pieces``: as ``pieces_by_sort`` gives them."""
    if variable.kind in ("stack", "grid"):
        assert variable.element is not None and isinstance(variable.type, ListType)
        room = variable.capacity if variable.capacity is not None else pieces[variable.element]
        return 2 + room * _width(variable.type.item)
    if variable.shows is not None and isinstance(variable.type, ListType):
        item = variable.type.item
        element = item.item if isinstance(item, OptionalType) else item
        most = pieces.get(element, 1) if isinstance(element, (MemberType, NumberType)) else 1
        return 2 + (variable.capacity or most) * _width(item)
    if isinstance(variable.type, ListType) and variable.capacity is not None:
        return 2 + variable.capacity * _width(variable.type.item)
    return _width(variable.type)


def _width(type_: Type) -> int:
    match type_:
        case NumberType(low, high):
            return 1 if high - low < 256 else 2 if high - low < 65_536 else 4
        case FlagType():
            return 1
        case MemberType(domain):
            return 1 if len(domain) < 256 else 2
        case OptionalType(item):
            return _width(item)
        case PiecesType(kind):
            return 2 * len(kinds_of(kind))
        case ListType(item):
            return 2 + 64 * _width(item)
        case TupleType() | RecordType():
            return sum(map(_width, type_.items))
    return 8
