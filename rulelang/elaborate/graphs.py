"""Graphs: their nodes and what joins them."""

from __future__ import annotations

from .. import program as ir
from ..syntax import tree
from ..types import (
    FLAG,
    UNKNOWN,
    OptionalType,
    TupleType,
    Type,
)
from . import lengths
from .constants import choose_branch, size_of
from .environment import Environment
from .expressions import Expressions
from .folds import with_condition
from .parameters import params
from .scope import Frame, Scope


def elaborate_graph(env: Environment, node: tree.Graph) -> ir.Graph | None:
    """Nodes and what joins them. An edge that starts elsewhere is one of the node that it starts at."""
    scope = Scope(Frame())
    expressions = Expressions(env, scope)
    parameters = params(env, expressions, node.params, None)
    nodes = expressions.binds(node.node)
    types = tuple(b.type for b in nodes.binds)
    if UNKNOWN in types:
        return None
    for bind in nodes.binds:
        if size_of(bind.type) > 5_000:
            env.sink.error(
                "R0404", node.node.span, "A graph can have at most 5,000 nodes.", help="Go through something smaller."
            )
            return None
    node_type: Type = types[0] if len(types) == 1 else TupleType(types)
    edges: list[ir.Edge] = []
    for edge in node.edges:
        inner = expressions.inside(scope.inner())
        binds = None if edge.binders is None else inner.binds(edge.binders)
        target = inner.value(edge.target, OptionalType(node_type))
        there = None if edge.condition is None else inner.flag(edge.condition)
        if _names(edge.source) != tuple(b.name for b in nodes.binds):
            starts = _starts_there(inner, edge.source, nodes, node_type)
            if binds is not None:
                binds = with_condition(binds, starts)
            else:
                there = starts if there is None else ir.Apply("and", (starts, there), FLAG, span=there.span)
        if there is not None:
            maybe = OptionalType(node_type)
            target = choose_branch(ir.If(there, target, ir.Const(None, maybe, span=edge.span), maybe, span=edge.span))
        length = None if edge.length is None else lengths.length(inner, edge.length)
        edges.append(ir.Edge(target, binds, length, edge.one_way, span=edge.span))
    return ir.Graph(node.name, parameters, nodes, tuple(edges), node_type, scope.frame.size, span=node.span)


def _names(source: tree.Expr) -> tuple[str | None, ...]:
    parts = source.items if isinstance(source, tree.TupleValue) else (source,)
    return tuple(part.name if isinstance(part, tree.Name) else None for part in parts)


def _starts_there(e: Expressions, source: tree.Expr, nodes: ir.Binds, node_type: Type) -> ir.Expr:
    """Whether an edge that starts at ``source`` starts at the node."""
    found = e.value(source, OptionalType(node_type))
    parts = tuple(ir.Local(b.slot, b.name, b.type, span=source.span) for b in nodes.binds)
    node = parts[0] if len(parts) == 1 else ir.Apply("tuple", parts, node_type, span=source.span)
    return ir.Apply("is", (found, node), FLAG, span=source.span)
