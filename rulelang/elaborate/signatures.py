"""Signatures: the part of a definition, a graph or a rule that others see, and of a place where a name is missing."""

from __future__ import annotations

from typing import Literal

import attrs

from .. import program as ir
from ..source import Span
from ..structural import Structural, frozen
from ..types import Type


@frozen
class Signature(Structural):
    """The part of a definition that others see. ``value``: its value, when it is known before the game starts."""

    params: tuple[ir.Param, ...]
    type: Type
    value: ir.Const | None


@frozen
class GraphSignature(Structural):
    """The part of a graph that others see. ``nodes``: the names that a node consists of, with their types."""

    name: str
    params: tuple[ir.Param, ...]
    nodes: tuple[tuple[str, Type], ...]
    node_type: Type
    most: tuple[int, int] = (0, 0)
    """The greatest length that a way, and a trail, can have."""
    one_way: Span | None = None
    """An edge that leads one way only."""


@frozen
class RuleSignature(Structural):
    """The part of a rule or an option that examples see. ``binds``: the values chosen with an option, with types."""

    kind: Literal["rule", "option"]
    params: tuple[ir.Param, ...]
    parent: str | None
    binds: tuple[tuple[str, Type], ...]


@attrs.define
class Hole:
    """What is learnt about a place where a name is being written. ``word``: stands there meanwhile.

    ``expected``: the types that values at the place should have, None for any; ``names``: the local names in sight with
    their types; ``of``: for a column, the types of what has it.
    """

    word: str
    expected: list[Type | None] = attrs.field(factory=list)
    names: dict[str, Type] = attrs.field(factory=dict)
    of: list[Type] = attrs.field(factory=list)
