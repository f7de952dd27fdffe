"""Traversal of a Program: children, walks, rewrites, and the statements of a body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast, get_args

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


def substitute(expr: T, slots: Mapping[int, ir.Expr]) -> T:
    """The expression or statement with parameters, by slot, replaced by what they stand for."""
    return rewrite(expr, lambda node: slots.get(node.slot, node) if isinstance(node, ir.Local) else node)
