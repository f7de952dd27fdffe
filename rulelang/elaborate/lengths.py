"""Lengths of edges, and what asks for them: the shortest way, what is within a length, the longest trail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from ..source import Span
from ..syntax import tree
from ..types import UNKNOWN, ListType, NumberType, OptionalType, SetType, Type
from .constants import most_combinations

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions
    from .signatures import GraphSignature

LONGEST = 20_000
"""The greatest length of an edge."""

MOST_EDGES = 100_000
"""More edges cannot be listed, so the sum of their lengths fits in 32 bits."""


def length(e: Expressions, node: tree.Expr) -> ir.Expr:
    """The length of an edge: a number that is never negative, and not too great."""
    found = e.number(node)
    if isinstance(found.type, NumberType) and found.type.low < 0:
        return e.error(
            "R0404",
            node.span,
            "The length of this edge may be negative.",
            "Write `max(0, ...)`, or a number whose bounds begin at 0 or above.",
        )
    if isinstance(found.type, NumberType) and found.type.high > LONGEST:
        return e.error(
            "R0404",
            node.span,
            f"The length of this edge may be {found.type.high:,}; {LONGEST:,} is the greatest possible.",
            f"Write `min({LONGEST}, ...)`, give the number narrower bounds, or measure in a greater unit.",
        )
    return found


def most_lengths(env: Environment, graph: ir.Graph) -> tuple[int, int]:
    """The greatest length of a way without detours, and of a trail."""
    grids = env.grids.values_
    nodes = most_combinations(graph.nodes, grids)
    edges = sum(nodes * (1 if e.binds is None else most_combinations(e.binds, grids)) for e in graph.edges)
    edges = min(edges, nodes * (nodes - 1) // 2, MOST_EDGES)
    longest = (
        max(
            (1 if e.length is None else e.length.type.high if isinstance(e.length.type, NumberType) else 0)
            for e in graph.edges
        )
        if graph.edges
        else 0
    )
    return min(max(0, nodes - 1), edges) * longest, edges * longest


def way(e: Expressions, graph: GraphSignature, values: tuple[ir.Expr, ...], name: str, node: tree.Apply) -> ir.Expr:
    """``shortest``, ``shortest_way`` or ``within``, of a graph and two more arguments."""
    start = e.value(node.arguments[1], graph.node_type)
    type_: Type
    if name == "within":
        other = e.number(node.arguments[2])
        type_ = SetType(graph.node_type)
    else:
        other = e.value(node.arguments[2], graph.node_type)
        type_ = OptionalType(number_to(graph.most[0])) if name == "shortest" else ListType(graph.node_type)
    if UNKNOWN in (start.type, other.type):
        return ir.Const(None, UNKNOWN, span=node.span)
    return ir.ByLength(graph.name, values, name, (start, other), type_, span=node.span)  # type: ignore[arg-type]


def longest(e: Expressions, graph: GraphSignature, values: tuple[ir.Expr, ...], span: Span) -> ir.Expr:
    """``longest_trail`` of a graph alone."""
    return ir.ByLength(graph.name, values, "longest_trail", (), number_to(graph.most[1]), span=span)


def number_to(most: int) -> NumberType:
    return NumberType(0, most)
