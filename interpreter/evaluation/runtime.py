"""Functions called by generated expressions. All are total: no argument of the right type makes them fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any

from rulelang.program import SIDE_STEPS
from rulelang.program.values import rising
from rulelang.types import REACH, ListType, NumberType, OptionalType, RecordType, SetType, TupleType, Type

from .meter import METER, Undefined, listed, paid
from .payments import Pieces, parts

STOP = object()
"""Marks, in a run of values, the first member that fails a ``while``."""

SKIP = object()
"""Marks, in a run of values, a member before that one which does not count."""

DIVISION = "division by zero"
TOO_BIG = "a number does not fit in 32 bits"


def at(sequence: tuple[Any, ...], position: int | None) -> Any:
    """The member at a position from 1, or None when there is no such position."""
    return sequence[position - 1] if position is not None and 0 < position <= len(sequence) else None


def part(sequence: tuple[Any, ...], first: int, last: int) -> tuple[Any, ...]:
    """The members at the positions from ``first`` to ``last``, counted from 1, as far as there are any."""
    return sequence[max(0, first - 1) : max(0, last)]


def top(stack: tuple[Any, ...]) -> Any:
    return stack[-1] if stack else None


def bottom(stack: tuple[Any, ...]) -> Any:
    return stack[0] if stack else None


def either(value: Any, default: Any) -> Any:
    return default if value is None else value


def either_late(value: Any, default: Callable[[], Any]) -> Any:
    return default() if value is None else value


def if_some(value: Any, change: Callable[[Any], Any]) -> Any:
    """An optional with the value in it changed."""
    return None if value is None else change(value)


def one(value: Any) -> tuple[Any, ...]:
    """An optional as a sequence of no values or one."""
    return () if value is None else (value,)


def run_of(values: Iterable[Any]) -> Iterator[Any]:
    """The values before the first STOP, without those that are skipped."""
    for value in values:
        if value is STOP:
            return
        if value is not SKIP:
            yield value


def worked_out(members: Iterable[Callable[[], Any]]) -> Iterator[Any]:
    """The members of a list that is written out, each worked out when it is its turn."""
    for member in members:
        yield member()


def rotate(sequence: Iterable[Any], start: Any) -> tuple[Any, ...]:
    """The same members from ``start`` on, going round; unchanged when ``start`` is not among them."""
    members = tuple(sequence)
    if start not in members:
        return members
    i = members.index(start)
    return members[i:] + members[:i]


def joined(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    """The members of one list, then those of another. Undefined when there are too many."""
    return listed(chain(first, second))


def united(first: frozenset[Any], second: frozenset[Any]) -> frozenset[Any]:
    """What is in one of two sets; what is in both counts twice for the limit."""
    return frozenset(listed(chain(first, second)))


def without(first: frozenset[Any], second: frozenset[Any]) -> frozenset[Any]:
    return paid(first) - paid(second)


def ranked(rows: Iterable[tuple[tuple[int, ...], Any]]) -> tuple[Any, ...]:
    """Of rows (keys, value) the values by rising keys; those with equal keys stay in their order."""
    return tuple(value for _, value in sorted(rows, key=itemgetter(0)))


def leaders(rows: Iterable[tuple[tuple[int, ...], Any]]) -> tuple[Any, ...]:
    """The values of all rows with the least keys."""
    every = list(rows)
    least = min((keys for keys, _ in every), default=None)
    return tuple(value for keys, value in every if keys == least)


def word(number: int) -> int:
    """The number; Undefined unless it fits in 32 bits, like every number of the language."""
    if not -(2**31) <= number < 2**31:
        raise Undefined(TOO_BIG)
    return number


def beyond(value: int, low: int, high: int, name: str, verb: str = "accepts") -> str:
    """Why a definition or graph does not take a number, or does not give it."""
    return f"{value} is outside {low}..{high}, the range that {name} {verb}"


def within(value: Any, type_: Type, name: str, verb: str = "accepts") -> Any:
    """An argument of a definition or graph; Undefined when a number in it is outside the bounds of the parameter.

    ``verb``: ``gives`` of the value of a definition.
    """
    match type_:
        case NumberType(low, high):
            if not low <= value <= high:
                raise Undefined(beyond(value, low, high, name, verb))
        case OptionalType(item):
            if value is not None:
                within(value, item, name, verb)
        case SetType(item):
            for member in rising(value):
                within(member, item, name, verb)
        case ListType(item):
            for member in value:
                within(member, item, name, verb)
        case TupleType() | RecordType():
            for part, item in zip(value, type_.items, strict=True):
                within(part, item, name, verb)
    return value


def too_often(name: str, most: int) -> str:
    """Why a definition that uses itself has no value."""
    return f"{name} would use itself more than {most} deep"


def again(name: str, most: int, value: Callable[..., Any], *given: Any) -> Any:
    """The value of a definition that may use itself; Undefined when it is at work as often as it may be."""
    before = METER.depths.get(name, 0)
    if before >= most:
        raise Undefined(too_often(name, most))
    METER.depths[name] = before + 1
    try:
        return value(*given)
    finally:
        METER.depths[name] = before


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


# ---------------------------------------------------------------- ways


def too_many_steps(name: str, most: int) -> str:
    """Why ways come to no end."""
    number = f"{most} step{'' if most == 1 else 's'}"
    return f"a way of {name} goes on after {number}; see to it that every way ends, or allow more steps"


def ways(
    start: Any,
    steps: Callable[[tuple[Any, ...]], Iterable[Any]],
    end: Callable[[tuple[Any, ...]], bool] | None,
    most: int,
    name: str,
) -> tuple[tuple[Any, ...], ...]:
    """All ways from ``start`` on, those with the same beginning together; see ``rulelang.program.Ways``."""
    return listed(_ways((start,), steps, end, most, name))


def _ways(
    way: tuple[Any, ...],
    steps: Callable[[tuple[Any, ...]], Iterable[Any]],
    end: Callable[[tuple[Any, ...]], bool] | None,
    most: int,
    name: str,
) -> Iterator[tuple[Any, ...]]:
    waiting: list[tuple[tuple[Any, ...], Iterator[Any]]] = []
    while True:
        METER.spend(len(way))
        further = dict.fromkeys(steps(way))
        if further and len(way) > most:
            raise Undefined(too_many_steps(name, most))
        if len(way) > 1 and (not further if end is None else end(way)):
            yield way
        waiting.append((way, iter(further)))
        while (step := next(waiting[-1][1], STOP)) is STOP:
            waiting.pop()
            if not waiting:
                return
        way = (*waiting[-1][0], step)


# ---------------------------------------------------------------- pieces

MOST = 2**31 - 1
"""Counts of pieces go up to this number; one that would be greater is this number."""


def pieces(kinds: int, low: int, entries: Iterable[tuple[int, int]]) -> Pieces:
    """Counts by kind from (kind, count) entries; equal kinds add up, a kind or count out of bounds adds nothing."""
    counts = [0] * kinds
    for kind, count in entries:
        if 0 <= kind - low < kinds and count > 0:
            counts[kind - low] = min(MOST, counts[kind - low] + count)
    return tuple(counts)


def count_at(held: Pieces, index: int) -> int:
    return held[index] if 0 <= index < len(held) else 0


def add_pieces(a: Pieces, b: Pieces) -> Pieces:
    return tuple(min(MOST, x + y) for x, y in zip(a, b, strict=True))


def sub_pieces(a: Pieces, b: Pieces) -> Pieces:
    """The rest of ``a`` without ``b``; no count falls below 0."""
    return tuple(max(0, x - y) for x, y in zip(a, b, strict=True))


def scale_pieces(number: int, a: Pieces) -> Pieces:
    return tuple(min(MOST, max(0, number * x)) for x in a)


def number_of(held: Pieces) -> int:
    """How many pieces there are."""
    return min(MOST, sum(held))


def kinds_in(held: Pieces, low: int) -> list[int]:
    """The kinds of which there is at least one piece; ``low`` is the first kind."""
    return [low + i for i, count in enumerate(held) if count]


def spread(held: Pieces, low: int) -> tuple[int, ...]:
    """The pieces one by one, kind after kind; ``low`` is the first kind."""
    return listed(low + i for i, count in enumerate(held) for _ in range(count))


def bundles(held: Pieces, number: int) -> tuple[Pieces, ...]:
    """Every choice of ``number`` pieces out of ``held``, in rising order of the counts."""
    return listed(parts(held, number))


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
    METER.spend(len(near))
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


def group_in(every: tuple[frozenset[Any], ...], node: Any) -> frozenset[Any]:
    """The group of a node, of all there are; empty when it is not a node of the graph."""
    return next((group for group in every if node in group), frozenset())
