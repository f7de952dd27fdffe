"""Changes that a variant makes to its base, and the whole file: its header and its items."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import attrs

from ...structural import node
from .declarations import (
    ChangeCell,
    ChangeRow,
    Column,
    Define,
    Enum,
    Event,
    Examples,
    Game,
    Graph,
    Grid,
    History,
    Invariant,
    Match,
    Number,
    Out,
    Part,
    Range,
    RemoveRow,
    RowsFile,
    RowsInline,
    Setting,
    StandIn,
    Table,
    Variables,
    Variant,
    Winner,
)
from .examples import Example
from .expressions import Expr
from .node import Node
from .statements import MenuOption, Rule, Statement
from .types import Param


@node
class ChangeNumber(Node):
    name: str
    value: Expr


@node
class ChangeSetting(Node):
    kind: Literal["option", "reading"]
    name: str
    value: str


@node
class Replace(Node):
    item: Rule | MenuOption | Define | Enum | Table | Grid | Graph | History | Winner | Out | Invariant | Number


@node
class RemoveRule(Node):
    kind: Literal["rule", "option"]
    id: str


@node
class Insert(Node):
    where: Literal["before", "after"]
    id: str
    body: tuple[Statement, ...]
    kind: Literal["rule", "option"] = "rule"


@node
class ExtendEnum(Node):
    name: str
    members: tuple[str, ...]


@node
class ExtendTable(Node):
    name: str
    columns: tuple[Column, ...]
    rows: tuple[RowsFile | RowsInline, ...]
    stand_in: StandIn | None = None


@node
class ExtendDefine(Node):
    name: str
    matches: tuple[Match, ...]


@node
class ExtendRule(Node):
    id: str
    options: tuple[MenuOption, ...]


@node
class Adjust(Node):
    """``by -1, not below 0``: ``least`` is the number it stops at."""

    name: str
    params: tuple[Param, ...]
    value: Expr
    least: Expr | None = None


VariantItem: TypeAlias = Union[
    ChangeNumber,
    ChangeSetting,
    ChangeRow,
    ChangeCell,
    RemoveRow,
    Replace,
    RemoveRule,
    Insert,
    ExtendEnum,
    ExtendTable,
    ExtendDefine,
    ExtendRule,
    Adjust,
]
"""Items that only the file of a variant can hold: changes to its base."""


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
