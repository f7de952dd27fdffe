"""Graphs that never change, with lengths: their nodes and edges as constants, and how far apart they are as a table."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import attrs

from rulelang.program import Graph

from ...evaluation.lengths import Ways
from ...evaluation.meter import Undefined
from ..emit.emitter import Emitter
from . import frames

MOST_NODES = 100
"""Members of a domain up to which there is a table of all distances."""

NONE = -1
"""Stands in the table where there is no way."""


@attrs.define
class Settled:
    """``size``: members of the domain. ``ways``: the nodes and edges, worked out as the reference engine does."""

    size: int
    ways: Ways
    _table: int | None = None

    def lists(self, writer: Emitter) -> tuple[int, int]:
        """The addresses of (edges, nodes), as the kernel wants them."""
        edges = [
            (here, there, length) for here, near in enumerate(self.ways.near) for there, length in sorted(near.items())
        ]
        nodes = writer.memory.constant([len(self.ways.nodes), *self.ways.nodes])
        return writer.memory.constant([len(edges), *(word for edge in edges for word in edge)]), nodes

    def table(self, writer: Emitter) -> int | None:
        """The address of the distances from every member to every other, two bytes each; None if there is no table."""
        if self._table is None and self.size <= MOST_NODES:
            self._table = self._written(writer)
        return self._table

    def _written(self, writer: Emitter) -> int | None:
        table = [[NONE] * self.size for _ in range(self.size)]
        for start in self.ways.nodes:
            for number, length in self.ways.reached(start).items():
                table[start][self.ways.nodes[number]] = length
        if max((length for row in table for length in row), default=0) > 0x7FFF:
            return None
        return writer.memory.constant_bytes(b"".join(struct.pack(f"<{self.size}h", *row) for row in table), 2)


def settled(writer: Emitter, graph: Graph) -> Settled | None:
    """What is known of a graph while code is written, if neither the state nor what it is given decides anything."""
    known = writer.registry.distances
    if graph.name not in known:
        known[graph.name] = _settled(writer, writer.registry.known.program.graphs[graph.name])
    found: Settled | None = known[graph.name]
    return found


def _settled(writer: Emitter, graph: Graph) -> Settled | None:
    frame = frames.frame(writer, graph)
    if frame is None or not frame.is_fixed or any(edge.length is None for edge in frame.edges):
        return None
    nodes = frames.members(writer, graph)
    if nodes is None:
        return None

    leading: dict[int, list[frames.FrameEdge]] = {}
    for edge in frame.edges:
        leading.setdefault(edge.a, []).append(edge)

    def ends(cells: object, numbers: dict[int, int], node: int) -> Iterator[tuple[int, int, bool]]:
        for edge in leading.get(node, ()):
            if edge.b in numbers and edge.length is not None:
                yield edge.b, edge.length, not graph.edges[edge.kind].one_way

    try:
        return Settled(frame.size, Ways(lambda cells: nodes, ends, [], ()))
    except Undefined:
        return None
