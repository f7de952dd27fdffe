"""Boxes: parts of a picture with their size and, inside them, other boxes at places of their own."""

from __future__ import annotations

import functools
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from ..scene.nodes import Node, Remembering

DATA = Path(__file__).parent.parent / "data"


@functools.cache
def _widths() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads((DATA / "widths.json").read_text(encoding="utf-8"))
    return found


@functools.lru_cache(maxsize=8192)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in pixels."""
    table = _widths()["bold" if bold else "regular"]
    return sum(table.get(c) or _other(c) for c in text) * size / 1000


def _other(char: str) -> int:
    return 0 if unicodedata.combining(char) else 1000 if unicodedata.east_asian_width(char) in "WF" else 750


def shortened(text: str, size: float, width: float, bold: bool = False) -> str:
    """The text, or as much of it as fits into a width, with an ellipsis."""
    if width_of(text, size, bold) <= width:
        return text
    while text and width_of(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def lines_of(text: str, size: float, width: float, bold: bool = False, most: int = 3) -> list[str]:
    """The text in lines of at most this width, broken between words; what does not fit in ``most`` lines is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [shortened(line, size, width, bold) for line in lines]


def longest(text: str, *, bold: bool = True) -> float:
    """The width of the longest word at size 1: in a size that it fits in, no word is cut."""
    return max(width_of(word, 1, bold) for word in text.split() or ["?"])


EMPTY: Mapping[str, Any] = {}


@attrs.frozen
class Box(Remembering):
    """``form``: how it is painted, see ``paint``; ``data``: what that needs; ``inside``: x, y and box of each part.

    Lengths are in pixels. ``address`` and ``alt`` are those of the node that the box shows.
    """

    width: float
    height: float
    form: str = "group"
    data: Mapping[str, Any] = EMPTY
    inside: tuple[tuple[float, float, Box], ...] = ()
    address: str = ""
    alt: str = ""

    def on(self, node: Node) -> Box:
        """The same box as something that lies on what a node shows, without being a part of its box."""
        return Box(self.width, self.height, "on", {"on": node.address}, ((0.0, 0.0, self),))

    def of(self, node: Node) -> Box:
        """The same box as that of a node."""
        return attrs.evolve(self, address=node.address, alt=node.alt)

    def walk(self, x: float = 0, y: float = 0) -> Iterator[tuple[float, float, Box]]:
        """The box and all inside it, with their absolute places."""
        yield x, y, self
        for dx, dy, box in self.inside:
            yield from box.walk(x + dx, y + dy)


def text(words: str, size: float = 11, tone: str = "ink", *, bold: bool = False, angle: float = 0) -> Box:
    """A line of text. ``tone``: ink, dim, accent, ``over`` lines, or ``on HUE``; ``angle``: degrees of a turn."""
    data = {"text": words, "size": size, "tone": tone, "bold": bold, "angle": angle}
    return Box(width_of(words, size, bold), size * 1.25, "text", data)


def row(boxes: Sequence[Box], gap: float = 4, align: str = "middle") -> Box:
    """Boxes beside each other."""
    height = max((b.height for b in boxes), default=0)
    x, inside = 0.0, []
    for box in boxes:
        y = {"middle": (height - box.height) / 2, "top": 0.0, "bottom": height - box.height}[align]
        inside.append((x, y, box))
        x += box.width + gap
    return Box(max(0.0, x - gap), height, inside=tuple(inside))


def column(boxes: Sequence[Box], gap: float = 4, align: str = "left") -> Box:
    """Boxes below each other."""
    width = max((b.width for b in boxes), default=0)
    y, inside = 0.0, []
    for box in boxes:
        inside.append((0.0 if align == "left" else (width - box.width) / 2, y, box))
        y += box.height + gap
    return Box(width, max(0.0, y - gap), inside=tuple(inside))


def flow(boxes: Sequence[Box], width: float, gap: float = 6, align: str = "top") -> Box:
    """Boxes beside each other, in as many rows as the width asks for; cards of one row are equally high."""
    rows: list[list[Box]] = []
    x = 0.0
    for box in boxes:
        if not rows or x + box.width > width + 0.01:
            rows.append([])
            x = 0.0
        rows[-1].append(box)
        x += box.width + gap
    return column([row(_even(boxes), gap, align) for boxes in rows], gap)


def _even(boxes: Sequence[Box]) -> list[Box]:
    """The boxes of a row, with all cards as high as the highest."""
    cards = [box.inside[0][2] if box.form == "group" and box.inside else box for box in boxes]
    high = max((card.height for card in cards if card.form == "card"), default=0)
    return [_as_high(box, card, high) if card.form == "card" else box for box, card in zip(boxes, cards, strict=True)]


def _as_high(box: Box, card: Box, high: float) -> Box:
    taller = attrs.evolve(card, height=high)
    if box is card:
        return taller
    beside = tuple((x, (high - one.height) / 2, one) for x, _, one in box.inside[1:])
    return attrs.evolve(box, height=high, inside=((0.0, 0.0, taller), *beside))


def shelves(boxes: Sequence[Box], width: float, gap: float, columns: int) -> Box:
    """Boxes in columns of equal width, each below the column that is shortest so far."""
    step = (width + gap) / columns
    heights, inside = [0.0] * columns, []
    for box in boxes:
        at = heights.index(min(heights))
        inside.append((at * step, heights[at], box))
        heights[at] += box.height + gap
    return Box(width, max(0.0, max(heights) - gap), inside=tuple(inside))


def framed(inner: Box, pad: float, form: str, data: Mapping[str, Any] = EMPTY, width: float = 0) -> Box:
    """A box around another one."""
    wide = max(width, inner.width + 2 * pad)
    return Box(wide, inner.height + 2 * pad, form, data, ((pad, pad, inner),))


def centred(inner: Box, width: float, height: float, form: str = "group", data: Mapping[str, Any] = EMPTY) -> Box:
    """A box of a given size with another one in its middle."""
    place = ((width - inner.width) / 2, (height - inner.height) / 2, inner)
    return Box(width, height, form, data, (place,))
