"""Declarations of a game besides its rules: headers of files, names, numbers, tables, variables, graphs."""

from __future__ import annotations

from typing import Literal

import attrs

from ...structural import node
from .expressions import Binders, Expr, Integer, Name, Node, Param, Rank, TypeExpr


@node
class Team(Node):
    """Players who win and lose together: names or numbers of seats. ``when``: whether there is such a team."""

    name: str
    seats: tuple[Name | Integer, ...]
    when: Expr | None


@node
class Game(Node):
    name: str
    title: str | None
    low: int
    high: int
    seats: tuple[str, ...]
    languages: tuple[str, ...]
    teams: tuple[Team, ...] = ()


@node
class Part(Node):
    game: str


@node
class Examples(Node):
    game: str


@node
class Variant(Node):
    name: str
    of: tuple[str, ...]
    after: tuple[str, ...] = ()
    summary: str | None = None


@node
class Enum(Node):
    name: str
    members: tuple[str, ...]
    ring: bool = False


@node
class Range(Node):
    name: str
    low: Expr
    high: Expr


@node
class Grid(Node):
    """``grid Cell: 7 by 6``: the cells of a board, ``width`` columns and ``height`` rows.

    ``hexes Cell: 7 by 6``: a rhombus of hexagonal cells. ``hexes Cell: 5``: a hexagon of them, whose
    ``width`` is its side. ``track Point: 24``, ``track Field, ring: 0..39``: numbered fields one after another, from 1
    or from the first number to the last, which ``width`` says.
    """

    name: str
    width: Expr
    height: Expr | None
    word: Literal["grid", "hexes", "track"] = "grid"
    ring: bool = False


@node
class Column(Node):
    name: str
    type: TypeExpr
    default: Expr | None = None


@node
class Row(Node):
    name: str
    values: tuple[Expr, ...]


@node
class RowsFile(Node):
    file: str
    when: Expr | None = None


@node
class RowsInline(Node):
    rows: tuple[Row, ...]
    when: Expr | None = None


@node
class ChangeRow(Node):
    """``change row lunch of Basket to {apple: 1}, 2``; ``when``: only then."""

    row: str
    table: str
    values: tuple[Expr, ...]
    when: Expr | None = None


@node
class ChangeCell(Node):
    """``change row lunch.points of Basket to 3``."""

    row: str
    column: str
    table: str
    value: Expr
    when: Expr | None = None


@node
class RemoveRow(Node):
    row: str
    table: str
    when: Expr | None = None


@node
class StandIn(Node):
    where: Expr | None
    because: str


@node
class Table(Node):
    """``table Card: Suit and Rank``: ``parts`` are the enums whose combinations are its rows; else it is empty."""

    name: str
    ring: bool
    columns: tuple[Column, ...]
    rows: tuple[RowsFile | RowsInline, ...]
    stand_in: StandIn | None = None
    parts: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    edits: tuple[ChangeRow | ChangeCell | RemoveRow, ...] = attrs.field(default=(), kw_only=True)
    """What variants change in single rows, set by the linker; in this order."""


@node
class Case(Node):
    """``when`` is None in the ``otherwise`` case."""

    when: Expr | None
    value: Expr


@node
class Match(Node):
    members: tuple[str, ...]
    value: Expr


@node
class Number(Node):
    """A number that may be changed. A plain one has a single case without condition."""

    name: str
    cases: tuple[Case, ...]
    plain: bool = True


@node
class Setting(Node):
    """An ``option`` or a ``reading``."""

    kind: Literal["option", "reading"]
    name: str
    values: tuple[str, ...]
    default: str
    because: str | None = None


@node
class VariableAttribute(Node):
    """``word``: ``at most``, ``last``, ``seen by owner``, ``seen by nobody``, ``seen by all but owner``, ``seen by``,
    ``counted``, ``not below``, ``not above``, ``bookkeeping``.

    ``name``: of those who see it, in ``seen by q where ...``; ``value`` is then the condition.
    """

    word: str
    value: Expr | None = None
    name: str | None = None


@node
class Exchange(Node):
    """``2 of [ruby, opal] for 1 of pearl``; ``given`` None: ``2 of any for 1``; ``due`` None: for any kind.

    ``one`` is the number after ``for``, as it is written.
    """

    number: Expr
    given: Expr | None
    one: int
    due: Expr | None


@node
class Variable(Node):
    name: str
    type: TypeExpr
    initial: Expr | None
    attributes: tuple[VariableAttribute | Exchange, ...] = ()


@node
class Variables(Node):
    """``the game has`` (no owners) or ``each Player and Place has``.

    ``each Place a and Colour has``: ``keys`` are names of the owners for what is there first, here a and None. It
    is empty when there are none.
    """

    owners: tuple[Name, ...]
    variables: tuple[Variable, ...]
    keys: tuple[str | None, ...] = ()


@node
class Carry(Node):
    """``carry score, box``: what the next game begins with as this one ended."""

    names: tuple[Name, ...]


@node
class WaysStep(Node):
    """``step w to c for c in ...``, or ``step w to f(w) where ...``. ``way``: the name of the way so far."""

    way: str
    target: Expr
    binders: Binders | None = None
    condition: Expr | None = None


@node
class WaysEnd(Node):
    """``w may end where ...``."""

    way: str
    condition: Expr | None = None


@node
class Ways(Node):
    """What stands below ``ways NAME, at most N deep``."""

    most: Expr | None
    start: Expr
    steps: tuple[WaysStep, ...]
    end: WaysEnd | None = None


@node
class Define(Node):
    """Exactly one of ``value``, ``cases``, ``matches``, ``ways`` is used; ``by``: what is matched.

    ``result`` and ``deep``: of a definition that may use itself, what it gives, and how often it may be at work at the
    same time.
    """

    name: str
    params: tuple[Param, ...]
    value: Expr | None = None
    cases: tuple[Case, ...] = ()
    by: Expr | None = None
    matches: tuple[Match, ...] = ()
    result: TypeExpr | None = attrs.field(default=None, kw_only=True)
    deep: Expr | None = attrs.field(default=None, kw_only=True)
    ways: Ways | None = None


@node
class GraphEdge(Node):
    """``edge c to f(c, d), length 2 for d in ...``, or ``edge c to f(c) where ...``."""

    source: Expr
    target: Expr
    one_way: bool = False
    length: Expr | None = None
    binders: Binders | None = None
    condition: Expr | None = None


@node
class Graph(Node):
    name: str
    params: tuple[Param, ...]
    node: Binders
    edges: tuple[GraphEdge, ...]


@node
class History(Node):
    """``history diagram(p: Player), at most 200: man, side, p``: which positions, as far as these parts tell them
    apart, were remembered."""

    name: str
    params: tuple[Param, ...]
    attributes: tuple[VariableAttribute | Exchange, ...]
    parts: tuple[Expr, ...]


@node
class Event(Node):
    name: str
    params: tuple[Param, ...]


@node
class Winner(Node):
    ranks: tuple[Rank, ...]


@node
class Out(Node):
    """Who is out of the game; the condition is about the player ``p``."""

    condition: Expr


@node
class Invariant(Node):
    id: str
    condition: Expr
