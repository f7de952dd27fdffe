"""Typed expressions as text, as the rules would write them.

``to_tree`` turns an expression back into the syntax tree that an author would have written; the printer of the
language writes that. So brackets and words are settled in one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

import attrs

from ..syntax import tree as t
from ..syntax.printer import expressions as printer
from ..syntax.printer import print_expr
from ..syntax.walk import rewrite
from ..types import ListType, MemberType, NumberType, PiecesType, Type, kinds
from . import nodes as ir
from .nodes import SHOWN
from .operations import DOMAIN, OPERATIONS, REST, A, B, C
from .values import name_of, show


def expression_text(expr: ir.Expr) -> str:
    """The expression in the language of the rules, on one line."""
    return print_expr(to_tree(expr))


def binds_text(binds: ir.Binds) -> str:
    """``t in Tile, c in Color where ...``"""
    return printer.binders_text(_binders(binds))


def exchange_text(exchange: ir.Exchange, type_: Type) -> str:
    """``3 of any for 1``, ``2 of [ruby, opal] for 1 of pearl``; ``type_`` is that of the pieces."""
    assert isinstance(type_, PiecesType)
    given, due = (_kinds(chosen, type_) for chosen in (exchange.given, exchange.due))
    return printer.attribute_text(t.Exchange(t.Integer(exchange.number), given, 1, due))


def price_text(cost: ir.Expr, less: ir.Expr | None) -> str:
    """What is to be paid: ``{gold: 3}``, ``all but 1 of {gold: 3}``."""
    price = to_tree(cost)
    return printer.price_text(price if less is None else t.AllBut(to_tree(less), price))


def to_tree(expr: ir.Expr) -> t.Expr:
    """What an author would write for the expression. A value that has no words of its own stands as a name."""
    match expr:
        case ir.Const():
            return _constant(expr.value, expr.type)
        case ir.Local():
            return t.Name(expr.name)
        case ir.Read() if expr.variable.endswith(SHOWN):
            who, *indices = expr.indices
            place = _indexed(t.Name(expr.variable.removesuffix(SHOWN)), indices)
            return t.Apply(t.Name("remembered"), (place, to_tree(who)))
        case ir.Read():
            return _indexed(t.Name(expr.variable), expr.indices)
        case ir.ColumnOf():
            return t.Attribute(to_tree(expr.row), expr.column)
        case ir.PartOf(ir.Local() as whole) if whole.name.startswith("("):
            return t.Name(expr.name)  # of a tuple that the rules took apart: no name stands for the whole
        case ir.PartOf():
            return t.Attribute(to_tree(expr.value), expr.name)
        case ir.Call():
            return _called(expr.definition, expr.arguments)
        case ir.If() if expr.by_column is not None:
            return t.After(to_tree(value_of(expr)), expr.by_column)
        case ir.If():
            return t.Conditional(to_tree(expr.condition), to_tree(expr.then), to_tree(expr.otherwise))
        case ir.After():
            return t.After(to_tree(expr.value), expr.rule, _trees(expr.arguments))
        case ir.Apply():
            return _operation(expr)
        case ir.Fold() | ir.PiecesOf() | ir.Ways():
            return _gone_through(expr)
        case ir.GroupOf():
            return _function("group", _called(expr.graph, expr.arguments), to_tree(expr.node))
        case ir.Groups():
            return _function("groups", _called(expr.graph, expr.arguments))
        case ir.LongestTrail():
            return _function("longest_trail", _called(expr.graph, expr.arguments), to_tree(expr.measure))
        case ir.ByLength():
            return _function(expr.word, _called(expr.graph, expr.arguments), *map(to_tree, expr.ends))
    assert_never(expr)


def _gone_through(expr: ir.Fold | ir.PiecesOf | ir.Ways) -> t.Expr:
    match expr:
        case ir.Fold() if expr.ranks:
            ranks = tuple(t.Rank("most" if rank.most else "fewest", to_tree(rank.value)) for rank in expr.ranks)
            return t.FoldRanked(expr.word, _binders(expr.binds), ranks)
        case ir.Fold() if expr.body is not None:
            return t.FoldOf(expr.word, to_tree(expr.body), _binders(expr.binds))
        case ir.Fold():
            return t.FoldMembers(expr.word, _binders(expr.binds))
        case ir.PiecesOf() if expr.binds is not None:
            ((kind, count),) = expr.entries
            return t.BundleFor(t.Entry(to_tree(kind), to_tree(count)), _binders(expr.binds))
        case ir.PiecesOf():
            return t.Bundle(tuple(t.Entry(to_tree(kind), to_tree(count)) for kind, count in expr.entries))
        case ir.Ways():  # a definition of its own in rules; here its lines follow one another
            end = "" if expr.end is None else f", {expr.way} may end where {expression_text(expr.end)}"
            steps = f"step {expr.way} to {expression_text(expr.steps)}"
            return t.Name(f"ways from {expression_text(expr.start)}, {steps}{end}")
    assert_never(expr)


def _operation(expr: ir.Apply) -> t.Expr:
    op, arguments = expr.op, _trees(expr.arguments)
    operation = OPERATIONS[op]
    match op, arguments:
        case "not", (t.Binary("is in", left, right),):
            return t.Binary("is not in", left, right)
        case _ if operation.arity not in (None, len(arguments)):  # a chain of an operator of two
            return _function(op, *arguments)
    holes = {id(hole): argument for hole, argument in zip((A, B, C), arguments, strict=False)}
    holes[id(DOMAIN)] = t.Name(_domain(expr.type))
    return rewrite(operation.form, lambda node: arguments if node is REST else holes.get(id(node), node))


def _domain(type_: Type) -> str:
    item = type_.item if isinstance(type_, ListType) else type_
    if isinstance(item, MemberType):
        return item.domain.name
    if isinstance(item, NumberType):
        return item.name or f"{item.low}..{item.high}"
    return "members"


def _constant(value: object, type_: Type) -> t.Expr:
    if isinstance(type_, PiecesType) and isinstance(value, tuple):
        counted = zip(kinds(type_.kind), value, strict=True)
        entries = ((t.Name(name_of(kind, type_.kind)), t.Integer(number)) for kind, number in counted if number)
        return t.Bundle(tuple(t.Entry(*entry) for entry in entries))
    return t.Name(show(value, type_))


def _binders(binds: ir.Binds) -> t.Binders:
    filters: list[t.Filter] = []
    if binds.passing is not None:
        filters.append(t.Filter("where", to_tree(binds.passing)))
    if binds.condition is not None:
        filters.append(t.Filter("while" if binds.stop_at_first_failure else "where", to_tree(binds.condition)))
    binders = [_binder(bind.name, bind.domain) for bind in binds.binds]
    if binders:
        binders[-1] = attrs.evolve(binders[-1], filters=tuple(filters))
    return t.Binders(tuple(binders))


def _binder(name: str, domain: ir.Expr) -> t.Binder:
    if isinstance(domain, ir.Apply) and domain.op == "rotate":
        whole, start = domain.arguments
        return t.Binder(name, to_tree(whole), to_tree(start))
    return t.Binder(name, to_tree(domain))


def _kinds(chosen: Sequence[int] | None, type_: PiecesType) -> t.Expr | None:
    if chosen is None:
        return None
    names = tuple(t.Name(name_of(kind, type_.kind)) for kind in chosen)
    return names[0] if len(names) == 1 else t.Sequence(names)


def _trees(exprs: Iterable[ir.Expr]) -> tuple[t.Expr, ...]:
    return tuple(map(to_tree, exprs))


def _function(name: str, *arguments: t.Expr) -> t.Expr:
    return t.Apply(t.Name(name), arguments)


def _called(name: str, arguments: Sequence[ir.Expr]) -> t.Expr:
    return _function(name, *_trees(arguments)) if arguments else t.Name(name)


def _indexed(place: t.Expr, indices: Sequence[ir.Expr]) -> t.Expr:
    return t.Index(place, _trees(indices)) if indices else place


# ---------------------------------------------------------------- rules that a column of a table names


def value_of(expr: ir.If) -> ir.Expr:
    """What is worked out after the rule, in an ``If`` for the rules that it may be."""
    found: ir.Expr = expr
    while isinstance(found, ir.If) and found.by_column is not None:
        found = found.then
    return found.value if isinstance(found, ir.After) else found


def with_value(expr: ir.Expr, value: ir.Expr) -> ir.Expr:
    """The same supposition with another value worked out after the rule."""
    match expr:
        case ir.If() if expr.by_column is not None:
            then, otherwise = with_value(expr.then, value), with_value(expr.otherwise, value)
            return attrs.evolve(expr, then=then, otherwise=otherwise, type=value.type)
        case ir.After():
            return attrs.evolve(expr, value=value, type=value.type)
    return value


def place_text(place: ir.Place) -> str:
    """A place as rules write it."""
    indices = ", ".join(map(expression_text, place.indices))
    return f"{place.variable}[{indices}]" if indices else place.variable
