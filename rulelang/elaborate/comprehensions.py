"""Comprehensions and aggregates: the names of loops, and what is worked out over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from .. import program as ir
from .. import types as ty
from .. import words
from ..program.analysis.cardinality import never_empty
from ..program.analysis.sizes import arithmetic_type, longest
from ..source import Span
from ..syntax import tree
from .environment import MAX_NUMBER
from .scope import LocalName
from .typing import item_type, number, optional, simplify, total_bound

if TYPE_CHECKING:
    from .expressions import Expressions


def binds(e: Expressions, node: tree.Binders) -> ir.Binds:
    """Declares the names in this scope and returns the loops."""
    made: list[ir.Bind] = []
    filters: list[tuple[str, ir.Expr]] = []
    for position, binder in enumerate(node.binders, 1):
        domain = e.sequence(binder.domain)
        item = item_type(domain.type) or ty.UNKNOWN
        if isinstance(item, ty.NeverType) or domain.type == ty.NO_PIECES:
            e.error(
                "R0402",
                binder.domain.span,
                f"This is {ty.describe(domain.type)}, so there is nothing to go through.",
                "Put something in it, or leave out what goes through it.",
            )
            item = ty.UNKNOWN
        if binder.start is not None:
            start = e.value(binder.start, item)
            domain = ir.Apply("rotate", (domain, start), domain.type, span=binder.span)
        made.append(_apart(e, binder, domain, item) if binder.parts else _bind(e, binder, domain, item))
        for filter_ in binder.filters:
            if filter_.word == "while" and position < len(node.binders):
                e.error(
                    "R0402",
                    filter_.span,
                    "`while` ends everything, so it comes after the last name.",
                    "Write `where ...` here; or go through a list: `x in list(y in ... while ...), z in ...`.",
                )
            filters.append((filter_.word, e.flag(filter_.condition)))
    return _filtered(tuple(made), filters, node.span)


def _bind(e: Expressions, binder: tree.Binder, domain: ir.Expr, item: ty.Type) -> ir.Bind:
    slot = e.declare(binder.name, item, binder.span)
    return ir.Bind(slot, binder.name, domain, item, span=binder.span)


def _apart(e: Expressions, binder: tree.Binder, domain: ir.Expr, item: ty.Type) -> ir.Bind:
    """``(a, b) in ...``: one slot holds the tuple, and the names stand for its parts."""
    names = [part.name if isinstance(part, tree.Name) else "" for part in binder.parts]
    called = f"({', '.join(names)})"
    types = item.items if isinstance(item, (ty.TupleType, ty.RecordType)) else ()
    slot = e.scope.frame.slot()
    if not all(names):
        e.error("R0402", binder.span, "Only names can be written here.", "Name each part: `(a, b) in ...`.")
    elif item is not ty.UNKNOWN and len(types) != len(names):
        e.error(
            "R0402",
            binder.span,
            f"This is {ty.describe(item)}, which does not have {len(names)} parts.",
            help="Use a single name." if not types else f"Write {len(types)} names.",
        )
    whole = LocalName(slot, item)
    for position, name in enumerate(filter(None, names)):
        type_ = types[position] if len(types) == len(names) else ty.UNKNOWN
        e.free_name(name, binder.span)
        e.scope.names[name] = LocalName(slot, type_, position, whole, called)
        e.scope.loose -= {name}
    return ir.Bind(slot, called, domain, item, span=binder.span)


def _filtered(made: tuple[ir.Bind, ...], filters: list[tuple[str, ir.Expr]], span: Span) -> ir.Binds:
    """The loops with their filters as one condition to be passed over by, and one to end by: see ``ir.Binds``."""
    filters = [(word, c) for word, c in filters if not (isinstance(c, ir.Const) and c.value is True)]
    going = [condition for word, condition in filters if word == "while"]
    if not going:
        return ir.Binds(made, _all([condition for _, condition in filters]), span=span)
    passing: ir.Expr | None = None
    for word, condition in reversed(filters):
        if word == "where":
            passing = _all([condition] if passing is None else [condition, passing])
        elif passing is not None:  # what ends the run is not passed over
            ends = ir.Apply("not", (condition,), ty.FLAG, span=condition.span)
            passing = ir.Apply("or", (ends, passing), ty.FLAG, span=passing.span)
    return ir.Binds(made, _all(going), True, passing, span=span)


def _all(conditions: list[ir.Expr]) -> ir.Expr | None:
    """The conditions joined by ``and``; None for none."""
    if not conditions:
        return None
    joined = conditions[0]
    for condition in conditions[1:]:
        joined = ir.Apply("and", (joined, condition), ty.FLAG, span=joined.span)
    return joined


def fold_values(e: Expressions, node: tree.FoldValues) -> ir.Expr:
    """``max(a, b)``, ``count(x)``, ``sum(x)``, ``first(x)``, ``min(list)``, ``set(list)``."""
    word, span = node.word, node.span
    if word in words.RANKINGS:
        return e.error("R0402", span, f"`{word}` does not say by what.", f"Write `{word}(x in ... by most ...)`.")
    if len(node.values) > 1:
        if word not in ("max", "min"):
            return e.error(
                "R0403", span, f"`{word}` takes a single value.", f"Write `{word}(x)` or `{word}(... for x in ...)`."
            )
        parts = [e.number(v) for v in node.values]
        result = parts[0]
        for part in parts[1:]:
            if not (isinstance(result.type, ty.NumberType) and isinstance(part.type, ty.NumberType)):
                return ir.Const(None, ty.UNKNOWN, span=span)
            type_ = arithmetic_type(word, [result.type, part.type])
            result = simplify(ir.Apply(word, (result, part), type_, span=span))
        return result
    value = e.value(node.values[0])
    if value.type is ty.UNKNOWN:
        return value
    item = item_type(value.type)
    if item is None:
        return e.error(
            "R0402",
            node.values[0].span,
            f"`{word}` needs several values, not {ty.describe(value.type)}.",
            "Name a list, a set, a range or a place.",
        )
    if word == "count":
        if isinstance(value, ir.Apply) and value.op == "members":
            return ir.Const(longest(value, e.env.grids), number(longest(value, e.env.grids)), span=span)
        most = MAX_NUMBER if isinstance(value.type, ty.PiecesType) else longest(value, e.env.grids)
        return ir.Apply("size", (value,), ty.NumberType(0, most), span=span)
    if word == "sum" and isinstance(value.type, ty.PiecesType):
        return ir.Apply("size", (value,), ty.NumberType(0, MAX_NUMBER), span=span)
    if word == "first" and isinstance(value, ir.Apply) and value.op == "members" and isinstance(item, ty.MemberType):
        return ir.Const(0, item, span=span)
    if isinstance(item, ty.NeverType):
        if word in ("list", "set"):
            if word == "list":
                return ir.Const((), ty.ListType(ty.NEVER), span=span)
            return ir.Const(frozenset(), ty.SetType(ty.NEVER), span=span)
        problem = f"This is {ty.describe(value.type)}, so `{word}` has nothing to look at."
        return e.error("R0402", node.values[0].span, problem, f"Put something in it, or leave out `{word}`.")
    slot = e.scope.frame.slot()
    binds = ir.Binds((ir.Bind(slot, "x", value, item, span=span),), span=span)
    return _fold(e, word, ir.Local(slot, "x", item, span=span), binds, span)


def fold(e: Expressions, word: str, body: tree.Expr | None, binds: ir.Binds, span: Span) -> ir.Expr:
    """A fold with binders; ``e`` sees the bound names."""
    if word in words.RANKINGS:
        return e.error("R0402", span, f"`{word}` does not say by what.", f"Write `{word}(x in ... by most ...)`.")
    made: ir.Expr | None = None
    if body is not None:
        made = e.flag(body) if word in ("some", "every") else e.value(body)
    elif word in ("sum", "max", "min", "every"):
        single = len(binds.binds) == 1
        bind = binds.binds[0]
        example = f"{word}(... for {bind.name} in ...)"
        if word == "every" or not single or not isinstance(bind.type, (ty.NumberType, type(ty.UNKNOWN))):
            return e.error("R0402", span, f"`{word}` does not say of what.", help=f"Write `{example}`.")
        made = ir.Local(bind.slot, bind.name, bind.type, span=span)
    elif word in ("first", "list", "set"):
        made = _members(binds, span)
    return _fold(e, word, made, binds, span)


def _members(binds: ir.Binds, span: Span) -> ir.Expr:
    """The names of one combination: the one, or a tuple of several."""
    parts = tuple(ir.Local(b.slot, b.name, b.type, span=span) for b in binds.binds)
    if len(parts) == 1:
        return parts[0]
    return ir.Apply("tuple", parts, ty.TupleType(tuple(p.type for p in parts)), span=span)


def ranked(e: Expressions, node: tree.FoldRanked, binds: ir.Binds) -> ir.Expr:
    """``ranked(x in D by most a, then fewest b)``, ``leaders(...)``; ``e`` sees the bound names."""
    if node.word not in words.RANKINGS:
        return e.error(
            "R0402",
            node.span,
            f"`{node.word}` knows no `by`.",
            "Write `ranked(... by most ...)` for all in order, or `leaders(...)` for those that come first.",
        )
    keys = tuple(ir.Key(r.word == "most", e.value(r.value, _ANY_NUMBER), span=r.span) for r in node.ranks)
    unknown = [*(key.value for key in keys), *binds.binds, *(c for c in (binds.condition, binds.passing) if c)]
    if any(part.type is ty.UNKNOWN for part in unknown):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    body = _members(binds, node.span)
    return ir.Fold(node.word, body, binds, ty.ListType(body.type), keys, span=node.span)


_ANY_NUMBER = ty.NumberType(-MAX_NUMBER, MAX_NUMBER)


def _fold(e: Expressions, word: str, body: ir.Expr | None, binds: ir.Binds, span: Span) -> ir.Expr:
    if any(b.type is ty.UNKNOWN for b in binds.binds) or (body is not None and body.type is ty.UNKNOWN):
        return ir.Const(None, ty.UNKNOWN, span=span)
    if binds.condition is not None and binds.condition.type is ty.UNKNOWN:
        return ir.Const(None, ty.UNKNOWN, span=span)
    type_: ty.Type
    if word == "count":
        low, high = total_bound(ty.FLAG, binds, e.env.grids)
        if body is not None and body.type == ty.FLAG:
            binds, body = with_condition(binds, body), None
        return ir.Fold("count", None, binds, ty.NumberType(low, high), span=span)
    if word in ("some", "every"):
        return ir.Fold(word, body, binds, ty.FLAG, span=span)
    assert body is not None
    if word == "sum":
        if not isinstance(body.type, ty.NumberType):
            return e.error(
                "R0402",
                body.span,
                f"This is {ty.describe(body.type)}, which cannot be added up.",
                "Add up numbers, or write `count(...)`.",
            )
        low, high = total_bound(body.type, binds, e.env.grids)
        return ir.Fold("sum", body, binds, ty.NumberType(low, high), span=span)
    if word in ("max", "min"):
        if not isinstance(body.type, (ty.NumberType, ty.MemberType)):
            return e.error(
                "R0402",
                body.span,
                f"This is {ty.describe(body.type)}, which has no order.",
                f"Write `{word}(...)` of numbers, or of members of an enum or table.",
            )
        return ir.Fold(word, body, binds, ty.OptionalType(body.type, never_empty(binds)), span=span)
    if word == "first":
        type_ = optional(body.type)
        if type_ == ty.OptionalType(body.type):
            type_ = ty.OptionalType(body.type, never_empty(binds))
    elif word == "list":
        type_ = ty.ListType(body.type)
    else:
        type_ = ty.SetType(body.type)
    return ir.Fold(word, body, binds, type_, span=span)


def with_condition(binds: ir.Binds, extra: ir.Expr) -> ir.Binds:
    if binds.stop_at_first_failure and binds.condition is not None:
        ends = ir.Apply("not", (binds.condition,), ty.FLAG, span=extra.span)
        further: ir.Expr = ir.Apply("or", (ends, extra), ty.FLAG, span=extra.span)
        if binds.passing is not None:
            further = ir.Apply("and", (binds.passing, further), ty.FLAG, span=extra.span)
        return attrs.evolve(binds, passing=further)
    condition = (
        extra if binds.condition is None else ir.Apply("and", (binds.condition, extra), ty.FLAG, span=extra.span)
    )
    return attrs.evolve(binds, condition=condition)
