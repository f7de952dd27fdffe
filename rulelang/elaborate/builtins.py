"""Built-in functions and folds: their names, types and arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from .. import program as ir
from .. import types as ty
from .. import words
from ..diagnostics import did_you_mean
from ..program.analysis.cardinality import has_members
from ..program.analysis.sizes import MANY
from ..syntax import tree
from ..syntax.printer import print_expr
from . import board_functions, histories
from .environment import MAX_NUMBER
from .histories import memory_type
from .scope import called
from .typing import certainly, item_type, optional, present

if TYPE_CHECKING:
    from .expressions import Expressions
    from .scope import GraphSignature


Made = ir.Expr
Function: TypeAlias = "Callable[[Expressions, str, tree.Apply], Made]"


def call(e: Expressions, name: str, node: tree.Apply) -> Made:
    """A built-in function by name."""
    make = FUNCTIONS.get(name)
    if make is None:
        if name in e.scope.names or name in e.env.members or name in e.env.domains:
            return e.error(
                "R0402",
                node.function.span,
                f"`{name}` is not a definition, so it takes no `(...)`.",
                "Leave out the brackets.",
            )
        known = [n for n, d in e.env.declared.items() if d is tree.Define]
        given = [
            e.value(argument)
            for argument in node.arguments
            if not (isinstance(argument, tree.Name) and e.env.declared.get(argument.name) in (tree.Graph, tree.History))
        ]
        e.env.unknown(name, node.function.span, "definition", [*known, *FUNCTIONS], e.rule, given)
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    needed = len(words.FUNCTIONS[name])
    if len(node.arguments) != needed and (name != "longest_trail" or len(node.arguments) != 1):
        values = f"{needed} value{'s' if needed > 1 else ''}"
        return e.error("R0403", node.span, f"`{name}` needs {values}.", f"Write `{words.usage(name)}`.")
    return make(e, name, node)


def _member_argument(e: Expressions, node: tree.Expr, name: str) -> ir.Expr | None:
    value = present(e.value(node))
    if isinstance(value.type, ty.MemberType):
        return value
    if isinstance(value.type, ty.OptionalType):
        e.error(
            "R0407", node.span, "This may be none.", help="Write `if there is x in ...` first, or `... otherwise ...`."
        )
    elif value.type is not ty.UNKNOWN:
        problem = f"`{name}` needs a member of an enum or a table, not {ty.describe(value.type)}."
        e.error("R0402", node.span, problem, "Name a single member.")
    return None


def _of_member(make: Callable[[Expressions, str, tree.Apply, ir.Expr, ty.Domain], Made]) -> Function:
    """A function whose first argument is a single member. ``make`` is given it, and its domain."""

    def made(e: Expressions, name: str, node: tree.Apply) -> Made:
        value = _member_argument(e, node.arguments[0], name)
        if value is None:
            return ir.Const(None, ty.UNKNOWN, span=node.span)
        assert isinstance(value.type, ty.MemberType)
        return make(e, name, node, value, value.type.domain)

    return made


def _step(e: Expressions, name: str, node: tree.Apply, value: ir.Expr, domain: ty.Domain) -> Made:
    return ir.Apply(name, (value,), value.type if domain.ring else ty.OptionalType(value.type), span=node.span)


def _others(e: Expressions, name: str, node: tree.Apply, value: ir.Expr, domain: ty.Domain) -> Made:
    return ir.Apply(name, (value,), ty.ListType(value.type), span=node.span)


def _index_of(e: Expressions, name: str, node: tree.Apply, value: ir.Expr, domain: ty.Domain) -> Made:
    return ir.Apply("index", (value,), ty.NumberType(0, len(domain) - 1), span=node.span)


def _opposite(e: Expressions, name: str, node: tree.Apply, value: ir.Expr, domain: ty.Domain) -> Made:
    if not domain.ring or len(domain) % 2:
        problem = f"`{domain.name}` must be a ring with an even number of members."
        remedy = f"Declare it as `enum {domain.name}, ring: ...`, with its opposites half a round apart."
        return e.error("R0402", node.span, problem, remedy)
    return ir.Apply("opposite", (value,), value.type, span=node.span)


def _on_grid(e: Expressions, name: str, node: tree.Apply, cell: ir.Expr, domain: ty.Domain) -> Made:
    """``step`` and ``ray``: a cell and a direction."""
    grid = e.env.grids.get(domain.name)
    if grid is None:
        what = f"`{domain.name}` must be a grid."
        return e.error("R0402", node.arguments[0].span, what, "Declare a grid, for example `grid Cell: 8 by 8`.")
    direction = e.value(node.arguments[1], ty.MemberType(grid.directions))
    type_: ty.Type = ty.ListType(cell.type) if name == "ray" else ty.OptionalType(cell.type)
    return ir.Apply(name, (cell, direction), type_, span=node.span)


def _distance(e: Expressions, name: str, node: tree.Apply, first: ir.Expr, domain: ty.Domain) -> Made:
    second = e.value(node.arguments[1], first.type)
    grid = e.env.grids.get(domain.name)
    if grid is not None and grid.shape != "squares":
        most = ty.NumberType(0, grid.width + grid.height - 2 if grid.shape == "rhombus" else grid.width - 1)
        return ir.Apply("hex_distance", (first, second), most, span=node.span)
    if grid is not None:
        message = f"On `{domain.name}` a distance may be counted in several ways."
        return e.error("R0402", node.span, message, "Compare columns and rows: `a.column - b.column`.")
    top = len(domain) - 1
    if not domain.ring:
        there, back = (
            ir.Apply("distance", ends, ty.NumberType(-top, top), span=node.span)
            for ends in ((first, second), (second, first))
        )
        return ir.Apply("max", (there, back), ty.NumberType(0, top), span=node.span)
    return ir.Apply("distance", (first, second), ty.NumberType(0, top), span=node.span)


def _last(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = e.sequence(node.arguments[0])
    item = item_type(value.type)
    if item is None or item is ty.UNKNOWN:
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    if isinstance(value, ir.Apply) and value.op == "members" and isinstance(item, ty.MemberType):
        return ir.Const(len(item.domain) - 1, item, span=node.span)
    if not isinstance(value.type, ty.ListType):
        return e.error(
            "R0402",
            node.span,
            f"This is {ty.describe(value.type)}, which has no last member.",
            "Name an enum, a table, a list or a stack.",
        )
    if value.type.filled:
        return certainly(ir.Apply("top", (value,), optional(item), span=node.span))
    return ir.Apply(
        "top", (value,), ty.OptionalType(item, True) if has_members(value) else optional(item), span=node.span
    )


def _needs(e: Expressions, node: tree.Apply, value: ir.Expr, problem: str, remedy: str) -> Made:
    """Reports a first argument of another type; what is not known has been reported already."""
    if value.type is ty.UNKNOWN:
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    return e.error("R0402", node.arguments[0].span, problem, remedy)


def _end(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = e.value(node.arguments[0])
    if not isinstance(value.type, ty.ListType):
        problem = f"`{name}` needs a stack or a list, not {ty.describe(value.type)}."
        return _needs(e, node, value, problem, "Name a stack or a list.")
    return ir.Apply(name, (value,), optional(value.type.item), span=node.span)


def _reversed(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = e.sequence(node.arguments[0])
    if not isinstance(value.type, ty.ListType):
        problem = f"This is {ty.describe(value.type)}, which has no order to reverse."
        return _needs(e, node, value, problem, "Name a list or a stack.")
    return ir.Apply("reversed", (value,), value.type, span=node.span)


def _of_pieces(e: Expressions, name: str, node: tree.Apply) -> Made:
    """``bundles`` and ``kinds``."""
    pieces = e.value(node.arguments[0])
    count = e.value(node.arguments[1], ty.NumberType(0, MAX_NUMBER)) if name == "bundles" else None
    if not isinstance(pieces.type, ty.PiecesType):
        return _needs(e, node, pieces, f"`{name}` needs pieces, not {ty.describe(pieces.type)}.", "Name a pool.")
    if count is not None:
        return ir.Apply("bundles", (pieces, count), ty.ListType(pieces.type), span=node.span)
    most = len(ty.kinds(pieces.type.kind))
    listed = ir.Apply("kinds_in", (pieces,), ty.ListType(pieces.type.kind), span=node.span)
    return ir.Apply("size", (listed,), ty.NumberType(0, most), span=node.span)


def _graph_of(e: Expressions, node: tree.Expr) -> tuple[GraphSignature, tuple[ir.Expr, ...]] | None:
    name, given = called(node)
    if name is None or e.env.declared.get(name) is not tree.Graph:
        known = [n for n, d in e.env.declared.items() if d is tree.Graph]
        if name is None or name not in e.env.words:
            e.error(
                "R0401",
                node.span,
                "The name of a graph is needed here.",
                did_you_mean(name or "", known) or "Write `NAME(...)`.",
            )
        return None
    graph = e.env.graph(name)
    if graph is None:
        return None
    values = e.arguments(name, graph.params, given, node.span)
    return None if values is None else (graph, values)


def _way(e: Expressions, name: str, node: tree.Apply) -> Made:
    found = _graph_of(e, node.arguments[0])
    return ir.Const(None, ty.UNKNOWN, span=node.span) if found is None else board_functions.way(e, *found, name, node)


def _both_ways(make: Callable[[Expressions, GraphSignature, tuple[ir.Expr, ...], tree.Apply], Made]) -> Function:
    """A function whose first argument is a graph, all edges of which lead both ways."""

    def made(e: Expressions, name: str, node: tree.Apply) -> Made:
        found = _graph_of(e, node.arguments[0])
        if found is None:
            return ir.Const(None, ty.UNKNOWN, span=node.span)
        graph, values = found
        if graph.one_way is None:
            return make(e, graph, values, node)
        return e.error(
            "R0402",
            node.span,
            f"`{name}` needs edges that lead both ways; `{graph.name}` has some that lead one way.",
            f"Write `within({graph.name}, node, length)`, or leave out `one way`.",
        )

    return made


def _group(e: Expressions, graph: GraphSignature, values: tuple[ir.Expr, ...], node: tree.Apply) -> Made:
    member = e.value(node.arguments[1], graph.node_type)
    return ir.GroupOf(graph.name, values, member, ty.SetType(graph.node_type), span=node.span)


def _groups(e: Expressions, graph: GraphSignature, values: tuple[ir.Expr, ...], node: tree.Apply) -> Made:
    return ir.Groups(graph.name, values, ty.ListType(ty.SetType(graph.node_type)), span=node.span)


def _longest_trail(e: Expressions, graph: GraphSignature, values: tuple[ir.Expr, ...], node: tree.Apply) -> Made:
    """The measure sees the names of the graph's nodes, as its edges do."""
    if len(node.arguments) == 1:
        return board_functions.longest(e, graph, values, node.span)
    inner = e.inside(e.scope.inner())
    slots = tuple(inner.declare(name, type_, node.span) for name, type_ in graph.nodes)
    measure = inner.value(node.arguments[1])
    if measure.type is ty.UNKNOWN:
        return measure
    return ir.LongestTrail(graph.name, values, slots, measure, ty.NumberType(0, MANY), span=node.span)


