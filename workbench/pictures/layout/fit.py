"""The box of any node of a Scene within a width: boards, maps, and rows that face each other."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from ..scene.nodes import Node
from . import piece_boxes
from .boxes import Box, centred, column, flow, framed, row, shelves, shortened, text
from .room import ROOMS

_PAD = 9.0
"""Room round what lies in a player's area, in pixels."""
_MANY = 10
"""More cards than these in one place, and than fill two rows, are drawn by their names only."""


def fit(node: Node, width: float) -> Box:
    """The box of a node. It is no wider than ``width`` where that is possible."""
    rooms, make = ROOMS.get(), _BY_KIND[node.kind]
    if rooms is None:
        return node.once(width, make, width) if node.children else make(node, width)
    once = node.children and rooms.settled
    return rooms.hold(node, width, node.once((width, rooms), make, width) if once else make(node, width))


def _zone(node: Node, width: float) -> Box:
    """A labelled frame around its parts; a slot has the member it belongs to in front."""
    head, parts = node.children[: node.look.get("head", 0)], node.children[node.look.get("head", 0) :]
    pad = 6.0
    room = width - 2 * pad
    zones = any(child.kind == "zone" for child in parts)
    boxes = line(node, parts, room) if zones else _pieces(parts, room)
    inner = flow(boxes, room, 6, "top" if zones else "middle")
    slot = bool(node.look.get("slot"))
    label = [text(shortened(node.label, 10.5, room - 20, slot), 10.5, "ink" if slot else "dim", bold=slot)]
    label = label if node.label else []
    front, behind = ([fit(h, room) for h in head if (h.kind == "backs") is back] for back in (False, True))
    first = row([*front, *label, *behind], 4)
    lines = [box for box in (first, inner) if box.width]
    beside = slot and head and len(boxes) == 1 and boxes[0].height <= 30 and first.width + inner.width + 8 <= room
    whole = row([first, inner], 8) if beside else column(lines, 4)
    return framed(whole, pad, "zone").of(node)


