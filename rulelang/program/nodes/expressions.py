"""Expressions, with their types, and the base of all nodes."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, Union

import attrs

from ...source import NOWHERE, Span
from ...structural import Structural, node
from ...types import ListType, PiecesType, Type


@node
class Node(Structural):
    """A part of a Program with the place in the texts that it came from."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@node
class Const(Node):
    """A value of ``type`` (see types.py for how values are represented)."""

    value: Any
    type: Type


@node
class Local(Node):
    slot: int
    name: str
    type: Type


@node
class Read(Node):
    """The content of a variable. ``indices`` has one expression per owner of the variable.

    A pool or bag reads as pieces (tuple of counts), a stack as a list (bottom first), a slot as an optional.
    """

    variable: str
    indices: tuple[Expr, ...]
    type: Type


@node
class ColumnOf(Node):
    """The cell of a table: ``row`` is a member of the table's domain."""

    table: str
    column: str
    row: Expr
    type: Type


@node
class PartOf(Node):
    """A part of a tuple or a record, by its position from 0. ``name``: of the part, or of the local for it."""

    value: Expr
    position: int
    name: str
    type: Type


@node
class Call(Node):
    definition: str
    arguments: tuple[Expr, ...]
    type: Type


@node
class Apply(Node):
    """A built-in operation, one of the table in ``operations.py``.

    ``type`` tells the domain of one without arguments, such as ``members``.
    """

    op: str
    arguments: tuple[Expr, ...]
    type: Type


@node
class If(Node):
    """``by_column``: it looks for the rule that is supposed to run, as the text names it by a column of a table."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    by_column: str | None = attrs.field(default=None, kw_only=True)


@node
class Bind(Node):
    """``slot`` takes each value of ``domain``, an expression of a type that can be iterated:
    a list, a set (in rising order), an optional (zero or one), pieces (the kinds present)."""

    slot: int
    name: str
    domain: Expr
    type: Type


@node
class Binds(Node):
    """Nested loops, leftmost outermost. A member counts when ``condition`` holds.

    ``stop_at_first_failure`` (the word ``while``): the whole run ends at the first combination that fails. Then, a
    combination for which ``passing`` does not hold is passed over before ``condition`` is looked at.
    """

    binds: tuple[Bind, ...]
    condition: Expr | None = None
    stop_at_first_failure: bool = False
    passing: Expr | None = None

    @property
    def free(self) -> bool:
        """Whether each member of a single domain is a combination."""
        return len(self.binds) == 1 and self.condition is None and self.passing is None


@node
class Key(Node):
    """What combinations are ranked by: ``most`` or fewest of ``value`` comes first."""

    most: bool
    value: Expr


@node
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


@node
class PiecesOf(Node):
    """``{gold: 2, t.cost: 1}``: equal kinds add up. With ``binds``: one entry for each combination."""

    entries: tuple[tuple[Expr, Expr], ...]
    binds: Binds | None
    type: PiecesType


@node
class AboutGraph(Node):
    """What is asked of a graph with these arguments."""

    graph: str
    arguments: tuple[Expr, ...]


@node
class GroupOf(AboutGraph):
    """The connected group of a graph that holds ``node`` (a set; empty when the node is not in the graph)."""

    node: Expr
    type: Type


@node
class Groups(AboutGraph):
    """All connected groups of a graph, ordered by their first node (a list of sets)."""

    type: Type


@node
class LongestTrail(AboutGraph):
    """The most different values of ``measure`` along one trail of a graph, a walk that uses no edge twice.

    ``measure`` is worked out for a node, whose parts are in ``slots`` (one, or one for each bind of the graph).
    """

    slots: tuple[int, ...]
    measure: Expr
    type: Type


LengthWord: TypeAlias = Literal["shortest", "shortest_way", "within", "longest_trail"]


@node
class ByLength(AboutGraph):
    """What the lengths of a graph's edges tell.

    ``shortest``: the length of the shortest way between two nodes, None when there is none; ``shortest_way``: its nodes
    in order, from the first of ``ends`` to the second, empty when there is none; ``within``: the set of nodes that a
    way of at most some length leads to, itself among them (``ends``: a node and a number); ``longest_trail``: the
    greatest length of a walk that uses no edge twice (no ``ends``).
    """

    word: LengthWord
    ends: tuple[Expr, ...]
    type: Type


@node
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


@node
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
