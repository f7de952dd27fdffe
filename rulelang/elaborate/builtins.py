"""Built-in functions and folds: their names, types and arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from .. import program as ir
from .. import words
from ..diagnostics import did_you_mean
from ..program.analysis.presence import has_members, never_empty
from ..source import Span
from ..syntax import tree
from ..syntax.printer import print_expr
from ..types import (
    FLAG,
    NEVER,
    UNKNOWN,
    ListType,
    MemberType,
    NeverType,
    NumberType,
    OptionalType,
    PiecesType,
    SetType,
    TupleType,
    Type,
    describe,
    kinds,
)
from . import histories, laid, lengths
from .compatible import certainly, item_type, optional, present, total_bound
from .constants import MANY, arithmetic_type, longest, number, simplify
from .shown import memory_type

if TYPE_CHECKING:
    from .environment import GraphSignature
    from .expressions import Expressions

MAX = 2**31 - 1

Made = ir.Expr


def fold_values(e: Expressions, node: tree.FoldValues) -> Made:
    """``max(a, b)``, ``count(x)``, ``sum(x)``, ``first(x)``, ``min(list)``, ``set(list)``."""
    word, span = node.word, node.span
    if word in words.RANKINGS:
        return e.error("R0402", span, f"`{word}` does not say by what.", f"Write `{word}(x in ... by most ...)`.")
    if len(node.values) > 1:
        if word not in ("max", "min"):
            return e.error(
                "R0403", span, f"`{word}` takes a single value.", f"Write `{word}(x)` or `{word}(... for x in ...)`."
            )
        parts = [e.number(v) for v in node.values]
        result = parts[0]
        for part in parts[1:]:
            if not (isinstance(result.type, NumberType) and isinstance(part.type, NumberType)):
                return ir.Const(None, UNKNOWN, span=span)
            type_ = arithmetic_type(word, [result.type, part.type])
            result = simplify(ir.Apply(word, (result, part), type_, span=span))
        return result
    value = e.value(node.values[0])
    if value.type is UNKNOWN:
        return value
    item = item_type(value.type)
    if item is None:
        return e.error(
            "R0402",
            node.values[0].span,
            f"`{word}` needs several values, not {describe(value.type)}.",
            "Name a list, a set, a range or a place.",
        )
    if word == "count":
        if isinstance(value, ir.Apply) and value.op == "members":
            return ir.Const(longest(value, e.env.grids), number(longest(value, e.env.grids)), span=span)
        most = MAX if isinstance(value.type, PiecesType) else longest(value, e.env.grids)
        return ir.Apply("size", (value,), NumberType(0, most), span=span)
    if word == "sum" and isinstance(value.type, PiecesType):
        return ir.Apply("size", (value,), NumberType(0, MAX), span=span)
    if word == "first" and isinstance(value, ir.Apply) and value.op == "members" and isinstance(item, MemberType):
        return ir.Const(0, item, span=span)
    if isinstance(item, NeverType):
        if word in ("list", "set"):
            if word == "list":
                return ir.Const((), ListType(NEVER), span=span)
            return ir.Const(frozenset(), SetType(NEVER), span=span)
        problem = f"This is {describe(value.type)}, so `{word}` has nothing to look at."
        return e.error("R0402", node.values[0].span, problem, f"Put something in it, or leave out `{word}`.")
    slot = e.scope.frame.slot()
    binds = ir.Binds((ir.Bind(slot, "x", value, item, span=span),), span=span)
    return _fold(e, word, ir.Local(slot, "x", item, span=span), binds, span)


def fold(e: Expressions, word: str, body: tree.Expr | None, binds: ir.Binds, span: Span) -> Made:
    """A fold with binders; ``e`` sees the bound names."""
    if word in words.RANKINGS:
        return e.error("R0402", span, f"`{word}` does not say by what.", f"Write `{word}(x in ... by most ...)`.")
    made: ir.Expr | None = None
    if body is not None:
        made = e.flag(body) if word in ("some", "every") else e.value(body)
    elif word in ("sum", "max", "min", "every"):
        single = len(binds.binds) == 1
        bind = binds.binds[0]
        example = f"{word}(... for {bind.name} in ...)"
        if word == "every" or not single or not isinstance(bind.type, (NumberType, type(UNKNOWN))):
            return e.error("R0402", span, f"`{word}` does not say of what.", help=f"Write `{example}`.")
        made = ir.Local(bind.slot, bind.name, bind.type, span=span)
    elif word in ("first", "list", "set"):
        made = _members(binds, span)
    return _fold(e, word, made, binds, span)


def _members(binds: ir.Binds, span: Span) -> ir.Expr:
    """The names of one combination: the one, or a tuple of several."""
    parts = tuple(ir.Local(b.slot, b.name, b.type, span=span) for b in binds.binds)
    if len(parts) == 1:
        return parts[0]
    return ir.Apply("tuple", parts, TupleType(tuple(p.type for p in parts)), span=span)


def ranked(e: Expressions, node: tree.FoldRanked, binds: ir.Binds) -> Made:
    """``ranked(x in D by most a, then fewest b)``, ``leaders(...)``; ``e`` sees the bound names."""
    if node.word not in words.RANKINGS:
        return e.error(
            "R0402",
            node.span,
            f"`{node.word}` knows no `by`.",
            "Write `ranked(... by most ...)` for all in order, or `leaders(...)` for those that come first.",
        )
    keys = tuple(ir.Key(r.word == "most", e.value(r.value, _ANY_NUMBER), span=r.span) for r in node.ranks)
    unknown = [*(key.value for key in keys), *binds.binds, *(c for c in (binds.condition, binds.passing) if c)]
    if any(part.type is UNKNOWN for part in unknown):
        return ir.Const(None, UNKNOWN, span=node.span)
    body = _members(binds, node.span)
    return ir.Fold(node.word, body, binds, ListType(body.type), keys, span=node.span)


_ANY_NUMBER = NumberType(-MAX, MAX)


def _fold(e: Expressions, word: str, body: ir.Expr | None, binds: ir.Binds, span: Span) -> Made:
    if any(b.type is UNKNOWN for b in binds.binds) or (body is not None and body.type is UNKNOWN):
        return ir.Const(None, UNKNOWN, span=span)
    if binds.condition is not None and binds.condition.type is UNKNOWN:
        return ir.Const(None, UNKNOWN, span=span)
    type_: Type
    if word == "count":
        low, high = total_bound(FLAG, binds, e.env.grids)
        if body is not None and body.type == FLAG:
            binds, body = with_condition(binds, body), None
        return ir.Fold("count", None, binds, NumberType(low, high), span=span)
    if word in ("some", "every"):
        return ir.Fold(word, body, binds, FLAG, span=span)
    assert body is not None
    if word == "sum":
        if not isinstance(body.type, NumberType):
            return e.error(
                "R0402",
                body.span,
                f"This is {describe(body.type)}, which cannot be added up.",
                "Add up numbers, or write `count(...)`.",
            )
        low, high = total_bound(body.type, binds, e.env.grids)
        return ir.Fold("sum", body, binds, NumberType(low, high), span=span)
    if word in ("max", "min"):
        if not isinstance(body.type, (NumberType, MemberType)):
            return e.error(
                "R0402",
                body.span,
                f"This is {describe(body.type)}, which has no order.",
                f"Write `{word}(...)` of numbers, or of members of an enum or table.",
            )
        return ir.Fold(word, body, binds, OptionalType(body.type, never_empty(binds)), span=span)
    if word == "first":
        type_ = optional(body.type)
        if type_ == OptionalType(body.type):
            type_ = OptionalType(body.type, never_empty(binds))
    elif word == "list":
        type_ = ListType(body.type)
    else:
        type_ = SetType(body.type)
    return ir.Fold(word, body, binds, type_, span=span)


def with_condition(binds: ir.Binds, extra: ir.Expr) -> ir.Binds:
    if binds.stop_at_first_failure and binds.condition is not None:
        ends = ir.Apply("not", (binds.condition,), FLAG, span=extra.span)
        further: ir.Expr = ir.Apply("or", (ends, extra), FLAG, span=extra.span)
        if binds.passing is not None:
            further = ir.Apply("and", (binds.passing, further), FLAG, span=extra.span)
        return attrs.evolve(binds, passing=further)
    condition = extra if binds.condition is None else ir.Apply("and", (binds.condition, extra), FLAG, span=extra.span)
    return attrs.evolve(binds, condition=condition)


# ---------------------------------------------------------------- functions


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
        return ir.Const(None, UNKNOWN, span=node.span)
    needed = len(words.FUNCTIONS[name])
    if len(node.arguments) != needed and (name != "longest_trail" or len(node.arguments) != 1):
        values = f"{needed} value{'s' if needed > 1 else ''}"
        return e.error("R0403", node.span, f"`{name}` needs {values}.", f"Write `{words.usage(name)}`.")
    return make(e, name, node)


def _member_argument(e: Expressions, node: tree.Expr, name: str) -> ir.Expr | None:
    value = present(e.value(node))
    if isinstance(value.type, MemberType):
        return value
    if isinstance(value.type, OptionalType):
        e.error(
            "R0407", node.span, "This may be none.", help="Write `if there is x in ...` first, or `... otherwise ...`."
        )
    elif value.type is not UNKNOWN:
        problem = f"`{name}` needs a member of an enum or a table, not {describe(value.type)}."
        e.error("R0402", node.span, problem, "Name a single member.")
    return None


def _step(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = _member_argument(e, node.arguments[0], name)
    if value is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    assert isinstance(value.type, MemberType)
    type_: Type = value.type if value.type.domain.ring else OptionalType(value.type)
    return ir.Apply(name, (value,), type_, span=node.span)


def _others(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = _member_argument(e, node.arguments[0], name)
    if value is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    return ir.Apply(name, (value,), ListType(value.type), span=node.span)


def _index_of(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = _member_argument(e, node.arguments[0], name)
    if value is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    assert isinstance(value.type, MemberType)
    return ir.Apply("index", (value,), NumberType(0, len(value.type.domain) - 1), span=node.span)


def _opposite(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = _member_argument(e, node.arguments[0], name)
    if value is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    assert isinstance(value.type, MemberType)
    domain = value.type.domain
    if not domain.ring or len(domain) % 2:
        problem = f"`{domain.name}` must be a ring with an even number of members."
        return e.error(
            "R0402",
            node.span,
            problem,
            f"Declare it as `enum {domain.name}, ring: ...`, with its opposites half a round apart.",
        )
    return ir.Apply("opposite", (value,), value.type, span=node.span)


def _on_grid(e: Expressions, name: str, node: tree.Apply) -> Made:
    """``step`` and ``ray``: a cell and a direction."""
    cell = _member_argument(e, node.arguments[0], name)
    if cell is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    assert isinstance(cell.type, MemberType)
    grid = e.env.grids.get(cell.type.domain.name)
    if grid is None:
        what = f"`{cell.type.domain.name}` must be a grid."
        return e.error("R0402", node.arguments[0].span, what, "Declare a grid, for example `grid Cell: 8 by 8`.")
    direction = e.value(node.arguments[1], MemberType(grid.directions))
    type_: Type = ListType(cell.type) if name == "ray" else OptionalType(cell.type)
    return ir.Apply(name, (cell, direction), type_, span=node.span)


def _distance(e: Expressions, name: str, node: tree.Apply) -> Made:
    first = _member_argument(e, node.arguments[0], name)
    if first is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    second = e.value(node.arguments[1], first.type)
    assert isinstance(first.type, MemberType)
    grid = e.env.grids.get(first.type.domain.name)
    if grid is not None and grid.shape != "squares":
        most = NumberType(0, grid.width + grid.height - 2 if grid.shape == "rhombus" else grid.width - 1)
        return ir.Apply("hex_distance", (first, second), most, span=node.span)
    if not first.type.domain.ring:
        return e.error(
            "R0402",
            node.span,
            f"`{first.type.domain.name}` must be a ring, or a board of hexagonal cells.",
            help="Declare it as a ring, or subtract with `index(...)`; on a grid, compare columns and rows.",
        )
    top = len(first.type.domain) - 1
    return ir.Apply("distance", (first, second), NumberType(0, top), span=node.span)


def _last(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = e.sequence(node.arguments[0])
    item = item_type(value.type)
    if item is None or item is UNKNOWN:
        return ir.Const(None, UNKNOWN, span=node.span)
    if isinstance(value, ir.Apply) and value.op == "members" and isinstance(item, MemberType):
        return ir.Const(len(item.domain) - 1, item, span=node.span)
    if not isinstance(value.type, ListType):
        return e.error(
            "R0402",
            node.span,
            f"This is {describe(value.type)}, which has no last member.",
            "Name an enum, a table, a list or a stack.",
        )
    if value.type.filled:
        return certainly(ir.Apply("top", (value,), optional(item), span=node.span))
    return ir.Apply("top", (value,), OptionalType(item, True) if has_members(value) else optional(item), span=node.span)


def _end(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = e.value(node.arguments[0])
    if value.type is UNKNOWN:
        return value
    if not isinstance(value.type, ListType):
        return e.error(
            "R0402",
            node.arguments[0].span,
            f"`{name}` needs a stack or a list, not {describe(value.type)}.",
            "Name a stack or a list.",
        )
    return ir.Apply(name, (value,), optional(value.type.item), span=node.span)


def _reversed(e: Expressions, name: str, node: tree.Apply) -> Made:
    value = e.sequence(node.arguments[0])
    if isinstance(value.type, ListType):
        return ir.Apply("reversed", (value,), value.type, span=node.span)
    if value.type is not UNKNOWN:
        e.error(
            "R0402",
            node.arguments[0].span,
            f"This is {describe(value.type)}, which has no order to reverse.",
            "Name a list or a stack.",
        )
    return ir.Const(None, UNKNOWN, span=node.span)


def _bundles(e: Expressions, name: str, node: tree.Apply) -> Made:
    pieces = e.value(node.arguments[0])
    count = e.value(node.arguments[1], NumberType(0, MAX))
    if not isinstance(pieces.type, PiecesType):
        if pieces.type is not UNKNOWN:
            e.error(
                "R0402", node.arguments[0].span, f"`{name}` needs pieces, not {describe(pieces.type)}.", "Name a pool."
            )
        return ir.Const(None, UNKNOWN, span=node.span)
    return ir.Apply("bundles", (pieces, count), ListType(pieces.type), span=node.span)


def _kinds(e: Expressions, name: str, node: tree.Apply) -> Made:
    pieces = e.value(node.arguments[0])
    if not isinstance(pieces.type, PiecesType):
        if pieces.type is not UNKNOWN:
            e.error(
                "R0402", node.arguments[0].span, f"`{name}` needs pieces, not {describe(pieces.type)}.", "Name a pool."
            )
        return ir.Const(None, UNKNOWN, span=node.span)
    most = len(kinds(pieces.type.kind))
    listed = ir.Apply("kinds_in", (pieces,), ListType(pieces.type.kind), span=node.span)
    return ir.Apply("size", (listed,), NumberType(0, most), span=node.span)


def _graph_of(e: Expressions, node: tree.Expr) -> tuple[GraphSignature, tuple[ir.Expr, ...]] | None:
    name: str | None = None
    given: tuple[tree.Expr, ...] = ()
    if isinstance(node, tree.Name):
        name = node.name
    elif isinstance(node, tree.Apply) and isinstance(node.function, tree.Name):
        name, given = node.function.name, node.arguments
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


def _both_ways(e: Expressions, graph: GraphSignature, name: str, span: Span) -> bool:
    """Reports a graph with edges that lead one way, for what needs all of them both ways."""
    if graph.one_way is not None:
        e.error(
            "R0402",
            span,
            f"`{name}` needs edges that lead both ways; `{graph.name}` has some that lead one way.",
            f"Write `within({graph.name}, node, length)`, or leave out `one way`.",
        )
    return graph.one_way is None


def _way(e: Expressions, name: str, node: tree.Apply) -> Made:
    found = _graph_of(e, node.arguments[0])
    return ir.Const(None, UNKNOWN, span=node.span) if found is None else lengths.way(e, *found, name, node)


def _group(e: Expressions, name: str, node: tree.Apply) -> Made:
    found = _graph_of(e, node.arguments[0])
    if found is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    graph, values = found
    if not _both_ways(e, graph, name, node.span):
        return ir.Const(None, UNKNOWN, span=node.span)
    member = e.value(node.arguments[1], graph.node_type)
    return ir.GroupOf(graph.name, values, member, SetType(graph.node_type), span=node.span)


def _groups(e: Expressions, name: str, node: tree.Apply) -> Made:
    found = _graph_of(e, node.arguments[0])
    if found is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    graph, values = found
    if not _both_ways(e, graph, name, node.span):
        return ir.Const(None, UNKNOWN, span=node.span)
    return ir.Groups(graph.name, values, ListType(SetType(graph.node_type)), span=node.span)


def _longest_trail(e: Expressions, name: str, node: tree.Apply) -> Made:
    """The measure sees the names of the graph's nodes, as its edges do."""
    found = _graph_of(e, node.arguments[0])
    if found is None:
        return ir.Const(None, UNKNOWN, span=node.span)
    graph, values = found
    if not _both_ways(e, graph, name, node.span):
        return ir.Const(None, UNKNOWN, span=node.span)
    if len(node.arguments) == 1:
        return lengths.longest(e, graph, values, node.span)
    inner = e.inside(e.scope.inner())
    slots = tuple(inner.declare(name, type_, node.span) for name, type_ in graph.nodes)
    measure = inner.value(node.arguments[1])
    if measure.type is UNKNOWN:
        return measure
    return ir.LongestTrail(graph.name, values, slots, measure, NumberType(0, MANY), span=node.span)


