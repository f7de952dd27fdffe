"""Operators: logic, comparison, arithmetic, ``covers`` and ``holds``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from .. import types as ty
from ..program.analysis.sizes import arithmetic_type
from ..source import Span
from ..syntax import tree
from .environment import MAX_NUMBER
from .typing import item_type, join_types, simplify, without_optional

if TYPE_CHECKING:
    from .expressions import Expressions

_COMPARE = {"<", "<=", ">", ">="}
_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "mod": "mod", "/ down": "div_down", "/ up": "div_up"}


def unary(e: Expressions, node: tree.Unary) -> ir.Expr:
    """``not x`` and ``-x``."""
    if node.op == "not":
        return simplify(ir.Apply("not", (e.flag(node.value),), ty.FLAG, span=node.span))
    value = e.number(node.value)
    if not isinstance(value.type, ty.NumberType):
        return value
    return simplify(ir.Apply("neg", (value,), arithmetic_type("neg", [value.type]), span=node.span))


def binary(e: Expressions, node: tree.Binary, expected: ty.Type | None) -> ir.Expr:
    """Everything with two sides."""
    op, span = node.op, node.span
    if op in ("and", "or"):
        both = (e.flag(node.left), e.flag(node.right))
        if any(b.type is ty.UNKNOWN for b in both):
            return ir.Const(None, ty.UNKNOWN, span=span)
        return simplify(ir.Apply(op, both, ty.FLAG, span=span))
    if op in ("is", "is not"):
        return _is(e, node)
    if op in ("is in", "is not in"):
        return _is_in(e, node)
    if op in _COMPARE:
        left, right = e.number(node.left), e.number(node.right)
        if ty.UNKNOWN in (left.type, right.type):
            return ir.Const(None, ty.UNKNOWN, span=span)
        return simplify(ir.Apply(op, (left, right), ty.FLAG, span=span))
    if op in ("covers", "holds"):
        return _covers(e, node)
    if op == "otherwise":
        return _otherwise(e, node, expected)
    if op == "..":
        low, high = e.number(node.left), e.number(node.right)
        if not (isinstance(low.type, ty.NumberType) and isinstance(high.type, ty.NumberType)):
            return ir.Const(None, ty.UNKNOWN, span=span)
        item = ty.NumberType(low.type.low, max(low.type.low, high.type.high))
        return ir.Apply("range", (low, high), ty.ListType(item), span=span)
    return _arithmetic(e, node, expected)


def _arithmetic(e: Expressions, node: tree.Binary, expected: ty.Type | None) -> ir.Expr:
    op, span = node.op, node.span
    left = e.any_type(node.left, expected if isinstance(expected, (ty.PiecesType, ty.ListType, ty.SetType)) else None)
    right = e.any_type(node.right, _like(left.type, expected))
    if ty.UNKNOWN in (left.type, right.type):
        return ir.Const(None, ty.UNKNOWN, span=span)
    if isinstance(left.type, ty.MemberType) and ty.on_track(left.type) and op in ("+", "-"):
        return _along(e, left, op, right, span)
    pieces = [t for t in (left.type, right.type) if isinstance(t, ty.PiecesType)]
    if pieces and op in ("+", "-") and left.type == right.type:
        return ir.Apply("add_pieces" if op == "+" else "sub_pieces", (left, right), left.type, span=span)
    if len(pieces) == 2 and op in ("+", "-") and ty.NO_PIECES in pieces:
        more = pieces[1] if pieces[0] == ty.NO_PIECES else pieces[0]
        return ir.Apply("add_pieces" if op == "+" else "sub_pieces", (left, right), more, span=span)
    if op in ("+", "-") and any(isinstance(t, (ty.ListType, ty.SetType)) for t in (left.type, right.type)):
        return _joined(e, node, left, right)
    if len(pieces) == 1 and op == "*" and isinstance(left.type, ty.NumberType):
        return ir.Apply("scale_pieces", (left, right), right.type, span=span)
    left, right = _as_number(e, left), _as_number(e, right)
    if not (isinstance(left.type, ty.NumberType) and isinstance(right.type, ty.NumberType)):
        return ir.Const(None, ty.UNKNOWN, span=span)
    name = _ARITHMETIC[op]
    if name in ("div_down", "div_up", "mod") and right.type.low <= 0 <= right.type.high:
        return e.error(
            "R0404",
            node.right.span,
            "This may be 0, and dividing by 0 is impossible.",
            help="Write `max(1, ...)`, or divide by a number that is never 0.",
        )
    return simplify(ir.Apply(name, (left, right), arithmetic_type(name, [left.type, right.type]), span=span))


def _along(e: Expressions, field: ir.Expr, op: str, steps: ir.Expr, span: Span) -> ir.Expr:
    """The field of a track so many steps further on, or back; none beyond its ends."""
    assert isinstance(field.type, ty.MemberType)
    steps = _as_number(e, steps)
    if not isinstance(steps.type, ty.NumberType):
        return ir.Const(None, ty.UNKNOWN, span=span)
    if field.type.domain.ring:
        steps = steps if op == "+" else simplify(ir.Apply("neg", (steps,), arithmetic_type("neg", [steps.type])))
        return ir.Apply("turned", (field, steps), field.type, span=span)
    place: ir.Expr = ir.Apply("index", (field,), ty.NumberType(0, len(field.type.domain) - 1), span=span)
    return field_at(field.type, counted(op, counted("+", place, 1), steps), span)


def counted(op: str, left: ir.Expr, right: ir.Expr | int) -> ir.Expr:
    """The sum or difference of two numbers."""
    other = ir.Const(right, ty.NumberType(right, right), span=left.span) if isinstance(right, int) else right
    assert isinstance(left.type, ty.NumberType) and isinstance(other.type, ty.NumberType)
    return simplify(ir.Apply(op, (left, other), arithmetic_type(op, [left.type, other.type]), span=left.span))


def field_at(type_: ty.MemberType, place: ir.Expr, span: Span) -> ir.Expr:
    """The field at a place counted from 1; none where there is no such place."""
    every = ir.Apply("members", (), ty.ListType(type_), span=span)
    return ir.Apply("at", (every, place), ty.OptionalType(type_), span=span)


def _like(left: ty.Type, expected: ty.Type | None) -> ty.Type | None:
    """What is needed on the right of pieces, a list or a set. An empty list leaves it open."""
    if not isinstance(left, (ty.PiecesType, ty.ListType, ty.SetType)):
        return None
    return left if item_type(left) != ty.NEVER else expected


def _joined(e: Expressions, node: tree.Binary, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """``+`` joins lists and unites sets, ``-`` takes a set from a set. A list in brackets can stand for a set."""
    both = (left.type, right.type)
    if not all(isinstance(t, (ty.ListType, ty.SetType)) for t in both):
        several, single = (left, right) if isinstance(left.type, (ty.ListType, ty.SetType)) else (right, left)
        whole = item_type(several.type)
        one = whole is not None and join_types(whole, single.type) is not None
        return e.error(
            "R0402",
            single.span,
            f"This is {ty.describe(single.type)}, but {ty.describe(several.type)} is needed here.",
            "Put a single value in square brackets: `... + [x]`." if one else "Name a list or a set.",
        )
    item, other = (item_type(t) for t in both)
    if ty.UNKNOWN in (item, other):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    joined = None if item is None or other is None else join_types(item, other)
    if joined is None:
        return e.error(
            "R0402",
            node.span,
            f"One side is {ty.describe(left.type)}, the other is {ty.describe(right.type)}.",
            "Join what has the same kind of value.",
        )
    if any(isinstance(t, ty.SetType) for t in both):
        return ir.Apply("united" if node.op == "+" else "without", (left, right), ty.SetType(joined), span=node.span)
    if node.op == "-":
        return e.error(
            "R0402",
            node.span,
            "A list cannot be taken from a list: it may hold a value several times.",
            "For sets write `set(...) - set(...)`; for a list, `list(x in ... where x is not in ...)`.",
        )
    return ir.Apply("joined", (left, right), ty.ListType(joined), span=node.span)


def _as_number(e: Expressions, value: ir.Expr) -> ir.Expr:
    return e.fit(value, ty.NumberType(-(MAX_NUMBER**2), MAX_NUMBER**2), value.span)


def _is(e: Expressions, node: tree.Binary) -> ir.Expr:
    op = "is" if node.op == "is" else "is_not"
    left_node, right_node = node.left, node.right
    if _only_member(e, left_node) and not _only_member(e, right_node):
        right = e.value(right_node)
        left = e.any_type(left_node, right.type)
    else:
        left = e.value(left_node)
        right = e.any_type(right_node, left.type)
    if ty.UNKNOWN in (left.type, right.type):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    joined = join_types(left.type, right.type)
    if joined is None:
        return e.error(
            "R0402",
            node.span,
            f"The two sides can never be the same: {ty.describe(left.type)}, and {ty.describe(right.type)}.",
            _comparable(left.type, right.type),
        )
    if isinstance(right.type, ty.NothingType) and not isinstance(left.type, (ty.OptionalType, ty.NothingType)):
        return e.error(
            "R0402", node.span, f"This is {ty.describe(left.type)}, which is never none.", "Leave out this test."
        )
    return simplify(ir.Apply(op, (left, right), ty.FLAG, span=node.span))


def _comparable(left: ty.Type, right: ty.Type) -> str:
    """How to compare with values of a list, set or pieces, or else what a comparison needs."""
    for field, number in ((left, right), (right, left)):
        if isinstance(field, ty.MemberType) and ty.on_track(field) and isinstance(number, ty.NumberType):
            return f"Name the field, such as `{field.domain.members[0]}`, or compare `x.number`."
    for whole, part in ((right, left), (left, right)):
        item = item_type(whole)
        if item is not None and join_types(item, part) is not None:
            return "To test whether it is one of them, write `x is in ...`."
    return "Compare values of the same kind."


def _only_member(e: Expressions, node: tree.Expr) -> bool:
    """Whether a name can only be a member of a domain (so the other side tells which)."""
    return (
        isinstance(node, tree.Name) and node.name not in e.scope.names and node.name not in e.env.declared
    ) or isinstance(node, (tree.NoneValue, tree.Bundle, tree.Sequence))


def _is_in(e: Expressions, node: tree.Binary) -> ir.Expr:
    sequence = e.sequence(node.right)
    item = item_type(sequence.type)
    # Nothing is in an empty list, whatever it is.
    if isinstance(item, ty.NumberType):
        value = e.value(node.left)  # whether it lies within the bounds is what is asked
        if not isinstance(without_optional(value.type), ty.NumberType):
            value = e.fit(value, item, node.left.span)
    else:
        value = e.value(node.left, item) if item is not None and item != ty.NEVER else e.value(node.left)
    if item is None or ty.UNKNOWN in (value.type, sequence.type):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    found: ir.Expr = ir.Apply("in", (value, sequence), ty.FLAG, span=node.span)
    return found if node.op == "is in" else ir.Apply("not", (found,), ty.FLAG, span=node.span)


def _covers(e: Expressions, node: tree.Binary) -> ir.Expr:
    pool = e.value(node.left)
    if not isinstance(pool.type, ty.PiecesType):
        if pool.type is not ty.UNKNOWN:
            e.error("R0402", node.left.span, f"`{node.op}` needs pieces on its left.", "Name a pool, for example.")
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    if node.op == "covers" and not isinstance(pool, ir.Read):
        return e.error(
            "R0402", node.left.span, "`covers` needs a pool on its left.", help="Name a pool, or write `holds`."
        )
    cost, less = price(e, node.right, pool.type)
    if less is not None:
        return ir.Apply("covers_all_but", (pool, less, cost), ty.FLAG, span=node.span)
    return ir.Apply(node.op, (pool, cost), ty.FLAG, span=node.span)


def price(e: Expressions, node: tree.Expr, type_: ty.PiecesType) -> tuple[ir.Expr, ir.Expr | None]:
    """A price, and how many pieces of it need not be paid."""
    if not isinstance(node, tree.AllBut):
        return e.value(node, type_), None
    return e.value(node.cost, type_), e.number(node.number)


def _otherwise(e: Expressions, node: tree.Binary, expected: ty.Type | None) -> ir.Expr:
    left = e.any_type(node.left, expected)
    inner = left.type.item if isinstance(left.type, ty.OptionalType) else left.type
    right = e.any_type(node.right, inner)
    if ty.UNKNOWN in (left.type, right.type):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    if not isinstance(left.type, (ty.OptionalType, ty.NothingType)):
        return e.error(
            "R0402", node.left.span, "This is never none, so `otherwise` can never apply.", "Leave out `otherwise ...`."
        )
    type_ = e.join(inner, right.type, node.right.span)
    return ir.Apply("otherwise", (left, right), type_, span=node.span)
