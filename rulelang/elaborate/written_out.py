"""Values that are written out: lists, tuples and pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..source import Span
from ..syntax import tree
from ..types import (
    NEVER,
    NO_PIECES,
    UNKNOWN,
    ListType,
    MemberType,
    NumberType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
    describe,
    kinds,
)
from .compatible import fits, join_types, without_optional
from .environment import MAX_NUMBER

if TYPE_CHECKING:
    from .expressions import Expressions


def sequence(e: Expressions, node: tree.Sequence, expected: Type | None, *, all_fit: bool = False) -> ir.Expr:
    """``all_fit``: each member must be one of the expected list or set, and is reported at its own place."""
    item = expected.item if isinstance(expected, (ListType, SetType)) else None
    parts = tuple(e.value(i, item) if all_fit else e.any_type(i, item) for i in node.items)
    type_: Type = NEVER
    for part in parts:
        type_ = _join_members(e, type_, part)
    if all(isinstance(p, ir.Const) for p in parts) and type_ is not UNKNOWN:
        values = tuple(p.value for p in parts if isinstance(p, ir.Const))
        if isinstance(expected, SetType):
            return ir.Const(frozenset(values), SetType(type_), span=node.span)
        return ir.Const(values, ListType(type_), span=node.span)
    return ir.Apply("list", parts, ListType(type_), span=node.span)


def _join_members(e: Expressions, type_: Type, part: ir.Expr) -> Type:
    """The type of the members of a list, of those before ``part`` and of that."""
    if UNKNOWN in (type_, part.type):
        return UNKNOWN
    joined = join_types(type_, part.type)
    if joined is None:
        e.error(
            "R0402",
            part.span,
            f"This is {describe(part.type)}, but what stands before it in the list is {describe(type_)}.",
            "Give all members of a list the same kind of value.",
        )
        return UNKNOWN
    return joined


def several(e: Expressions, node: tree.TupleValue, expected: Type | None) -> ir.Expr:
    """Values in round brackets: a tuple, or a record where one is expected."""
    wanted = without_optional(expected)
    hints: tuple[Type | None, ...] = (None,) * len(node.items)
    if isinstance(wanted, (TupleType, RecordType)) and len(wanted.items) == len(node.items):
        hints = wanted.items
    parts = tuple(e.any_type(i, hint) for i, hint in zip(node.items, hints, strict=True))
    type_: Type = TupleType(tuple(p.type for p in parts))
    if any(p.type is UNKNOWN for p in parts):
        return ir.Const(None, UNKNOWN, span=node.span)
    if isinstance(wanted, RecordType) and fits(type_, wanted):
        type_ = wanted
    if all(isinstance(p, ir.Const) for p in parts):
        return ir.Const(tuple(p.value for p in parts if isinstance(p, ir.Const)), type_, span=node.span)
    return ir.Apply("tuple", parts, type_, span=node.span)


def bundle(e: Expressions, node: tree.Bundle, expected: Type | None) -> ir.Expr:
    """Pieces in braces, one entry after another."""
    if not node.entries:
        if isinstance(expected, PiecesType):
            return ir.Const((0,) * len(kinds(expected.kind)), expected, span=node.span)
        return ir.Const((), NO_PIECES, span=node.span)
    return pieces(e, list(node.entries), None, node.span, expected)


def pieces(
    e: Expressions, entries: list[tree.Entry], binds: ir.Binds | None, span: Span, expected: Type | None
) -> ir.Expr:
    """Pieces by their kinds and numbers; with ``binds`` an entry for each thing that is gone through."""
    kind = expected.kind if isinstance(expected, PiecesType) and expected != NO_PIECES else None
    made: list[tuple[ir.Expr, ir.Expr]] = []
    for entry in entries:
        key = e.value(entry.kind, kind)
        if kind is None and isinstance(key.type, MemberType):
            kind = key.type
        if key.type is UNKNOWN or kind is None:
            if key.type is not UNKNOWN:
                e.error(
                    "R0402",
                    entry.kind.span,
                    f"This is {describe(key.type)}, which is not a kind of piece.",
                    "Name a member of an enum or a table.",
                )
            return ir.Const(None, UNKNOWN, span=span)
        count = e.value(entry.count, NumberType(0, MAX_NUMBER))
        made.append((key, count))
    assert kind is not None
    type_ = PiecesType(kind)
    if binds is None and all(isinstance(k, ir.Const) and isinstance(c, ir.Const) for k, c in made):
        counts = [0] * len(kinds(kind))
        first = kinds(kind)[0]
        for key, count in made:
            assert isinstance(key, ir.Const) and isinstance(count, ir.Const)
            if UNKNOWN in (key.type, count.type):
                return ir.Const(None, UNKNOWN, span=span)
            counts[key.value - first] += max(0, count.value)
        return ir.Const(tuple(counts), type_, span=span)
    return ir.PiecesOf(tuple(made), binds, type_, span=span)
