"""Everything the names of a game stand for, worked out when first asked for.

Numbers, tables, variables and definitions may be written in any order; a name that needs itself is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, assert_never

import attrs

from .. import program as ir
from ..diagnostics import Sink, did_you_mean
from ..files.folder import GameFiles
from ..link import Linked
from ..source import Span
from ..syntax import tree
from ..types import (
    FLAG,
    SQUARE,
    UNKNOWN,
    Domain,
    ListType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    SetType,
    Type,
    spot_of,
)
from .constants import size_of

if TYPE_CHECKING:
    from .expressions import Expressions

MAX_NUMBER = 2**31 - 1
MAX_CELLS = 100_000


class Stages(Protocol):
    """What works out a name when it is first asked for; expressions and declarations need the environment in turn."""

    def expressions(self, env: Environment, rule: str | None, /) -> Expressions: ...

    def elaborate_variable(
        self, env: Environment, node: tree.Variable, owners: tuple[str, ...], /
    ) -> ir.Variable | None: ...

    def elaborate_definition(self, env: Environment, node: tree.Define, /) -> ir.Definition | None: ...

    def elaborate_graph(self, env: Environment, node: tree.Graph, /) -> ir.Graph | None: ...


@attrs.define
class Environment:
    """What is known about one game, for one number of players and one choice of settings."""

    linked: Linked
    files: GameFiles
    players: int
    chosen: dict[str, str]
    sink: Sink
    stages: Stages
    seats: tuple[str, ...] = ()
    every_setting: bool = False
    """Leave the values of options and readings open, so that the checks see what every value would run."""
    domains: dict[str, Domain] = attrs.field(factory=dict)
    members: dict[str, list[tuple[Domain, int]]] = attrs.field(factory=dict)
    grids: dict[str, ir.Grid] = attrs.field(factory=dict)
    ranges: dict[str, NumberType] = attrs.field(factory=dict)
    tables: dict[str, ir.Table] = attrs.field(factory=dict)
    settings: dict[str, ir.Setting] = attrs.field(factory=dict)
    numbers: dict[str, int] = attrs.field(factory=dict)
    variables: dict[str, ir.Variable | None] = attrs.field(factory=dict)
    definitions: dict[str, ir.Definition | None] = attrs.field(factory=dict)
    graphs: dict[str, ir.Graph | None] = attrs.field(factory=dict)
    events: dict[str, ir.Event] = attrs.field(factory=dict)
    _doing: list[str] = attrs.field(factory=list)

    # ------------------------------------------------------------ domains

    def add_domain(self, domain: Domain) -> None:
        self.domains[domain.name] = domain
        for position, member in enumerate(domain.members):
            self.members.setdefault(member, []).append((domain, position))

    @property
    def player(self) -> MemberType:
        return MemberType(self.domains["Player"])

    def unknown(
        self, name: str, span: Span, what: str, known: Iterator[str] | list[str], rule: str | None = None
    ) -> None:
        """Reports a name that means nothing, unless it stands in a part that could not be parsed."""
        if name in self.linked.words:
            return
        absent = "nothing" if what == "thing" else f"no {what}"
        self.sink.error("R0401", span, f"There is {absent} called `{name}`.", help=did_you_mean(name, known), rule=rule)

    # ------------------------------------------------------------ numbers

    def number(self, name: str) -> int | None:
        """The value of a number; None when it has a mistake."""
        if name in self.numbers:
            return self.numbers[name]
        declared = self.linked.names[name]
        assert isinstance(declared, tree.Number)
        if not self.enter(name, declared.span):
            return None
        value: Any = None
        for case in declared.cases:
            holds = case.when is None or self.constant(case.when, FLAG)
            if holds:
                value = self.constant(case.value, NumberType(-MAX_NUMBER, MAX_NUMBER))
                break
        else:
            self.sink.error(
                "R0307",
                declared.span,
                f"`{name}` has no value for {self.players} players.",
                help="Add a case, or `otherwise: ...`.",
            )
        self.leave()
        if value is not None:
            self.numbers[name] = value
        return value  # type: ignore[no-any-return]

    def constant(self, node: tree.Expr, expected: Type, rule: str | None = None) -> Any:
        """The value of an expression that must be known before the game starts; None after a finding."""
        value = attrs.evolve(self.expressions(rule), chosen=True).value(node, expected)
        if isinstance(value, ir.Const):
            return None if value.type == UNKNOWN else value.value
        self.sink.error(
            "R0409",
            node.span,
            "This must be known before the game starts.",
            help="Only numbers, options, readings, `players` and `count(...)` of an enum or a table can stand here.",
        )
        return None

    def expressions(self, rule: str | None = None) -> Expressions:
        """What works out expressions that see no local names."""
        return self.stages.expressions(self, rule)

    def enter(self, name: str, span: Span) -> bool:
        """Marks a name as being worked out; False (with a finding) when that leads back to itself."""
        if name in self._doing:
            way = [*self._doing[self._doing.index(name) :], name]
            self.sink.error(
                "R0504",
                span,
                f"`{name}` is defined by itself: {' -> '.join(way)}.",
                help="A definition cannot use itself, not even through others.",
            )
            return False
        self._doing.append(name)
        return True

    def leave(self) -> None:
        self._doing.pop()

    # ------------------------------------------------------------ types

    def type(self, node: tree.TypeExpr, rule: str | None = None) -> Type:
        """The type that is written; UNKNOWN after a finding."""
        match node:
            case tree.TypeFlag():
                return FLAG
            case tree.TypeRange():
                return self.range_type(node.low, node.high, node.span)
            case tree.TypeOptional():
                item = self.type(node.item, rule)
                return item if item == UNKNOWN else OptionalType(item)
            case tree.TypeSet():
                item = self.type(node.item, rule)
                return item if item == UNKNOWN else SetType(item)
            case tree.TypeSquare():
                return SQUARE
            case tree.TypeSpot():
                kind = self.kind(node.item)
                return UNKNOWN if kind is None else spot_of(kind)
            case tree.TypePieces() | tree.TypePlace():
                kind = self.kind(node.item)
                return UNKNOWN if kind is None else PiecesType(kind)
            case tree.TypeName():
                if node.name in self.domains:
                    return MemberType(self.domains[node.name])
                if node.name in self.ranges:
                    return self.ranges[node.name]
                if node.name in self.linked.names and isinstance(self.linked.names[node.name], tree.Graph):
                    graph = self.graph(node.name)
                    return UNKNOWN if graph is None else SetType(graph.node_type)
                self.unknown(node.name, node.span, "type", [*self.domains, *self.ranges], rule)
                return UNKNOWN
        assert_never(node)

    def kind(self, node: tree.TypeExpr) -> MemberType | NumberType | None:
        """The type of pieces: it must have a fixed list of kinds."""
        found = self.type(node)
        if isinstance(found, (MemberType, NumberType)):
            if size_of(found) > 5_000:
                self.sink.error("R0404", node.span, "Pieces can have at most 5,000 kinds.")
                return None
            return found
        if found != UNKNOWN:
            self.sink.error("R0402", node.span, "Pieces are of an enum, a table, a range or the players.")
        return None

    def range_type(self, low: tree.Expr, high: tree.Expr, span: Span) -> Type:
        wide = NumberType(-MAX_NUMBER, MAX_NUMBER)
        first, last = self.constant(low, wide), self.constant(high, wide)
        if first is None or last is None:
            return UNKNOWN
        if last < first:
            self.sink.error(
                "R0404", span, f"No number lies in {first}..{last}.", help="Write the smaller number first."
            )
            return UNKNOWN
        return NumberType(first, last)

    # ------------------------------------------------------------ what is computed

    def variable(self, name: str) -> ir.Variable | None:
        if name not in self.variables:
            declared = self.linked.names[name]
            assert isinstance(declared, tree.Variable)
            if not self.enter(name, declared.span):
                return None
            self.variables[name] = self.stages.elaborate_variable(self, declared, self.linked.owners[name])
            self.leave()
        return self.variables[name]

    def definition(self, name: str) -> ir.Definition | None:
        if name not in self.definitions:
            declared = self.linked.names[name]
            assert isinstance(declared, tree.Define)
            if not self.enter(name, declared.span):
                return None
            self.definitions[name] = self.stages.elaborate_definition(self, declared)
            self.leave()
        return self.definitions[name]

    def graph(self, name: str) -> ir.Graph | None:
        if name not in self.graphs:
            declared = self.linked.names[name]
            assert isinstance(declared, tree.Graph)
            if not self.enter(name, declared.span):
                return None
            self.graphs[name] = self.stages.elaborate_graph(self, declared)
            self.leave()
        return self.graphs[name]

    def all_members(self, domain: Domain, span: Span) -> ir.Expr:
        return ir.Apply("members", (), ListType(MemberType(domain)), span=span)
