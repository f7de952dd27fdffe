"""Types and expressions of the syntax tree, and the base of all its nodes."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import attrs

from ...source import NOWHERE, Span
from ...structural import Structural, node


@node
class Node(Structural):
    """A part of a text, with its place in it."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@node
class Name(Node):
    name: str


@node
class Integer(Node):
    value: int


@node
class NoneValue(Node):
    pass


@node
class Flag(Node):
    value: bool


@node
class PlayerCount(Node):
    """The word ``players``: how many play."""


@node
class Sequence(Node):
    items: tuple[Expr, ...]


@node
class TupleValue(Node):
    items: tuple[Expr, ...]


@node
class Entry(Node):
    kind: Expr
    count: Expr


@node
class Bundle(Node):
    """Pieces by kind, ``{gold: 2, iron: 1}``."""

    entries: tuple[Entry, ...]


@node
class BundleFor(Node):
    entry: Entry
    binders: Binders


@node
class Filter(Node):
    """``where`` passes over what fails; ``while`` ends the run there."""

    word: Literal["where", "while"]
    condition: Expr


@node
class Binder(Node):
    """``name in domain``, optionally ``from start`` (a ring is entered at ``start``), and filters, the first one first.

    ``(a, b) in domain`` takes tuples apart: ``parts`` holds the names in the brackets, and ``name`` is empty.
    """

    name: str
    domain: Expr
    start: Expr | None = None
    parts: tuple[Expr, ...] = ()
    filters: tuple[Filter, ...] = ()


@node
class Binders(Node):
    """One or more binders."""

    binders: tuple[Binder, ...]


@node
class FoldValues(Node):
    """``max(a, b)``, ``count(hand[p])``: a fold word over given values."""

    word: str
    values: tuple[Expr, ...]


@node
class FoldOf(Node):
    """``sum(size(f) for f in Field where ...)``."""

    word: str
    body: Expr
    binders: Binders


@node
class FoldMembers(Node):
    """``count(f in Field where ...)``, ``some(...)``, ``first(...)``: a fold over the members themselves."""

    word: str
    binders: Binders


@node
class Rank(Node):
    word: Literal["most", "fewest"]
    value: Expr


@node
class FoldRanked(Node):
    """``ranked(p in Player where ... by most score[p], then fewest cards[p])``, ``leaders(...)``."""

    word: str
    binders: Binders
    ranks: tuple[Rank, ...]


@node
class Attribute(Node):
    value: Expr
    name: str


@node
class Index(Node):
    value: Expr
    indices: tuple[Expr, ...]


@node
class Apply(Node):
    function: Expr
    arguments: tuple[Expr, ...]


@node
class Unary(Node):
    op: Literal["-", "not"]
    value: Expr


@node
class Binary(Node):
    """``op`` is one of ``+ - * mod and or otherwise .. < <= > >= is``, ``is not``, ``is in``, ``is not in``,
    ``covers``, ``holds``, ``/ down``, ``/ up``."""

    op: str
    left: Expr
    right: Expr


@node
class AllBut(Node):
    """A price of which ``number`` pieces need not be paid; only as what is paid or covered."""

    number: Expr
    cost: Expr


@node
class Conditional(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@node
class After(Node):
    """``value`` in the position as it would be after ``do rule(arguments)``."""

    value: Expr
    rule: str
    arguments: tuple[Expr, ...] = ()


Expr: TypeAlias = Union[
    Name,
    Integer,
    NoneValue,
    Flag,
    PlayerCount,
    Sequence,
    TupleValue,
    Bundle,
    BundleFor,
    FoldValues,
    FoldOf,
    FoldMembers,
    FoldRanked,
    Attribute,
    Index,
    Apply,
    Unary,
    Binary,
    AllBut,
    Conditional,
    After,
]


# Types as written, and parameters.


@node
class TypeName(Node):
    name: str


@node
class TypeRange(Node):
    low: Expr
    high: Expr


@node
class TypeFlag(Node):
    pass


@node
class TypeOptional(Node):
    item: TypeExpr


@node
class TypeSet(Node):
    item: TypeExpr


@node
class TypePieces(Node):
    """``pieces of Metal``: a bundle as a value."""

    item: TypeExpr


@node
class TypeSpot(Node):
    """``spot of Shape``: a piece that lies in a grid."""

    item: TypeExpr


@node
class TypeSquare(Node):
    """``square``: a place in a grid, with a piece or without."""


@node
class TypeList(Node):
    """``list of Cell``, or with several values a member, ``list of Cell and Player``: what is kept, or what a
    definition gives that may use itself."""

    items: tuple[TypeExpr, ...]


@node
class TypeRule(Node):
    """``rule(p: Player)``: the name of a rule with such parameters, in a column of a table."""

    params: tuple[Param, ...]


@node
class TypePlace(Node):
    """``pool of Metal``: a place for pieces."""

    place: Literal["pool", "bag", "stack", "slot", "grid"]
    item: TypeExpr


TypeExpr: TypeAlias = Union[
    TypeName,
    TypeRange,
    TypeFlag,
    TypeOptional,
    TypeSet,
    TypeList,
    TypePieces,
    TypeSpot,
    TypeSquare,
    TypeRule,
    TypePlace,
]


@node
class Param(Node):
    name: str
    type: TypeExpr
