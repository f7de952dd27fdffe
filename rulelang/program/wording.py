"""Typed expressions as text, as the rules would write them."""

from __future__ import annotations

from typing import assert_never

from ..structural import Structural, frozen
from ..types import ListType, MemberType, NumberType, PiecesType, Type, kinds
from . import (
    After,
    Apply,
    Binds,
    ByLength,
    Call,
    ColumnOf,
    Const,
    Exchange,
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
    Ways,
)
from .by_column import value_of
from .nodes import SHOWN
from .operations import AFTER, ATOM, COMPARISON, CONDITIONAL, OPERATIONS, SUM
from .values import name_of, show


def expression_text(expr: Expr) -> str:
    """The expression in the language of the rules, on one line."""
    return _text(expr, AFTER)


def _text(expr: Expr, around: int) -> str:
    """``around``: how tightly its surroundings bind; brackets are added where needed."""
    text, own = _parts(expr)
    return f"({text})" if own < around else text


def _list(exprs: tuple[Expr, ...]) -> str:
    return ", ".join(_text(e, AFTER) for e in exprs)


def _parts(expr: Expr) -> tuple[str, int]:
    match expr:
        case Const():
            return _constant(expr), ATOM
        case Local():
            return expr.name, ATOM
        case Read() if expr.variable.endswith(SHOWN):
            place = expr.variable.removesuffix(SHOWN)
            who, *indices = expr.indices
            return f"remembered({place}{f'[{_list(tuple(indices))}]' if indices else ''}, {_text(who, AFTER)})", ATOM
        case Read():
            return (f"{expr.variable}[{_list(expr.indices)}]" if expr.indices else expr.variable), ATOM
        case ColumnOf():
            return f"{_text(expr.row, ATOM)}.{expr.column}", ATOM
        case PartOf(Local() as whole) if whole.name.startswith("("):
            return expr.name, ATOM
        case PartOf():
            return f"{_text(expr.value, ATOM)}.{expr.name}", ATOM
        case Call():
            return (f"{expr.definition}({_list(expr.arguments)})" if expr.arguments else expr.definition), ATOM
        case If() if expr.by_column is not None:
            return f"{_text(value_of(expr), CONDITIONAL)} after do {expr.by_column}", AFTER
        case If():
            then, otherwise = _text(expr.then, AFTER), _text(expr.otherwise, CONDITIONAL)
            return f"if {_text(expr.condition, AFTER)} then {then} else {otherwise}", CONDITIONAL
        case Fold():
            inner = binds_text(expr.binds)
            body = f"{_text(expr.body, AFTER)} for " if expr.body is not None else ""
            ranks = ", then ".join(f"{'most' if r.most else 'fewest'} {_text(r.value, AFTER)}" for r in expr.ranks)
            return f"{expr.word}({'' if ranks else body}{inner}{f' by {ranks}' if ranks else ''})", ATOM
        case PiecesOf():
            entries = ", ".join(f"{_text(kind, AFTER)}: {_text(count, AFTER)}" for kind, count in expr.entries)
            return "{" + entries + (f" for {binds_text(expr.binds)}" if expr.binds is not None else "") + "}", ATOM
        case GroupOf():
            return f"group({_graph(expr)}, {_text(expr.node, AFTER)})", ATOM
        case Groups():
            return f"groups({_graph(expr)})", ATOM
        case LongestTrail():
            return f"longest_trail({_graph(expr)}, {_text(expr.measure, AFTER)})", ATOM
        case Ways():
            end = "" if expr.end is None else f", {expr.way} may end where {_text(expr.end, AFTER)}"
            steps = f"step {expr.way} to {_text(expr.steps, AFTER)}"
            return f"ways from {_text(expr.start, AFTER)}, {steps}{end}", AFTER
        case ByLength():
            ends = "".join(f", {_text(end, AFTER)}" for end in expr.ends)
            return f"{expr.word}({_graph(expr)}{ends})", ATOM
        case After():
            arguments = f"({_list(expr.arguments)})" if expr.arguments else ""
            return f"{_text(expr.value, CONDITIONAL)} after do {expr.rule}{arguments}", AFTER
        case Apply():
            return _operation(expr)
    assert_never(expr)


def _graph(expr: GroupOf | Groups | LongestTrail | ByLength) -> str:
    return f"{expr.graph}({_list(expr.arguments)})" if expr.arguments else expr.graph


def _constant(expr: Const) -> str:
    type_ = expr.type
    if isinstance(type_, PiecesType):
        counted = zip(kinds(type_.kind), expr.value, strict=True)
        return "{" + ", ".join(f"{name_of(k, type_.kind)}: {n}" for k, n in counted if n) + "}"
    return show(expr.value, type_)


@frozen
class _Hole(Structural):
    """An argument in the form of an operation: ``{0:7}`` where it must bind at least that tightly."""

    expr: Expr

    def __format__(self, level: str) -> str:
        return _text(self.expr, int(level))


def _operation(expr: Apply) -> tuple[str, int]:
    op, arguments = expr.op, expr.arguments
    if op == "not" and isinstance(arguments[0], Apply) and arguments[0].op == "in":
        return "{} is not in {}".format(*(f"{_Hole(argument):5}" for argument in arguments[0].arguments)), COMPARISON
    operation = OPERATIONS[op]
    if operation.arity not in (None, len(arguments)):  # a chain of an operator of two
        return f"{op}({_list(arguments)})", ATOM
    text = operation.form.format(*map(_Hole, arguments), all=_list(arguments), domain=_domain(expr))
    return text, operation.level


def _domain(expr: Apply) -> str:
    type_ = expr.type.item if isinstance(expr.type, ListType) else expr.type
    if isinstance(type_, MemberType):
        return type_.domain.name
    if isinstance(type_, NumberType):
        return type_.name or f"{type_.low}..{type_.high}"
    return "members"


def binds_text(binds: Binds) -> str:
    """``t in Tile, c in Color where ...``"""
    text = ", ".join(f"{bind.name} in {_text(bind.domain, AFTER)}" for bind in binds.binds)
    if binds.passing is not None:
        text += f" where {_text(binds.passing, AFTER)}"
    if binds.condition is None:
        return text
    return f"{text} {'while' if binds.stop_at_first_failure else 'where'} {_text(binds.condition, AFTER)}"


def exchange_text(exchange: Exchange, type_: Type) -> str:
    """``any 3 others for 1``, ``2 of [ruby, opal] for 1 of pearl``; ``type_`` is that of the pieces."""
    assert isinstance(type_, PiecesType)
    given = f"any {exchange.number} others"
    if exchange.given is not None:
        given = f"{exchange.number} of {_kinds(exchange.given, type_)}"
    return f"{given} for 1" + ("" if exchange.due is None else f" of {_kinds(exchange.due, type_)}")


def _kinds(chosen: tuple[int, ...], type_: PiecesType) -> str:
    names = [name_of(kind, type_.kind) for kind in chosen]
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def price_text(cost: Expr, less: Expr | None) -> str:
    """What is to be paid: ``{gold: 3}``, ``all but 1 of {gold: 3}``."""
    return _text(cost, AFTER) if less is None else f"all but {_text(less, SUM)} of {_text(cost, COMPARISON + 1)}"
