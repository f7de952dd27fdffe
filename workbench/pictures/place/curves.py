"""A closed curve between an ellipse and a rectangle, measured along its length."""

from __future__ import annotations

import functools
import math
from bisect import bisect_right

import attrs

_SAMPLES = 720
_ROUND = 4.2
"""2 is an ellipse; the larger, the more of a rectangle."""
_START = 1.25 * math.pi
"""The upper left corner; the curve goes on clockwise."""


@attrs.frozen
class Curve:
    """Points of the curve about (0, 0), and the length up to each of them."""

    points: tuple[tuple[float, float], ...]
    lengths: tuple[float, ...]

    @property
    def length(self) -> float:
        return self.lengths[-1]

    def at(self, along: float, out: float = 0) -> tuple[float, float, float, float]:
        """The point at a distance from the start, ``out`` pixels outside the curve: x, y, and the outward direction."""
        along %= self.length
        i = min(bisect_right(self.lengths, along), _SAMPLES) - 1
        (ax, ay), (bx, by) = self.points[i], self.points[i + 1]
        part = (along - self.lengths[i]) / max(self.lengths[i + 1] - self.lengths[i], 1e-9)
        (px, py), (qx, qy) = self.points[i - 3 if i >= 3 else i - 4], self.points[(i + 4) % _SAMPLES]
        size = math.hypot(qx - px, qy - py) or 1
        nx, ny = (qy - py) / size, -(qx - px) / size
        return ax + (bx - ax) * part + nx * out, ay + (by - ay) * part + ny * out, nx, ny

    def strip(self, start: float, stop: float, inner: float, outer: float, step: float) -> list[tuple[float, float]]:
        """The outline of a piece of the path between two distances, from ``inner`` to ``outer`` beside the curve."""
        parts = max(1, math.ceil((stop - start) / step))
        ways = [start + (stop - start) * i / parts for i in range(parts + 1)]
        return [self.at(w, outer)[:2] for w in ways] + [self.at(w, inner)[:2] for w in reversed(ways)]


@attrs.frozen
class Line:
    """A straight way from (0, 0) to the right, with what is outside above it."""

    length: float

    def at(self, along: float, out: float = 0) -> tuple[float, float, float, float]:
        """As of a curve."""
        return along, -out, 0.0, -1.0

    def strip(self, start: float, stop: float, inner: float, outer: float, step: float) -> list[tuple[float, float]]:
        """As of a curve; ``step`` changes nothing."""
        return [(start, -outer), (stop, -outer), (stop, -inner), (start, -inner)]


@functools.lru_cache(maxsize=32)
def curve(half_width: float, half_height: float) -> Curve:
    """The curve that fits into a rectangle."""
    points: list[tuple[float, float]] = []
    lengths = [0.0]
    for i in range(_SAMPLES + 1):
        angle = _START + 2 * math.pi * i / _SAMPLES
        c, s = math.cos(angle), math.sin(angle)
        x = half_width * math.copysign(abs(c) ** (2 / _ROUND), c)
        y = half_height * math.copysign(abs(s) ** (2 / _ROUND), s)
        if points:
            lengths.append(lengths[-1] + math.hypot(x - points[-1][0], y - points[-1][1]))
        points.append((x, y))
    return Curve(tuple(points), tuple(lengths))
