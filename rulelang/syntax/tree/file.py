"""A whole file: its header and its items."""

from __future__ import annotations

from typing import TypeAlias, Union

import attrs

from ...structural import node
from .declarations import (
    Define,
    Enum,
    Event,
    Examples,
    Game,
    Graph,
    Grid,
    History,
    Invariant,
    Number,
    Out,
    Part,
    Range,
    Setting,
    Table,
    Variables,
    Variant,
    Winner,
)
from .examples import Example
from .node import Node
from .statements import Rule
from .variants import VariantItem

Header: TypeAlias = Union[Game, Part, Examples, Variant]
Item: TypeAlias = Union[
    Header,
    Enum,
    Range,
    Grid,
    Table,
    Number,
    Setting,
    Variables,
    Define,
    Graph,
    History,
    Event,
    Winner,
    Out,
    Invariant,
    Rule,
    Example,
    VariantItem,
]


@node
class Unread(Node):
    """An item with a mistake in it that leaves nothing of it: its first word, and the name behind that, if any."""

    word: str
    name: str


@node
class File(Node):
    """One text file: its items in order, the first of which is its header."""

    items: tuple[Item, ...]
    words: frozenset[str] = attrs.field(default=frozenset(), eq=False)
    """Words of the stretches that could not be parsed: no message is given for names among them."""
    unread: tuple[Unread, ...] = attrs.field(default=(), eq=False)