def _pieces(parts: Sequence[Node], room: float) -> list[Box]:
    """What lies in a place; many cards by their names only."""
    many = sum(child.kind == "card" for child in parts) > max(_MANY, 2 * int((room + 6) // (piece_boxes.CARD + 6)))
    return [piece_boxes.short_card(c) if many and c.kind == "card" else fit(c, room) for c in parts]


def line(node: Node, children: Sequence[Node], width: float) -> list[Box]:
    """The boxes of what lies in a node one after the other."""
    boxes, rooms = [fit(child, width) for child in children], ROOMS.get()
    return boxes if rooms is None else rooms.line(node, children, boxes, width)


def _row(node: Node, width: float) -> Box:
    boxes = line(node, node.children, width)
    if node.look.get("down"):
        return column(boxes, 4, "middle").of(node)
    return flow(boxes, width, 8).of(node)


def _panel(node: Node, width: float) -> Box:
    look, pad = node.look, _PAD
    head = [fit(node.children[0], 30), text(node.label, 14, bold=True)]
    if "you" in look:
        head.append(text(look["you"], 12, "dim"))
    if "score" in look:
        head.append(text(look["score"], 13, bold=True))
    if "decides" in look:
        head.append(text(f"◀ {look['decides']}", 11, "accent", bold=True))
    room = width - 2 * pad
    first = flow(head, room, 8, "middle")
    boxes = line(node, node.children[1:], room)
    whole = column([first, flow(boxes, room, 8)] if boxes else [first], 6)
    data = {"hue": look["hue"], "you": "you" in look}
    return framed(whole, pad, "panel", data, width).of(node)


def players(node: Node, width: float, columns: int) -> Box:
    """The areas of the players in a number of columns, as wide as these; in fewer where one does not fit into its."""
    columns = min(columns, len(node.children)) or 1
    each = (width - 10 * (columns - 1)) / columns
    boxes = [fit(child, each) for child in node.children]
    if columns > 1 and any(box.width > each + 0.01 for box in boxes):
        return players(node, width, columns - 1)
    return shelves(boxes, width, 10, columns)


def natural_width(panel: Node, width: float) -> float:
    """The width that what lies in a player's area fills of the one it is given; the line above it can be broken."""
    _, _, inner = fit(panel, width).inside[0]
    return inner.inside[-1][2].width + 2 * _PAD


def _laid(node: Node, width: float) -> Box:
    """Pieces laid in a grid, north at the top, in squares as large as the width allows."""
    if not node.children:
        return Box(0, 0).of(node)
    xs = [s.look["x"] for s in node.children]
    ys = [s.look["y"] for s in node.children]
    columns = max(xs) - min(xs) + 1
    size = min(80.0, max(width, 26.0) / columns)
    inside = []
    for spot in node.children:
        x, y = (spot.look["x"] - min(xs)) * size, (max(ys) - spot.look["y"]) * size
        piece = spot.children[0] if spot.children else None
        if piece is not None and piece.kind == "tile":
            box = piece_boxes.tile(piece, size)
        elif piece is not None:
            box = centred(_on_square(piece, size * 0.8), size, size, "cell")
        else:
            box = Box(size, size, "slot", {"keep": True})
        inside.append((x, y, box.of(spot)))
    return Box(columns * size, (max(ys) - min(ys) + 1) * size, "laid", inside=tuple(inside)).of(node)


def _on_square(piece: Node, size: float) -> Box:
    small = 0.6 if piece.look.get("small") else 1.0
    return piece_boxes.token(piece, size * small) if piece.kind == "token" else fit(piece, size)


def _legend(node: Node, width: float) -> Box:
    named = [row([fit(attrs.evolve(c, label=""), 30), text(c.label, 10.5, "dim")], 3) for c in node.children]
    return flow(named, width, 12, "middle").of(node)


def _ring(node: Node, width: float) -> Box:
    from .rings import ring

    return ring(node, width)


_NAME = 78.0


def facing(node: Node, width: float) -> Box:
    """The rows in columns of equal width; the far sides stand on the middle, the near side hangs from it."""
    columns = node.look["columns"]
    narrow = width < 560
    label = 24.0 if narrow else _NAME
    step = min((width - label) / columns, 165.0)
    inside, y = [], 0.0
    for side in node.children:
        cells = [fit(child, step) for child in side.children[1:]]
        height = max((c.height for c in cells), default=0)
        head = fit(side.children[0], label) if side.children and side.children[0].children else None
        if head is not None:
            inside.append((0.0, y + (height - head.height) / 2, head))
        if side.label and not narrow:
            inside.append((22.0, y + height / 2 - 7, text(side.label, 11, bold=True)))
        for i, cell in enumerate(cells):
            top = {"far": height - cell.height, "middle": 0.0}.get(side.look.get("side", ""), 0.0)
            scale = min(1.0, step / max(cell.width, 1))
            wide = centred(cell, step, cell.height) if scale == 1 else cell
            inside.append((label + i * step, y + top, wide))
        y += height + 8
    return Box(label + columns * step, max(0.0, y - 8), "facing", inside=tuple(inside)).of(node)


_MOST = 66.0


def board(node: Node, width: float) -> Box:
    """A board no wider than ``width``, with its files and ranks at the margins where its members are named so."""
    return _squares(node, width) if node.look["shape"] == "squares" else _cells(node, width)


def _squares(node: Node, width: float) -> Box:
    xs = [s.look["x"] for s in node.children]
    ys = [s.look["y"] for s in node.children]
    columns, rows = max(xs) + 1, max(ys) + 1
    margin = 18.0
    size = max(14.0, min(_MOST, (width - margin) / columns, 620 / rows))
    inside = []
    for square in node.children:
        x, y = square.look["x"], square.look["y"]
        data = {"dark": (x + y) % 2 == 0, "chequered": node.look.get("chequered", False), "hue": node.look.get("hue")}
        box = square.once((size, *data.values()), _square, size, data)
        inside.append((margin + x * size, (rows - 1 - y) * size, box))
    for x in range(columns):
        mark = text(_letters(x), 10, "dim")
        inside.append((margin + (x + 0.5) * size - mark.width / 2, rows * size + 3, mark))
    for y in range(rows):
        mark = text(str(y + 1), 10, "dim")
        inside.append((margin - 5 - mark.width, (rows - 0.5 - y) * size - 6, mark))
    return Box(margin + columns * size + 1, rows * size + margin, "board", {}, tuple(inside)).of(node)


def _square(square: Node, size: float, data: Mapping[str, Any]) -> Box:
    return Box(size, size, "square", data, _contents(square, size)).of(square)


def _cell(square: Node, step: float, tall: float, data: Mapping[str, Any]) -> Box:
    return Box(step, tall, "hexagon", data, _in_cell(square, step, tall)).of(square)


def _letters(number: int) -> str:
    return chr(97 + number) if number < 26 else chr(96 + number // 26) + chr(97 + number % 26)


def _contents(square: Node, size: float) -> tuple[tuple[float, float, Box], ...]:
    """The pieces on a square, as large as fits; beside another piece, markers are small in a corner."""
    aside = [part for part in square.children if part.look.get("marker")]
    parts = [part for part in square.children if part not in aside]
    if not parts:
        parts, aside = aside, []
    if not parts:
        return ()
    across = math.ceil(math.sqrt(len(parts)))
    each = size * (0.8 if across == 1 else 0.84 / across)
    boxes = [_on_square(p, each) for p in parts]
    inner = flow(boxes, each * across + 3, 2, "middle")
    marks = row([piece_boxes.token(one, size * 0.4) for one in aside], 1)
    corner = (size - marks.width, size - marks.height, marks)
    return ((size - inner.width) / 2, (size - inner.height) / 2, inner), *([corner] if aside else [])


def _cells(node: Node, width: float) -> Box:
    """Hexagonal cells with a corner at the top, row by row; each row is shifted by half a cell."""
    lean = 1 if node.look["shape"] == "rhombus" else -1
    spots = [(s.look["x"] + lean * s.look["y"] / 2, s.look["y"]) for s in node.children]
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    rows = max(y for _, y in spots) + 1
    step = max(10.0, min(56.0, width / (right - left + 1), 600 / (rows * 0.866 + 0.3)))
    tall = step / math.sqrt(3) * 2
    inside = []
    for square, (x, y) in zip(node.children, spots, strict=True):
        data = {"hue": node.look.get("hue")}
        box = square.once((step, data["hue"]), _cell, step, tall, data)
        inside.append(((x - left) * step, (rows - 1 - y) * tall * 0.75, box))
    return Box((right - left + 1) * step, tall * (0.75 * rows + 0.25), "board", {}, tuple(inside)).of(node)


def _in_cell(square: Node, step: float, tall: float) -> tuple[tuple[float, float, Box], ...]:
    label = text(square.label, 8, "dim") if not square.children and step > 30 else None
    if label is not None:
        return (((step - label.width) / 2, (tall - label.height) / 2, label),)
    return tuple((x, y + (tall - step) / 2, box) for x, y, box in _contents(square, step))


_STEPS = 240
_SMALL, _LARGE = 20.0, 36.0
"""Widths of places."""
_ASIDE = 24.0
"""How far links between the same two places bend away from each other."""
_Spot: TypeAlias = tuple[float, float, Box]
_APART = math.radians(40)
"""A label is in the way of no link that leaves its place in a direction this far from it."""


def network(node: Node, width: float) -> Box:
    """A map no wider than ``width``: links first, places with their pieces on top, names below them."""
    links = tuple((a, b) for a, b in node.look["links"])
    fields = [child for child in node.children if child.kind != "route"]
    routes = [child for child in node.children if child.kind == "route"]
    given = tuple((f.look["x"], f.look["y"]) if "x" in f.look else None for f in fields)
    spots = _spots(len(fields), links, given)
    margin, height = 46.0 if width >= 560 else 30.0, min(width if width < 560 else width * 0.7, 620.0)
    points = [(margin + x * (width - 2 * margin), margin + y * (height - 2 * margin)) for x, y in spots]
    size = _size(points)
    inside: list[tuple[float, float, Box]] = []
    beside = Counter(tuple(sorted(route.look["ends"])) for route in routes)
    for a, b in links:
        if (min(a, b), max(a, b)) not in beside:
            inside.append((0.0, 0.0, Box(0, 0, "link", {"points": [points[a], points[b]]})))
    there: Counter[tuple[int, ...]] = Counter()
    late: list[tuple[float, float, Box]] = []
    for route in routes:
        ends = tuple(sorted(route.look["ends"]))
        aside = (there[ends] - (beside[ends] - 1) / 2) * _ASIDE
        there[ends] += 1
        line, middle = _route(route, points[ends[0]], points[ends[1]], aside)
        inside.append((0.0, 0.0, line))
        late.append(middle)
    inside += late
    for number, (field, (x, y)) in enumerate(zip(fields, points, strict=True)):
        parts = [_piece(child, size) for child in field.children]
        disc = Box(size, size, "place").of(field)
        inside.append((x - size / 2, y - size / 2, disc))
        wide = size
        if parts:
            held = row(parts, 2)
            inside.append((x - held.width / 2, y - held.height / 2, held.on(field)))
            wide = max(size, held.width)
        if field.label:
            label = text(field.label, 9.5, "over")
            left, top = _beside(label, wide, size, _angles(number, points, links))
            inside.append((min(max(x + left, 0), width - label.width), y + top, label.on(field)))
    return Box(width, height, "map", inside=tuple(inside)).of(node)


def _route(route: Node, one: tuple[float, float], other: tuple[float, float], aside: float) -> tuple[Box, _Spot]:
    """A link that keeps something: its line, ``aside`` of the straight one, and what lies in its middle."""
    (ax, ay), (bx, by) = one, other
    size = math.hypot(bx - ax, by - ay) or 1
    x, y = (ax + bx) / 2 - (by - ay) / size * aside, (ay + by) / 2 + (bx - ax) / size * aside
    line = Box(0, 0, "link", {"points": [one, (x, y), other], "hue": route.look["hue"]}).of(route)
    held = row([_piece(child, _SMALL) for child in route.children], 1)
    return line, (x - held.width / 2, y - held.height / 2, held.on(route))


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
    box = piece_boxes.token(attrs.evolve(child, count=1), size)
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
    for step in range(_STEPS if count <= 60 else 80):
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


_BY_KIND: dict[str, Callable[[Node, float], Box]] = {
    "zone": _zone,
    "row": _row,
    "panel": _panel,
    "laid": _laid,
    "legend": _legend,
    "token": lambda node, width: piece_boxes.token(node),
    "card": lambda node, width: piece_boxes.card(node, max(48.0, min(piece_boxes.CARD, width - 4))),
    "tile": lambda node, width: piece_boxes.tile(node, min(piece_boxes.TILE, width)),
    "marker": lambda node, width: Box(0, 0).of(node),
    "pill": lambda node, width: piece_boxes.pill(node, min(width, 190)),
    "counter": lambda node, width: piece_boxes.counter(node),
    "backs": lambda node, width: piece_boxes.backs(node),
    "slot": lambda node, width: piece_boxes.slot(node),
    "stack": piece_boxes.stack,
    "ring": _ring,
    "board": board,
    "map": network,
    "facing": facing,
}
