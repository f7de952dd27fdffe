"""Substitution of arguments for parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from . import nodes as ir
from .walk import rewrite

T = TypeVar("T", bound=ir.Node)


def substitute(expr: T, slots: Mapping[int, ir.Expr]) -> T:
    """The expression or statement with parameters, by slot, replaced by what they stand for."""
    return rewrite(expr, lambda node: slots.get(node.slot, node) if isinstance(node, ir.Local) else node)
