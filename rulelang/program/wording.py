"""Typed expressions written out as the rules would write them."""

from __future__ import annotations

from ..types import ListType, MemberType, NumberType, PiecesType, kinds
from . import (
    Apply,
    Binds,
    Call,
    ColumnOf,
    Const,
    Expr,
    Fold,
    GroupOf,
    Groups,
    If,
    Local,
    LongestTrail,
    PartOf,
    PiecesOf,
    Read,
)
from .values import name_of, show

_WORDS = {
    "or": (1, "or"),
    "and": (2, "and"),
    "is": (4, "is"),
    "is_not": (4, "is not"),
    "<": (4, "<"),
    "<=": (4, "<="),
    ">": (4, ">"),
    ">=": (4, ">="),
    "in": (4, "is in"),
    "covers": (4, "covers"),
    "holds": (4, "holds"),
    "otherwise": (5, "otherwise"),
    "range": (6, ".."),
    "+": (7, "+"),
    "add_pieces": (7, "+"),
    "-": (7, "-"),
    "sub_pieces": (7, "-"),
    "*": (8, "*"),
    "scale_pieces": (8, "*"),
    "mod": (8, "mod"),
    "div_down": (8, "/"),
    "div_up": (8, "/"),
}
_ATOM = 10


def expression_text(expr: Expr) -> str:
    """The expression in the language of the rules, on one line."""
    return _text(expr, 0)


def _text(expr: Expr, around: int) -> str:
    """``around``: how tightly what stands around the expression binds; brackets are added where needed."""
    text, own = _parts(expr)
    return f"({text})" if own < around else text


def _list(exprs: tuple[Expr, ...]) -> str:
    return ", ".join(_text(e, 0) for e in exprs)


def _parts(expr: Expr) -> tuple[str, int]:
    match expr:
        case Const():
            return _constant(expr), _ATOM
        case Local():
            return expr.name, _ATOM
        case Read():
            return (f"{expr.variable}[{_list(expr.indices)}]" if expr.indices else expr.variable), _ATOM
        case ColumnOf():
            return f"{_text(expr.row, _ATOM)}.{expr.column}", _ATOM
        case PartOf(Local() as whole) if whole.name.startswith("("):
            return expr.name, _ATOM
        case PartOf():
            return f"{_text(expr.value, _ATOM)}.{expr.name}", _ATOM
        case Call():
            return (f"{expr.definition}({_list(expr.arguments)})" if expr.arguments else expr.definition), _ATOM
        case If():
            then, otherwise = _text(expr.then, 0), _text(expr.otherwise, 0)
            return f"if {_text(expr.condition, 0)} then {then} else {otherwise}", 0
        case Fold():
            inner = binds_text(expr.binds)
            body = f"{_text(expr.body, 0)} for " if expr.body is not None else ""
            return f"{expr.word}({body}{inner})", _ATOM
        case PiecesOf():
            entries = ", ".join(f"{_text(kind, 0)}: {_text(count, 0)}" for kind, count in expr.entries)
            return "{" + entries + (f" for {binds_text(expr.binds)}" if expr.binds is not None else "") + "}", _ATOM
        case GroupOf():
            return f"group({_graph(expr)}, {_text(expr.node, 0)})", _ATOM
        case Groups():
            return f"groups({_graph(expr)})", _ATOM
        case LongestTrail():
            return f"longest_trail({_graph(expr)}, {_text(expr.measure, 0)})", _ATOM
    return _operation(expr)


def _graph(expr: GroupOf | Groups | LongestTrail) -> str:
    return f"{expr.graph}({_list(expr.arguments)})" if expr.arguments else expr.graph


def _constant(expr: Const) -> str:
    type_ = expr.type
    if isinstance(type_, PiecesType):
        counted = zip(kinds(type_.kind), expr.value, strict=True)
        return "{" + ", ".join(f"{name_of(k, type_.kind)}: {n}" for k, n in counted if n) + "}"
    return show(expr.value, type_)


def _operation(expr: Apply) -> tuple[str, int]:
    op, arguments = expr.op, expr.arguments
    if op == "not" and isinstance(arguments[0], Apply) and arguments[0].op == "in":
        value, sequence = arguments[0].arguments
        return f"{_text(value, 5)} is not in {_text(sequence, 5)}", 4
    if op == "not":
        return f"not {_text(arguments[0], 3)}", 3
    if op == "neg":
        return f"-{_text(arguments[0], 9)}", 9
    if op == "range":
        return f"{_text(arguments[0], 7)}..{_text(arguments[1], 7)}", 6
    if op in _WORDS and len(arguments) == 2:
        level, word = _WORDS[op]
        # Operators of one level group to the left; comparisons do not stand side by side.
        left, right = level + (level in (4, 5)), level + 1
        rounded = {"div_down": " rounded down", "div_up": " rounded up"}.get(op, "")
        return f"{_text(arguments[0], left)} {word} {_text(arguments[1], right)}{rounded}", level
    if op in ("at", "count_of"):
        return f"{_text(arguments[0], _ATOM)}[{_text(arguments[1], 0)}]", _ATOM
    if op == "size":
        return f"count({_list(arguments)})", _ATOM
    if op == "kinds_in":
        return f"kinds({_list(arguments)})", _ATOM
    if op == "square":
        return _text(arguments[0], _ATOM), _ATOM
    if op == "spread":
        return _text(arguments[0], 0), _ATOM
    if op == "list":
        return f"[{_list(arguments)}]", _ATOM
    if op == "tuple":
        return f"({_list(arguments)})", _ATOM
    if op == "members":
        return _domain(expr), _ATOM
    if op == "rotate":
        return f"{_text(arguments[0], _ATOM)} from {_text(arguments[1], _ATOM)}", 0
    if not arguments:
        return f"{op}({_domain(expr)})", _ATOM
    return f"{op}({_list(arguments)})", _ATOM


def _domain(expr: Apply) -> str:
    type_ = expr.type.item if isinstance(expr.type, ListType) else expr.type
    if isinstance(type_, MemberType):
        return type_.domain.name
    if isinstance(type_, NumberType):
        return type_.name or f"{type_.low}..{type_.high}"
    return "members"


def binds_text(binds: Binds) -> str:
    """``t in Tile, c in Color where ...``"""
    text = ", ".join(f"{bind.name} in {_text(bind.domain, 0)}" for bind in binds.binds)
    if binds.condition is None:
        return text
    return f"{text} {'while' if binds.stop_at_first_failure else 'where'} {_text(binds.condition, 0)}"
