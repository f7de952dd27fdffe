"""Rings: a closed path of fields, clockwise from the upper left, with bands of areas outside and room in the middle.

A stretch of a ring is a straight path, from left to right.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

import attrs

from ..scene.nodes import Node
from . import piece_boxes
from .boxes import Box, column, lines_of, longest, row, shortened, text, width_of
from .fit import fit

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
class RingLine:
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


_BAND = 21.0


@attrs.frozen
class Path:
    """A ring in pixels: ``depth`` of its fields, ``step`` along the middle of the path, ``middle`` of it all, and the
    ``margin`` outside."""

    curve: Curve | RingLine
    depth: float
    step: float
    middle: tuple[float, float]
    margin: float

    def moved(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        cx, cy = self.middle
        return [(round(x + cx, 1), round(y + cy, 1)) for x, y in points]

    def point(self, along: float, out: float) -> tuple[float, float, float, float]:
        x, y, nx, ny = self.curve.at(along, out)
        return x + self.middle[0], y + self.middle[1], nx, ny


def ring(node: Node, width: float) -> Box:
    """The ring and, in ``data``, the free room in its middle: ``room`` is x, y, width and height."""
    fields = [child for child in node.children if child.kind == "field"]
    bands = [child for child in node.children if child.kind == "band"]
    if node.look.get("stretch"):
        return _stretch(node, fields, bands, width)
    path, height = _path(len(fields), bool(bands), width)
    inside = _drawn(fields, bands, path, (len(fields), bool(bands), width))
    return Box(width, height, "ring", {"room": _room(path, width, height)}, inside).of(node)


_Placed: TypeAlias = tuple[float, float, Box]


def _drawn(
    fields: Sequence[Node], bands: Sequence[Node], path: Path, which: tuple[Hashable, ...]
) -> tuple[_Placed, ...]:
    """Bands and fields first, then what lies on them, so that neighbours cover nothing. ``which``: tells the path."""
    inside: list[_Placed] = []
    late: list[_Placed] = []
    marks: list[_Placed] = []
    for band in bands:
        inside += band.once(which, _band, path)
    for number, field in enumerate(fields):
        outline, lines, contents = field.once((*which, number), _field, number, path)
        inside.append(outline)
        marks += lines
        late += contents
    return (*inside, *marks, *late)  # marks lie on the fields and below the pieces


_LONGEST = 52.0
_SHORTEST = 25.0
_WIDE = 40.0
"""Room for a piece and how many there are."""
_DEEP = 66.0


def _stretch(node: Node, fields: Sequence[Node], bands: Sequence[Node], width: float) -> Box:
    """Some fields of a path in a row, or in several where they do not fit into one; dots where the path goes on."""
    part_of = node.look["stretch"] is True
    dots = text("…" if part_of else "", 11, "dim")
    room = width - 2 * (dots.width + 3)
    most = max(1, int(room / (_SHORTEST if part_of else _WIDE)))
    rows = -(-len(fields) // most)
    each = -(-len(fields) // rows)
    step = round(min(_LONGEST, room / each), 1)
    top = _BAND + 8 if bands else 8.0
    boxes = []
    for at in range(0, len(fields), each):
        part = fields[at : at + each]
        length = len(part) * step
        path = Path(RingLine(length), _DEEP, step, (dots.width + 3, top + _DEEP / 2), top)
        outside = list(clipped(bands, at, len(part), len(fields), around=False))
        inside = _drawn(part, outside, path, ("stretch", step, top))
        middle = top + _DEEP / 2 - dots.height / 2
        ends = ((0.0, middle, dots), (dots.width + 6 + length, middle, dots))
        boxes.append(Box(length + 2 * dots.width + 6, top + _DEEP + 8, "group", inside=(*inside, *ends)))
    whole = column(boxes, 4)
    return Box(whole.width, whole.height, "ring", inside=whole.inside).of(node)


def clipped(bands: Sequence[Node], first: int, length: int, fields: int, *, around: bool = True) -> Iterator[Node]:
    """The bands of a path as far as they lie along a stretch of it, with places along that.

    ``fields``: of the whole path; ``around``: whether its end is its beginning.
    """
    for band in bands:
        start, size = band.look["first"], band.look["length"]
        covered = [(start + i) % fields if around else start + i for i in range(size)]
        inside = [(number - first) % fields if around else number - first for number in covered]
        kept = sorted(number for number in inside if 0 <= number < length)
        if kept:
            look = {**band.look, "first": kept[0], "length": kept[-1] - kept[0] + 1}
            yield attrs.evolve(band, look=look)


def _field(field: Node, number: int, path: Path) -> tuple[_Placed, tuple[_Placed, ...], tuple[_Placed, ...]]:
    """The outline of a field, the marks at its end, and its contents."""
    edges = -path.depth / 2, path.depth / 2
    outline = path.moved(path.curve.strip(number * path.step, (number + 1) * path.step, *edges, path.step / 2))
    box = Box(0, 0, "field", {"points": outline}).of(field)
    contents = tuple((x, y, part.on(field)) for x, y, part in _contents(field, number, path))
    return (0.0, 0.0, box), tuple(_marks(field, number, path)), contents


@functools.lru_cache(maxsize=32)
def _path(count: int, bands: bool, width: float) -> tuple[Path, float]:
    wide = width >= 620
    height = width * 0.64 if wide else width * 1.6
    margin = (_BAND if bands else 2) + 8
    around = 2 * (width + height) * 0.86
    depth = min(max(around / count * 1.75, 56.0), 90.0, 0.22 * min(width, height))
    if not wide:
        depth = min(depth, 84.0)
    line = curve(round(width / 2 - margin - depth / 2, 1), round(height / 2 - margin - depth / 2, 1))
    return Path(line, depth, line.length / count, (width / 2, height / 2), margin), height


def _room(path: Path, width: float, height: float) -> tuple[float, float, float, float]:
    assert isinstance(path.curve, Curve)
    xs, ys = zip(*path.curve.points, strict=True)
    half_width = (max(xs) - path.depth / 2) * 0.87
    half_height = (max(ys) - path.depth / 2) * 0.93
    return width / 2 - half_width, height / 2 - half_height, 2 * half_width, 2 * half_height


def _put(box: Box, x: float, y: float) -> tuple[float, float, Box]:
    return x - box.width / 2, y - box.height / 2, box


def _contents(field: Node, number: int, path: Path) -> Iterator[tuple[float, float, Box]]:
    """From the inner edge outwards: the name, the columns, the pieces."""
    middle = (number + 0.5) * path.step
    _, _, nx, ny = path.point(middle, 0)
    edge = -path.depth / 2 + 3
    font = min(9.0, path.step * 0.3)
    room = min(path.step * 1.3 / max(abs(ny), 0.1), path.depth * 0.4 / max(abs(nx), 0.1))
    label = column(
        [
            text(line, round(font, 1), "dim")
            for line in lines_of(field.label, font, max(room, longest(field.label, bold=False) * font))
        ],
        0,
        "middle",
    )
    if field.label and label.width <= path.step * 1.3:
        reach = abs(nx) * label.width + abs(ny) * label.height
        yield _put(label, *path.point(middle, edge + reach / 2)[:2])
        edge += reach + 2
    inner = field.children[: field.look["inner"]]
    if inner:
        size = min(20.0, (path.step - 4) / len(inner), path.depth * 0.27)
        out = edge + size / 2
        real = 1 + out / 1200  # the fields are narrower inside at corners
        for i, child in enumerate(inner):
            along = middle + (i - (len(inner) - 1) / 2) * (size + 1) * real
            yield _put(_small(child, size), *path.point(along, out)[:2])
        edge += size + 3
    outer = field.children[field.look["inner"] :]
    standing = [child for child in outer if child.look.get("marker")]
    kept = [child for child in outer if child not in standing]
    tall = min(30.0, path.step * 0.62)
    over = min(3.0, path.margin - tall / 2)
    if kept:
        limit = path.depth / 2 - (max(11.0, tall / 2 - over) if standing else 0)
        size = min(limit - edge - 2, 30.0, (path.step - 3) / len(kept))
        out = (edge + limit) / 2
        for i, child in enumerate(kept):
            along = middle + (i - (len(kept) - 1) / 2) * (size + 1)
            yield _put(_small(child, size), *path.point(along, out)[:2])
    for i, child in enumerate(standing):
        along = middle + (i - (len(standing) - 1) / 2) * (tall + 1)
        yield _put(_small(child, tall), *path.point(along, path.depth / 2 + over)[:2])


def _small(child: Node, size: float) -> Box:
    one = attrs.evolve(child, count=1)
    if child.kind == "token":
        box = piece_boxes.token(one, round(size, 1))
        return row([box, text(f"×{child.count}", 8.5, bold=True)], 0) if child.count > 1 else box
    if child.kind == "backs":
        return piece_boxes.face({"hue": "plain", "shape": "chip", "text": "?"}, round(size, 1)).of(child)
    if child.kind == "stack":
        top = child.children[-1]
        box = _small(attrs.evolve(top, address=child.address), size)
        return row([box, text(f"×{child.count}", 8.5, bold=True)], 1) if child.count > 1 else box
    if child.kind in ("pill", "card"):
        label = shortened(child.label, 8.5, size * 2, True)
        return text(label, 8.5, bold=True).of(child)
    return fit(one, size)


def _marks(field: Node, number: int, path: Path) -> Iterator[tuple[float, float, Box]]:
    """Lines across the end of a field for what is rare."""
    for mark in field.look.get("marks", ()):
        along = (number + 1) * path.step
        outs = [(-path.depth / 2 - 6) + i * (path.depth + 12) / 8 for i in range(9)]
        bends = [3.5 * math.sin(i * math.pi / 2 * 1.5) if mark["shape"] == "wave" else 0.0 for i in range(9)]
        points = [path.point(along + bend, out)[:2] for out, bend in zip(outs, bends, strict=True)]
        data = {"points": [(round(x, 1), round(y, 1)) for x, y in points], "hue": mark["hue"]}
        yield 0.0, 0.0, Box(0, 0, "line", data, alt=mark["label"])
        if mark["shape"] != "line":  # a drawing of its own needs no words
            continue
        label = text(mark["label"], 9, "dim")
        _, _, nx, ny = path.point(along, 0)
        reach = (abs(nx) * label.width + abs(ny) * label.height) / 2 + 9
        yield _put(label, *path.point(along, -path.depth / 2 - reach)[:2])


def _band(band: Node, path: Path) -> tuple[_Placed, ...]:
    return tuple(_band_parts(band, path))


def _band_parts(band: Node, path: Path) -> Iterator[_Placed]:
    start, length = band.look["first"] * path.step, band.look["length"] * path.step
    inner, outer = path.depth / 2, path.depth / 2 + _BAND
    outline = path.moved(path.curve.strip(start, start + length, inner, outer, 22))
    yield 0.0, 0.0, Box(0, 0, "band", {"points": outline, "hue": band.look["hue"]}).of(band)
    size, middle, out = 10.5, start + length / 2, path.depth / 2 + _BAND / 2
    each = _BAND - 5
    room = length - len(band.children) * (each + 3) - 10
    words = shortened(band.label, size, max(room, 20), True)
    used = width_of(words, size, True) + len(band.children) * (each + 3)
    at = middle - used / 2
    x, y, nx, ny = path.point(at + width_of(words, size, True) / 2, out)
    yield _put(text(words, size, f"on {band.look['hue']}", bold=True, angle=_angle(nx, ny)), x, y)
    at += width_of(words, size, True) + 5 + each / 2
    for child in band.children:
        piece = piece_boxes.token(child, each) if child.kind == "token" else fit(child, 40)
        yield _put(piece, *path.point(at, out)[:2])
        at += each + 3


def _angle(nx: float, ny: float) -> float:
    """The direction of the path where it points outwards so, turned so that words stand upright."""
    angle = math.degrees(math.atan2(nx, -ny))
    return round(angle - 180 if angle > 90 else angle + 180 if angle < -90.5 else angle, 1)


def room_of(box: Box) -> tuple[float, float, float, float] | None:
    """The free room inside a ring's box."""
    found: tuple[float, float, float, float] | None = box.data.get("room")
    return found
