"""Boards: what is laid on grids, and lengths of ways on graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import program as ir
from .. import types as ty
from ..program.analysis.sizes import most_combinations
from ..source import Span
from ..syntax import tree

if TYPE_CHECKING:
    from .environment import Environment
    from .expressions import Expressions
    from .scope import GraphSignature


MAX = 2**31 - 1


def add_sides(env: Environment) -> None:
    """The built-in ring of sides, when the game has a grid for pieces and no ``Side`` of its own."""
    name = ir.SIDES.name
    if name in env.domains or name in env.declared:
        return
    for declared in env.linked.names.values():
        if isinstance(declared, tree.Variable) and isinstance(declared.type, tree.TypePlace):
            if declared.type.place == "grid":
                env.add_domain(ir.SIDES)
                return


def square(e: Expressions, node: tree.Expr) -> ir.Expr:
    """A square, or the square of a spot."""
    value = e.value(node)
    if ty.is_spot(value.type):
        return ir.Apply("square", (value,), ty.SQUARE, span=node.span)
    return e.fit(value, ty.SQUARE, node.span)


def beside(e: Expressions, name: str, node: tree.Apply) -> ir.Expr:
    """``beside(grid, spot or square, side)``."""
    grid = _grid(e, name, node.arguments[0])
    where = square(e, node.arguments[1])
    sides = e.env.domains.get(ir.SIDES.name, ir.SIDES)
    if not sides.ring or len(sides) != len(ir.SIDES):
        return e.error(
            "R0402",
            node.span,
            f"`{sides.name}` must be a ring of four members, because a square has four sides.",
            help=f"Write `enum {sides.name}, ring:` with four members, or leave it out to use the built-in one.",
        )
    side = e.value(node.arguments[2], ty.MemberType(sides))
    if grid is None or ty.UNKNOWN in (where.type, side.type):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    assert isinstance(grid.type, ty.ListType)
    return ir.Apply(name, (grid, where, side), ty.OptionalType(grid.type.item), span=node.span)


def openings(e: Expressions, name: str, node: tree.Apply) -> ir.Expr:
    """``openings(grid)``."""
    grid = _grid(e, name, node.arguments[0])
    if grid is None:
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    return ir.Apply(name, (grid,), ty.ListType(ty.SQUARE), span=node.span)


def _grid(e: Expressions, name: str, node: tree.Expr) -> ir.Expr | None:
    value = e.value(node)
    if isinstance(value, ir.Read) and isinstance(value.type, ty.ListType) and ty.is_spot(value.type.item):
        return value
    if value.type is not ty.UNKNOWN:
        e.error(
            "R0402",
            node.span,
            f"`{name}` needs a grid that pieces are laid in, not {ty.describe(value.type)}.",
            help="Declare one, for example `floor: grid of Shape, at most 30`.",
        )
    return None


def turned(e: Expressions, name: str, node: tree.Apply) -> ir.Expr:
    """``turned(sides, number)``: a member of a ring, or several, each moved on."""
    value = e.value(node.arguments[0])
    steps = e.value(node.arguments[1], ty.NumberType(-MAX, MAX))
    if ty.UNKNOWN in (value.type, steps.type):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    item: ty.Type = value.type.item if isinstance(value.type, (ty.SetType, ty.ListType)) else value.type
    if not isinstance(item, ty.MemberType) or not item.domain.ring:
        return e.error(
            "R0402",
            node.arguments[0].span,
            f"`{name}` needs members of a ring, not {ty.describe(value.type)}.",
            help="Use a `set of Side`, for example.",
        )
    type_: ty.Type = item if value.type == item else ty.SetType(item)
    return ir.Apply(name, (value, steps), type_, span=node.span)


def part(e: Expressions, value: ir.Expr, type_: ty.RecordType, node: tree.Attribute) -> ir.Expr:
    """``s.x``: a part of a record by its name."""
    position = type_.position(node.name)
    if position is None:
        names = ", ".join(field for field, _ in type_.fields)
        return e.error("R0408", node.span, f"A {type_.name} has no part `{node.name}`.", help=f"Its parts are {names}.")
    if isinstance(value, ir.Const):
        return ir.Const(value.value[position], type_.items[position], span=node.span)
    return ir.PartOf(value, position, node.name, type_.items[position], span=node.span)


LONGEST = 20_000
"""The greatest length of an edge."""

MOST_EDGES = 100_000
"""More edges cannot be listed, so the sum of their lengths fits in 32 bits."""


def length(e: Expressions, node: tree.Expr) -> ir.Expr:
    """The length of an edge: a number that is never negative, and not too great."""
    found = e.number(node)
    if isinstance(found.type, ty.NumberType) and found.type.low < 0:
        return e.error(
            "R0404",
            node.span,
            "The length of this edge may be negative.",
            "Write `max(0, ...)`, or a number whose bounds begin at 0 or above.",
        )
    if isinstance(found.type, ty.NumberType) and found.type.high > LONGEST:
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
            (1 if e.length is None else e.length.type.high if isinstance(e.length.type, ty.NumberType) else 0)
            for e in graph.edges
        )
        if graph.edges
        else 0
    )
    return min(max(0, nodes - 1), edges) * longest, edges * longest


def way(e: Expressions, graph: GraphSignature, values: tuple[ir.Expr, ...], name: str, node: tree.Apply) -> ir.Expr:
    """``shortest``, ``shortest_way`` or ``within``, of a graph and two more arguments."""
    start = e.value(node.arguments[1], graph.node_type)
    type_: ty.Type
    if name == "within":
        other = e.number(node.arguments[2])
        type_ = ty.SetType(graph.node_type)
    else:
        other = e.value(node.arguments[2], graph.node_type)
        type_ = ty.OptionalType(number_to(graph.most[0])) if name == "shortest" else ty.ListType(graph.node_type)
    if ty.UNKNOWN in (start.type, other.type):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    return ir.ByLength(graph.name, values, name, (start, other), type_, span=node.span)  # type: ignore[arg-type]


def longest(e: Expressions, graph: GraphSignature, values: tuple[ir.Expr, ...], span: Span) -> ir.Expr:
    """``longest_trail`` of a graph alone."""
    return ir.ByLength(graph.name, values, "longest_trail", (), number_to(graph.most[1]), span=span)


def number_to(most: int) -> ty.NumberType:
    return ty.NumberType(0, most)