def _remembered(e: Expressions, name: str, node: tree.Apply) -> Made:
    """What a player was shown of a place and may still know: pieces, what lies on top, or the value or none."""
    place, who = e.value(node.arguments[0]), e.value(node.arguments[1], e.env.player)
    if ty.UNKNOWN in (place.type, who.type):
        return ir.Const(None, ty.UNKNOWN, span=node.span)
    if not isinstance(place, ir.Read):
        return e.error(
            "R0402", node.arguments[0].span, "Only a place or value that is kept is ever shown.", "Name one of these."
        )
    variable = e.env.variable(place.variable)
    type_ = None if variable is None else memory_type(variable)
    if variable is None or type_ is None or variable.seen_by == "all" or not e.env.is_shown(variable.name):
        written = print_expr(node.arguments[0])
        return e.error(
            "R0402",
            node.span,
            f"No rule shows `{place.variable}`, so nobody has been shown anything of it.",
            f"Write `show {written} to ...` in a rule, or leave this out.",
        )
    memory = ir.Read(ir.shown_of(variable.name), (who, *place.indices), type_, span=node.span)
    if variable.kind in ("pool", "bag", "stack"):
        return memory
    position = ir.Const(1, ty.NumberType(1, 1), span=node.span)
    return ir.Apply("at", (memory, position), optional(variable.type), span=node.span)


FUNCTIONS: dict[str, Function] = {
    "occurrences": lambda e, name, node: histories.occurrences(e, node),
    "shortest": _way,
    "shortest_way": _way,
    "within": _way,
    "next": _of_member(_step),
    "prev": _of_member(_step),
    "ahead": _of_member(_others),
    "behind": _of_member(_others),
    "index": _of_member(_index_of),
    "distance": _of_member(_distance),
    "opposite": _of_member(_opposite),
    "step": _of_member(_on_grid),
    "ray": _of_member(_on_grid),
    "beside": board_functions.beside,
    "openings": board_functions.openings,
    "turned": board_functions.turned,
    "last": _last,
    "remembered": _remembered,
    "top": _end,
    "bottom": _end,
    "reversed": _reversed,
    "bundles": _of_pieces,
    "kinds": _of_pieces,
    "group": _both_ways(_group),
    "groups": _both_ways(_groups),
    "longest_trail": _both_ways(_longest_trail),
}
