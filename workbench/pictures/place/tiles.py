"""The geometry of tiles: which part of the square a region covers, and where on it the next thing has most room.

Coordinates are hundredths of the tile's side, from its upper left corner.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from ..scene.nodes import Node

DEPTH = 22.0
"""How far a region with a single side reaches into the tile."""
BAND = 25.0
"""Half the width of a region that joins opposite sides."""
BLOB = 21.0
"""The radius of a region without sides."""
_STEP = 9
_MIDDLES = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))


def order(regions: Sequence[Mapping[str, Any]]) -> list[int]:
    """The regions as they are painted: first the one with most sides, which fills the tile, then the others."""
    return sorted(range(len(regions)), key=lambda i: (-len(regions[i]["sides"]), i))


def covers(sides: Sequence[int], x: float, y: float) -> bool:
    """Whether a region that lies upon another covers a point."""
    if not sides:
        return math.hypot(x - 50, y - 50) < BLOB
    if len(sides) == 1:
        along, away = ((x, y), (y, 100 - x), (x, 100 - y), (y, x))[sides[0]]
        return away < DEPTH * 4 * (along / 100) * (1 - along / 100)
    if len(sides) == 2 and (sides[1] - sides[0]) % 2 == 0:
        return abs((x if sides[0] % 2 == 0 else y) - 50) < BAND
    if len(sides) == 2:
        first = sides[0] if (sides[1] - sides[0]) % 4 == 1 else sides[1]  # the corner lies clockwise of this side
        return ((x - y), (x + y - 100), (y - x), (100 - x - y))[first] > 0
    return True


def turned(x: float, y: float, quarters: int) -> tuple[float, float]:
    """A point after quarter turns of the tile, clockwise."""
    for _ in range(quarters % 4):
        x, y = 100 - y, x
    return x, y


def things(tile: Node) -> list[tuple[float, float, Node]]:
    """Each thing on a tile with its middle, as the tile is turned: in its region, away from roads and other things."""
    regions = tuple((tuple(region["sides"]), region["things"]) for region in tile.look["regions"])
    roads = tuple(map(tuple, tile.look["roads"]))
    sizes = tuple((*_size(node), min(node.count, 4)) for node in tile.children)
    places = _places(regions, roads, tile.look.get("turn", 0), sizes)
    return [(x, y, tile.children[number]) for x, y, number in places]


_Area: TypeAlias = tuple[float, float, float, float]
"""The middle of a thing, its width and its height."""


@functools.lru_cache(maxsize=2048)
def _places(
    regions: tuple[tuple[tuple[int, ...], int], ...], roads: tuple[tuple[int, ...], ...], turn: int,
    sizes: tuple[tuple[float, float, int], ...],
) -> tuple[tuple[float, float, int], ...]:  # fmt: skip
    """The middle of each thing, with its number; those that are in no region lie in the corners."""
    painted = order([{"sides": sides} for sides, _ in regions])
    points = [turned(x, y, turn) for x, y in _road_points(roads)]
    owners = [number for number, (_, count) in enumerate(regions) for _ in range(count)]
    found: list[tuple[float, float, int]] = []
    taken: list[_Area] = []
    for (right, low), thing in zip(((0, 0), (1, 0), (0, 1), (1, 1)), range(len(owners), len(sizes)), strict=False):
        width, height, _ = sizes[thing]
        x, y = (100 - width / 2 if right else width / 2), (100 - height / 2 if low else height / 2)
        found.append((x, y, thing))
        taken.append((x, y, width, height))
    for thing in sorted(range(len(owners)), key=lambda i: (-sizes[i][0], len(regions[owners[i]][0]))):
        number = owners[thing]
        above = tuple(regions[i][0] for i in painted[painted.index(number) + 1 :])
        width, height, count = sizes[thing]
        spots = _spots(regions[number][0], painted[0] == number, above, turn, (width, height))
        for _ in range(count):
            x, y = _best(spots, (width, height), points, taken)
            taken.append((x, y, width, height))
            found.append((x, y, thing))
    return tuple(found)


def _size(node: Node) -> tuple[float, float]:
    from .pieces import on_tile

    box = on_tile(attrs.evolve(node, count=1), 1.0)
    return box.width + 2, box.height + 2


def _road_points(roads: Sequence[Sequence[int]]) -> list[tuple[float, float]]:
    points = []
    for sides in roads:
        for side in sides:
            x, y = _MIDDLES[side]
            points += [(x + (50 - x) * t, y + (50 - y) * t) for t in (0.1, 0.4, 0.7, 1.0)]
    return points


def _covering(sides: Sequence[int], base: bool, above: Sequence[Sequence[int]], turn: int) -> Callable[..., bool]:
    """Whether a point of the turned tile shows a region, as far as no other lies upon it."""

    def inside(x: float, y: float) -> bool:
        x, y = turned(x, y, -turn)
        return (base or covers(sides, x, y)) and not any(covers(other, x, y) for other in above)

    return inside


@functools.lru_cache(maxsize=2048)
def _spots(
    sides: tuple[int, ...], base: bool, above: tuple[tuple[int, ...], ...], turn: int, size: tuple[float, float]
) -> tuple[tuple[float, float, float], ...]:
    """The points of a region where a thing of this size may lie, each with how far it is from the region's edge."""
    inside = _covering(sides, base, above, turn)
    return tuple((*at, _room(inside, *at)) for at in _points(size) if inside(*at))


def _best(
    spots: Sequence[tuple[float, float, float]],
    size: tuple[float, float],
    roads: Sequence[tuple[float, float]],
    taken: Sequence[_Area],
) -> tuple[float, float]:
    """The point of a region that is farthest from all else; beside the region if it has no room left."""
    best, most = (50.0, 50.0), -math.inf
    for x, y, room in spots:
        at = (x, y)
        gap = min((_gap(at, size, area) for area in taken), default=30.0)
        road = min((math.hypot(at[0] - a, at[1] - b) for a, b in roads), default=60.0)
        value = min(gap, 14) * (1 if gap > 0 else 6) + 0.35 * min(road, 26) + 0.9 * room - 0.001 * (x + y)
        if value > most:
            best, most = at, value
    if all(_gap(best, size, area) >= 0 for area in taken):
        return best
    free = [at for at in _points(size) if all(_gap(at, size, area) >= 0 for area in taken)]
    return min(free, key=lambda at: math.hypot(at[0] - best[0], at[1] - best[1]), default=best)


def _points(size: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Points of the tile round which a thing of this size fits."""
    half_width, half_height = size[0] / 2, size[1] / 2
    for x in range(10, 91, _STEP):
        for y in range(10, 91, _STEP):
            yield min(max(x, half_width), 100 - half_width), min(max(y, half_height), 100 - half_height)


def _gap(at: tuple[float, float], size: tuple[float, float], area: _Area) -> float:
    """How far a thing is from another one; below 0 they overlap."""
    across = abs(at[0] - area[0]) - (size[0] + area[2]) / 2
    down = abs(at[1] - area[1]) - (size[1] + area[3]) / 2
    return max(across, down)


def _room(inside: Callable[..., bool], x: float, y: float) -> float:
    """How far a point lies inside its region, up to 18."""
    for reach in (6, 12, 18):
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            a, b = x + reach * dx, y + reach * dy
            if 0 <= a <= 100 and 0 <= b <= 100 and not inside(a, b):
                return reach - 6.0
    return 18.0
