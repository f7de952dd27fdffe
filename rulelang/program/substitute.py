"""Substitution of arguments for parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import attrs

from . import nodes as ir
from .walk import rewrite

T = TypeVar("T", bound=ir.Node)


def substitute(expr: T, slots: Mapping[int, ir.Expr], inner: int | None = None) -> T:
    """The expression or statement with parameters, by slot, replaced by what they stand for.

    ``inner``: all other slots, which are bound in it, get numbers from here downwards, so that none is taken for one
    in an argument.
    """

    def changed(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Local) and node.slot in slots:
            return slots[node.slot]
        if inner is None:
            return node
        match node:
            case ir.Local(slot) | ir.Bind(slot) | ir.Ways(slot=slot):
                return attrs.evolve(node, slot=inner - slot)
            case ir.LongestTrail(slots=bound):
                return attrs.evolve(node, slots=tuple(inner - slot for slot in bound))
        return node

    return rewrite(expr, changed)
