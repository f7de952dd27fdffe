"""Frames of graphs: the nodes and edges that there can ever be, whatever the state, found while code is written.

A graph has a frame if its nodes are members of one domain, and what its edges lead to follows from rules alone. Which
of the nodes are there, and which of the edges, may still depend on the state: these conditions are the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from rulelang.program import Apply, Bind, Const, Edge, Expr, Fold, Graph, Local
from rulelang.program.analysis.free_variables import conjuncts, free_slots
from rulelang.program.analysis.reads import reads_state
from rulelang.structural import Structural, frozen
from rulelang.types import FlagType, ListType, MemberType, NothingType, NumberType, TupleType

from ...evaluation.meter import Undefined
from ..emit.emitter import Emitter
from ..layout.planes import MOST_MEMBERS
from ..layout.shapes import is_scalar
from ..masks import bits

MOST_EDGES = 8_000
"""Edges of a frame."""


@frozen
class FrameEdge(Structural):
    """An edge from node ``a`` to node ``b``, if the tests of the graph's edge ``kind`` hold.

    ``names``: the values of the node, and of the names that the edge binds. ``length``: None unless it never changes.
    """

    a: int
    b: int
    kind: int
    names: tuple[int, ...]
    length: int | None


@frozen
class Frame(Structural):
    """``size``: members of the domain. ``tests``: of each edge of the graph, what depends on the state.

    ``binds``: of each edge of the graph, the node and the names it binds.
    """

    size: int
    edges: tuple[FrameEdge, ...]
    tests: tuple[tuple[Expr, ...], ...]
    binds: tuple[tuple[Bind, ...], ...]

    @property
    def words(self) -> int:
        return bits.words_of(self.size)

    @property
    def is_fixed(self) -> bool:
        """Whether an edge is there whenever its nodes are."""
        return not any(self.tests)

    @property
    def most_beside(self) -> int:
        """How many ends of edges any member has at most."""
        ends = Counter(end for edge in self.edges for end in (edge.a, edge.b))
        return max(ends.values(), default=0)

    def near(self) -> tuple[int, ...]:
        """The neighbours of every member, as masks."""
        found = [0] * self.size
        for edge in self.edges:
            found[edge.a] |= 1 << edge.b
            found[edge.b] |= 1 << edge.a
        return tuple(found)

    def shifts(self) -> dict[int, int]:
        """By how much the number of a neighbour is higher, each with the mask of the neighbours for which it is."""
        found: dict[int, int] = {}
        for edge in self.edges:
            for a, b in ((edge.a, edge.b), (edge.b, edge.a)):
                found[b - a] = found.get(b - a, 0) | 1 << b
        return found


def frame(writer: Emitter, graph: Graph) -> Frame | None:
    """The frame of a graph that has one, if nothing in the graph may fault and a mask can hold its nodes."""
    known = writer.registry.frames
    if graph.name not in known:
        known[graph.name] = _frame(writer, writer.registry.known.program.graphs[graph.name])
    found: Frame | None = known[graph.name]
    return found


def _frame(writer: Emitter, graph: Graph) -> Frame | None:
    binds = graph.nodes.binds
    if len(binds) != 1 or graph.nodes.stop_at_first_failure:
        return None
    (bind,) = binds
    type_ = bind.domain.type
    if not (isinstance(bind.domain, Apply) and bind.domain.op == "members" and isinstance(type_, ListType)):
        return None
    if not isinstance(type_.item, MemberType) or len(type_.item.domain) > MOST_MEMBERS:
        return None
    if writer.faults.may((graph.nodes, graph.edges)):
        return None
    edges: list[FrameEdge] = []
    tests = []
    names = []
    for kind, edge in enumerate(graph.edges):
        split = _split(writer, graph, edge)
        if split is None:
            return None
        always, sometimes = split
        inner = (bind, *(edge.binds.binds if edge.binds is not None else ()))
        tests.append(tuple(sometimes))
        names.append(inner)
        try:
            edges += _edges(writer, graph, edge, always, kind)
        except Undefined:
            return None
        if len(edges) > MOST_EDGES:
            return None
    return Frame(len(type_.item.domain), tuple(edges), tuple(tests), tuple(names))


def _settled(writer: Emitter, graph: Graph, part: Expr | Sequence[Expr]) -> bool:
    """Whether something follows from rules alone, and is the same whatever the graph is given."""
    return not free_slots(part) & {param.slot for param in graph.params} and not reads_state(writer.program, part)


def members(writer: Emitter, graph: Graph) -> list[int] | None:
    """The nodes of a graph that has a frame, if they never change."""
    (node,) = graph.nodes.binds
    assert isinstance(node.type, MemberType)
    condition = graph.nodes.condition
    every = range(len(node.type.domain))
    if condition is None:
        return list(every)
    if not _settled(writer, graph, condition):
        return None
    found = []
    for member in every:
        local: list[int | None] = [None] * graph.frame
        local[node.slot] = member
        if writer.registry.known.evaluate(condition, local):
            found.append(member)
    return found


def _split(writer: Emitter, graph: Graph, edge: Edge) -> tuple[list[Expr], list[Expr]] | None:
    """The conditions of an edge that follow from rules alone, and the others; None where its ends do not."""

    def settled(part: Expr | Sequence[Expr]) -> bool:
        return _settled(writer, graph, part)

    if not settled(edge.target):
        return None
    if edge.binds is None:
        return [], []
    if not all(settled(bind.domain) for bind in edge.binds.binds):
        return None
    parts = conjuncts(edge.binds.condition)
    if edge.binds.stop_at_first_failure:
        return (parts, []) if settled([*parts, *conjuncts(edge.binds.passing)]) else None
    sometimes = [part for part in parts if not settled(part)]
    if sometimes and not all(is_scalar(bind.type) for bind in edge.binds.binds):
        return None
    return [part for part in parts if part not in sometimes], sometimes


def _edges(writer: Emitter, graph: Graph, edge: Edge, always: Sequence[Expr], kind: int) -> Iterator[FrameEdge]:
    """All edges of one kind, found by the reference engine's code for expressions."""
    (node,) = graph.nodes.binds
    length = edge.length if edge.length is not None else Const(1, NumberType(1, 1), span=edge.span)
    if not _settled(writer, graph, length):
        length = Const(None, NothingType(), span=edge.span)
    named = [bind for bind in edge.binds.binds if is_scalar(bind.type)] if edge.binds is not None else []
    parts = (edge.target, length, *(Local(bind.slot, bind.name, bind.type) for bind in named))
    row: Expr = Apply("tuple", parts, TupleType(tuple(part.type for part in parts)), span=edge.span)
    if edge.binds is None:
        row = Apply("list", (row,), ListType(row.type), span=edge.span)
    else:
        binds = edge.binds
        if not binds.stop_at_first_failure:
            binds = attrs.evolve(binds, condition=_all(always))
        row = Fold("list", row, binds, ListType(row.type), span=edge.span)
    for member in range(len(node.domain.type.item.domain)):  # type: ignore[union-attr]
        local: list[int | None] = [None] * graph.frame
        local[node.slot] = member
        for target, steps, *names in writer.registry.known.evaluate(row, local):
            if target is not None and target != member:
                yield FrameEdge(member, target, kind, (member, *names), steps)


def _all(parts: Sequence[Expr]) -> Expr | None:
    """The parts of a condition as one."""
    found: Expr | None = None
    for part in parts:
        found = part if found is None else Apply("and", (found, part), FlagType(), span=part.span)
    return found
