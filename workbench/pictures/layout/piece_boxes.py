"""Boxes of single things: tokens, pills, cards, tiles, backs, stacks, slots, numbers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from ..scene.nodes import Node
from .boxes import Box, centred, column, flow, framed, lines_of, longest, row, text, width_of

TOKEN, SMALL, LARGE = 27.0, 17.0, 38.0
_ON_CARD = 22.0
TILE = 76.0
CARD = 78.0


def token(node: Node, size: float = TOKEN) -> Box:
    """A piece with a symbol or letters, and how many there are of it."""
    if size == TOKEN:
        size = SMALL if node.look.get("small") else LARGE if node.look.get("large") else TOKEN
    box = face(node.look, size).of(node)
    if node.count == 1:
        return box
    return attrs.evolve(row([box, text(f"×{node.count}", 11.5, bold=True)], 2), address="")


def face(look: Mapping[str, Any], size: float) -> Box:
    """A token without its number."""
    data: dict[str, Any] = {k: look[k] for k in ("hue", "shape", "symbol", "badge", "marker", "whose") if k in look}
    letters = str(look.get("text", ""))
    if "symbol" in look or not letters:
        return Box(size, size, "token", data)
    room = size * (0.62 if look.get("shape") in ("house", "column", "diamond", "star", "pawn") else 0.76)
    font = min(size * 0.5, room / max(width_of(letters, 1, True), 0.1))
    written = text(letters, round(font, 1), f"on {look.get('hue', 'plain')}", bold=True)
    lift = {"house": 0.08, "pawn": 0.16, "column": 0.05}.get(str(look.get("shape")), 0) * size
    place = ((size - written.width) / 2, (size - written.height) / 2 + lift, written)
    return Box(size, size, "token", data, (place,))


def pill(node: Node, most: float = 170) -> Box:
    """A word with a border in the colour of what it names."""
    size = min(10.5, max(7.5, (most - 14) / longest(node.label, bold=False)))
    inner = column([text(line, size) for line in lines_of(node.label, size, most - 13.5, most=2)], 0)
    box = framed(inner, 0, "pill", {"hue": node.look.get("hue", "plain")})
    box = centred(inner, box.width + 14, box.height + 7, "pill", box.data).of(node)
    return row([box, text(f"×{node.count}", 11, bold=True)], 2) if node.count > 1 else box


def counter(node: Node) -> Box:
    """A number, with its label in front."""
    number = text(str(node.look.get("text", "")), 13, bold=True)
    if not node.label:
        return attrs.evolve(number.of(node))
    return row([text(node.label, 10, "dim"), number], 4).of(node)


def card(node: Node, width: float) -> Box:
    """A card: its name on a strip of its colour, and below it what its columns say."""
    from .fit import fit

    inner_width = width - 10
    hue = node.look.get("hue", "plain")
    font = max(8.2, min(9.5, 9.5 * inner_width / max(width_of(node.label, 9.5, True), 1)))
    lines = lines_of(node.label, font, inner_width + 0.5, True, most=2)
    strip = column([text(line, font, f"on {hue}", bold=True) for line in lines], 0)
    parts = [token(one, _ON_CARD) if one.kind == "token" else fit(one, inner_width) for one in node.children]
    symbol = node.look.get("symbol")
    body = []
    if symbol:
        body.append(centred(Box(36, 36, "symbol", {"symbol": symbol, "hue": hue}), inner_width, 38))
    if parts:
        body.append(flow(parts, inner_width, 4, "middle"))
    inner = column(body, 3, "middle")
    top = strip.height + 6
    height = max(top + inner.height + 8, 44)
    data = {"hue": hue, "strip": top}
    left = (width - inner.width) / 2
    inside = ((5.0, 3.0, strip), (left, top + 4, inner))
    box = Box(width, height, "card", data, inside).of(node)
    return row([box, text(f"×{node.count}", 12, bold=True)], 3) if node.count > 1 else box


def short_card(node: Node) -> Box:
    """A card by its name only."""
    return pill(Node("pill", node.address, node.label, node.alt, node.count, {"hue": node.look.get("hue", "plain")}))


def tile(node: Node, size: float = TILE) -> Box:
    """A tile of which ``paint`` draws the face; what lies on it is placed where there is room."""

    data = {"face": node.look["face"], "regions": node.look["regions"], "roads": node.look["roads"],
            "turn": node.look.get("turn", 0)}  # fmt: skip
    inside = []
    for x, y, child in things(node):
        scale = size / 100
        box = on_tile(child, scale)
        left = min(max(x * scale - box.width / 2, 1), size - box.width - 1)
        top = min(max(y * scale - box.height / 2, 1), size - box.height - 1)
        inside.append((left, top, box))
    box = Box(size, size, "tile", data, tuple(inside)).of(node)
    return row([box, text(f"×{node.count}", 12, bold=True)], 3) if node.count > 1 else box


def on_tile(node: Node, scale: float) -> Box:
    """A thing on a tile of ``100 * scale`` pixels."""
    one = attrs.evolve(node, count=1)
    if node.kind == "token":
        return face(one.look, (24 if "symbol" in one.look or one.look.get("shape") == "chip" else 21) * scale).of(one)
    size = scale * min(9.4, 58 / longest(one.label, bold=False))
    lines = lines_of(one.label, size, 58.5 * scale, most=2)
    inner = column([text(line, size) for line in lines], 0)
    return centred(inner, inner.width + 5 * scale, inner.height + 3 * scale, "pill", {"hue": one.look["hue"]}).of(one)


def backs(node: Node) -> Box:
    """Hidden pieces from behind, with their number; a question mark where not even that is known."""
    if node.count == 0 and node.label:
        return text(node.label, 11, "dim").of(node)
    shown = min(node.count, 5)
    pile = Box(20 + 4 * max(shown - 1, 0), 28, "backs", {"count": shown}).of(node)
    return row([pile, text(f"×{node.count}", 11.5, bold=True)], 4) if node.count > 1 else pile


def slot(node: Node) -> Box:
    """An empty place."""
    wide, high = (54.0, 34.0) if node.look.get("size") == "card" else (TOKEN, TOKEN)
    return Box(wide, high, "slot").of(node)


def stack(node: Node, width: float) -> Box:
    """Pieces on one another: cards fanned with the last one whole, others beside each other from the bottom on, or
    where the look says so one above the other."""
    from .fit import fit

    parts = [fit(child, width) for child in node.children]
    hidden = node.count - len(parts)
    if node.children and node.children[0].kind == "card" and len(parts) > 1:
        inner = _fan(parts)
    elif node.look.get("upwards"):
        inner = column(parts[::-1], 1, "middle")
    else:
        inner = flow(parts, width, 2, "middle")
    if hidden > 0:
        count = text(f"×{node.count}", 11.5, bold=True)
        beside = row([inner, count], 4)
        inner = beside if beside.width <= width else column([inner, count], 2, "middle")
    return inner.of(node)


def _fan(parts: list[Box]) -> Box:
    """Cards of which only the last is seen whole, and of the others the strip with their name."""
    y, inside = 0.0, []
    for part in parts[:-1]:
        top = float(part.data["strip"])
        strip = attrs.evolve(part, height=top, form="strip", inside=part.inside[:1])
        inside.append((0.0, y, strip))
        y += top + 1
    inside.append((0.0, y, parts[-1]))
    return Box(max(p.width for p in parts), y + parts[-1].height, "fan", inside=tuple(inside))


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
