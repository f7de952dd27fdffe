"""Boxes of single things: tokens, pills, cards, tiles, backs, stacks, slots, numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from ..scene.nodes import Node
from .boxes import Box, centred, column, flow, framed, row, text
from .metrics import lines_of, longest, shortened, width_of

TOKEN, SMALL, LARGE = 27.0, 17.0, 38.0
TILE = 76.0
CARD = 78.0
_MANY = 10
"""More cards than these in one place are drawn by their names only."""


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
    lines = lines_of(node.label, 10.5, most - 14, most=2)
    inner = column([text(line, 10.5) for line in lines], 0)
    box = framed(inner, 0, "pill", {"hue": node.look.get("hue", "plain")})
    box = centred(inner, box.width + 14, box.height + 7, "pill", box.data).of(node)
    return row([box, text(f"×{node.count}", 11, bold=True)], 2) if node.count > 1 else box


def counter(node: Node) -> Box:
    """A number, with its label in front."""
    number = text(str(node.look.get("text", "")), 13, bold=True)
    if not node.label:
        return attrs.evolve(number.of(node))
    return row([text(node.label, 10, "dim"), number], 4).of(node)


def card(node: Node, width: float = CARD, fit: Any = None) -> Box:
    """A card: its name on a strip of its colour, and below it what its columns say."""
    from .fit import fit as place

    inner_width = width - 10
    hue = node.look.get("hue", "plain")
    font = max(8.2, min(9.5, 9.5 * inner_width / max(width_of(node.label, 9.5, True), 1)))
    lines = lines_of(node.label, font, inner_width + 0.5, True, most=2)
    strip = column([text(line, font, f"on {hue}", bold=True) for line in lines], 0)
    parts = [place(child, inner_width) for child in node.children]
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
    from .tiles import things

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
    from .fit import fit as place

    parts = [place(child, width) for child in node.children]
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


__all__ = ["backs", "card", "counter", "face", "pill", "short_card", "shortened", "slot", "stack", "tile", "token"]
