"""Code for what the lengths of edges tell: the kernel finds it, given the nodes and the edges."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.program import ByLength, Edge, Graph
from rulelang.types import ListType, NumberType, OptionalType, SetType, TupleType

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.shapes import WORD, words
from ..wat import ir
from ..wat.ir import E
from . import graphs, ordering, shared
from .graphs import COUNT, Push

ANY = NumberType(0, 2**31 - 1)


def way(writer: Emitter, expr: ByLength, env: Env) -> Val:
    """The ends of a way are worked out before the graph."""
    graph = writer.program.graphs[expr.graph]
    given = graphs.given_to(writer, graph, expr.arguments, env)
    ends = [writer.fix(writer.value(end, env)) for end in expr.ends]
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
