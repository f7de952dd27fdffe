"""Suppositions of a rule that a column of a table names: an ``If`` for the rules it may be, told as it was written."""

from __future__ import annotations

import attrs

from .nodes import After, Expr, If


def value_of(expr: If) -> Expr:
    """What is worked out after the rule."""
    found: Expr = expr
    while isinstance(found, If) and found.by_column is not None:
        found = found.then
    return found.value if isinstance(found, After) else found


def with_value(expr: Expr, value: Expr) -> Expr:
    """The same supposition with another value worked out after the rule."""
    match expr:
        case If() if expr.by_column is not None:
            then, otherwise = with_value(expr.then, value), with_value(expr.otherwise, value)
            return attrs.evolve(expr, then=then, otherwise=otherwise, type=value.type)
        case After():
            return attrs.evolve(expr, value=value, type=value.type)
    return value
