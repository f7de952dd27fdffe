"""Examples, changes that a variant makes to its base, and the whole file: its header and its items."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

import attrs

from ...structural import node
from . import declarations as d
from .expressions import Expr, Integer, Name, Node, Param
from .statements import MenuOption, Rule, Statement

# Examples and their steps.


@node
class Passage(Node):
    """Lines of a source text, both ends included."""

    language: str
    first: int
    last: int


@node
class Documented(Node):
    passages: tuple[Passage, ...]


@node
class ExPlayers(Node):
    names: tuple[str, ...]


@node
class Using(Node):
    variants: tuple[str, ...]


@node
class WithValue(Node):
    """Another value for a number, an option or a reading."""

    name: str
    value: Expr


@node
class Given(Node):
    facts: tuple[Expr, ...]


@node
class Run(Node):
    rule: str
    arguments: tuple[Expr, ...]


@node
class Chance(Node):
    values: tuple[Expr, ...]


@node
class ExChooses(Node):
    who: Expr
    values: tuple[Expr, ...]


@node
class ExDeclines(Node):
    who: Expr


@node
class ExPays(Node):
    who: Expr
    pieces: Expr


@node
class ExRefused(Node):
    """``because``: the id of a rule; ``needs``: which of its conditions does not hold."""

    who: Expr
    values: tuple[Expr, ...]
    because: str | None = None
    needs: Expr | None = None


@node
class ExCannotPay(Node):
    """``because``: ``too little``, ``too much``, ``not there``, or no reason given."""

    who: Expr
    pieces: Expr
    because: str | None = None


@node
class Asked(Node):
    who: Expr
    rule: str | None = None


@node
class Offered(Node):
    """``count``: a number, or the name of a column of the example's cases."""

    count: Integer | Name
    id: str


@node
class OfferedOnly(Node):
    values: tuple[Expr, ...]


@node
class Then(Node):
    conditions: tuple[Expr, ...]


@node
class Fired(Node):
    ids: tuple[str, ...]
    negated: bool = False


@node
class Winners(Node):
    """Who wins by the ranks in the state reached."""

    names: tuple[str, ...]


@node
class Finished(Node):
    """The rule that was run has come to its end."""


@node
class ExampleCases(Node):
    """The example is run once for each row, with the row's values in place of the names of the columns."""

    columns: tuple[str, ...]
    rows: tuple[d.Row, ...]


Step: TypeAlias = Union[
    Documented,
    ExPlayers,
    Using,
    WithValue,
    Given,
    Run,
    Chance,
    ExChooses,
    ExDeclines,
    ExPays,
    ExRefused,
    ExCannotPay,
    Asked,
    Offered,
    OfferedOnly,
    Then,
    Fired,
    Winners,
    Finished,
    ExampleCases,
]


@node
class Example(Node):
    id: str
    steps: tuple[Step, ...]


# Changes that a variant makes, and the whole file.


@node
class ChangeNumber(Node):
    name: str
    value: Expr


@node
class ChangeSetting(Node):
    kind: Literal["option", "reading"]
    name: str
    value: str


Stated: TypeAlias = d.Enum | d.Table | d.Number | d.Define | d.Graph | d.History | d.Winner | d.Out | d.Invariant
Replaceable: TypeAlias = Stated | d.Grid | Rule | MenuOption


@node
class Replace(Node):
    item: Replaceable


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
    columns: tuple[d.Column, ...]
    rows: tuple[d.RowsFile | d.RowsInline, ...]
    stand_in: d.StandIn | None = None


@node
class ExtendDefine(Node):
    name: str
    matches: tuple[d.Match, ...]


@node
class ExtendRule(Node):
    id: str
    options: tuple[MenuOption, ...]


@node
class Adjust(Node):
    """``by -1, not below 0``: ``least`` is the number it stops at. ``when``: only where that holds."""

    name: str
    params: tuple[Param, ...]
    value: Expr
    least: Expr | None = None
    when: Expr | None = None


VariantItem: TypeAlias = Union[
    ChangeNumber,
    ChangeSetting,
    d.ChangeRow,
    d.ChangeCell,
    d.RemoveRow,
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


Header: TypeAlias = Union[d.Game, d.Part, d.Examples, d.Variant]
Item: TypeAlias = Union[
    Header,
    d.Enum,
    d.Range,
    d.Grid,
    d.Table,
    d.Number,
    d.Setting,
    d.Variables,
    d.Carry,
    d.Define,
    d.Graph,
    d.History,
    d.Event,
    d.Winner,
    d.Out,
    d.Invariant,
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
