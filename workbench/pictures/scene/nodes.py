"""The Scene: what a picture shows, as plain data without coordinates or colours.

The picture, the alternative text and the tests all read it. Two positions with equal views have equal Scenes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

import attrs

from .remembering import Remembering

Kind: TypeAlias = Literal[
    "picture", "zone", "row", "panel", "ring", "field", "board", "square", "map", "laid", "spot", "card", "tile",
    "token", "pill", "backs", "counter", "slot", "stack", "text", "band", "marker", "facing", "legend",
]  # fmt: skip

EMPTY: Mapping[str, Any] = {}


@attrs.frozen
class Node(Remembering):
    """A part of a Scene.

    ``address``: see ``addresses``; empty for what nobody could mean. ``label``: words to be shown with it. ``alt``:
    the same in a sentence, for those who hear the picture. ``count``: how many there are of a token, or hidden pieces.
    ``look``: how it is drawn, in words: ``hue`` (``seat:2``, ``Terrain~water`` or a colour), ``shape``, ``symbol``,
    ``text``, ``mark``; and where, in the units of the board it lies on: ``x``, ``y``, ``turn``.
    """

    kind: Kind
    address: str = ""
    label: str = ""
    alt: str = ""
    count: int = 1
    look: Mapping[str, Any] = EMPTY
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """The node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def plain(self) -> dict[str, Any]:
        """The node as JSON holds it; what is empty is left out."""
        found: dict[str, Any] = {"kind": self.kind}
        for name in ("address", "label", "alt"):
            if getattr(self, name):
                found[name] = getattr(self, name)
        if self.count != 1:
            found["count"] = self.count
        if self.look:
            found["look"] = {key: value for key, value in self.look.items() if value is not None}
        if self.children:
            found["children"] = [child.plain() for child in self.children]
        return found


@attrs.frozen
class Scene:
    """A picture to be: ``root`` is a node of kind ``picture``; ``title`` and ``alt`` describe it as a whole."""

    game: str
    title: str
    alt: str
    root: Node

    def plain(self) -> dict[str, Any]:
        """The Scene as JSON holds it."""
        return {"game": self.game, "title": self.title, "alt": self.alt, "scene": self.root.plain()}
