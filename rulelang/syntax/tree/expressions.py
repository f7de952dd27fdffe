"""Expressions."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import attrs

from .node import Node


@attrs.frozen
class Name(Node):
    name: str


@attrs.frozen
class Integer(Node):
    value: int


@attrs.frozen
class NoneValue(Node):
    pass


@attrs.frozen
class Flag(Node):
    value: bool


@attrs.frozen
class PlayerCount(Node):
    """The word ``players``: how many play."""


@attrs.frozen
class Sequence(Node):
    items: tuple[Expr, ...]


@attrs.frozen
class TupleValue(Node):
    items: tuple[Expr, ...]


@attrs.frozen
class Entry(Node):
    kind: Expr
    count: Expr


@attrs.frozen
class Bundle(Node):
    """Pieces by kind, ``{gold: 2, iron: 1}``."""

    entries: tuple[Entry, ...]


@attrs.frozen
class BundleFor(Node):
    entry: Entry
    binders: Binders


@attrs.frozen
class Filter(Node):
    """``where`` passes over what fails; ``while`` ends the run there."""

    word: Literal["where", "while"]
    condition: Expr


@attrs.frozen
class Binder(Node):
    """``name in domain``, optionally ``from start`` (a ring is entered at ``start``), and filters, the first one first.

    ``(a, b) in domain`` takes tuples apart: ``parts`` holds the names in the brackets, and ``name`` is empty.
    """

    name: str
    domain: Expr
    start: Expr | None = None
    parts: tuple[Expr, ...] = ()
    filters: tuple[Filter, ...] = ()


@attrs.frozen
class Binders(Node):
    """One or more binders."""

    binders: tuple[Binder, ...]


@attrs.frozen
class FoldValues(Node):
    """``max(a, b)``, ``count(hand[p])``: a fold word over given values."""

    word: str
    values: tuple[Expr, ...]


@attrs.frozen
class FoldOf(Node):
    """``sum(size(f) for f in Field where ...)``."""

    word: str
    body: Expr
    binders: Binders


@attrs.frozen
class FoldMembers(Node):
    """``count(f in Field where ...)``, ``some(...)``, ``first(...)``: a fold over the members themselves."""

    word: str
    binders: Binders


@attrs.frozen
class Rank(Node):
    word: Literal["most", "fewest"]
    value: Expr


@attrs.frozen
class FoldRanked(Node):
    """``ranked(p in Player where ... by most score[p], then fewest cards[p])``, ``leaders(...)``."""

    word: str
    binders: Binders
    ranks: tuple[Rank, ...]


@attrs.frozen
class Attribute(Node):
    value: Expr
    name: str


@attrs.frozen
class Index(Node):
    value: Expr
    indices: tuple[Expr, ...]


@attrs.frozen
class Apply(Node):
    function: Expr
    arguments: tuple[Expr, ...]


@attrs.frozen
class Unary(Node):
    op: Literal["-", "not"]
    value: Expr


@attrs.frozen
class Binary(Node):
    """``op`` is one of ``+ - * mod and or otherwise .. < <= > >= is``, ``is not``, ``is in``, ``is not in``,
    ``covers``, ``holds``, ``/ down``, ``/ up``."""

    op: str
    left: Expr
    right: Expr


@attrs.frozen
class AllBut(Node):
    """A price of which ``number`` pieces need not be paid; only as what is paid or covered."""

    number: Expr
    cost: Expr


@attrs.frozen
class Conditional(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


@attrs.frozen
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
