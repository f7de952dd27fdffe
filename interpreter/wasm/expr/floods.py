"""Groups of graphs whose edges never change, as masks that grow from a node.

Which members are nodes is a mask where planes can say it. Then a group grows from all its nodes at once: by shifts on a
board, where few differences between the numbers of neighbours occur; node by node over a table of neighbours in any
other graph. Else each member that a group comes to is tested by itself.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import attrs

from rulelang.program import Graph
from rulelang.program.analysis.names import conjuncts
from rulelang.types import ListType, MemberType, OptionalType

from ...evaluation import graphs as fixed
from ..emit import values
from ..emit.emitter import Emitter
from ..emit.values import Env, Val
from ..layout.planes import MOST_MEMBERS
from ..masks import bits, masks
from ..masks.bits import Mask
from ..wat import ir
from ..wat.ir import E

MOST_SHIFTS = 32
"""Shifts of words in one round of growth up to which it beats going from node to node."""


@attrs.frozen
class Near:
    """The neighbours of every member of a domain, each as the mask of its neighbours."""

    masks: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.masks)

    @property
    def words(self) -> int:
        return bits.words_of(self.size)

    def members(self, member: int) -> list[int]:
        return [other for other in range(self.size) if self.masks[member] >> other & 1]

    def shifts(self) -> dict[int, int]:
        """By how much the number of a neighbour is higher, each with the mask of the neighbours for which it is."""
        found: dict[int, int] = {}
        for member in range(self.size):
            for other in self.members(member):
                found[other - member] = found.get(other - member, 0) | 1 << other
        return found


def near(writer: Emitter, graph: Graph) -> Near | None:
    """The neighbours in a graph whose edges never change, if a mask can hold its nodes."""
    known = writer.registry.near
    if graph.name not in known:
        known[graph.name] = _near(writer, graph)
    found: Near | None = known[graph.name]
    return found


def _near(writer: Emitter, graph: Graph) -> Near | None:
    if not fixed.is_fixed(writer.program, graph):
        return None
    domain = graph.nodes.binds[0].domain.type
    assert isinstance(domain, ListType) and isinstance(domain.item, MemberType)
    if len(domain.item.domain) > MOST_MEMBERS:
        return None
    listed = fixed.neighbours(graph, writer.registry.targets(graph))
    return Near(tuple(sum(1 << other for other in others) for others in listed))


def nodes(writer: Emitter, graph: Graph, given: Env) -> Mask | None:
    """The members that are nodes, fixed, where masks can say that."""
    if graph.nodes.condition is None:
        domain = graph.nodes.binds[0].domain.type
        return bits.whole(len(domain.item.domain))  # type: ignore[union-attr]
    return masks.all_masked(writer, graph.nodes, conjuncts(graph.nodes.condition), given)


def group(writer: Emitter, graph: Graph, given: Env, around: Near, start: Val) -> Mask:
    """The group of ``start``, a member or none, fixed; nothing if it is no node."""
    b = writer.b
    here: E = ir.ONE
    if isinstance(start.type, OptionalType):
        here = values.is_some(start)
    with b.aside() as code:
        among = nodes(writer, graph, given)
    if among is None:
        return _by_tests(writer, graph, given, around, b.fix(start.one), here)
    b.out.extend(code)
    first = bits.single(b, start.one, around.words)
    if not (here.is_const and here.value):
        first = bits.both(first, bits.all_or_none(b.fix(here), around.words))
    return grown(writer, around, among, bits.both(first, among))


def grown(writer: Emitter, around: Near, among: Mask, first: Mask) -> Mask:
    """All nodes that can be reached from some; ``among``: the nodes there are, fixed."""
    b = writer.b
    seen = [b.local("i64") for _ in first.words]
    for local, word in zip(seen, first.words, strict=True):
        b.set(local, word)
    shifts = around.shifts()
    if around.words == 1 and around.masks == _ring(around.size):
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
    with b.loop() as again:
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
    with b.loop() as again:
        now = bits.fixed(b, Mask(tuple(b.get(local) for local in seen)))
        found = now
        for offset, cells in sorted(shifts.items()):
            there = bits.both(bits.moved(b, now, -offset), bits.constant(cells, words))
            found = bits.either(found, there)
        found = bits.fixed(b, bits.both(found, among))
        for local, word in zip(seen, found.words, strict=True):
            b.set(local, word)
        b.br_if(again, bits.differ(found, now))


def _grow_by_nodes(writer: Emitter, around: Near, among: Mask, seen: list[int]) -> None:
    """Node after node adds its neighbours, by a table of masks."""
    b = writer.b
    words = around.words
    table = writer.memory.constant_bytes(b"".join(bits.packed(mask, words) for mask in around.masks), 8)
    fresh = [b.local("i64") for _ in seen]
    for local, before in zip(fresh, seen, strict=True):
        b.set(local, b.get(before))
    with b.block() as done, b.loop() as again:
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


def _by_tests(writer: Emitter, graph: Graph, given: Env, around: Near, first: E, here: E) -> Mask:
    """Growth of a group where each member that it comes to is tested by itself for being a node."""
    b = writer.b
    bind = graph.nodes.binds[0]
    rows = [struct.pack(f"<{1 + len(row)}H", len(row), *row) for row in map(around.members, range(around.size))]
    table = writer.memory.constant([writer.memory.constant_bytes(row, 2) for row in rows])
    found = [b.local("i64") for _ in range(around.words)]
    for local in found:
        b.set(local, ir.ZERO64)

    def is_node(member: E, skip: str) -> None:
        inner = {**given, bind.slot: values.scalar(graph.node_type, member)}
        for test in conjuncts(graph.nodes.condition):
            writer.unless(test, inner, skip)

    def add(member: E) -> None:
        for local, word in zip(found, bits.single(b, member, around.words).words, strict=True):
            b.set(local, ir.binary("or", b.get(local), word))

    # A byte for each member that was tried, then two for each node whose neighbours are still to be looked at.
    tried_room = (around.size + 3) // 4
    with writer.releasing(), b.block() as done:
        b.br_if(done, ir.not_(here))
        is_node(first, done)
        tried = b.fix(ir.call("zeroes", (ir.const(tried_room + (around.size + 1) // 2),)))
        stack = b.fix(ir.add(tried, ir.const(4 * tried_room)))
        top = b.local()
        b.store(ir.add(tried, first), ir.ONE, 0, "8")
        b.store(stack, first, 0, "16")
        b.set(top, ir.add(stack, ir.const(2)))
        add(first)
        with b.loop() as again:
            b.set(top, ir.sub(b.get(top), ir.const(2)))
            row = b.fix(ir.load(ir.mul(ir.load(b.get(top), 0, width="16_u"), ir.const(4)), table))
            end = b.fix(ir.add(row, ir.mul(ir.load(row, 0, width="16_u"), ir.const(2))))
            at = b.local()
            b.set(at, row)
            with b.until(ir.eq(b.get(at), end)), b.block() as skip:
                b.set(at, ir.add(b.get(at), ir.const(2)))
                other = b.fix(ir.load(b.get(at), 0, width="16_u"))
                place = b.fix(ir.add(tried, other))
                b.br_if(skip, ir.load(place, 0, width="8_u"))
                b.store(place, ir.ONE, 0, "8")
                is_node(other, skip)
                add(other)
                b.store(b.get(top), other, 0, "16")
                b.set(top, ir.add(b.get(top), ir.const(2)))
            b.br_if(again, ir.binary("gt_u", b.get(top), stack))
    return bits.fixed(b, Mask(tuple(b.get(local) for local in found)))


def each_group(writer: Emitter, graph: Graph, given: Env, around: Near, visit: Callable[[Mask], None]) -> None:
    """Writes ``visit`` for every group, by its first node."""
    b = writer.b
    with b.aside() as code:
        among = nodes(writer, graph, given)
    words = around.words
    if among is not None:
        b.out.extend(code)
        rest = [b.local("i64") for _ in range(words)]
        for local, word in zip(rest, among.words, strict=True):
            b.set(local, word)
        with b.block() as done, b.loop() as again:
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
        found = _by_tests(writer, graph, given, around, member, ir.ONE)
        b.br_if(skip, bits.is_empty(found))
        for local, word in zip(seen, bits.either(known, found).words, strict=True):
            b.set(local, word)
        visit(found)