def _remembered(e: Expressions, name: str, node: tree.Apply) -> Made:
    """What a player was shown of a place and may still know: pieces, what lies on top, or the value or none."""
    place, who = e.value(node.arguments[0]), e.value(node.arguments[1], e.env.player)
    if UNKNOWN in (place.type, who.type):
        return ir.Const(None, UNKNOWN, span=node.span)
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
    position = ir.Const(1, NumberType(1, 1), span=node.span)
    return ir.Apply("at", (memory, position), optional(variable.type), span=node.span)


def _occurrences(e: Expressions, name: str, node: tree.Apply) -> Made:
    return histories.occurrences(e, node)


FUNCTIONS: dict[str, Callable[[Expressions, str, tree.Apply], Made]] = {
    "occurrences": _occurrences,
    "shortest": _way,
    "shortest_way": _way,
    "within": _way,
    "next": _step,
    "prev": _step,
    "ahead": _others,
    "behind": _others,
    "index": _index_of,
    "distance": _distance,
    "opposite": _opposite,
    "step": _on_grid,
    "ray": _on_grid,
    "beside": laid.beside,
    "openings": laid.openings,
    "turned": laid.turned,
    "last": _last,
    "remembered": _remembered,
    "top": _end,
    "bottom": _end,
    "reversed": _reversed,
    "bundles": _bundles,
    "kinds": _kinds,
    "group": _group,
    "groups": _groups,
    "longest_trail": _longest_trail,
}
