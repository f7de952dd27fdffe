"""Code for groups and trails of graphs.

In a graph that has a frame a group is a mask that grows from a node (``frames``, ``floods``). Any other graph lists its
nodes, and joins the ends of every edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulelang.program import ByLength, Edge, Fold, Graph, GroupOf, Groups, LongestTrail, Ways
from rulelang.program.analysis.cardinality import MOST
from rulelang.types import ListType, MemberType, NumberType, OptionalType, SetType, TupleType

from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, Val, load_value
from ..layout.addresses import KEPT_ROOM
from ..layout.shapes import WORD, components, holds_addresses, mask_size, words
from ..masks import bits
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E
from . import conversions, floods, shared
from .conversions import as_set
from .iteration import iterate_mask, iterate_value
from .shared import arguments as checked

Push = Callable[[Val], None]

COUNT = NumberType(0, 2**20)

FEW = 16
"""Arguments of a graph up to which its groups are remembered."""


def given_to(writer: Emitter, graph: Graph, arguments: tuple, env: Env) -> dict[int, Val]:  # type: ignore[type-arg]
    return checked(writer, arguments, graph.params, graph.name, env)


def group_of(writer: Emitter, expr: GroupOf, env: Env) -> Val:
    graph = writer.program.graphs[expr.graph]
    mask = writer.group(expr, env)
    if mask is not None:
        return of_mask(writer, expr.type, Mask(mask))  # type: ignore[arg-type]
    given = given_to(writer, graph, expr.arguments, env)
    node_type = graph.node_type
    node = writer.fix(writer.value(expr.node, env))
    name, args = _joined(writer, graph, given)
    nodes = writer.b.fix(ir.call(name, args))
    parents = writer.b.fix(ir.load(nodes))
    nodes = writer.b.fix(ir.load(nodes, WORD))
    order = conversions.row(writer, node_type)
    found = writer.b.let(ir.const(writer.memory.constant([0])))
    inner = node
    there: E = ir.ONE
    if isinstance(node.type, OptionalType):
        there = registry.is_some(node)
        inner = registry.held(node)
    with writer.b.if_(there):
        row = writer.b.fix(ir.call("alloc", (ir.const(WORD * words(node_type)),)))
        writer.store(row, writer.fit(inner, node_type))
        at = writer.b.fix(ir.call("find", (nodes, row, order)))
        with writer.b.if_(at >= 0):
            root = ir.call("root", (parents, at))
            writer.b.set(found, ir.call("group_of", (nodes, parents, root, order)))
    return as_group(writer, expr.type, writer.b.get(found))  # type: ignore[arg-type]


def as_group(writer: Emitter, type_: SetType, address: E) -> Val:
    """A group that the kernel made, a list in rising order, as a set of the type."""
    if mask_size(type_) is None:
        return Val(type_, (address,))
    return as_set(writer, Val(ListType(type_.item), (address,)), type_)


def group_mask(writer: Emitter, expr: GroupOf, env: Env) -> Mask | None:
    """The group as a mask, fixed, where its graph has a frame."""
    graph = writer.program.graphs[expr.graph]
    near = _near(writer, graph)
    if near is None:
        return None
    given = given_to(writer, graph, expr.arguments, env)
    start = writer.fix(writer.value(expr.node, env))
    return floods.group(writer, graph, given, near, start)


def _near(writer: Emitter, graph: Graph) -> floods.GraphFrame | None:
    """The frame by which groups are written out, if they are."""
    return None if writer.crowded else floods.frame_of(writer, graph)


def of_mask(writer: Emitter, type_: SetType, mask: Mask) -> Val:
    """The members of a mask as a set."""
    if mask_size(type_) is not None:
        return Val(type_, mask.words)
    item = type_.item
    return Val(type_, (writer.listed(type_, lambda push: iterate_mask(writer, mask, item, push)),))


def each_group(writer: Emitter, expr: Groups, env: Env, visit: Callable[[Mask], None]) -> bool:
    """Writes ``visit`` for every group, by its first node, where the graph has a frame; else False."""
    graph = writer.program.graphs[expr.graph]
    near = _near(writer, graph)
    if near is None:
        return False
    floods.each_group(writer, graph, given_to(writer, graph, expr.arguments, env), near, visit)
    return True


def groups(writer: Emitter, expr: Groups, env: Env) -> Val:
    graph = writer.program.graphs[expr.graph]
    assert isinstance(expr.type, ListType) and isinstance(expr.type.item, SetType)
    set_type = expr.type.item
    near = _near(writer, graph)
    given = given_to(writer, graph, expr.arguments, env)
    if near is not None:

        def masks(push: Callable[[Val], None]) -> None:
            floods.each_group(writer, graph, given, near, lambda mask: push(of_mask(writer, set_type, mask)))

        return Val(expr.type, (writer.listed(expr.type, masks),))
    made = shared.function(writer, "m", graph, given, None, lambda w, env: _write_groups(w, graph, env))
    writer.calling(made.name)
    found = writer.b.fix(ir.call(made.name, made.arguments(given)))
    if mask_size(set_type) is None:
        return Val(expr.type, (found,))
    rows = Val(ListType(ListType(set_type.item)), (found,))
    return Val(
        expr.type,
        (
            writer.listed(
                expr.type,
                lambda push: iterate_value(
                    writer, rows, lambda row: push(as_set(writer, row, set_type)), release=False
                ),
            ),
        ),
    )


def _write_groups(writer: Emitter, graph: Graph, given: Mapping[int, Val]) -> E:
    """The body of a function that gives all groups of a graph, as a list of addresses of lists.

    Where only the pieces in grids decide on them, they are remembered until a grid changes, outside the arena.
    """
    b = writer.b

    def work_out() -> E:
        name, args = _joined(writer, graph, given)
        both = b.fix(ir.call(name, args))
        parents, nodes = b.fix(ir.load(both)), b.fix(ir.load(both, WORD))
        return writer.runtime("groups", nodes, parents, conversions.row(writer, graph.node_type))

    moving = [p for p in graph.params if not given[p.slot].is_const]
    size = 1
    if moving:
        type_ = moving[0].type
        size = registry.size_of(type_) if len(moving) == 1 and isinstance(type_, MemberType) else FEW + 1
    slots = writer.registry.remembered(graph, size) if size <= FEW else None
    if slots is None:
        return work_out()
    index = given[moving[0].slot].one if moving else ir.ZERO
    at = b.fix(index * (2 * WORD) + slots)
    found = b.let(ir.load(at, WORD))
    with b.if_(ir.ne(ir.load(at), ir.global_("version"))):
        mark = b.fix(ir.global_("top"))
        room = b.fix(ir.binary("lt_u", ir.global_("kept"), ir.global_("kept_from") + KEPT_ROOM // 2))
        with b.if_(room):
            b.set_global("top", ir.global_("kept"))
            b.set_global("limit", ir.global_("kept_from") + KEPT_ROOM)
        b.set(found, work_out())
        with b.if_(room):
            b.set_global("kept", ir.global_("top"))
            b.set_global("limit", ir.global_("kept_from"))
            b.set_global("top", mark)
            b.store(at, ir.global_("version"))
            b.store(at, b.get(found), WORD)
    return b.get(found)


def _joined(writer: Emitter, graph: Graph, given: Mapping[int, Val]) -> tuple[str, list[E]]:
    """A function that gives the address of (parents, nodes) of a graph, and its arguments."""
    made = shared.function(writer, "g", graph, given, None, lambda w, env: _write_joined(w, graph, env))
    writer.calling(made.name)
    return made.name, made.arguments(given)


def _write_joined(writer: Emitter, graph: Graph, given: Mapping[int, Val]) -> E:
    """The body of a function that gives the address of (parents, nodes)."""
    parents = writer.b.local()
    nodes = nodes_of(writer, graph, given)
    writer.b.set(parents, ir.call("singles", (ir.load(nodes),)))
    _edges(writer, graph, given, nodes, lambda a, b: writer.b.call("join", (writer.b.get(parents), a, b)))
    return pair_of(writer, writer.b.get(parents), nodes)


def _write_edges(writer: Emitter, graph: Graph, given: Mapping[int, Val]) -> E:
    """The body of a function that gives the address of (edges, nodes).

    The edges are a list of pairs of numbers of nodes, the lower first, each once, in rising order.
    """
    nodes = nodes_of(writer, graph, given)
    pair = TupleType((COUNT, COUNT))

    def pairs(push: Push) -> None:
        def edge(a: E, b: E) -> None:
            with writer.b.if_(ir.ne(a, b)):
                swapped = b < a
                push(Val(pair, (ir.select(swapped, b, a), ir.select(swapped, a, b))))

        _edges(writer, graph, given, nodes, edge)

    edges = writer.listed(ListType(pair), pairs)
    return pair_of(writer, writer.runtime("rising", edges, ir.const(2)), nodes)


def pair_of(writer: Emitter, a: E, b: E) -> E:
    both = writer.runtime("alloc", ir.const(2 * WORD))
    writer.b.store(both, a)
    writer.b.store(both, b, WORD)
    return both


def nodes_of(writer: Emitter, graph: Graph, given: Mapping[int, Val]) -> E:
    """The nodes in the order in which they are found, each once."""
    slots = [bind.slot for bind in graph.nodes.binds]
    node_type = graph.node_type

    def collect(push: Push) -> None:
        writer.run(
            graph.nodes,
            given,
            lambda env: push(Val(node_type, tuple(p for slot in slots for p in env[slot].parts))),
            release=not holds_addresses(node_type),
        )

    nodes = writer.listed(ListType(node_type), collect)
    if any(writer.repeats.may(bind.domain) for bind in graph.nodes.binds):
        nodes = writer.runtime("distinct", nodes, conversions.row(writer, node_type))
    return nodes


def _edges(writer: Emitter, graph: Graph, given: Mapping[int, Val], nodes: E, visit: Callable[[E, E], None]) -> None:
    """Writes ``visit`` for the numbers of the two ends of every edge as it is found, from both ends perhaps."""
    edges_of(writer, graph, given, nodes, lambda a, b, edge, env: visit(a, b))


def edges_of(
    writer: Emitter, graph: Graph, given: Mapping[int, Val], nodes: E, visit: Callable[[E, E, Edge, Env], None]
) -> None:
    """The same, with the edge and the values by which its length can be worked out."""
    b = writer.b
    size = words(graph.node_type)
    order = conversions.row(writer, graph.node_type)
    row = writer.runtime("alloc", ir.const(WORD * size))
    at, number = b.let(nodes + WORD), b.let(ir.ZERO)

    def reach(target: Val, me: E, edge: Edge, env: Env) -> None:
        there: E = ir.ONE
        if isinstance(target.type, OptionalType):
            target = writer.fix(target)
            there, target = registry.is_some(target), registry.held(target)
        with b.if_(there):
            writer.store(row, writer.fit(target, graph.node_type))
            other = b.fix(ir.call("find", (nodes, row, order)))
            with b.if_(other >= 0):
                visit(me, other, edge, env)

    with b.block() as done:
        b.br_if(done, ir.not_(ir.load(nodes)))
        most = writer.bounds.combinations(graph.nodes)
        with b.loop(most if most < MOST else None) as again:
            here, me = b.fix(b.get(at)), b.fix(b.get(number))
            env = dict(given)
            offset = 0
            for bind in graph.nodes.binds:
                env[bind.slot] = writer.fix(registry.load_value(here, bind.type, offset))
                offset += WORD * words(bind.type)
            mark = b.fix(ir.global_("top"))
            for edge in graph.edges:
                if edge.binds is None:
                    reach(writer.value(edge.target, env), me, edge, env)
                else:
                    writer.run(
                        edge.binds,
                        env,
                        lambda inner, edge=edge, me=me: reach(writer.value(edge.target, inner), me, edge, inner),  # type: ignore[misc]
                    )
            b.set_global("top", mark)
            b.add(at, WORD * size)
            b.add(number, 1)
            b.br_if(again, ir.binary("lt_u", b.get(number), ir.load(nodes)))


def longest_trail(writer: Emitter, expr: LongestTrail, env: Env) -> Val:
    """The kernel finds it, given the nodes, the edges and what is counted at each node."""
    graph = writer.program.graphs[expr.graph]
    given = given_to(writer, graph, expr.arguments, env)
    made = shared.function(writer, "e", graph, given, None, lambda w, env: _write_edges(w, graph, env))
    writer.calling(made.name)
    both = writer.b.fix(ir.call(made.name, made.arguments(given)))
    edges, nodes = writer.b.fix(ir.load(both)), writer.b.fix(ir.load(both, WORD))
    types = graph.node_type.items if len(expr.slots) > 1 else (graph.node_type,)  # type: ignore[union-attr]

    def measured(push: Push) -> None:
        def one(node: Val) -> None:
            inner = dict(env)
            start = 0
            for slot, type_ in zip(expr.slots, types, strict=True):
                number = len(components(type_))
                inner[slot] = Val(type_, node.parts[start : start + number])
                start += number
            push(writer.value(expr.measure, inner))

        iterate_value(
            writer, Val(ListType(graph.node_type), (nodes,)), one, release=not holds_addresses(expr.measure.type)
        )

    measures = writer.listed(ListType(expr.measure.type), measured)
    return Val(
        expr.type,
        (writer.runtime("longest_trail", nodes, edges, measures, conversions.row(writer, expr.measure.type)),),
    )


# Code for ways: a search that remembers, for each step of the way so far, which others are still to be tried.


FRAME = 3 * WORD
"""What is remembered of a step: the address of the next one to try, of the end of them, and the top of the arena."""


def ways(writer: Emitter, expr: Ways, env: Env) -> Val:
    """All ways, as a list of lists in the arena."""
    assert isinstance(expr.type, ListType)
    b, step = writer.b, expr.step_type
    size = WORD * words(step)
    start = writer.fix(writer.fitted(expr.start, step, env))
    way = writer.runtime("alloc", ir.const(WORD + size * (expr.most + 1)))
    frames = writer.runtime("alloc", ir.const(FRAME * (expr.most + 1)))
    b.store(way, ir.ONE)
    writer.store(way, start, WORD)
    inner = {**env, expr.slot: Val(ListType(step, filled=True), (way,))}
    depth, floor = b.local(), b.local()  # steps made; below the floor lie ways that have been found

    def found(push: Callable[[Val], None]) -> None:
        copy = writer.runtime("copy_list", way, ir.const(words(step)))
        push(Val(ListType(step, filled=True), (copy,)))
        b.set(floor, ir.global_("top"))

    def search(push: Callable[[Val], None]) -> None:
        with b.loop() as onwards, writer.moved(way):
            frame = b.fix(frames + b.get(depth) * FRAME)
            b.store(frame, ir.global_("top"), 2 * WORD)
            further = _further(writer, expr, inner)
            number = b.fix(ir.load(further))
            with b.if_(ir.both(ir.ne(number, 0), ir.eq(b.get(depth), expr.most))):
                writer.fault("steps", name=expr.name, most=expr.most)
            with b.if_(b.get(depth)):
                ends = ir.not_(number) if expr.end is None else writer.flag(expr.end, inner)
                with b.if_(ends):
                    found(push)
            first = b.fix(further + WORD)
            b.store(frame, first)
            b.store(frame, first + number * size, WORD)
            with b.loop() as back:
                _try_next(writer, expr, way, frames, depth, onwards)
                here = b.fix(frames + b.get(depth) * FRAME)
                mark = b.fix(ir.load(here, 2 * WORD))
                b.set_global("top", ir.select(ir.binary("gt_u", b.get(floor), mark), b.get(floor), mark))
                b.add(depth, -1)
                b.br_if(back, b.get(depth) >= 0)

    b.set(depth, ir.ZERO)
    b.set(floor, ir.ZERO)
    return Val(expr.type, (writer.listed(expr.type, search),))


def _further(writer: Emitter, expr: Ways, env: Env) -> E:
    """The address of a new list of what the next step can lead to, each once."""
    type_ = ListType(expr.step_type)
    size = ir.const(words(expr.step_type))
    listed = writer.fitted(expr.steps, type_, env).one
    if not isinstance(expr.steps, Fold):
        listed = writer.runtime("copy_list", listed, size)
    return writer.runtime("distinct", listed, size)


def _try_next(writer: Emitter, expr: Ways, way: E, frames: E, depth: int, onwards: str) -> None:
    """Goes a step on, if there is one left to try."""
    b, step = writer.b, expr.step_type
    size = WORD * words(step)
    frame = b.fix(frames + b.get(depth) * FRAME)
    at = b.fix(ir.load(frame))
    with b.if_(ir.binary("lt_u", at, ir.load(frame, WORD))):
        b.store(frame, at + size)
        b.add(depth, 1)
        place = b.fix(way + b.get(depth) * size)
        writer.store(place, writer.fix(load_value(at, step)), WORD)
        b.store(way, b.get(depth) + 1)
        b.br(onwards)
    # What is given up is no longer part of the way.
    b.store(way, b.get(depth))


# Code for what the lengths of edges tell: the kernel finds it, given the nodes and the edges.


ANY = NumberType(0, 2**31 - 1)


def way(writer: Emitter, expr: ByLength, env: Env) -> Val:
    """The ends of a way are worked out before the graph."""
    graph = writer.program.graphs[expr.graph]
    given = given_to(writer, graph, expr.arguments, env)
    ends = [writer.fix(writer.value(end, env)) for end in expr.ends]
    known = floods.settled(writer, graph)
    if expr.word == "within" or (expr.word == "shortest" and known is None):
        near = _near(writer, graph)
        if near is not None and near.is_even and not any(edge.one_way for edge in graph.edges):
            return _by_steps(writer, expr, graph, given, near, ends)
    if known is not None and expr.word in ("shortest", "within") and (table := known.table(writer)) is not None:
        return _looked_up(writer, expr, ends, known.size, table)
    return _searched(writer, expr, graph, given, known, ends)


def _searched(
    writer: Emitter,
    expr: ByLength,
    graph: Graph,
    given: dict[int, Val],
    known: floods.SettledGraph | None,
    ends: Sequence[Val],
) -> Val:
    """What the kernel finds in a list of edges."""
    if known is not None:
        edges, nodes = map(ir.const, known.lists(writer))
    else:
        made = shared.function(writer, "w", graph, given, None, lambda w, inner: _write_lengths(w, graph, inner))
        writer.calling(made.name)
        both = writer.b.fix(ir.call(made.name, made.arguments(given)))
        edges, nodes = writer.b.fix(ir.load(both)), writer.b.fix(ir.load(both, WORD))
    if expr.word == "longest_trail":
        found = writer.runtime("longest_by_length", nodes, edges)
        with writer.b.if_(found < 0):
            writer.fault("many edges")
        return Val(expr.type, (found,))
    start = _number(writer, graph, nodes, ends[0])
    if expr.word == "within":
        row, order = ir.const(words(graph.node_type)), conversions.row(writer, graph.node_type)
        found = writer.runtime("within", nodes, edges, start, ends[1].one, row, order)
        assert isinstance(expr.type, SetType)
        return as_group(writer, expr.type, found)
    end = _number(writer, graph, nodes, ends[1])
    if expr.word == "shortest":
        return Val(expr.type, (writer.runtime("shortest", nodes, edges, start, end),))
    return Val(expr.type, (writer.runtime("shortest_way", nodes, edges, start, end, ir.const(words(graph.node_type))),))


def _by_steps(
    writer: Emitter, expr: ByLength, graph: Graph, given: Env, near: floods.GraphFrame, ends: Sequence[Val]
) -> Val:
    """How far one end is from the other, or what lies within a distance, where all edges have the length 1 and never
    change: a mask of nodes grows step by step."""
    b = writer.b
    among = floods.every_node(writer, graph, given)

    def node(end: Val) -> Mask:
        return bits.fixed(b, bits.single(b, end.one, near.words) & among)

    first = node(ends[0])
    if expr.word == "within":
        most = b.fix(ends[1].one)
        first = first & bits.all_or_none(b.fix(most >= 0), near.words)
        seen, _ = floods.spread(writer, near, among, first, lambda _, steps: steps >= most)
        assert isinstance(expr.type, SetType)
        return of_mask(writer, expr.type, seen)
    last = node(ends[1])
    found = floods.spread(writer, near, among, first, lambda seen, _: ir.not_(bits.is_empty(seen & last)))
    reached = ir.not_(bits.is_empty(found[0] & last))
    return Val(expr.type, (ir.select(reached, found[1], ir.const(-1)),))


def _looked_up(writer: Emitter, expr: ByLength, ends: Sequence[Val], size: int, table: int) -> Val:
    """How far one end is from the other, or what lies within a distance, from a table of all distances."""
    b = writer.b
    row = b.fix(ends[0].one * (2 * size))
    if expr.word == "shortest":
        column = ends[1].one * 2
        return Val(expr.type, (ir.load(row + column, table, width="16_s"),))
    most = ends[1].one
    found = bits.MaskVariable(b, bits.constant(0, bits.words_of(size)))
    with b.counting(ir.const(size)) as i:
        member = b.fix(i)
        length = b.fix(ir.load(member * 2 + row, table, width="16_s"))
        near = ir.both(length >= 0, length <= most)
        with b.if_(near):
            found.add(bits.single(b, member, bits.words_of(size)))
    assert isinstance(expr.type, SetType)
    return of_mask(writer, expr.type, bits.fixed(b, found.now))


def _number(writer: Emitter, graph: Graph, nodes: E, node: Val) -> E:
    """The number of a node, from 0; -1 for what is not one."""
    row = writer.runtime("alloc", ir.const(WORD * words(graph.node_type)))
    writer.store(row, writer.fit(node, graph.node_type))
    return writer.b.fix(ir.call("find", (nodes, row, conversions.row(writer, graph.node_type))))


def _write_lengths(writer: Emitter, graph: Graph, given: Mapping[int, Val]) -> E:
    """The body of a function that gives the address of (edges, nodes).

    The edges are a list of the numbers of two nodes and a length, once for each direction, in rising order.
    """
    nodes = nodes_of(writer, graph, given)
    triple = TupleType((COUNT, COUNT, ANY))

    def triples(push: Push) -> None:
        def visit(a: E, b: E, edge: Edge, env: Env) -> None:
            length = ir.ONE if edge.length is None else writer.b.fix(writer.scalar(edge.length, env))
            with writer.b.if_(ir.ne(a, b)):
                push(Val(triple, (a, b, length)))
                if not edge.one_way:
                    push(Val(triple, (b, a, length)))

        edges_of(writer, graph, given, nodes, visit)

    listed = writer.listed(ListType(triple), triples)
    return pair_of(writer, writer.runtime("rising", listed, ir.const(3)), nodes)
