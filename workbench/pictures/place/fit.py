"""The box of any node of a Scene within a width."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ..scene.nodes import Node
from . import pieces
from .boxes import Box, column, flow, framed, row, shelves, text
from .metrics import shortened

_PAD = 9.0
"""Room round what lies in a player's area, in pixels."""
_MANY = 10
"""More cards than these in one place, and than fill two rows, are drawn by their names only."""


def fit(node: Node, width: float) -> Box:
    """The box of a node. It is no wider than ``width`` where that is possible."""
    if not node.children:
        return _BY_KIND[node.kind](node, width)
    return node.once(width, _BY_KIND[node.kind], width)


def _zone(node: Node, width: float) -> Box:
    """A labelled frame around its parts; a slot has the member it belongs to in front."""
    head, parts = node.children[: node.look.get("head", 0)], node.children[node.look.get("head", 0) :]
    pad = 6.0
    room = width - 2 * pad
    many = sum(child.kind == "card" for child in parts) > max(_MANY, 2 * int((room + 6) // (pieces.CARD + 6)))
    boxes = [pieces.short_card(c) if many and c.kind == "card" else fit(c, room) for c in parts]
    inner = flow(boxes, room, 6, "middle" if not any(c.kind == "zone" for c in parts) else "top")
    slot = bool(node.look.get("slot"))
    label = [text(shortened(node.label, 10.5, room - 20, slot), 10.5, "ink" if slot else "dim", bold=slot)]
    label = label if node.label else []
    first = row([*(fit(h, room) for h in head), *label], 4)
    lines = [box for box in (first, inner) if box.width]
    beside = slot and head and len(boxes) == 1 and boxes[0].height <= 30 and first.width + inner.width + 8 <= room
    whole = row([first, inner], 8) if beside else column(lines, 4)
    return framed(whole, pad, "zone").of(node)


def _row(node: Node, width: float) -> Box:
    boxes = [fit(child, width) for child in node.children]
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
    boxes = [fit(child, room) for child in node.children[1:]]
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
            box = pieces.tile(piece, size)
        elif piece is not None:
            box = _on_square(piece, size)
        else:
            box = Box(size, size, "slot", {"keep": True})
        inside.append((x, y, box.of(spot)))
    return Box(columns * size, (max(ys) - min(ys) + 1) * size, "laid", inside=tuple(inside)).of(node)


def _on_square(piece: Node, size: float) -> Box:
    box = pieces.token(piece, size * 0.8) if piece.kind == "token" else fit(piece, size)
    return Box(size, size, "cell", inside=(((size - box.width) / 2, (size - box.height) / 2, box),))


def _legend(node: Node, width: float) -> Box:
    named = [row([fit(attrs.evolve(c, label=""), 30), text(c.label, 10.5, "dim")], 3) for c in node.children]
    return flow(named, width, 12, "middle").of(node)


def _token(node: Node, width: float) -> Box:
    return pieces.token(node)


def _card(node: Node, width: float) -> Box:
    return pieces.card(node, max(48.0, min(pieces.CARD, width - 4)))


def _tile(node: Node, width: float) -> Box:
    return pieces.tile(node, min(pieces.TILE, width))


def _nothing(node: Node, width: float) -> Box:
    return Box(0, 0).of(node)


def _ring(node: Node, width: float) -> Box:
    from .rings import ring

    return ring(node, width)


def _board(node: Node, width: float) -> Box:
    from .boards import board

    return board(node, width)


def _map(node: Node, width: float) -> Box:
    from .maps import network

    return network(node, width)


def _facing(node: Node, width: float) -> Box:
    from .facing import facing

    return facing(node, width)


_BY_KIND: dict[str, Callable[[Node, float], Box]] = {
    "zone": _zone,
    "row": _row,
    "panel": _panel,
    "laid": _laid,
    "legend": _legend,
    "token": _token,
    "card": _card,
    "tile": _tile,
    "marker": _nothing,
    "pill": lambda node, width: pieces.pill(node, min(width, 190)),
    "counter": lambda node, width: pieces.counter(node),
    "backs": lambda node, width: pieces.backs(node),
    "slot": lambda node, width: pieces.slot(node),
    "stack": pieces.stack,
    "ring": _ring,
    "board": _board,
    "map": _map,
    "facing": _facing,
}
