"""Variables, definitions, graphs, tables and the rest of what a game declares besides its rules."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import attrs

from ...structural import Structural, frozen, node
from ...types import Domain, MemberType, NumberType, Type
from .expressions import Binds, Expr, Node


@frozen
class Exchange(Structural):
    """In a payment, ``number`` pieces of the kinds ``given`` stand for one piece of a kind among ``due``.

    A kind never stands for itself. None means every kind, so ``Exchange(3)`` is ``3 of any for 1``.
    """

    number: int
    given: tuple[int, ...] | None = None
    due: tuple[int, ...] | None = None


PlaceKind: TypeAlias = Literal["value", "pool", "bag", "stack", "slot", "grid"]


SeenBy: TypeAlias = Literal["all", "owner", "others", "some", "nobody"]


@node
class Variable(Node):
    """A part of the state: one cell per combination of owners.

    ``kind`` ``value``: ``type`` is the type of the value. Otherwise a place for pieces of ``element``:
    pool (counts), bag (counts, drawn at random), stack (ordered, open end last), slot (at most one), grid (each on a
    square of its own, by quarter turns; a tuple of spots in the order of laying);
    ``type`` is then the type it reads as. ``capacity``: how many pieces fit in, None when nothing limits it.
    ``initial``: None means 0, no, none, the first member, or empty.
    ``seen_by``: who sees the content; ``counted``: everybody sees how many pieces there are. ``owner`` and ``others``:
    the player who is the first owner, and all but that player; ``some``: ``seers`` has the seats for each cell, in the
    order of the cells, as it has for ``others``.
    ``shows``: the place whose content this remembers, as far as it was shown to the first owner; see ``Show``.
    ``not_below``, ``not_above``: ``scores``, ``loses``, increase and decrease stop at this number instead of failing.
    ``bookkeeping``: the rules need it and people do not, so no screen shows it. It is no secret.
    ``rolling``: a list that is longer than ``capacity`` loses its first members instead of failing.
    ``carried``: the next game begins with it as this one ended.
    ``history``: the fingerprints of the positions that a history remembers, which mean nothing to people.
    """

    name: str
    owners: tuple[MemberType, ...]
    kind: PlaceKind
    type: Type
    element: MemberType | NumberType | None = None
    initial: Expr | None = None
    capacity: int | None = None
    seen_by: SeenBy = "all"
    counted: bool = False
    exchanges: tuple[Exchange, ...] = ()
    not_below: int | None = None
    not_above: int | None = None
    bookkeeping: bool = False
    seers: tuple[tuple[int, ...], ...] = ()
    shows: str | None = None
    rolling: bool = False
    history: bool = False
    carried: bool = False

    def seats(self, owners: Sequence[int]) -> tuple[int, ...] | None:
        """The seats that see the content of one cell; None for everybody."""
        match self.seen_by:
            case "all":
                return None
            case "owner":
                return (owners[0],)
            case "nobody":
                return ()
        cell = 0
        for member, owner in zip(owners, self.owners, strict=True):
            cell = cell * len(owner.domain) + member
        return self.seers[cell]

    @property
    def cells(self) -> int:
        n = 1
        for owner in self.owners:
            n *= len(owner.domain)
        return n


SHOWN = ".shown"


def shown_of(variable: str) -> str:
    """The name of the variable that remembers what was shown of another one; see ``Variable.shows``."""
    return f"{variable}{SHOWN}"


@frozen
class Param(Structural):
    name: str
    slot: int
    type: Type


@node
class Definition(Node):
    """A pure function. ``frame``: number of slots; parameters take the first ones.

    ``deep``: of one that may use itself, how often it may be at work at the same time; once more is a fault, and so is
    a number outside of ``type``.
    """

    name: str
    params: tuple[Param, ...]
    body: Expr
    type: Type
    frame: int
    deep: int | None = None


@node
class Edge(Node):
    """For each combination of ``binds`` (if any), the node and ``target`` are neighbours, both ways unless ``one_way``.

    ``length``: worked out where the edge is there; None: 1. Expressions may read the graph's parameters and the nodes'
    names (``Graph.nodes``' slots)."""

    target: Expr
    binds: Binds | None
    length: Expr | None = None
    one_way: bool = False


@node
class Graph(Node):
    """Undirected. ``nodes`` enumerates the nodes (a single bind: the member; several: a tuple).

    An edge is evaluated with the slots of ``nodes`` bound to one node; its target counts when it is a node.
    """

    name: str
    params: tuple[Param, ...]
    nodes: Binds
    edges: tuple[Edge, ...]
    node_type: Type
    frame: int


@node
class Event(Node):
    name: str
    types: tuple[Type, ...]


@node
class Rank(Node):
    """Players are compared by ``value`` with the player in ``slot``; ``most`` or fewest is best.

    ``implied``: the author did not write it; it puts those who are out behind the others.
    """

    most: bool
    slot: int
    value: Expr
    frame: int
    implied: bool = False


@node
class Invariant(Node):
    id: str
    condition: Expr
    frame: int


@node
class Table(Node):
    """``cells[column]`` has one value per row, in the order of the domain. ``files``: where the rows came from.

    ``parts``: how many of its first columns make up its first rows, a row for each combination of their values.
    ``rules``: for columns that name rules, what these are given. Their values are members of a domain ``Table.column``.
    """

    domain: Domain
    types: dict[str, Type]
    cells: dict[str, tuple[Any, ...]]
    files: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    stand_in_because: str | None = None
    parts: int = 0
    rules: dict[str, tuple[Type, ...]] = attrs.field(factory=dict)


@node
class Setting(Node):
    """An option or a reading: ``value`` is the one in force."""

    kind: Literal["option", "reading"]
    domain: Domain
    value: str
    default: str
    because: str | None


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
