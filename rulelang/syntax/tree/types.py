"""Types as written, and parameters."""

from __future__ import annotations

from typing import TypeAlias, Union

import attrs

from .expressions import Expr
from .node import Node


@attrs.frozen
class TypeName(Node):
    name: str


@attrs.frozen
class TypeRange(Node):
    low: Expr
    high: Expr


@attrs.frozen
class TypeFlag(Node):
    pass


@attrs.frozen
class TypeOptional(Node):
    item: TypeExpr


@attrs.frozen
class TypeSet(Node):
    item: TypeExpr


@attrs.frozen
class TypePieces(Node):
    """``pieces of Metal``: a bundle as a value."""

    item: TypeExpr


@attrs.frozen
class TypeSpot(Node):
    """``spot of Shape``: a piece that lies in a grid."""

    item: TypeExpr


@attrs.frozen
class TypeSquare(Node):
    """``square``: a place in a grid, with a piece or without."""


@attrs.frozen
class TypeList(Node):
    """``list of Cell``, or with several values a member, ``list of Cell and Player``: what is kept, or what a
    definition gives that may use itself."""

    items: tuple[TypeExpr, ...]


@attrs.frozen
class TypeRule(Node):
    """``rule(p: Player)``: the name of a rule with such parameters, in a column of a table."""

    params: tuple[Param, ...]


@attrs.frozen
class TypePlace(Node):
    """``pool of Metal``: a place for pieces."""

    place: str
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


@attrs.frozen
class Param(Node):
    name: str
    type: TypeExpr
