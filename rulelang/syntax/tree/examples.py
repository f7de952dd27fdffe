"""Examples and their steps."""

from __future__ import annotations

from typing import TypeAlias, Union

import attrs

from .declarations import Row
from .expressions import Expr, Integer, Name
from .node import Node


@attrs.frozen
class Passage(Node):
    """Lines of a source text, both ends included."""

    language: str
    first: int
    last: int


@attrs.frozen
class Documented(Node):
    passages: tuple[Passage, ...]


@attrs.frozen
class ExPlayers(Node):
    names: tuple[str, ...]


@attrs.frozen
class Using(Node):
    variants: tuple[str, ...]


@attrs.frozen
class WithValue(Node):
    """Another value for a number, an option or a reading."""

    name: str
    value: Expr


@attrs.frozen
class Given(Node):
    facts: tuple[Expr, ...]


@attrs.frozen
class Run(Node):
    rule: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class Chance(Node):
    values: tuple[Expr, ...]


@attrs.frozen
class ExChooses(Node):
    who: Expr
    values: tuple[Expr, ...]


@attrs.frozen
class ExDeclines(Node):
    who: Expr


@attrs.frozen
class ExPays(Node):
    who: Expr
    pieces: Expr


@attrs.frozen
class ExRefused(Node):
    """``because``: the id of a rule; ``needs``: which of its conditions does not hold."""

    who: Expr
    values: tuple[Expr, ...]
    because: str | None = None
    needs: Expr | None = None


@attrs.frozen
class ExCannotPay(Node):
    """``because``: ``too little``, ``too much``, ``not there``, or no reason given."""

    who: Expr
    pieces: Expr
    because: str | None = None


@attrs.frozen
class Asked(Node):
    who: Expr
    rule: str | None = None


@attrs.frozen
class Offered(Node):
    """``count``: a number, or the name of a column of the example's cases."""

    count: Integer | Name
    id: str


@attrs.frozen
class OfferedOnly(Node):
    values: tuple[Expr, ...]


@attrs.frozen
class Then(Node):
    conditions: tuple[Expr, ...]


@attrs.frozen
class Fired(Node):
    ids: tuple[str, ...]
    negated: bool = False


@attrs.frozen
class Winners(Node):
    """Who wins by the ranks in the state reached."""

    names: tuple[str, ...]


@attrs.frozen
class Finished(Node):
    """The rule that was run has come to its end."""


@attrs.frozen
class ExampleCases(Node):
    """The example is run once for each row, with the row's values in place of the names of the columns."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


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


@attrs.frozen
class Example(Node):
    id: str
    steps: tuple[Step, ...]
