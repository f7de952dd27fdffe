"""The room that places are given for what may come, so that they do not move while one plays.

How much that is was learned from other positions of the game: the most a place needed there, and where it lay. A
place that needs more is given some to spare. What has been shown has no part in it: equal positions look alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextvars import ContextVar
from typing import TypeAlias

import attrs

from ..scene.nodes import Node
from .boxes import Box

_HELD = frozenset({"zone", "laid", "slot", "stack", "backs", "counter"})
"""Kinds of nodes that need more or less room from time to time."""

_HOLDING = frozenset({"zone", "laid"})
"""Those of them that need, inside another one, what that one needs."""

_WIDE, _HIGH = 72.0, 36.0
"""Room to spare comes in steps of about a card, in pixels."""


_Name: TypeAlias = tuple[str, float]
"""What a place is called, and how wide it may be."""


@attrs.define(eq=False)
class Rooms:
    """Of the places of one game, on pages of one width that the same eyes see; until it is ``settled``, it learns."""

    settled: bool = False
    _lines: dict[_Name, list[str]] = attrs.field(factory=dict)
    _sizes: dict[_Name, tuple[float, float]] = attrs.field(factory=dict)

    def hold(self, node: Node, room: float, box: Box) -> Box:
        """The box of a node that may be ``room`` wide, as large as it becomes."""
        kind, name = node.kind, _name(node)
        if kind not in _HELD or not name or any(child.kind in _HOLDING for child in node.children):
            return box
        return self._at_least(f"{kind} {name}", room, box)

    def _at_least(self, name: str, room: float, box: Box) -> Box:
        """A box with the room that it is given; where it needs more, with some to spare."""
        if not self.settled:
            wide, high = self._sizes.get((name, room), (0.0, 0.0))
            self._sizes[name, room] = max(wide, box.width), max(high, box.height)
            return box
        if (name, room) not in self._sizes:
            return box
        before = self._sizes[name, room]
        width = _grown(box.width, before[0], _WIDE, max(room, box.width))
        height = _grown(box.height, before[1], _HIGH, math.inf)
        if (width, height) == (box.width, box.height):
            return box
        if box.form == "zone":
            return attrs.evolve(box, width=width, height=height)
        return Box(width, height, inside=((0.0, 0.0, box),))

    def line(self, parent: Node, children: Sequence[Node], boxes: Sequence[Box], room: float) -> list[Box]:
        """The boxes of what lies in something one after the other, with gaps for what may come."""
        found: dict[str, Box] = {}
        for child, box in zip(children, boxes, strict=True):
            name = _name(child)
            name = name if name and name not in found else f"{name} {len(found)}"
            found[name] = self._at_least(name, room, box)
        names = list(found)
        order = _merged(self._lines.get((_name(parent), room), ()), names)
        if not self.settled:
            self._lines[_name(parent), room] = order
        for number, name in enumerate(order):
            if name not in found and (name, room) in self._sizes:
                found[name] = Box(*self._sizes[name, room])
                before = next((other for other in reversed(order[:number]) if other in names), None)
                names.insert(names.index(before) + 1 if before is not None else 0, name)
        return [found[name] for name in names]


def _grown(now: float, before: float, step: float, most: float) -> float:
    return before if now <= before + 0.01 else min(most, math.ceil(now / step) * step)


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
