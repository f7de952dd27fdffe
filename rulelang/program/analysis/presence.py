"""Presence: what certainly has a member, so that the first or the largest of it is never none."""

from __future__ import annotations

from ...types import ListType, MemberType, NumberType, OptionalType, SetType
from .. import nodes as ir


def never_empty(binds: ir.Binds) -> bool:
    """Whether there always is a combination: no condition, and every domain has members."""
    return binds.condition is None and all(has_members(bind.domain) for bind in binds.binds)


def has_members(expr: ir.Expr) -> bool:
    """Whether going through the value gives at least one member, whatever happens in the game."""
    match expr:
        case ir.Const():
            return expr.value is not None and expr.value is not False and bool(expr.value)
        case ir.If():
            return has_members(expr.then) and has_members(expr.otherwise)
        case ir.Fold(word="list" | "set" | "ranked" | "leaders"):
            return never_empty(expr.binds)
        case ir.Apply(op="rotate" | "reversed"):
            return has_members(expr.arguments[0])
        case ir.Apply(op="joined" | "united"):
            return any(map(has_members, expr.arguments))
        case ir.Apply(op="list"):
            return bool(expr.arguments)
        case ir.Apply(op="members"):
            return _members(expr) > 0
        case ir.Apply(op="ahead" | "behind"):
            member = expr.arguments[0].type
            return isinstance(member, MemberType) and member.domain.ring and len(member.domain) > 1
        case ir.Apply(op="range", arguments=(low, high)):
            ends = low.type, high.type
            return isinstance(ends[0], NumberType) and isinstance(ends[1], NumberType) and ends[0].high <= ends[1].low
        case ir.Apply(op="part"):
            return False
    match expr.type:
        case OptionalType(certain=sure) | ListType(filled=sure):
            return sure
    return False


def _members(expr: ir.Apply) -> int:
    """The number of members of the domain that an expression goes through."""
    item = expr.type.item if isinstance(expr.type, ListType) else None
    return len(item.domain) if isinstance(item, MemberType) else 0


def fewest_members(expr: ir.Expr) -> int:
    """How many different members a whole enum, or a fixed list or set, has; 0 if nothing is known."""
    if isinstance(expr, ir.Const):
        return len(set(expr.value)) if isinstance(expr.type, (ListType, SetType)) else 0
    return _members(expr) if isinstance(expr, ir.Apply) and expr.op == "members" else 0
