"""Functions called by generated expressions. All are total: no argument of the right type makes them fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from rulelang.program import SIDE_STEPS
from rulelang.types import REACH

STOP = object()
"""Marks, in a run of values, the first member that fails a ``while``."""

Pieces = tuple[int, ...]


DIVISION = "division by zero"
TOO_BIG = "a number does not fit in 32 bits"


class Undefined(ArithmeticError):
    """A division by zero in the rules, or a number that is too big; the machine turns it into a fault of the rule."""


class Unsupposable(Undefined):
    """A rule that is only supposed to run, and could not. The message says which and why."""


def at(sequence: tuple[Any, ...], position: int | None) -> Any:
    """The member at a position from 1, or None when there is no such position."""
    return sequence[position - 1] if position is not None and 0 < position <= len(sequence) else None


def top(stack: tuple[Any, ...]) -> Any:
    return stack[-1] if stack else None


def bottom(stack: tuple[Any, ...]) -> Any:
    return stack[0] if stack else None


def either(value: Any, default: Any) -> Any:
    return default if value is None else value


def one(value: Any) -> tuple[Any, ...]:
    """An optional as a sequence of no values or one."""
    return () if value is None else (value,)


def run_of(values: Iterable[Any]) -> Iterator[Any]:
    """The values before the first STOP."""
    for value in values:
        if value is STOP:
            return
        yield value


def rotate(sequence: Iterable[Any], start: Any) -> tuple[Any, ...]:
    """The same members from ``start`` on, going round; unchanged when ``start`` is not among them."""
    members = tuple(sequence)
    if start not in members:
        return members
    i = members.index(start)
    return members[i:] + members[:i]


def word(number: int) -> int:
    """The number; Undefined unless it fits in 32 bits, like every number of the language."""
    if not -(2**31) <= number < 2**31:
        raise Undefined(TOO_BIG)
    return number


def div_down(a: int, b: int) -> int:
    if b == 0:
        raise Undefined(DIVISION)
    return a // b


def div_up(a: int, b: int) -> int:
    if b == 0:
        raise Undefined(DIVISION)
    return -(-a // b)


def modulo(a: int, b: int) -> int:
    if b == 0:
        raise Undefined(DIVISION)
    return a % b


# ---------------------------------------------------------------- pieces


def pieces(kinds: int, low: int, entries: Iterable[tuple[int, int]]) -> Pieces:
    """Counts by kind from (kind, count) entries; equal kinds add up, a kind or count out of bounds adds nothing."""
    counts = [0] * kinds
    for kind, count in entries:
        if 0 <= kind - low < kinds and count > 0:
            counts[kind - low] += count
    return tuple(counts)


def count_at(held: Pieces, index: int) -> int:
    return held[index] if 0 <= index < len(held) else 0


def add_pieces(a: Pieces, b: Pieces) -> Pieces:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def sub_pieces(a: Pieces, b: Pieces) -> Pieces:
    """The rest of ``a`` without ``b``; no count falls below 0."""
    return tuple(max(0, x - y) for x, y in zip(a, b, strict=True))


def scale_pieces(number: int, a: Pieces) -> Pieces:
    return tuple(max(0, number * x) for x in a)


def kinds_in(held: Pieces, low: int) -> list[int]:
    """The kinds of which there is at least one piece; ``low`` is the first kind."""
    return [low + i for i, count in enumerate(held) if count]


def spread(held: Pieces, low: int) -> tuple[int, ...]:
    """The pieces one by one, kind after kind; ``low`` is the first kind."""
    return tuple(low + i for i, count in enumerate(held) for _ in range(count))


def holds(held: Pieces, cost: Pieces) -> bool:
    return all(h >= c for h, c in zip(held, cost, strict=True))


def covers(held: Pieces, cost: Pieces, rate: int) -> bool:
    """Whether ``cost`` can be paid from ``held``; ``rate`` pieces of other kinds replace a missing one (0: none can).

    Missing pieces are replaced by surplus ones, and a kind that is missing has no surplus.
    """
    missing = surplus = 0
    for h, c in zip(held, cost, strict=True):
        if h < c:
            missing += c - h
        else:
            surplus += h - c
    return missing == 0 or (rate > 0 and surplus >= rate * missing)


def bundles(held: Pieces, number: int) -> tuple[Pieces, ...]:
    """Every choice of ``number`` pieces out of ``held``, in rising order of the counts."""
    return tuple(_bundles(held, number))


def _bundles(limits: Pieces, number: int) -> Iterator[Pieces]:
    if number < 0 or number > sum(limits):
        return
    if not limits:
        yield ()
        return
    rest = limits[1:]
    for count in range(max(0, number - sum(rest)), min(limits[0], number) + 1):
        for tail in _bundles(rest, number - count):
            yield (count, *tail)


def plans(held: Pieces, cost: Pieces, rate: int) -> tuple[Pieces, ...]:
    """Every bundle that pays ``cost`` from ``held``: the direct one first, then by number of pieces, then by counts.

    With ``rate`` r, a piece of the cost may be replaced by r pieces, each of a different kind from it.
    With m pieces replaced, a bundle has r * m - m pieces more than the cost.
    """
    found: dict[Pieces, None] = {}
    if holds(held, cost):
        found[cost] = None
    if rate > 0:
        asked = sum(cost)
        for missing in range(1, asked + 1):
            total = asked + (rate - 1) * missing
            if total > sum(held):
                break
            # The most pieces of one kind in such a payment: its share of the cost, and every replacement.
            limits = tuple(min(h, c + rate * missing) for h, c in zip(held, cost, strict=True))
            for bundle in _bundles(limits, total):
                if bundle not in found and _replaces(bundle, cost, rate, missing):
                    found[bundle] = None
    return tuple(found)


def _replaces(bundle: Pieces, cost: Pieces, rate: int, missing: int) -> bool:
    """Whether ``bundle`` pays ``cost`` with exactly ``missing`` pieces replaced.

    Of kind k, x pieces are paid directly and the other bundle[k] - x replace pieces of the ``missing - (cost[k] - x)``
    that are of other kinds, at most ``rate`` for each. By Hall's theorem these bounds are also enough, so it remains
    to check that some x within the bounds of every kind add up to the pieces that are not replaced.
    """
    least = most = 0
    for paid, asked in zip(bundle, cost, strict=True):
        low = max(0, asked - missing, -((rate * (missing - asked) - paid) // (rate + 1)))
        high = min(asked, paid)
        if low > high:
            return False
        least += low
        most += high
    return least <= sum(cost) - missing <= most


# ---------------------------------------------------------------- grids

Square = tuple[int, int]
Spot = tuple[int, int, int, int]
"""A laid piece: its kind, x, y and quarter turns."""

Grid = tuple[Spot, ...]


@lru_cache(maxsize=4096)
def by_square(grid: Grid) -> dict[Square, Spot]:
    """The spots of a grid by their squares."""
    return {spot[1:3]: spot for spot in grid}


def beside(grid: Grid, square: Square, side: int) -> Spot | None:
    """The spot next to a square on one side; None when nothing lies there."""
    dx, dy = SIDE_STEPS[side]
    return by_square(grid).get((square[0] + dx, square[1] + dy))


@lru_cache(maxsize=4096)
def openings(grid: Grid, capacity: int | None) -> tuple[Square, ...]:
    """The squares within reach where a piece could be laid next to another, from west to east, then south to north."""
    if capacity is not None and len(grid) >= capacity:
        return ()
    if not grid:
        return ((0, 0),)
    taken = by_square(grid)
    around = {(x + dx, y + dy) for x, y in taken for dx, dy in SIDE_STEPS}
    return tuple(s for s in sorted(around) if s not in taken and max(abs(s[0]), abs(s[1])) <= REACH)


@lru_cache(maxsize=4096)
def turned(members: frozenset[int], steps: int, size: int) -> frozenset[int]:
    """Members of a ring, each moved on by ``steps``."""
    return frozenset((member + steps) % size for member in members)


# ---------------------------------------------------------------- graphs


def fixed_group(
    near: tuple[tuple[int, ...], ...],
    is_node: Callable[..., bool],
    cells: list[Any],
    arguments: tuple[Any, ...],
    start: Any,
) -> frozenset[int]:
    """The group of ``start`` in a graph whose edges never change: ``near`` lists the neighbours of every member."""
    if start is None or not is_node(cells, start, *arguments):
        return frozenset()
    seen = {start}
    todo = [start]
    while todo:
        for other in near[todo.pop()]:
            if other not in seen and is_node(cells, other, *arguments):
                seen.add(other)
                todo.append(other)
    return frozenset(seen)


def fixed_groups(
    near: tuple[tuple[int, ...], ...], is_node: Callable[..., bool], cells: list[Any], arguments: tuple[Any, ...]
) -> tuple[frozenset[int], ...]:
    """All groups of such a graph, by their first node."""
    found: list[frozenset[int]] = []
    seen: set[int] = set()
    for member in range(len(near)):
        if member not in seen:
            group = fixed_group(near, is_node, cells, arguments, member)
            if group:
                seen |= group
                found.append(group)
    return tuple(found)


def groups(
    nodes: Callable[..., list[Any]], targets: Callable[..., Iterable[Any]], cells: list[Any], arguments: tuple[Any, ...]
) -> tuple[frozenset[Any], ...]:
    """All groups of a graph, by their first node. An edge joins both ways, and only nodes."""
    near: dict[Any, list[Any]] = {node: [] for node in nodes(cells, *arguments)}
    for node, others in near.items():
        for other in targets(cells, node, *arguments):
            if other in near:
                others.append(other)
                near[other].append(node)
    found: list[frozenset[Any]] = []
    seen: set[Any] = set()
    for start in near:
        if start in seen:
            continue
        group = {start}
        todo = [start]
        while todo:
            for other in near[todo.pop()]:
                if other not in group:
                    group.add(other)
                    todo.append(other)
        seen |= group
        found.append(frozenset(group))
    return tuple(found)


def group(
    nodes: Callable[..., list[Any]],
    targets: Callable[..., Iterable[Any]],
    cells: list[Any],
    arguments: tuple[Any, ...],
    start: Any,
) -> frozenset[Any]:
    """The group of ``start``; empty when it is not a node."""
    return next((g for g in groups(nodes, targets, cells, arguments) if start in g), frozenset())
