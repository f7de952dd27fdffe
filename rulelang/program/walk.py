"""Traversal of a Program: children, walks, rewrites, and the statements of a body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast, get_args

import attrs

from ..traversal import Traversal
from . import nodes as ir

_PROGRAM: Traversal[ir.Node] = Traversal(ir.Node)
children = _PROGRAM.children
walk = _PROGRAM.walk

_STATEMENTS = get_args(ir.Statement)
T = TypeVar("T", bound=ir.Node)


def rewrite(node: T, change: Callable[[ir.Node], ir.Node | tuple[ir.Node, ...]]) -> T:
    """The tree with ``change`` made to every node, children first; see ``Traversal.rewrite``."""
    return cast(T, _PROGRAM.rewrite(node, change))


def nested(statement: ir.Node) -> tuple[str, ...]:
    """The ids of the rules and options that stand in a statement."""
    match statement:
        case ir.NamedRule():
            return (statement.rule,)
        case ir.Menu():
            return statement.options
    return ()


def statements(program: ir.Program, body: Sequence[ir.Statement]) -> Iterator[ir.Statement]:
    """All statements of a body with those inside them, the rules and options that stand in it included."""
    for statement in cast("Iterator[ir.Statement]", _PROGRAM.walk_within(body, _STATEMENTS)):
        yield statement
        for id_ in nested(statement):
            yield from statements(program, program.rules[id_].body)


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
