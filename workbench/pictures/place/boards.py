"""Boards of squares and of hexagonal cells."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..scene.nodes import Node
from . import pieces
from .boxes import Box, flow, text
from .fit import fit

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
    """The pieces on a square, as large as fits."""
    parts = square.children
    if not parts:
        return ()
    across = math.ceil(math.sqrt(len(parts)))
    each = size * (0.8 if across == 1 else 0.84 / across)
    boxes = [pieces.token(p, each) if p.kind == "token" else fit(p, size) for p in parts]
    inner = flow(boxes, each * across + 3, 2, "middle")
    return (((size - inner.width) / 2, (size - inner.height) / 2, inner),)


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
