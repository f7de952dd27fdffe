"""Substitution of arguments for parameters."""

from __future__ import annotations

from collections.abc import Mapping

from . import nodes as ir
from .walk import rewrite


def substitute(expr: ir.Expr, slots: Mapping[int, ir.Expr]) -> ir.Expr:
    """The expression with parameters, by slot, replaced by what they stand for."""
    return rewrite(expr, lambda node: slots.get(node.slot, node) if isinstance(node, ir.Local) else node)
