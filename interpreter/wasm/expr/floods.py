"""Groups of graphs that have a frame, as masks that grow from a node.

Which members are nodes is a mask where planes can say it. Where the edges never change a group then grows from all its
nodes at once: by shifts on a board, where few differences between the numbers of neighbours occur; node by node over a
table of neighbours in any other graph. Else each member and each edge that a group comes to is tested by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.program import Graph
from rulelang.program.analysis.free_variables import conjuncts
from rulelang.types import OptionalType

from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.shapes import WORD
from ..masks import bits, masks
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E
from .frames import Frame

MOST_SHIFTS = 32
"""Shifts of words in one round of growth up to which it beats going from node to node."""


def nodes(writer: Emitter, graph: Graph, given: Env) -> Mask | None:
    """The members that are nodes, fixed, where masks can say that."""
    if graph.nodes.condition is None:
        domain = graph.nodes.binds[0].domain.type
        return bits.whole(len(domain.item.domain))  # type: ignore[union-attr]
    return masks.all_masked(writer, graph.nodes, conjuncts(graph.nodes.condition), given)


def group(writer: Emitter, graph: Graph, given: Env, around: Frame, start: Val) -> Mask:
    """The group of ``start``, a member or none, fixed; nothing if it is no node."""
    b = writer.b
    here: E = ir.ONE
    if isinstance(start.type, OptionalType):
        here = values.is_some(start)
    with b.aside() as code:
        among = nodes(writer, graph, given)
    if among is not None:
        b.out.extend(code)
    if among is None or not around.is_fixed:
        return _by_tests(writer, graph, given, around, among, b.fix(start.one), here)
    first = bits.single(b, start.one, around.words)
    if not (here.is_const and here.value):
        first = bits.both(first, bits.all_or_none(b.fix(here), around.words))
    return grown(writer, around, among, bits.both(first, among))


def grown(writer: Emitter, around: Frame, among: Mask, first: Mask) -> Mask:
    """All nodes that can be reached from some; ``among``: the nodes there are, fixed."""
    b = writer.b
    seen = [b.local("i64") for _ in first.words]
    for local, word in zip(seen, first.words, strict=True):
        b.set(local, word)
    shifts = around.shifts()
    if around.words == 1 and around.near() == _ring(around.size):
        _grow_on_ring(writer, among, seen[0], around.size)
    elif len(shifts) * around.words <= MOST_SHIFTS:
        _grow_by_shifts(writer, shifts, among, seen)
    else:
        _grow_by_nodes(writer, around, among, seen)
    return bits.fixed(b, Mask(tuple(b.get(local) for local in seen)))


def _ring(size: int) -> tuple[int, ...]:
    """The neighbours on a ring."""
    return tuple(1 << (i + 1) % size | 1 << (i - 1) % size for i in range(size))


def _grow_on_ring(writer: Emitter, among: Mask, seen: int, size: int) -> None:
    """On a ring a group grows on both sides by one node at a time."""
    b = writer.b
    one, rest = ir.const(1, "i64"), ir.const(size - 1, "i64")
    with b.loop(size) as again:
        now = b.fix(b.get(seen))
        up = ir.binary("or", ir.binary("shl", now, one), ir.binary("shr_u", now, rest))
        down = ir.binary("or", ir.binary("shr_u", now, one), ir.binary("shl", now, rest))
        around = ir.binary("or", now, ir.binary("or", up, down))
        b.set(seen, ir.binary("and", around, among.words[0]))
        b.br_if(again, ir.ne(b.get(seen), now))


def _grow_by_shifts(writer: Emitter, shifts: dict[int, int], among: Mask, seen: list[int]) -> None:
    """All nodes grow at once, each in all directions, until nothing is new."""
    b = writer.b
    words = len(seen)
    with b.loop(bits.WORD_BITS * words) as again:
        now = bits.fixed(b, Mask(tuple(b.get(local) for local in seen)))
        found = now
        for offset, cells in sorted(shifts.items()):
            there = bits.both(bits.moved(b, now, -offset), bits.constant(cells, words))
            found = bits.either(found, there)
        found = bits.fixed(b, bits.both(found, among))
        for local, word in zip(seen, found.words, strict=True):
            b.set(local, word)
        b.br_if(again, bits.differ(found, now))


def _grow_by_nodes(writer: Emitter, around: Frame, among: Mask, seen: list[int]) -> None:
    """Node after node adds its neighbours, by a table of masks."""
    b = writer.b
    words = around.words
    table = writer.memory.constant_bytes(b"".join(bits.packed(mask, words) for mask in around.near()), 8)
    fresh = [b.local("i64") for _ in seen]
    for local, before in zip(fresh, seen, strict=True):
        b.set(local, b.get(before))
    with b.block() as done, b.loop(around.size) as again:
        now = bits.fixed(b, Mask(tuple(b.get(local) for local in fresh)))
        b.br_if(done, bits.is_empty(now))
        node = bits.lowest(b, now, ir.ZERO)
        at = b.fix(ir.mul(node, ir.const(8 * words)))
        beside = bits.both(bits.load(at, table, words), among)
        reached = Mask(tuple(b.get(local) for local in seen))
        added = bits.fixed(b, bits.without(beside, reached))
        mine = bits.single(b, node, words)
        for i in range(words):
            b.set(fresh[i], ir.binary("or", bits.without(now, mine).words[i], added.words[i]))
            b.set(seen[i], ir.binary("or", b.get(seen[i]), added.words[i]))
        b.br(again)


def _by_tests(writer: Emitter, graph: Graph, given: Env, around: Frame, among: Mask | None, first: E, here: E) -> Mask:
    """Growth of a group where each member that it comes to is tested by itself for being a node, and each edge too.

    ``among``: the nodes, fixed, if masks can say them.
    """
    b = writer.b
    rows = writer.memory.constant(_rows(writer, around))
    found = [b.local("i64") for _ in range(around.words)]
    for local in found:
        b.set(local, ir.ZERO64)

    def is_node(member: E, skip: str) -> None:
        if among is not None:
            b.br_if(skip, ir.not_(bits.holds(among, member)))
            return
        inner = {**given, graph.nodes.binds[0].slot: values.scalar(graph.node_type, member)}
        for test in conjuncts(graph.nodes.condition):
            writer.unless(test, inner, skip)

    def add(member: E) -> None:
        for local, word in zip(found, bits.single(b, member, around.words).words, strict=True):
            b.set(local, ir.binary("or", b.get(local), word))

    # A byte for each member: whether it is settled if it belongs to the group. Then the nodes to go on from.
    settled_room = (around.size + 3) // 4
    with writer.releasing(), b.block() as done:
        b.br_if(done, ir.not_(here))
        is_node(first, done)
        settled = b.fix(ir.call("zeroes", (ir.const(settled_room + (around.size + 1) // 2),)))
        stack = b.fix(ir.add(settled, ir.const(WORD * settled_room)))
        top = b.local()
        b.store(ir.add(settled, first), ir.ONE, 0, "8")
        b.store(stack, first, 0, "16")
        b.set(top, ir.add(stack, ir.const(2)))
        add(first)
        with b.loop(around.size) as again:
            b.set(top, ir.sub(b.get(top), ir.const(2)))
            row = b.fix(ir.load(ir.mul(ir.load(b.get(top), 0, width="16_u"), ir.const(WORD)), rows))
            end = b.fix(ir.add(row, ir.mul(ir.load(row), ir.const(2 * WORD))))
            at = b.local()
            b.set(at, row)
            with b.until(ir.eq(b.get(at), end), around.most_beside), b.block() as skip:
                b.set(at, ir.add(b.get(at), ir.const(2 * WORD)))
                here_ = b.fix(b.get(at))
                other = b.fix(ir.load(ir.sub(here_, ir.const(WORD))))
                place = b.fix(ir.add(settled, other))
                b.br_if(skip, ir.load(place, 0, width="8_u"))
                _test_edge(writer, given, around, b.fix(ir.load(here_)), skip)
                b.store(place, ir.ONE, 0, "8")
                is_node(other, skip)
                add(other)
                b.store(b.get(top), other, 0, "16")
                b.set(top, ir.add(b.get(top), ir.const(2)))
            b.br_if(again, ir.binary("gt_u", b.get(top), stack))
    return bits.fixed(b, Mask(tuple(b.get(local) for local in found)))


def _rows(writer: Emitter, around: Frame) -> list[int]:
    """Of each member the address of the number of its neighbours, and these, each with the address of its edge."""
    rows: list[list[int]] = [[] for _ in range(around.size)]
    for edge in around.edges:
        tested = around.tests[edge.kind]
        at = writer.memory.constant([edge.kind, *edge.names]) if tested else 0
        for a, b in ((edge.a, edge.b), (edge.b, edge.a)):
            rows[a] += [b, at]
    return [writer.memory.constant([len(row) // 2, *row]) for row in rows]


def _test_edge(writer: Emitter, given: Env, around: Frame, edge: E, skip: str) -> None:
    """Goes to the label unless an edge is there."""
    b = writer.b
    for kind, tests in enumerate(around.tests):
        if not tests:
            continue
        names = around.binds[kind]
        mine = ir.ne(edge, ir.ZERO)
        if sum(map(bool, around.tests)) > 1:
            mine = ir.both(mine, ir.eq(ir.load(edge), ir.const(kind)))
        if all(around.tests) and len(around.tests) == 1:
            mine = ir.ONE
        with b.if_(mine):
            inner = dict(given)
            for place, bind in enumerate(names, 1):
                inner[bind.slot] = values.scalar(bind.type, b.fix(ir.load(edge, WORD * place)))
            for test in tests:
                writer.unless(test, inner, skip)


def each_group(writer: Emitter, graph: Graph, given: Env, around: Frame, visit: Callable[[Mask], None]) -> None:
    """Writes ``visit`` for every group, by its first node."""
    b = writer.b
    with b.aside() as code:
        among = nodes(writer, graph, given)
    words = around.words
    if among is not None:
        b.out.extend(code)
    if among is not None and around.is_fixed:
        rest = [b.local("i64") for _ in range(words)]
        for local, word in zip(rest, among.words, strict=True):
            b.set(local, word)
        with b.block() as done, b.loop(around.size) as again:
            now = bits.fixed(b, Mask(tuple(b.get(local) for local in rest)))
            b.br_if(done, bits.is_empty(now))
            found = grown(writer, around, now, bits.single(b, bits.lowest(b, now, ir.ZERO), words))
            for local, word in zip(rest, bits.without(now, found).words, strict=True):
                b.set(local, word)
            visit(found)
            b.br(again)
        return
    seen = [b.local("i64") for _ in range(words)]
    for local in seen:
        b.set(local, ir.ZERO64)
    with b.counting(ir.const(around.size)) as i, b.block() as skip:
        member = b.fix(i)
        known = bits.fixed(b, Mask(tuple(b.get(local) for local in seen)))
        b.br_if(skip, bits.holds(known, member))
        found = _by_tests(writer, graph, given, around, among, member, ir.ONE)
        b.br_if(skip, bits.is_empty(found))
        for local, word in zip(seen, bits.either(known, found).words, strict=True):
            b.set(local, word)
        visit(found)
