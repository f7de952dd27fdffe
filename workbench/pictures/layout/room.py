"""The room that places are given for what may come, so that they do not move while one plays.

How much that is was learned from other positions of the game: the most that a place needed there, and where it lay. A
place that needs more is given some to spare. What has been shown has no part in it: equal positions look alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextvars import ContextVar

import attrs

from ..scene.nodes import Node
from .boxes import Box

_HELD = frozenset({"zone", "laid", "slot", "stack", "backs", "counter"})
"""Kinds of nodes that need more or less room from time to time."""

_HOLDING = frozenset({"zone", "laid"})
"""Those of them that need, inside another one, what that one needs."""

_WIDE, _HIGH = 72.0, 36.0
"""Room to spare comes in steps of about a card, in pixels."""


@attrs.define(eq=False)
class Rooms:
    """Of the places of one game, on pages of one width that the same eyes see; learned while it is ``learning``."""

    learning: bool = True
    _sizes: dict[tuple[str, float], tuple[float, float]] = attrs.field(factory=dict)
    _lines: dict[tuple[str, float], list[str]] = attrs.field(factory=dict)
    _gaps: dict[tuple[str, float], tuple[float, float]] = attrs.field(factory=dict)

    def hold(self, node: Node, room: float, box: Box) -> Box:
        """The box of a node that may be ``room`` wide, as large as it may become."""
        name = f"{node.kind} {_name(node)}"
        if node.kind not in _HELD or not _name(node) or any(child.kind in _HOLDING for child in node.children):
            return box
        before = self._sizes.get((name, room), (box.width, box.height) if self.learning else None)
        if before is None:
            return box
        width = self._grown(box.width, before[0], _WIDE, max(room, box.width))
        height = self._grown(box.height, before[1], _HIGH, math.inf)
        if self.learning:
            self._sizes[name, room] = width, height
        if (width, height) == (box.width, box.height):
            return box
        if box.form == "zone":
            return attrs.evolve(box, width=width, height=height)
        return Box(width, height, inside=((0.0, 0.0, box),))

    def _grown(self, now: float, before: float, step: float, most: float) -> float:
        if now <= before + 0.01:
            return before
        return now if self.learning else min(most, math.ceil(now / step) * step)

    def line(self, parent: Node, children: Sequence[Node], boxes: Sequence[Box], room: float) -> list[Box]:
        """The boxes of what lies in something one after the other, with gaps for what may come."""
        found: dict[str, Box] = {}
        for child, box in zip(children, boxes, strict=True):
            name = _name(child)
            found[name if name and name not in found else f"{name} {len(found)}"] = box
        names = list(found)
        order = _merged(self._lines.get((_name(parent), room), ()), names)
        if self.learning:
            self._lines[_name(parent), room] = order
        for name, box in found.items():
            found[name] = self._with_gap(name, room, box)
        for number, name in enumerate(order):
            if name not in found and (name, room) in self._gaps:
                found[name] = Box(*self._gaps[name, room])
                before = next((other for other in reversed(order[:number]) if other in names), None)
                names.insert(names.index(before) + 1 if before is not None else 0, name)
        return [found[name] for name in names]

    def _with_gap(self, name: str, room: float, box: Box) -> Box:
        """What lies in a line, with as much room as it had at most, whatever it looked like."""
        wide, high = self._gaps.get((name, room), (0.0, 0.0))
        if self.learning:
            self._gaps[name, room] = max(wide, box.width), max(high, box.height)
        if wide <= box.width + 0.01 and high <= box.height + 0.01:
            return box
        return Box(max(wide, box.width), max(high, box.height), inside=((0.0, 0.0, box),))


def _merged(order: Sequence[str], names: Sequence[str]) -> list[str]:
    """Names in the order in which they lay, with new ones behind those that they follow."""
    merged = list(order)
    for number, name in enumerate(names):
        if name not in merged:
            merged.insert(merged.index(names[number - 1]) + 1 if number else 0, name)
    return merged


def _name(node: Node) -> str:
    return node.address or node.label or next((child.address for child in node.children), "")


ROOMS: ContextVar[Rooms | None] = ContextVar("rooms", default=None)
"""The room that places are given, while a picture is laid out that others follow."""
