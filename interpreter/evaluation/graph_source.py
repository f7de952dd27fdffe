"""Python source for graphs: their nodes, edges and groups.

Where the edges depend on nothing that changes, the neighbours of every member are listed once when the game is
loaded; during play it only remains to ask whether a member is a node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulelang.program import Apply, ByLength, Expr, Graph, GroupOf, Groups, LongestTrail, Program
from rulelang.program.analysis.effects import reads_state
from rulelang.types import ListType, MemberType, OptionalType

from . import runtime

if TYPE_CHECKING:
    from .expressions import Writer
    from .remembered import ValueMemory


FUNCTIONS = ("nodes", "targets", "ends", "is_node", "group", "groups")
"""The endings of the names of functions that a graph has, ``is_node`` only one whose edges never change."""


def group_source(writer: Writer, expr: GroupOf | Groups) -> str:
    """Source of the group of a node, or of all groups."""
    graph = writer.program.graphs[expr.graph]
    name = writer.graph(expr.graph)
    given = _given(writer, graph, expr.arguments)
    if isinstance(expr, GroupOf):
        return f"{name}_group(C, {given}, {writer.value(expr.node)})"
    return f"{name}_groups(C, *{given})"


def groupings(
    writer: Writer, graph: Graph, names: Mapping[str, Callable[..., Any]], memory: ValueMemory
) -> dict[str, Callable[..., Any]]:
    """What gives the groups of a graph and the group of a node; ``names`` has the other functions of the graph."""
    name = writer.graph(graph.name)
    nodes, targets = names[f"{name}_nodes"], names[f"{name}_targets"]
    if is_fixed(writer.program, graph):
        near, is_node = neighbours(graph, targets), names[f"{name}_is_node"]
        every = memory.graph(graph, lambda cells, *given: runtime.fixed_groups(near, is_node, cells, given))
        grown = memory.graph(
            graph,
            lambda cells, *given: runtime.fixed_group(near, is_node, cells, given[:-1], given[-1]),
            OptionalType(graph.node_type),
        )
        return {f"{name}_groups": every, f"{name}_group": lambda cells, given, node: grown(cells, *given, node)}
    every = memory.graph(graph, lambda cells, *given: runtime.groups(nodes, targets, cells, given))
    return {
        f"{name}_groups": every,
        f"{name}_group": lambda cells, given, node: runtime.group_in(every(cells, *given), node),
    }


def trail_source(writer: Writer, expr: LongestTrail) -> str:
    """Source of the longest trail; the value it counts is a function of the node."""
    graph = writer.program.graphs[expr.graph]
    name = writer.graph(expr.graph)
    outer = writer.bound
    writer.bound |= set(expr.slots)
    measure = f"lambda {', '.join(f'v{slot}' for slot in expr.slots)}: {writer.value(expr.measure)}"
    writer.bound = outer
    if len(expr.slots) > 1:
        measure = f"lambda node: ({measure})(*node)"
    return f"longest_trail({name}_nodes, {name}_targets, C, {_given(writer, graph, expr.arguments)}, {measure})"


def way_source(writer: Writer, expr: ByLength) -> str:
    """Source of what the lengths of edges tell. The ends of a way are worked out before the graph."""
    graph = writer.program.graphs[expr.graph]
    name = writer.graph(expr.graph)
    given = _given(writer, graph, expr.arguments)
    types = (graph.node_type, expr.ends[1].type if expr.word == "within" else graph.node_type) if expr.ends else ()
    ends = f"({''.join(f'{writer.fitted(end, t)}, ' for end, t in zip(expr.ends, types, strict=True))})"
    return f"(lambda G, E: ways_{expr.word}(Ways({name}_nodes, {name}_ends, C, G), *E))({given}, {ends})"


def _given(writer: Writer, graph: Graph, arguments: Sequence[Expr]) -> str:
    return f"({''.join(map('{}, '.format, writer.arguments(arguments, graph.params, graph.name)))})"


def define(writer: Writer, graph: Graph, function: Callable[[str, str, str], Any]) -> None:
    """Compiles the functions of one graph; ``function`` takes a name, parameters and a body."""
    from rulelang.program.walk import conjuncts

    name = writer.graph(graph.name)
    parameters = [f"v{p.slot}" for p in graph.params]
    slots = [f"v{bind.slot}" for bind in graph.nodes.binds]
    node = slots[0] if len(slots) == 1 else f"({', '.join(slots)})"
    outer = writer.bound, writer.frame_is_list, writer.metered
    writer.frame_is_list, writer.metered = False, True
    writer.bound = frozenset(p.slot for p in graph.params)
    source, _ = writer.run(graph.nodes, lambda: node)
    function(f"{name}_nodes", ", ".join(["C", *parameters]), f"listed({source})")
    writer.bound |= {bind.slot for bind in graph.nodes.binds}
    targets = []
    for edge in graph.edges:
        if edge.binds is None:
            targets.append(f"{writer.value(edge.target)}")
        else:
            binds, target = edge.binds, edge.target
            targets.append(f"*({writer.run(binds, lambda t=target: writer.value(t))[0]})")  # type: ignore[misc]
    # A node with several names arrives as one tuple and is unpacked by a comprehension of one pass.
    body = "(" + "".join(t + ", " for t in targets) + ")"
    if len(slots) > 1:
        body = f"[t for ({', '.join(slots)},) in (node,) for t in {body}]"
    node_parameter = "node" if len(slots) > 1 else slots[0]
    function(f"{name}_targets", ", ".join(["C", node_parameter, *parameters]), body)
    _define_ends(writer, graph, function)
    if is_fixed(writer.program, graph):
        tests = [writer.value(c) for c in conjuncts(graph.nodes.condition)]
        function(
            f"{name}_is_node", ", ".join(["C", slots[0], *parameters]), " and ".join(f"({t})" for t in tests) or "True"
        )
    writer.bound, writer.frame_is_list, writer.metered = outer


def _define_ends(writer: Writer, graph: Graph, function: Callable[[str, str, str], Any]) -> None:
    """What the edges of a node lead to, with their lengths, which are worked out only for edges to nodes (N)."""
    slots = [f"v{bind.slot}" for bind in graph.nodes.binds]
    parts = []
    for edge in graph.edges:
        outer = writer.bound
        back = not edge.one_way
        if edge.binds is None:
            length = "1" if edge.length is None else writer.value(edge.length)
            parts.append(f"*[(t, {length}, {back}) for t in ({writer.value(edge.target)},) if t in N]")
        else:

            def ends(edge: Any = edge, back: bool = back) -> str:
                length = "1" if edge.length is None else writer.value(edge.length)
                return f"[(t, {length}, {back}) for t in ({writer.value(edge.target)},) if t in N]"

            parts.append(f"*(e for es in ({writer.run(edge.binds, ends)[0]}) for e in es)")
        writer.bound = outer
    body = "(" + "".join(f"{part}, " for part in parts) + ")"
    if len(slots) > 1:
        body = f"[t for ({', '.join(slots)},) in (node,) for t in {body}]"
    parameters = ["C", "N", "node" if len(slots) > 1 else slots[0], *(f"v{p.slot}" for p in graph.params)]
    function(f"{writer.graph(graph.name)}_ends", ", ".join(parameters), body)


def neighbours(graph: Graph, targets: Callable[..., Any]) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each member, in both directions, in a graph whose edges never change."""

    domain = graph.nodes.binds[0].domain.type
    assert isinstance(domain, ListType) and isinstance(domain.item, MemberType)
    size = len(domain.item.domain)
    near: list[set[int]] = [set() for _ in range(size)]
    for member in range(size):
        for other in targets(None, member, *(None for _ in graph.params)):
            if other is not None:
                near[member].add(other)
                near[other].add(member)
    return tuple(tuple(sorted(others)) for others in near)


def is_fixed(program: Program, graph: Graph) -> bool:
    """Whether the nodes are members of one domain, and the edges read neither the state nor a parameter.

    Then only those nodes and edges are looked at that a group can reach, so none of them may fault.
    """
    from rulelang.program.analysis.faults import Faults
    from rulelang.program.walk import free_slots

    binds = graph.nodes.binds
    if len(binds) != 1 or graph.nodes.stop_at_first_failure:
        return False
    domain = binds[0].domain
    if not (isinstance(domain, Apply) and domain.op == "members"):
        return False
    if not (isinstance(domain.type, ListType) and isinstance(domain.type.item, MemberType)):
        return False
    if Faults(program).may((graph.nodes, graph.edges)):
        return False
    parameters = {p.slot for p in graph.params}
    for edge in graph.edges:
        parts: list[Any] = [edge.target, *([edge.binds] if edge.binds is not None else [])]
        if free_slots(parts) & parameters or any(reads_state(program, part) for part in parts):
            return False
    return True
