"""Ways through graphs whose edges have lengths. All of it is exact."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from .meter import KEPT, MANY_EDGES, METER, MOST_EDGES, Undefined, too_many_members

Near = list[dict[int, int]]
"""For each node the nodes that an edge leads to, by number, with the shortest length of such an edge."""


class Ways:
    """The nodes of a graph, numbered as they are found, and the edges between them."""

    def __init__(
        self,
        nodes: Callable[..., list[Any]],
        ends: Callable[..., Iterable[tuple[Any, int, bool]]],
        cells: list[Any],
        arguments: tuple[Any, ...],
    ) -> None:
        """``ends`` gives, for a node, the nodes its edges lead to, with their length and whether they lead back too."""
        self.number: dict[Any, int] = {}
        for node in nodes(cells, *arguments):
            self.number.setdefault(node, len(self.number))
        self.nodes = list(self.number)
        self.near: Near = [{} for _ in self.nodes]
        listed = 0
        for node, here in self.number.items():
            for other, length, back in ends(cells, self.number, node, *arguments):
                there = self.number[other]
                if there != here:
                    listed += 1 + back
                    if listed > METER.limits.members:
                        raise Undefined(too_many_members(METER.limits.members))
                    METER.spend(KEPT)
                    self.near[here][there] = min(length, self.near[here].get(there, length))
                    if back:
                        self.near[there][here] = min(length, self.near[there].get(here, length))

    def reached(self, start: Any) -> dict[int, int]:
        """The lengths of the shortest ways to all nodes that there is one to, by number, the shortest ways first."""
        here = self.number.get(start)
        if here is None:
            return {}
        found: dict[int, int] = {}
        todo = [(0, here)]
        while todo:
            length, node = heapq.heappop(todo)
            if node not in found:
                found[node] = length
                METER.spend(1 + len(self.near[node]))
                for other, more in self.near[node].items():
                    if other not in found:
                        heapq.heappush(todo, (length + more, other))
        return found


def shortest(ways: Ways, start: Any, end: Any) -> int | None:
    """The length of the shortest way; None when there is none, or one of the two is not a node."""
    return None if end not in ways.number else ways.reached(start).get(ways.number[end])


def shortest_way(ways: Ways, start: Any, end: Any) -> tuple[Any, ...]:
    """The nodes of a shortest way. From its end back, the first node that it can come from is taken."""
    found = ways.reached(start)
    order = {node: place for place, node in enumerate(found)}
    here = ways.number.get(end)
    if here is None or here not in found:
        return ()
    way = [here]
    while order[here]:
        here = next(
            node
            for node in range(len(ways.nodes))
            if node in found
            and order[node] < order[here]
            and here in ways.near[node]
            and found[node] + ways.near[node][here] == found[here]
        )
        METER.spend(1 + len(ways.nodes))
        way.append(here)
    return tuple(ways.nodes[node] for node in reversed(way))


def within(ways: Ways, start: Any, most: int) -> frozenset[Any]:
    """The nodes that a way of at most this length leads to."""
    return frozenset(ways.nodes[node] for node, length in ways.reached(start).items() if length <= most)


def longest_trail(ways: Ways) -> int:
    """The greatest length of a walk that uses no edge twice; 0 without edges.

    The cost grows with the number of trails, so exponentially with the cycles of the graph. Branches that cannot beat
    the longest so far are skipped.
    """
    near = ways.near
    pairs = sorted((a, b) for a, others in enumerate(near) for b in others if a < b)
    if len(pairs) > MOST_EDGES:
        raise Undefined(MANY_EDGES)
    bit = {pair: 1 << place for place, pair in enumerate(pairs)}
    bit |= {(b, a): edge for (a, b), edge in bit.items()}
    best = 0
    done: set[int] = set()
    for first in range(len(near)):
        if first in done:
            continue
        group = [first]
        for node in group:
            group += [other for other in near[node] if other not in group]
        done |= set(group)
        whole = sum(near[a][b] for a in group for b in near[a] if a < b)
        tried: set[tuple[int, int]] = set()
        for start in group:
            if best >= whole:
                break
            todo = [(start, 0, 0)]
            while todo:
                node, used, length = todo.pop()
                if (used, node) in tried:
                    continue
                tried.add((used, node))
                METER.spend(KEPT * len(group))
                best = max(best, length)
                if best < whole and length + _left(node, used, near, bit) > best:
                    for other, more in near[node].items():
                        edge = bit[node, other]
                        if not used & edge:
                            todo.append((other, used | edge, length + more))
    return best


def _left(start: int, used: int, near: Near, bit: dict[tuple[int, int], int]) -> int:
    """What a trail can still gain at most: the edges it can reach, less those it cannot all use.

    Wherever an odd number of them meet, a trail ends or one is left over; and it has but two ends.
    """
    reached, todo = {start}, [start]
    whole = odd = 0
    least: int | None = None
    while todo:
        node = todo.pop()
        free = [other for other in near[node] if not used & bit[node, other]]
        odd += len(free) % 2 if node != start else 0
        for other in free:
            whole += near[node][other]
            least = near[node][other] if least is None else min(least, near[node][other])
            if other not in reached:
                reached.add(other)
                todo.append(other)
    return whole // 2 - max(0, odd - 1) // 2 * (least or 0)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Ways": Ways,
    "ways_shortest": shortest,
    "ways_shortest_way": shortest_way,
    "ways_within": within,
    "ways_longest_trail": longest_trail,
}
"""By the names that generated source has for them."""


# The longest trail of a graph: a walk that uses no edge twice, though it may pass through a node again.


Neighbours = dict[Any, tuple[Any, ...]]


def most_along_trail(
    nodes: Callable[..., list[Any]],
    targets: Callable[..., Iterable[Any]],
    cells: list[Any],
    arguments: tuple[Any, ...],
    measure: Callable[[Any], Hashable],
) -> int:
    """The most different values of ``measure`` along one trail; 0 for a graph without nodes.

    Exact. The cost grows with the number of trails, so exponentially with the cycles of the graph; branches that
    cannot beat the best trail so far are skipped, and a trail that sees all values of its group ends the search.
    """
    found: dict[Any, dict[Any, None]] = {node: {} for node in nodes(cells, *arguments)}
    for node, others in found.items():
        for other in targets(cells, node, *arguments):
            if other in found and other != node:
                others[other] = None
                found[other][node] = None
    near = {node: tuple(others) for node, others in found.items()}
    values = {node: measure(node) for node in near}
    best = 0
    for group in sorted(_groups(near), key=len, reverse=True):
        if len({values[node] for node in group}) > best:
            best = max(best, _longest_in(group, near, values))
    return best


def _groups(near: Neighbours) -> list[list[Any]]:
    groups: list[list[Any]] = []
    seen: set[Any] = set()
    for start in near:
        if start not in seen:
            seen.add(start)
            group = [start]
            for node in group:
                for other in near[node]:
                    if other not in seen:
                        seen.add(other)
                        group.append(other)
            groups.append(group)
    return groups


def _longest_in(group: list[Any], near: Neighbours, values: dict[Any, Hashable]) -> int:
    """The most values along one trail of a connected group. Trails are tried from every node, depth first."""
    whole = len({values[node] for node in group})
    number = {node: i for i, node in enumerate(group)}
    edges = {(a, b): 1 << i for i, (a, b) in enumerate((a, b) for a in group for b in near[a] if number[a] < number[b])}
    bit = {**edges, **{(b, a): edge for (a, b), edge in edges.items()}}
    best = 0
    # The edges used and the node reached determine the values seen, whatever the order of the edges.
    tried: set[tuple[int, Any]] = set()
    for start in sorted(group, key=lambda node: len(near[node])):
        todo = [(start, 0, frozenset((values[start],)))]
        while todo:
            node, used, seen = todo.pop()
            if (used, node) in tried:
                continue
            tried.add((used, node))
            METER.spend(len(group))
            best = max(best, len(seen))
            if best == whole:
                return best
            if _at_best(node, used, seen, near, bit, values) > best:
                for other in near[node]:
                    edge = bit[node, other]
                    if not used & edge:
                        todo.append((other, used | edge, seen | {values[other]}))
    return best


def _at_best(
    start: Any,
    used: int,
    seen: frozenset[Hashable],
    near: Neighbours,
    bit: dict[tuple[Any, Any], int],
    values: dict[Any, Hashable],
) -> int:
    """The most values a trail could have in the end.

    It uses only edges not used yet; of all the nodes that only one such edge leads to it can enter just one, its last.
    """
    reached = {start}
    todo = [start]
    passing: set[Hashable] = set(seen)
    ends: set[Hashable] = set()
    while todo:
        node = todo.pop()
        free = [other for other in near[node] if not used & bit[node, other]]
        (ends if len(free) == 1 and node != start else passing).add(values[node])
        for other in free:
            if other not in reached:
                reached.add(other)
                todo.append(other)
    return len(passing) + min(1, len(ends - passing))
