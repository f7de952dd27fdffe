"""Traversal of a Program: children, walks, rewrites, and the statements of a body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast, get_args

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


# Slots that an expression reads, and the parts of a condition.


_NONE: frozenset[int] = frozenset()


def conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    """The parts of a condition joined by ``and``, in order; none for no condition."""
    if expr is None:
        return []
    if isinstance(expr, ir.Apply) and expr.op == "and":
        return [part for argument in expr.arguments for part in conjuncts(argument)]
    return [expr]


def free_slots(expr: ir.Node | Sequence[Any] | None) -> frozenset[int]:
    """The slots of the frame that an expression, ``Binds``, or a sequence of such reads, without those bound in it."""
    match expr:
        case None:
            return _NONE
        case ir.Local():
            return frozenset((expr.slot,))
        case ir.Fold():
            return _free_in(expr.binds, (expr.body, expr.ranks))
        case ir.PiecesOf() if expr.binds is not None:
            return _free_in(expr.binds, expr.entries)
        case ir.Binds():
            return _free_in(expr, None)
        case ir.LongestTrail():
            return free_slots(expr.arguments) | (free_slots(expr.measure) - set(expr.slots))
        case ir.Ways():
            return free_slots(expr.start) | (free_slots((expr.steps, expr.end)) - {expr.slot})
        case ir.Node():
            return _NONE.union(*map(free_slots, children(expr)))
    return _NONE.union(*map(free_slots, expr))


def _free_in(binds: ir.Binds, inner: ir.Node | Sequence[Any] | None) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    bound: set[int] = set()
    for bind in binds.binds:
        found |= free_slots(bind.domain) - bound
        bound.add(bind.slot)
    return found | (free_slots((binds.condition, binds.passing, inner)) - bound)
