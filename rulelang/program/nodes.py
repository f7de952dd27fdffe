"""The checked Program: what the interpreter runs.

Names are resolved, types are known, bounds are numbers. A Program is linked for one number of players and one
setting of every option and reading. Nodes are immutable and carry the place they came from; a rule also carries
its id. Locals are numbered slots of the frame of a top-level rule, of a definition, or of a graph.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, Union

import attrs

from ..source import NOWHERE, Span
from ..types import Domain, ListType, MemberType, NumberType, PiecesType, Type


@attrs.frozen
class Node:
    """A part of a Program with the place in the texts that it came from."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- expressions


@attrs.frozen
class Const(Node):
    """A value of ``type`` (see types.py for how values are represented)."""

    value: Any
    type: Type


@attrs.frozen
class Local(Node):
    slot: int
    name: str
    type: Type


@attrs.frozen
class Read(Node):
    """The content of a variable. ``indices`` has one expression per owner of the variable.

    A pool or bag reads as pieces (tuple of counts), a stack as a list (bottom first), a slot as an optional.
    """

    variable: str
    indices: tuple[Expr, ...]
    type: Type


@attrs.frozen
class ColumnOf(Node):
    """The cell of a table: ``row`` is a member of the table's domain."""

    table: str
    column: str
    row: Expr
    type: Type


@attrs.frozen
class PartOf(Node):
    """A part of a tuple or a record, by its position from 0. ``name``: of the part, or of the local for it."""

    value: Expr
    position: int
    name: str
    type: Type


@attrs.frozen
class Call(Node):
    definition: str
    arguments: tuple[Expr, ...]
    type: Type


@attrs.frozen
class Apply(Node):
    """A built-in operation, one of the table in ``operations.py``.

    ``type`` tells the domain of one without arguments, such as ``members``.
    """

    op: str
    arguments: tuple[Expr, ...]
    type: Type


