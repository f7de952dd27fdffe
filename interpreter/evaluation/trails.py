"""The longest trail of a graph: a walk that uses no edge twice, though it may pass through a node again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from .meter import METER

Near = dict[Any, tuple[Any, ...]]


def longest_trail(
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


def _groups(near: Near) -> list[list[Any]]:
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


def _longest_in(group: list[Any], near: Near, values: dict[Any, Hashable]) -> int:
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
    near: Near,
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
