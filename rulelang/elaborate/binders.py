"""Binders: the names that loops give to what they go through, and the conditions on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..source import Span
from ..syntax import tree
from ..types import (
    FLAG,
    NO_PIECES,
    UNKNOWN,
    NeverType,
    RecordType,
    TupleType,
    Type,
    describe,
)
from .compatible import item_type
from .scope import LocalName

if TYPE_CHECKING:
    from .expressions import Expressions


def binds(e: Expressions, node: tree.Binders) -> ir.Binds:
    """Declares the names in this scope and returns the loops."""
    made: list[ir.Bind] = []
    filters: list[tuple[str, ir.Expr]] = []
    for position, binder in enumerate(node.binders, 1):
        domain = e.sequence(binder.domain)
        item = item_type(domain.type) or UNKNOWN
        if isinstance(item, NeverType) or domain.type == NO_PIECES:
            e.error(
                "R0402",
                binder.domain.span,
                f"This is {describe(domain.type)}, so there is nothing to go through.",
                "Put something in it, or leave out what goes through it.",
            )
            item = UNKNOWN
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


def _bind(e: Expressions, binder: tree.Binder, domain: ir.Expr, item: Type) -> ir.Bind:
    slot = e.declare(binder.name, item, binder.span)
    return ir.Bind(slot, binder.name, domain, item, span=binder.span)


def _apart(e: Expressions, binder: tree.Binder, domain: ir.Expr, item: Type) -> ir.Bind:
    """``(a, b) in ...``: one slot holds the tuple, and the names stand for its parts."""
    names = [part.name if isinstance(part, tree.Name) else "" for part in binder.parts]
    called = f"({', '.join(names)})"
    types = item.items if isinstance(item, (TupleType, RecordType)) else ()
    slot = e.scope.frame.slot()
    if not all(names):
        e.error("R0402", binder.span, "Only names can be written here.", "Name each part: `(a, b) in ...`.")
    elif item is not UNKNOWN and len(types) != len(names):
        e.error(
            "R0402",
            binder.span,
            f"This is {describe(item)}, which does not have {len(names)} parts.",
            help="Use a single name." if not types else f"Write {len(types)} names.",
        )
    whole = LocalName(slot, item)
    for position, name in enumerate(filter(None, names)):
        type_ = types[position] if len(types) == len(names) else UNKNOWN
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
            ends = ir.Apply("not", (condition,), FLAG, span=condition.span)
            passing = ir.Apply("or", (ends, passing), FLAG, span=passing.span)
    return ir.Binds(made, _all(going), True, passing, span=span)


def _all(conditions: list[ir.Expr]) -> ir.Expr | None:
    """The conditions joined by ``and``; None for none."""
    if not conditions:
        return None
    joined = conditions[0]
    for condition in conditions[1:]:
        joined = ir.Apply("and", (joined, condition), FLAG, span=joined.span)
    return joined
