"""Code for what the lengths of edges tell: the kernel finds it, given the nodes and the edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulelang.program import ByLength, Edge, Graph
from rulelang.types import ListType, NumberType, OptionalType, SetType, TupleType

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.shapes import WORD, words
from ..masks import bits
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E
from . import distances, graphs, ordering, shared
from .graphs import COUNT, Push

ANY = NumberType(0, 2**31 - 1)


def way(writer: Emitter, expr: ByLength, env: Env) -> Val:
    """The ends of a way are worked out before the graph."""
    graph = writer.program.graphs[expr.graph]
    given = graphs.given_to(writer, graph, expr.arguments, env)
    ends = [writer.fix(writer.value(end, env)) for end in expr.ends]
    known = distances.settled(writer, graph)
    if known is not None and expr.word in ("shortest", "within") and (table := known.table(writer)) is not None:
        return _looked_up(writer, expr, ends, known.size, table)
    if known is not None:
        edges, nodes = map(ir.const, known.lists(writer))
    else:
        made = shared.function(writer, "w", graph, given, None, lambda w, inner: _write_lengths(w, graph, inner))
        writer.calling(made.name)
        both = writer.b.fix(ir.call(made.name, made.arguments(given)))
        edges, nodes = writer.b.fix(ir.load(both)), writer.b.fix(ir.load(both, WORD))
    if expr.word == "longest_trail":
        found = writer.runtime("longest_by_length", nodes, edges)
        with writer.b.if_(ir.lt(found, ir.ZERO)):
            writer.fault("many edges")
        return Val(expr.type, (found,))
    start = _number(writer, graph, nodes, ends[0])
    if expr.word == "within":
        row, order = ir.const(words(graph.node_type)), ordering.row(writer, graph.node_type)
        found = writer.runtime("within", nodes, edges, start, ends[1].one, row, order)
        assert isinstance(expr.type, SetType)
        return graphs.as_group(writer, expr.type, found)
    end = _number(writer, graph, nodes, ends[1])
    if expr.word == "shortest":
        return Val(expr.type, (writer.runtime("shortest", nodes, edges, start, end),))
    return Val(expr.type, (writer.runtime("shortest_way", nodes, edges, start, end, ir.const(words(graph.node_type))),))


def _looked_up(writer: Emitter, expr: ByLength, ends: Sequence[Val], size: int, table: int) -> Val:
    """How far one end is from the other, or what lies within a distance, from a table of all distances."""
    b = writer.b
    there: E = ir.ONE
    places = []
    for end in ends if expr.word == "shortest" else ends[:1]:
        if isinstance(end.type, OptionalType):
            there = ir.both(there, values.is_some(end))
            end = values.held(end)
        places.append(end.one)
    there = b.fix(there)
    row = b.fix(ir.mul(ir.select(there, places[0], ir.ZERO), ir.const(2 * size)))
    if expr.word == "shortest":
        column = ir.mul(ir.select(there, places[1], ir.ZERO), ir.const(2))
        length = ir.load(ir.add(row, column), table, width="16_s")
        return Val(expr.type, (ir.select(there, length, ir.const(distances.NONE)),))
    most = b.fix(ir.select(there, ends[1].one, ir.const(-1)))
    found = [b.local("i64") for _ in range(bits.words_of(size))]
    for local in found:
        b.set(local, ir.ZERO64)
    with b.counting(ir.const(size)) as i:
        member = b.fix(i)
        length = b.fix(ir.load(ir.add(ir.mul(member, ir.const(2)), row), table, width="16_s"))
        near = ir.both(ir.ge(length, ir.ZERO), ir.le(length, most))
        with b.if_(near):
            for local, word in zip(found, bits.single(b, member, len(found)).words, strict=True):
                b.set(local, ir.binary("or", b.get(local), word))
    assert isinstance(expr.type, SetType)
    return graphs.of_mask(writer, expr.type, bits.fixed(b, Mask(tuple(b.get(local) for local in found))))


def _number(writer: Emitter, graph: Graph, nodes: E, node: Val) -> E:
    """The number of a node, from 0; -1 for what is not one."""
    b = writer.b
    found = b.local()
    b.set(found, ir.const(-1))
    there: E = ir.ONE
    if isinstance(node.type, OptionalType):
        there, node = values.is_some(node), values.held(node)
    with b.if_(there):
        row = writer.runtime("alloc", ir.const(WORD * words(graph.node_type)))
        writer.store(row, writer.fit(node, graph.node_type))
        b.set(found, ir.call("find", (nodes, row, ordering.row(writer, graph.node_type))))
    at = b.fix(b.get(found))
    return b.fix(ir.select(ir.lt(at, ir.ZERO), ir.const(-1), at))


def _write_lengths(writer: Emitter, graph: Graph, given: Mapping[int, Val]) -> E:
    """The body of a function that gives the address of (edges, nodes).

    The edges are a list of the numbers of two nodes and a length, once for each direction, in rising order.
    """
    nodes = graphs.nodes_of(writer, graph, given)
    triple = TupleType((COUNT, COUNT, ANY))

    def triples(push: Push) -> None:
        def visit(a: E, b: E, edge: Edge, env: Env) -> None:
            length = ir.ONE if edge.length is None else writer.b.fix(writer.scalar(edge.length, env))
            with writer.b.if_(ir.ne(a, b)):
                push(Val(triple, (a, b, length)))
                if not edge.one_way:
                    push(Val(triple, (b, a, length)))

        graphs.edges_of(writer, graph, given, nodes, visit)

    listed = writer.listed(ListType(triple), triples)
    return graphs.pair_of(writer, writer.runtime("rising", listed, ir.const(3)), nodes)
