"""Maps: places and the links between them, where the look says, or where forces between them come to rest."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import attrs

from ..scene.nodes import Node
from . import pieces
from .boxes import Box, row, text
from .fit import fit

_STEPS = 240
_SMALL, _LARGE = 20.0, 36.0
"""Widths of places."""
_APART = math.radians(40)
"""A label is in the way of no link that leaves its place in a direction this far from it."""


def network(node: Node, width: float) -> Box:
    """A map no wider than ``width``: links first, places with their pieces on top, names below them."""
    links = tuple((a, b) for a, b in node.look["links"])
    given = tuple((f.look["x"], f.look["y"]) if "x" in f.look else None for f in node.children)
    spots = _spots(len(node.children), links, given)
    margin, height = 46.0, min(width * 0.7, 620.0)
    points = [(margin + x * (width - 2 * margin), margin + y * (height - 2 * margin)) for x, y in spots]
    size = _size(points)
    inside: list[tuple[float, float, Box]] = []
    for a, b in links:
        inside.append((0.0, 0.0, Box(0, 0, "link", {"points": [points[a], points[b]]})))
    for number, (field, (x, y)) in enumerate(zip(node.children, points, strict=True)):
        parts = [_piece(child, size) for child in field.children]
        disc = Box(size, size, "place").of(field)
        inside.append((x - size / 2, y - size / 2, disc))
        wide = size
        if parts:
            held = row(parts, 2)
            inside.append((x - held.width / 2, y - held.height / 2, held.on(field)))
            wide = max(size, held.width)
        if field.label:
            label = text(field.label, 9.5)
            left, top = _beside(label, wide, size, _angles(number, points, links))
            inside.append((min(max(x + left, 0), width - label.width), y + top, label.on(field)))
    return Box(width, height, "map", inside=tuple(inside)).of(node)


def _size(points: Sequence[tuple[float, float]]) -> float:
    """The width of a place: less than half of what lies between the two that are nearest to each other."""
    nearest = min((math.dist(a, b) for i, a in enumerate(points) for b in points[:i]), default=_LARGE)
    return max(_SMALL, min(_LARGE, 0.45 * nearest))


def _angles(place: int, points: Sequence[tuple[float, float]], links: Sequence[tuple[int, int]]) -> list[float]:
    """The directions in which links leave a place, in radians, clockwise from the right."""
    x, y = points[place]
    others = [points[b if a == place else a] for a, b in links if place in (a, b)]
    return [math.atan2(there - y, over - x) for over, there in others]


def _beside(label: Box, wide: float, high: float, taken: Sequence[float]) -> tuple[float, float]:
    """Where a label begins, from the middle of its place: below it, or where no link is in its way."""
    right, below = wide / 2 + 3, high / 2 + 3
    spots = [
        (math.pi / 2, -label.width / 2, below),
        (-math.pi / 2, -label.width / 2, -below - label.height),
        (math.pi / 4, right - 3, below - 5),
        (3 * math.pi / 4, 3 - right - label.width, below - 5),
        (0.0, right, -label.height / 2),
        (math.pi, -right - label.width, -label.height / 2),
    ]

    def room(at: float) -> float:
        return min((abs(math.remainder(at - link, math.tau)) for link in taken), default=math.pi)

    free = next((spot for spot in spots if room(spot[0]) > _APART), None)
    _, left, top = free or max(spots, key=lambda spot: room(spot[0]))
    return left, top


def _piece(child: Node, size: float) -> Box:
    if child.kind != "token":
        return fit(child, 60)
    box = pieces.token(attrs.evolve(child, count=1), size)
    return row([box, text(f"×{child.count}", 9, bold=True)], 0) if child.count > 1 else box


@functools.lru_cache(maxsize=64)
def _spots(
    count: int, links: Sequence[tuple[int, int]], given: Sequence[tuple[float, float] | None]
) -> tuple[tuple[float, float], ...]:
    """A point in the unit square for each place; those that the look gives stay in proportion to each other."""
    if all(given):
        points = [at for at in given if at is not None]
    else:
        points = _at_rest(count, links)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = max(xs) - min(xs) or 1, max(ys) - min(ys) or 1
    return tuple(((x - min(xs)) / wide, (y - min(ys)) / high) for x, y in points)


def _at_rest(count: int, links: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Fruchterman and Reingold's forces from a circle, always with the same result."""
    points = [(math.cos(2 * math.pi * i / count), math.sin(2 * math.pi * i / count)) for i in range(count)]
    ideal = 1.6 / math.sqrt(count)
    for step in range(_STEPS if count <= 120 else 40):
        force = [[0.0, 0.0] for _ in range(count)]
        for i in range(count):
            for j in range(i):
                _push(points, force, i, j, ideal, attract=False)
        for i, j in links:
            _push(points, force, i, j, ideal, attract=True)
        most = 0.12 * (1 - step / _STEPS) + 0.002
        for i, (fx, fy) in enumerate(force):
            size = math.hypot(fx, fy) or 1
            reach = min(size, most) / size
            points[i] = (points[i][0] + fx * reach, points[i][1] + fy * reach)
    return points


def _push(
    points: list[tuple[float, float]], force: list[list[float]], i: int, j: int, ideal: float, *, attract: bool
) -> None:
    dx, dy = points[i][0] - points[j][0], points[i][1] - points[j][1]
    size = math.hypot(dx, dy) or 0.01
    pull = -size / ideal if attract else ideal * ideal / (size * size)
    force[i][0] += dx * pull
    force[i][1] += dy * pull
    force[j][0] -= dx * pull
    force[j][1] -= dy * pull
