"""Grids: their shapes, cells and directions."""

from __future__ import annotations

import functools
from typing import Literal, TypeAlias

from ...structural import node
from ...types import Domain
from .node import Node

DIRECTIONS = Domain(
    "Direction",
    ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"),
    ring=True,
)


STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Columns and rows that a step in each of the DIRECTIONS leads on."""


HEADINGS = Domain("Heading", ("north_east", "east", "south_east", "south_west", "west", "north_west"), ring=True)


_STEPS: dict[str, tuple[tuple[int, int], ...]] = {
    "squares": STEPS,
    "rhombus": ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)),
    "hexagon": ((1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)),
}


SIDES = Domain("Side", ("north", "east", "south", "west"), ring=True)


SIDE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""How x and y change from a square to the one at each of its SIDES."""


Shape: TypeAlias = Literal["squares", "rhombus", "hexagon"]


@functools.cache
def cells_of(shape: Shape, width: int, height: int) -> tuple[tuple[int, int], ...]:
    """The columns and rows of the cells of a board, from 0, row by row from the bottom left.

    A hexagon is as wide and as high as twice its side less one; its corners at the top left and bottom right are cut.
    """
    every = ((x, y) for y in range(height) for x in range(width))
    reach = width // 2
    return tuple((x, y) for x, y in every if shape != "hexagon" or abs(x - y) <= reach)


@functools.cache
def _numbers_of(shape: Shape, width: int, height: int) -> dict[tuple[int, int], int]:
    return {cell: number for number, cell in enumerate(cells_of(shape, width, height))}


@node
class Grid(Node):
    """The cells of a board, row by row from the bottom left. The domain is also a table with the columns ``column`` and
    ``row``, counted from 1. Directions are members of a built-in ring, clockwise: ``Direction``, north first, on a
    board of squares, ``Heading``, north-east first, on one of hexagonal cells.

    A rhombus leans to the right and a hexagon to the left: going up a column leads north-east on the one, north-west on
    the other.
    """

    domain: Domain
    width: int
    height: int
    shape: Shape = "squares"

    @property
    def directions(self) -> Domain:
        return DIRECTIONS if self.shape == "squares" else HEADINGS

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """Column and row of each cell, from 0."""
        return cells_of(self.shape, self.width, self.height)

    def neighbour(self, cell: int, direction: int) -> int | None:
        """The next cell in a direction, None beyond the edge."""
        return self.away(cell, direction, 1)

    def away(self, cell: int, direction: int, steps: int) -> int | None:
        """The cell so many steps away in a direction, None beyond the edge; no board has a gap in a line of cells."""
        dx, dy = _STEPS[self.shape][direction]
        x, y = self.cells[cell]
        return _numbers_of(self.shape, self.width, self.height).get((x + steps * dx, y + steps * dy))

    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        """All cells in a direction up to the edge, the nearest first."""
        found: list[int] = []
        next_cell = self.neighbour(cell, direction)
        while next_cell is not None:
            found.append(next_cell)
            next_cell = self.neighbour(next_cell, direction)
        return tuple(found)

    def distance(self, a: int, b: int) -> int:
        """The fewest steps between two cells of a board of hexagonal cells; edges are in nobody's way."""
        (ax, ay), (bx, by) = self.cells[a], self.cells[b]
        dx, dy = bx - ax, by - ay
        return max(abs(dx), abs(dy), abs(dx + self.lean * dy))

    @property
    def lean(self) -> int:
        """1 for a board that leans to the right, -1 for one that leans to the left."""
        return 1 if self.shape == "rhombus" else -1
