"""Groups of graphs that have a frame, as masks that grow from a node.

Which members are nodes is a mask where planes can say it. Where the edges never change a group then grows from all its
nodes at once: by shifts on a board, where few differences between the numbers of neighbours occur; node by node over a
table of neighbours in any other graph. Else each member and each edge that a group comes to is tested by itself.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import attrs

from rulelang.program import Apply, Bind, Const, Edge, Expr, Fold, Graph, Local
from rulelang.program.analysis.effects import reads_state
from rulelang.program.walk import conjuncts, free_slots
from rulelang.structural import Structural, frozen
from rulelang.types import FlagType, ListType, MemberType, NothingType, NumberType, OptionalType, TupleType

from ...evaluation.lengths import Ways
from ...evaluation.meter import Undefined
from ..emit import registry
from ..emit.emitter import Emitter
from ..emit.registry import Env, Val
from ..layout.shapes import MOST_MEMBERS, WORD, is_scalar
from ..masks import bits, masks
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E
from .iteration import iterate_mask

MOST_SHIFTS = 32
"""Shifts of words in one round of growth up to which it beats going from node to node."""


def nodes(writer: Emitter, graph: Graph, given: Env) -> Mask | None:
    """The members that are nodes, fixed, where masks can say that."""
    if graph.nodes.condition is None:
        domain = graph.nodes.binds[0].domain.type
        return bits.whole(len(domain.item.domain))  # type: ignore[union-attr]
    return masks.all_masked(writer, graph.nodes, conjuncts(graph.nodes.condition), given)


def every_node(writer: Emitter, graph: Graph, given: Env) -> Mask:
    """The members that are nodes, fixed; where masks cannot say that, each is tested."""
    b = writer.b
    among = b.attempt(lambda: nodes(writer, graph, given))
    if among is not None:
        return bits.fixed(b, among)
    (bind,) = graph.nodes.binds
    words = bits.words_of(registry.size_of(bind.type))
    found = bits.MaskVariable(b, bits.constant(0, words))
    writer.run(graph.nodes, given, lambda env: found.add(bits.single(b, env[bind.slot].one, words)))
    return bits.fixed(b, found.now)


def group(writer: Emitter, graph: Graph, given: Env, around: GraphFrame, start: Val) -> Mask:
    """The group of ``start``, a member or none, fixed; nothing if it is no node."""
    b = writer.b
    here: E = ir.ONE
    if isinstance(start.type, OptionalType):
        here = registry.is_some(start)
    among = b.attempt(lambda: nodes(writer, graph, given))
    if among is None or not around.is_fixed:
        return _by_tests(writer, graph, given, around, among, b.fix(start.one), here)
    first = bits.single(b, start.one, around.words)
    if not (here.is_const and here.value):
        first &= bits.all_or_none(b.fix(here), around.words)
    return grown(writer, around, among, first & among)


def grown(writer: Emitter, around: GraphFrame, among: Mask, first: Mask) -> Mask:
    """All nodes that can be reached from some; ``among``: the nodes there are, fixed."""
    b, shifts = writer.b, around.shifts()
    seen = bits.MaskVariable(b, first)
    if around.words == 1 and around.near() == _ring(around.size):
        _grow_on_ring(writer, among, seen, around.size)
    elif len(shifts) * around.words <= MOST_SHIFTS:
        _grow_by_shifts(writer, shifts, among, seen)
    else:
        return spread(writer, around, among, first, lambda *_: ir.ZERO)[0]
    return bits.fixed(b, seen.now)


def _ring(size: int) -> tuple[int, ...]:
    """The neighbours on a ring."""
    return tuple(1 << (i + 1) % size | 1 << (i - 1) % size for i in range(size))


def _grow_on_ring(writer: Emitter, among: Mask, seen: bits.MaskVariable, size: int) -> None:
    """On a ring a group grows on both sides by one node at a time."""
    b = writer.b
    one, rest = ir.const(1, "i64"), ir.const(size - 1, "i64")
    with b.loop(size) as again:
        now = b.fix(seen.now.words[0])
        up = (now << one) | (now >> rest)
        down = (now >> one) | (now << rest)
        around = now | (up | down)
        seen.set(Mask((around & among.words[0],)))
        b.br_if(again, ir.ne(seen.now.words[0], now))


def _grow_by_shifts(writer: Emitter, shifts: dict[int, int], among: Mask, seen: bits.MaskVariable) -> None:
    """All nodes grow at once, each in all directions, until nothing is new."""
    b = writer.b
    with b.loop(bits.WORD_BITS * len(among.words)) as again:
        now = bits.fixed(b, seen.now)
        found = bits.fixed(b, _shifted(writer, shifts, now, now) & among)
        seen.set(found)
        b.br_if(again, bits.differ(found, now))


def _shifted(writer: Emitter, shifts: dict[int, int], now: Mask, found: Mask) -> Mask:
    """``found`` and the neighbours of some nodes."""
    for offset, cells in sorted(shifts.items()):
        there = bits.moved(writer.b, now, -offset) & bits.constant(cells, len(now.words))
        found |= there
    return found


def spread(
    writer: Emitter, around: GraphFrame, among: Mask, first: Mask, enough: Callable[[Mask, E], E]
) -> tuple[Mask, E]:
    """The nodes that can be reached from some in as few steps as are ``enough``, and how many steps these were.

    ``among``: the nodes there are, fixed; ``enough`` is asked before each step what has been reached in how many.
    """
    b, words, shifts = writer.b, around.words, around.shifts()
    steps = b.let(ir.ZERO)
    seen, fresh = bits.MaskVariable(b, first), bits.MaskVariable(b, first)
    with b.block() as done, b.loop(around.size) as again:
        now = bits.fixed(b, fresh.now)
        b.br_if(done, ir.either(bits.is_empty(now), enough(seen.now, b.get(steps))))
        if len(shifts) * words <= MOST_SHIFTS:
            found = _shifted(writer, shifts, now, bits.constant(0, words))
        else:
            found = _beside(writer, around, now)
        found = bits.fixed(b, found & ~seen.now & among)
        seen.add(found)
        fresh.set(found)
        b.add(steps, 1)
        b.br(again)
    return bits.fixed(b, seen.now), b.fix(b.get(steps))


def _beside(writer: Emitter, around: GraphFrame, nodes: Mask) -> Mask:
    """The neighbours of some nodes, by a table of masks."""
    b, words = writer.b, around.words
    table = writer.memory.constant_bytes(b"".join(bits.packed(mask, words) for mask in around.near()), 8)
    found = bits.MaskVariable(b, bits.constant(0, words))

    def add(node: Val) -> None:
        found.add(bits.load(b.fix(node.one * (8 * words)), table, words))

    iterate_mask(writer, nodes, NumberType(0, around.size), add)
    return found.now


def _by_tests(
    writer: Emitter, graph: Graph, given: Env, around: GraphFrame, among: Mask | None, first: E, here: E
) -> Mask:
    """Growth of a group where each member that it comes to is tested by itself for being a node, and each edge too.

    ``among``: the nodes, fixed, if masks can say them.
    """
    b = writer.b
    rows = writer.memory.constant(_rows(writer, around))
    found = bits.MaskVariable(b, bits.constant(0, around.words))

    def is_node(member: E, skip: str) -> None:
        if among is not None:
            b.br_if(skip, ir.not_(bits.holds(among, member)))
            return
        inner = {**given, graph.nodes.binds[0].slot: registry.scalar(graph.node_type, member)}
        for test in conjuncts(graph.nodes.condition):
            writer.unless(test, inner, skip)

    def add(member: E) -> None:
        found.add(bits.single(b, member, around.words))

    # A byte for each member: whether it is settled if it belongs to the group. Then the nodes to go on from.
    settled_room = (around.size + 3) // 4
    with writer.releasing(), b.block() as done:
        b.br_if(done, ir.not_(here))
        is_node(first, done)
        settled = b.fix(ir.call("zeroes", (ir.const(settled_room + (around.size + 1) // 2),)))
        stack = b.fix(settled + WORD * settled_room)
        top = b.local()
        b.store(settled + first, ir.ONE, 0, "8")
        b.store(stack, first, 0, "16")
        b.set(top, stack + 2)
        add(first)
        with b.loop(around.size) as again:
            b.add(top, -2)
            row = b.fix(ir.load(ir.load(b.get(top), 0, width="16_u") * WORD, rows))
            end = b.fix(row + ir.load(row) * (2 * WORD))
            at = b.let(row)
            with b.until(ir.eq(b.get(at), end), around.most_beside), b.block() as skip:
                b.add(at, 2 * WORD)
                here_ = b.fix(b.get(at))
                other = b.fix(ir.load(here_ - WORD))
                place = b.fix(settled + other)
                b.br_if(skip, ir.load(place, 0, width="8_u"))
                _test_edge(writer, given, around, b.fix(ir.load(here_)), skip)
                b.store(place, ir.ONE, 0, "8")
                is_node(other, skip)
                add(other)
                b.store(b.get(top), other, 0, "16")
                b.add(top, 2)
            b.br_if(again, ir.binary("gt_u", b.get(top), stack))
    return bits.fixed(b, found.now)


def _rows(writer: Emitter, around: GraphFrame) -> list[int]:
    """Of each member the address of the number of its neighbours, and these, each with the address of its edge."""
    rows: list[list[int]] = [[] for _ in range(around.size)]
    for edge in around.edges:
        tested = around.tests[edge.kind]
        at = writer.memory.constant([edge.kind, *edge.names]) if tested else 0
        for a, b in ((edge.a, edge.b), (edge.b, edge.a)):
            rows[a] += [b, at]
    return [writer.memory.constant([len(row) // 2, *row]) for row in rows]


def _test_edge(writer: Emitter, given: Env, around: GraphFrame, edge: E, skip: str) -> None:
    """Goes to the label unless an edge is there."""
    b = writer.b
    for kind, tests in enumerate(around.tests):
        if not tests:
            continue
        names = around.binds[kind]
        mine = ir.ne(edge, 0)
        if sum(map(bool, around.tests)) > 1:
            mine = ir.both(mine, ir.eq(ir.load(edge), kind))
        if all(around.tests) and len(around.tests) == 1:
            mine = ir.ONE
        with b.if_(mine):
            inner = dict(given)
            for place, bind in enumerate(names, 1):
                inner[bind.slot] = registry.scalar(bind.type, b.fix(ir.load(edge, WORD * place)))
            for test in tests:
                writer.unless(test, inner, skip)


def each_group(writer: Emitter, graph: Graph, given: Env, around: GraphFrame, visit: Callable[[Mask], None]) -> None:
    """Writes ``visit`` for every group, by its first node."""
    b = writer.b
    words = around.words
    if around.is_fixed:
        among = every_node(writer, graph, given)
        rest = bits.MaskVariable(b, among)
        with b.block() as done, b.loop(around.size) as again:
            now = bits.fixed(b, rest.now)
            b.br_if(done, bits.is_empty(now))
            found = grown(writer, around, now, bits.single(b, bits.lowest(b, now, ir.ZERO), words))
            rest.set(now & ~found)
            visit(found)
            b.br(again)
        return
    known_nodes = b.attempt(lambda: nodes(writer, graph, given))
    seen = bits.MaskVariable(b, bits.constant(0, words))
    with b.counting(ir.const(around.size)) as i, b.block() as skip:
        member = b.fix(i)
        known = bits.fixed(b, seen.now)
        b.br_if(skip, bits.holds(known, member))
        found = _by_tests(writer, graph, given, around, known_nodes, member, ir.ONE)
        b.br_if(skip, bits.is_empty(found))
        seen.set(known | found)
        visit(found)


# Frames of graphs: the nodes and edges that there can ever be, whatever the state, found while code is written.
#
# A graph has a frame if its nodes are members of one domain, and what its edges lead to follows from rules alone. Which
# of the nodes are there, and which of the edges, may still depend on the state: these conditions are the tests.


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
class GraphFrame(Structural):
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
    def is_even(self) -> bool:
        """Whether every edge is there whenever its nodes are, and has the length 1."""
        return self.is_fixed and all(edge.length == 1 for edge in self.edges)

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


def frame_of(writer: Emitter, graph: Graph) -> GraphFrame | None:
    """The frame of a graph that has one, if nothing in the graph may fault and a mask can hold its nodes."""
    known = writer.registry.frames
    if graph.name not in known:
        known[graph.name] = _frame(writer, writer.registry.known.program.graphs[graph.name])
    found: GraphFrame | None = known[graph.name]
    return found


def _frame(writer: Emitter, graph: Graph) -> GraphFrame | None:
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
    return GraphFrame(len(type_.item.domain), tuple(edges), tuple(tests), tuple(names))


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


# Graphs that never change, with lengths: their nodes and edges as constants, and how far apart they are as a table.


MOST_NODES = 100
"""Members of a domain up to which there is a table of all distances."""

NONE = -1
"""Stands in the table where there is no way."""


@attrs.define
class SettledGraph:
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


def settled(writer: Emitter, graph: Graph) -> SettledGraph | None:
    """What is known of a graph while code is written, if neither the state nor what it is given decides anything."""
    known = writer.registry.distances
    if graph.name not in known:
        known[graph.name] = _lengths_settled(writer, writer.registry.known.program.graphs[graph.name])
    found: SettledGraph | None = known[graph.name]
    return found


def _lengths_settled(writer: Emitter, graph: Graph) -> SettledGraph | None:
    frame = frame_of(writer, graph)
    if frame is None or not frame.is_fixed or any(edge.length is None for edge in frame.edges):
        return None
    nodes = members(writer, graph)
    if nodes is None:
        return None

    leading: dict[int, list[FrameEdge]] = {}
    for edge in frame.edges:
        leading.setdefault(edge.a, []).append(edge)

    def ends(cells: object, numbers: dict[int, int], node: int) -> Iterator[tuple[int, int, bool]]:
        for edge in leading.get(node, ()):
            if edge.b in numbers and edge.length is not None:
                yield edge.b, edge.length, not graph.edges[edge.kind].one_way

    try:
        return SettledGraph(frame.size, Ways(lambda cells: nodes, ends, [], ()))
    except Undefined:
        return None
