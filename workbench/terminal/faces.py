"""Faces of tiles in letters: regions, roads and what lies on them, readable with and without colour."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import attrs
from rich.text import Text

from rulelang.program import Program
from rulelang.types import Domain

from ..pictures.build.facts import Facts, facts_of
from ..pictures.build.pieces import Maker
from ..pictures.layout.pieces import covers, order, things, turned
from ..pictures.paint.colours import colour_of
from ..pictures.scene.look import Look
from ..pictures.scene.nodes import Node
from .telling import short_names

Size: TypeAlias = tuple[int, int]
"""Columns and lines of a face, both odd, so that a road leaves a side in its middle."""
SIZES: tuple[Size, ...] = ((11, 5), (9, 5), (7, 3))
"""From the most readable to the smallest."""
LARGE: Size = (27, 13)
_ROADS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""By the sides that a road reaches: 1 for north, 2 for east, 4 for south, 8 for west."""
_CROSSED = {5: "╫", 10: "╫", 3: "╲", 12: "╲", 6: "╱", 9: "╱"}
"""What stands in the middle where one road passes another, by the sides of the first."""
_ROAD = "bold #3b2c14"

_Cell: TypeAlias = tuple[str, str]


@attrs.define
class Faces:
    """Draws the tiles of a game. ``used`` collects what the letters on them stand for."""

    program: Program
    look: Look
    used: dict[str, str] = attrs.field(factory=dict)

    @property
    def facts(self) -> Facts:
        """What the declarations say."""
        return facts_of(self.program)

    @functools.cached_property
    def maker(self) -> Maker:
        """Makes the nodes that are drawn."""
        return Maker(self.facts, self.look)

    def has(self, domain: Domain | None) -> bool:
        """Whether the members of a domain are tiles."""
        return domain is not None and domain.name in self.facts.tiles

    def face(self, domain: Domain, name: str, turn: int = 0, size: Size = SIZES[0]) -> Text:
        """A tile, turned clockwise by quarters: as many lines as ``size`` says, each as wide as it says."""
        node = self.maker.tile(domain, name, turn=turn)
        canvas = self._ground(node, self._terrains(domain, name), size)
        _draw_roads(canvas, node.look["roads"], turn)
        taken: set[tuple[int, int]] = set()
        for x, y, thing in things(node):
            self._lay(canvas, taken, thing, (x, y))
        return Text("\n").join(Text.assemble(*row) for row in canvas)

    def row(self, domain: Domain, names: Sequence[str], size: Size = SIZES[0]) -> Text:
        """Several tiles side by side, each under its name."""
        lines = [Text() for _ in range(size[1] + 1)]
        for number, name in enumerate(names):
            label = Text(self.maker.name(domain, name), style="bold")
            label.truncate(size[0], pad=True)
            face = self.face(domain, name, size=size).split("\n")
            for line, part in zip(lines, (label, *face), strict=True):
                line.append("  " if number else "").append_text(part)
        return Text("\n").join(lines)

    def legend(self) -> Text:
        """What the letters used so far stand for."""
        return Text("  ".join(f"{short}={name}" for short, name in sorted(self.used.items())), style="dim")

    def _terrains(self, domain: Domain, name: str) -> list[tuple[str, str]]:
        row = domain.members.index(name)
        return [part.terrain for part in self.facts.tiles[domain.name][row] if part.terrain is not None]

    def _ground(self, node: Node, terrains: Sequence[tuple[str, str]], size: Size) -> list[list[_Cell]]:
        regions: Sequence[Mapping[str, Any]] = node.look["regions"]
        painted = order(regions)
        width, height = size

        def cell(column: int, line: int) -> _Cell:
            x, y = turned((column + 0.5) / width * 100, (line + 0.5) / height * 100, -node.look["turn"])
            top = next((n for n in reversed(painted) if n == painted[0] or covers(regions[n]["sides"], x, y)), None)
            if top is None:
                return ("·", "dim")
            kind, member = terrains[top]
            letter = self._letters(kind)[member]
            self.used[letter] = self.look.label(f"{kind}~{member}")
            colour = colour_of(regions[top]["hue"])
            return (letter, f"{colour.ink} on {colour.fill}")

        return [[cell(column, line) for column in range(width)] for line in range(height)]

    def _lay(
        self, canvas: list[list[_Cell]], taken: set[tuple[int, int]], thing: Node, at: tuple[float, float]
    ) -> None:
        """Writes the sign of a thing where it lies, or on the nearest free spot."""
        sign = self._sign(thing)
        width, height = len(canvas[0]), len(canvas)
        column = at[0] / 100 * width - len(sign) / 2
        line = at[1] / 100 * height - 0.5
        free = [
            (x, y)
            for y in range(height)
            for x in range(width - len(sign) + 1)
            if not taken & {(x + i, y) for i in range(-1, len(sign) + 1)}
        ]
        if not free:
            return
        left, top = min(free, key=lambda spot: (spot[0] - column) ** 2 + 4 * (spot[1] - line) ** 2)
        colour = colour_of(str(thing.look.get("hue", "plain")))
        for i, letter in enumerate(sign):
            canvas[top][left + i] = (letter, f"bold {colour.ink} on {colour.fill}")
            taken.add((left + i, top))

    def _sign(self, thing: Node) -> str:
        text = str(thing.look.get("text", ""))
        if text.isdigit():
            return text
        sign = self._signs.get(thing.alt, thing.alt[:2])
        self.used[sign] = thing.alt
        return sign

    @functools.cached_property
    def _signs(self) -> dict[str, str]:
        """Two letters for all that lies on tiles: the first is a capital, so that it differs from the ground."""
        nodes = (
            thing
            for name in self.facts.tiles
            for member in self.facts.domain(name).members
            for thing in self.maker.tile(self.facts.domain(name), member).children
        )
        names = dict.fromkeys(thing.alt for thing in nodes)
        short = short_names([name[:1].upper() + name[1:] for name in names])
        return {name: short[name[:1].upper() + name[1:]][:2] for name in names}

    def _letters(self, kind: str) -> dict[str, str]:
        """A small letter of its own for each terrain."""
        found: dict[str, str] = {}
        for member in self.facts.domain(kind).members:
            label = self.look.label(f"{kind}~{member}").lower()
            free = [letter for letter in label + "abcdefghijklmnopqrstuvwxyz" if letter.isalpha()]
            found[member] = next((letter for letter in free if letter not in found.values()), "·")
        return found


def _draw_roads(canvas: list[list[_Cell]], roads: Sequence[Sequence[int]], turn: int) -> None:
    """Each road runs from the middles of its sides to the middle of the tile; one that ends there is a dead end."""
    width, height = len(canvas[0]), len(canvas)
    middle, centre = width // 2, height // 2
    masks = [sum(1 << (side + turn) % 4 for side in road) for road in roads]
    for mask in masks:
        ways = (
            [(middle, line) for line in range(centre)],
            [(column, centre) for column in range(middle + 1, width)],
            [(middle, line) for line in range(centre + 1, height)],
            [(column, centre) for column in range(middle)],
        )
        for side, way in enumerate(ways):
            if mask >> side & 1:
                for column, line in way:
                    canvas[line][column] = _on(canvas[line][column], "━" if side % 2 else "┃")
        crossed = len(masks) > 1
        sign = _CROSSED.get(masks[0], _ROADS[mask]) if crossed else _ROADS[mask]
        canvas[centre][middle] = _on(canvas[centre][middle], sign)


def _on(cell: _Cell, sign: str) -> _Cell:
    """The sign of a road on the ground that is there."""
    _, _, ground = cell[1].partition(" on ")
    return (sign, f"{_ROAD} on {ground}" if ground else "bold")
