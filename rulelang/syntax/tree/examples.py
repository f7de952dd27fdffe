"""Examples and their steps."""

from __future__ import annotations

from typing import TypeAlias, Union

from ...structural import node
from .declarations import Row
from .expressions import Expr, Integer, Name
from .node import Node


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


@node
class Example(Node):
    id: str
    steps: tuple[Step, ...]
