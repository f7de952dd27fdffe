"""Putting what a parameter stands for in its place."""

from __future__ import annotations

from typing import Any

import attrs

from . import nodes as ir


def substitute(expr: Any, slots: dict[int, ir.Expr]) -> Any:
    """The expression with parameters replaced by what they stand for."""
    if isinstance(expr, ir.Local):
        return slots.get(expr.slot, expr)
    if isinstance(expr, tuple):
        return tuple(substitute(part, slots) for part in expr)
    if not attrs.has(type(expr)) or isinstance(expr, ir.Const):
        return expr
    changes = {}
    for field in attrs.fields(type(expr)):
        if field.name in ("span", "type"):
            continue
        value = getattr(expr, field.name)
        if isinstance(value, tuple) or attrs.has(type(value)):
            new = substitute(value, slots)
            if new is not value:
                changes[field.name] = new
    return attrs.evolve(expr, **changes) if changes else expr