@attrs.frozen
class If(Node):
    """``by_column``: it looks for the rule that is supposed to run, as the text names it by a column of a table."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    by_column: str | None = attrs.field(default=None, kw_only=True)


@attrs.frozen
class Bind(Node):
    """``slot`` takes each value of ``domain``, an expression of a type that can be iterated:
    a list, a set (in rising order), an optional (zero or one), pieces (the kinds present)."""

    slot: int
    name: str
    domain: Expr
    type: Type


@attrs.frozen
class Binds(Node):
    """Nested loops, leftmost outermost. A member counts when ``condition`` holds.

    ``stop_at_first_failure`` (the word ``while``): the whole run ends at the first combination that fails. Then, a
    combination for which ``passing`` does not hold is passed over before ``condition`` is looked at.
    """

    binds: tuple[Bind, ...]
    condition: Expr | None = None
    stop_at_first_failure: bool = False
    passing: Expr | None = None


@attrs.frozen
class Key(Node):
    """What combinations are ranked by: ``most`` or fewest of ``value`` comes first."""

    most: bool
    value: Expr


@attrs.frozen
class Fold(Node):
    """``word``: count sum max min some every first list set ranked leaders. ``body`` is None for count and some over
    members.

    ``max``, ``min`` and ``first`` give an optional. ``count``: how many combinations; ``some``: whether there is one
    (whose body, if any, holds); ``every``: whether the body holds for all. ``ranked``: the list in the order of
    ``ranks``, ties as they were; ``leaders``: of that list those that tie for first.
    """

    word: str
    body: Expr | None
    binds: Binds
    type: Type
    ranks: tuple[Key, ...] = ()


@attrs.frozen
class PiecesOf(Node):
    """``{gold: 2, t.cost: 1}``: equal kinds add up. With ``binds``: one entry for each combination."""

    entries: tuple[tuple[Expr, Expr], ...]
    binds: Binds | None
    type: PiecesType


@attrs.frozen
class GroupOf(Node):
    """The connected group of a graph that holds ``node`` (a set; empty when the node is not in the graph)."""

    graph: str
    arguments: tuple[Expr, ...]
    node: Expr
    type: Type


@attrs.frozen
class Groups(Node):
    """All connected groups of a graph, ordered by their first node (a list of sets)."""

    graph: str
    arguments: tuple[Expr, ...]
    type: Type


@attrs.frozen
class LongestTrail(Node):
    """The most different values of ``measure`` along one trail of a graph, a walk that uses no edge twice.

    ``measure`` is worked out for a node, whose parts are in ``slots`` (one, or one for each bind of the graph).
    """

    graph: str
    arguments: tuple[Expr, ...]
    slots: tuple[int, ...]
    measure: Expr
    type: Type


LengthWord: TypeAlias = Literal["shortest", "shortest_way", "within", "longest_trail"]


@attrs.frozen
class ByLength(Node):
    """What the lengths of a graph's edges tell.

    ``shortest``: the length of the shortest way between two nodes, None when there is none; ``shortest_way``: its nodes
    in order, from the first of ``ends`` to the second, empty when there is none; ``within``: the set of nodes that a
    way of at most some length leads to, itself among them (``ends``: a node and a number); ``longest_trail``: the
    greatest length of a walk that uses no edge twice (no ``ends``).
    """

    graph: str
    arguments: tuple[Expr, ...]
    word: LengthWord
    ends: tuple[Expr, ...]
    type: Type


@attrs.frozen
class Ways(Node):
    """All ways of steps from ``start`` on: lists of what they lead past, the start first, each at least one step long.

    ``steps`` is a list of what the next step can lead to, an equal one once; it may look at the way so far, which is in
    ``slot``. A way is followed along each of them in turn, before the next one. It counts where no further step is
    possible; with ``end``, where that holds. A step more than ``most``: a fault. ``name``: of the item, for messages.
    """

    name: str
    start: Expr
    slot: int
    way: str
    steps: Expr
    end: Expr | None
    most: int
    type: Type

    @property
    def step_type(self) -> Type:
        """The type of the members of a way."""
        assert isinstance(self.type, ListType) and isinstance(self.type.item, ListType)
        return self.type.item.item


@attrs.frozen
class After(Node):
    """``value`` in the position as it would be after running a rule, which then never ran.

    The arguments are worked out in the position as it is. The rule, with all it runs, asks nobody, leaves nothing to
    chance and does not end the game; the watchers do not run.
    """

    value: Expr
    rule: str
    arguments: tuple[Expr, ...]
    type: Type


Expr: TypeAlias = Union[
    Const,
    Local,
    Read,
    ColumnOf,
    PartOf,
    Call,
    Apply,
    If,
    Fold,
    PiecesOf,
    GroupOf,
    Groups,
    LongestTrail,
    ByLength,
    Ways,
    After,
]

# ---------------------------------------------------------------- declarations

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


@attrs.frozen
class Exchange:
    """In a payment, ``number`` pieces of the kinds ``given`` stand for one piece of a kind among ``due``.

    A kind never stands for itself. None means every kind, so ``Exchange(3)`` is ``any 3 others for 1``.
    """

    number: int
    given: tuple[int, ...] | None = None
    due: tuple[int, ...] | None = None


PlaceKind: TypeAlias = Literal["value", "pool", "bag", "stack", "slot", "grid"]


SeenBy: TypeAlias = Literal["all", "owner", "others", "some", "nobody"]


@attrs.frozen
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
    ``not_below``: ``scores``, ``loses``, increase and decrease stop at this number instead of failing.
    ``bookkeeping``: the rules need it and people do not, so no screen shows it. It is no secret.
    ``rolling``: a list that is longer than ``capacity`` loses its first members instead of failing.
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
    bookkeeping: bool = False
    seers: tuple[tuple[int, ...], ...] = ()
    shows: str | None = None
    rolling: bool = False
    history: bool = False

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


@attrs.frozen
class Param:
    name: str
    slot: int
    type: Type


@attrs.frozen
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


@attrs.frozen
class Edge(Node):
    """For each combination of ``binds`` (if any), the node and ``target`` are neighbours, both ways unless ``one_way``.

    ``length``: worked out where the edge is there; None: 1. Expressions may read the graph's parameters and the nodes'
    names (``Graph.nodes``' slots)."""

    target: Expr
    binds: Binds | None
    length: Expr | None = None
    one_way: bool = False


@attrs.frozen
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

    @property
    def has_one_way(self) -> bool:
        return any(edge.one_way for edge in self.edges)


@attrs.frozen
class Event(Node):
    name: str
    types: tuple[Type, ...]


@attrs.frozen
class Rank(Node):
    """Players are compared by ``value`` with the player in ``slot``; ``most`` or fewest is best.

    ``implied``: the author did not write it; it puts those who are out behind the others.
    """

    most: bool
    slot: int
    value: Expr
    frame: int
    implied: bool = False


@attrs.frozen
class Invariant(Node):
    id: str
    condition: Expr
    frame: int


@attrs.frozen
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


@attrs.frozen
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


@attrs.frozen
class Setting(Node):
    """An option or a reading: ``value`` is the one in force."""

    kind: Literal["option", "reading"]
    domain: Domain
    value: str
    default: str
    because: str | None


# ---------------------------------------------------------------- statements


@attrs.frozen
class Place(Node):
    """A cell of a variable, as the target of a change or an end of a move."""

    variable: str
    indices: tuple[Expr, ...]


@attrs.frozen
class Action(Node):
    """A part of a rule that looks at the position, and may say ``openly``: everybody learns what it looks at."""

    openly: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen
class Needs(Action):
    """A guard. ``text`` is the condition as written."""

    condition: Expr
    text: str


@attrs.frozen
class Let(Action):
    slot: int
    name: str
    value: Expr


@attrs.frozen
class SetValue(Action):
    target: Place
    value: Expr


@attrs.frozen
class Change(Action):
    """Adds ``sign`` times ``amount``. Out of the variable's bounds: a fault, unless ``not_below`` stops it."""

    target: Place
    sign: Literal[1, -1]
    amount: Expr


@attrs.frozen
class Move(Action):
    """Moves pieces between places with the same element.

    ``what``: ``all`` · ``all of`` (every piece of ``kind``) · ``number`` (``amount`` pieces: from the open end of a
    stack, at random from a bag, the piece of a slot) · ``number of`` (``amount`` pieces of ``kind``) · ``at`` (the
    piece at position ``amount`` of a stack, from 1 at the bottom) · ``pieces`` (``amount`` is pieces).
    ``up_to``: take what is there when there is less. Otherwise a shortage is a fault that names the rule.
    Several pieces taken off a stack keep their order. Onto a full place: a fault.
    ``square`` and ``turn``: where in a grid the piece is laid, and by how many quarter turns. A grid takes one piece a
    move; on a square that is taken, or out of reach: a fault.
    """

    what: Literal["all", "all of", "number", "number of", "at", "pieces"]
    amount: Expr | None
    kind: Expr | None
    up_to: bool
    source: Place
    target: Place
    square: Expr | None = None
    turn: Expr | None = None
    surely: bool = attrs.field(default=False, kw_only=True)
    """The author's word that it is always possible: the checks then ask for no proof, the run still does."""


@attrs.frozen
class Shuffle(Action):
    place: Place


@attrs.frozen
class Show(Action):
    """Shows what is in a place to some seats: all of it (``what`` None), or such pieces as a move would take.

    ``who``: to this player; ``seats``: to each of these (one bind); without either, to everybody. What a seat was shown
    is remembered for it (``Variable.shows``) as long as it is certainly true.
    """

    what: Literal["all", "all of", "number", "number of", "at", "pieces"] | None
    amount: Expr | None
    kind: Expr | None
    up_to: bool
    place: Place
    who: Expr | None
    seats: Binds | None
    surely: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen
class Roll(Action):
    """Chance, uniform over the combinations that pass the condition; binds the slots."""

    binds: Binds
    surely: bool = attrs.field(default=False, kw_only=True)
    """The author's word that it is always possible: the checks then ask for no proof, the run still does."""


@attrs.frozen
class Nothing(Action):
    """``do nothing``."""


@attrs.frozen
class Do(Action):
    rule: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Announce(Action):
    """Runs the rules that wait for the event, in the order of ``Program.handlers``."""

    event: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Stop(Action):
    """Leaves the innermost repeat or take turns."""


@attrs.frozen
class EndGame(Action):
    """The game ends; the ranks say who wins."""


@attrs.frozen
class Branch(Action):
    """``by_column``: it looks for the rule that the text names by a column of a table."""

    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    by_column: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen
class IfThere(Action):
    """``then`` runs for the first of the combinations, ``otherwise`` when there is none."""

    binds: Binds
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@attrs.frozen
class Each(Action):
    """The combinations are taken once, before the first pass."""

    binds: Binds
    body: tuple[Statement, ...]


@attrs.frozen
class Together(Action):
    """The players of ``binds`` (one bind) decide as if at the same time: each runs the body on the position before it,
    nobody sees what another does there, and at the end everything done is carried out and announced.

    The body changes only what belongs to the player in the bind's slot, and asks nobody else."""

    binds: Binds
    body: tuple[Statement, ...]


@attrs.frozen
class Repeat(Action):
    """``at most``: ``value`` is taken once, before the first pass. ``falling``: passes until ``stop``;
    ``value`` must be smaller at the start of each pass than at the start of the one before."""

    word: Literal["at most", "falling"]
    value: Expr
    body: tuple[Statement, ...]
    carries: tuple[int, ...] = ()
    """Slots that one pass hands to the next."""


@attrs.frozen
class TakeTurns(Action):
    """For ever: bind ``slot`` to a player, run the body, test ``until`` (with the same player), go to the next.

    A player who is ``out`` has no turn, and the turns end when ``nobody`` is in; None where nobody can be out.
    """

    slot: int
    name: str
    start: Expr
    until: Expr | None
    body: tuple[Statement, ...]
    out: Expr | None = None
    nobody: Expr | None = None


@attrs.frozen
class NamedRule(Node):
    """A rule inside another: runs in place, when its guard holds, and is traced under its own id."""

    rule: str


@attrs.frozen
class Choose(Action):
    """``who`` decides among the combinations of ``binds`` (canonical order: as enumerated, equal ones once).

    ``may``: one more option, "no". With ``body`` (not None): the body runs after a choice; with nothing to choose or
    "no", ``otherwise`` runs. Without a body nothing to choose is a fault.
    """

    who: Expr
    binds: Binds
    may: bool
    body: tuple[Statement, ...] | None
    otherwise: tuple[Statement, ...]
    surely: bool = attrs.field(default=False, kw_only=True)
    """The author's word that it is always possible: the checks then ask for no proof, the run still does."""
    some: int | None = attrs.field(default=None, kw_only=True)
    """If this asks for one of several, see ``ChooseSome``: the slot of how many there are so far. "No" then means that
    it is enough, and is offered even when there is nothing else."""


@attrs.frozen
class ChooseSome(Action):
    """``who`` chooses ``low`` to ``high`` members of ``domain``, one after another; ``high`` None: any number.

    ``asks``: the statements that do it; they keep what has been chosen in ``slot`` (pieces, a set, or a list when an
    order is chosen) and how many in the local ``taken``. ``body`` runs if any was chosen, else ``otherwise``.
    ``filtered``: not all members of the domain can be chosen. ``text``: what is chosen, as written.
    """

    who: Expr
    name: str
    slot: int
    type: Type
    domain: Expr
    filtered: bool
    low: Expr
    high: Expr | None
    text: str
    asks: tuple[Statement, ...]
    taken: Expr
    body: tuple[Statement, ...] | None
    otherwise: tuple[Statement, ...]
    surely: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen
class Menu(Action):
    """``who`` decides among all options that pass their needs, in the order of ``options`` (ids of option rules).

    With none that is possible, ``otherwise`` runs; if it is None, that is a fault.
    """

    who: Expr
    options: tuple[str, ...]
    otherwise: tuple[Statement, ...] | None = None
    surely: bool = attrs.field(default=False, kw_only=True)


@attrs.frozen
class Pay(Action):
    """``who`` decides how to pay ``cost`` (pieces) from a pool; the pieces go to ``target``.

    The plans follow the pool's exchanges; the direct one (no exchange) comes first. An empty cost asks nothing.
    ``less``: so many pieces of the cost, whichever the payer likes, need not be paid. No plan: a fault.
    """

    who: Expr
    cost: Expr
    source: Place
    target: Place
    less: Expr | None = None
    surely: bool = attrs.field(default=False, kw_only=True)
    """The author's word that it is always possible: the checks then ask for no proof, the run still does."""


@attrs.frozen
class Score(Action):
    """``who`` scores ``sign`` times ``amount`` in the variable ``Program.score``."""

    who: Expr
    sign: Literal[1, -1]
    amount: Expr


@attrs.frozen
class Wins(Action):
    """The game ends at once. ``who``, a player or a set of players, wins, and nobody else."""

    who: Expr


Statement: TypeAlias = Union[
    Let,
    SetValue,
    Change,
    Move,
    Shuffle,
    Show,
    Roll,
    Nothing,
    Do,
    Announce,
    Stop,
    EndGame,
    Branch,
    IfThere,
    Each,
    Together,
    Repeat,
    TakeTurns,
    NamedRule,
    Choose,
    ChooseSome,
    Menu,
    Pay,
    Score,
    Wins,
]


@attrs.frozen
class Rule(Action):
    """A rule, nested or not, or an option of a menu (``kind`` ``option``).

    ``guard``: runs only when it holds (a nested rule or a handler), evaluated on entry. ``needs``: of an option, what
    makes it legal; of a rule, a condition its callers must have met (a fault otherwise).
    ``frame``: slots of a top-level rule's frame, shared by the rules and options nested in it (0 for nested ones).
    ``openly`` is about the guard and ``whenever``. ``parent``: id of the rule it is written in.
    ``binds``: of an option, what is chosen with it. ``deep``: of a top-level rule that may run itself, how often it may
    be running at the same time; once more is a fault.
    """

    id: str
    kind: Literal["rule", "option"]
    params: tuple[Param, ...]
    guard: Expr | None
    needs: tuple[Needs, ...]
    body: tuple[Statement, ...]
    frame: int
    parent: str | None = None
    binds: Binds | None = None
    event: str | None = None
    whenever: Expr | None = None
    deep: int | None = None


@attrs.frozen
class Program:
    """A whole game, linked for ``players`` players and the settings in force.

    ``rules`` holds every rule and option by id, in the order of the text. ``handlers``: event name to rule ids.
    ``watchers``: ids of ``whenever`` rules; they are tested at the end of each rule or option that changed the state.
    ``start`` is the rule ``play``. ``score`` names the variable that ``scores`` and ``loses`` change (None: no scores).
    ``version``: a hash of all rule texts and settings; saves carry it. ``ranges``: the numbers that have a name.
    """

    name: str
    title: str
    players: int
    min_players: int
    max_players: int
    seats: tuple[str, ...]
    languages: tuple[str, ...]
    version: str
    variants: tuple[str, ...]
    domains: dict[str, Domain]
    grids: dict[str, Grid]
    tables: dict[str, Table]
    numbers: dict[str, int]
    settings: dict[str, Setting]
    variables: dict[str, Variable]
    definitions: dict[str, Definition]
    graphs: dict[str, Graph]
    events: dict[str, Event]
    rules: dict[str, Rule]
    handlers: dict[str, tuple[str, ...]]
    watchers: tuple[str, ...]
    ranks: tuple[Rank, ...]
    invariants: tuple[Invariant, ...]
    score: str | None
    start: str = "play"
    ranges: dict[str, NumberType] = attrs.field(factory=dict)
