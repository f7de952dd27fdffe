"""Types as written, and parameters."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

from ...structural import node
from .expressions import Expr
from .node import Node


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
