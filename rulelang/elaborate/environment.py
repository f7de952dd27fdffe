"""Meanings of the names in a game, worked out when first asked for.

Numbers, tables, variables and definitions may be written in any order; a name that needs itself is reported. Whoever
elaborates an item asks for names here and only here (not in ``linked``), so that it is known what the item depends on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

import attrs

from .. import program as ir
from .. import types as ty
from ..diagnostics import Sink
from ..files.folder import GameFiles
from ..fixes import Help
from ..link import Linked
from ..program.analysis.static_values import Fixed, NotFixed
from ..source import SourceFile, Span
from ..syntax import tree
from ..syntax.walk import walk
from ..traces import Recall, TracedNames, members_of
from ..words import several
from . import board_functions, scope
from .scope import GraphSignature, Hole, RuleSignature, Scope, Signature, SlotFrame

if TYPE_CHECKING:
    from .expressions import Expressions


MAX_NUMBER = 2**31 - 1
MAX_CELLS = 100_000

T = TypeVar("T")


def _names(what: str, at_first: Callable[[Linked], dict[str, Any]] = lambda of: {}) -> Any:
    """Names that the elaboration of an item may ask for."""
    return attrs.Factory(lambda env: env.recall.names(what, at_first(env.linked)), takes_self=True)


@attrs.define
class Environment:
    """The knowledge about one game, for one number of players and one choice of settings."""

    linked: Linked
    files: GameFiles
    players: int
    chosen: dict[str, str]
    sink: Sink
    seats: tuple[str, ...] = ()
    hole: Hole | None = attrs.field(default=None, kw_only=True)
    """A name that is still being written, where somebody asks what could stand there."""
    every_setting: bool = False
    """Leave the values of settings open, so that the checks see what every value would run."""
    recall: Recall = attrs.field(factory=lambda: Recall(None))
    numbers: dict[str, int] = attrs.field(factory=dict)
    variables: dict[str, ir.Variable | None] = attrs.field(factory=dict)
    definitions: dict[str, ir.Definition | None] = attrs.field(factory=dict)
    graphs: dict[str, ir.Graph | None] = attrs.field(factory=dict)
    tables_read: dict[tuple[str, str], SourceFile] = attrs.field(factory=dict)
    """The files of rows that were read, by rules file and the name written there."""
    declared: TracedNames[type] = attrs.field(
        init=False, default=_names("declared", lambda of: {name: type(node) for name, node in of.names.items()})
    )
    """What a name is declared as: the class of its declaration."""
    words: TracedNames[bool] = attrs.field(
        init=False, default=_names("words", lambda of: dict.fromkeys(of.words, True))
    )
    """Words of items that could not be parsed."""
    rule_ids: TracedNames[bool] = attrs.field(
        init=False, default=_names("rule ids", lambda of: dict.fromkeys(of.rules, True))
    )
    """The rules that are not inside another."""
    sayings: TracedNames[bool] = attrs.field(
        init=False, default=_names("sayings", lambda of: {} if of.out is None else {"out": True})
    )
    """What the game says of all its rules: ``out``, when a player is out."""
    domains: TracedNames[ty.Domain] = attrs.field(init=False, default=_names("domains"))
    members: TracedNames[tuple[tuple[ty.Domain, int], ...]] = attrs.field(init=False, default=_names("members"))
    grids: TracedNames[ir.Grid] = attrs.field(init=False, default=_names("grids"))
    ranges: TracedNames[ty.NumberType] = attrs.field(init=False, default=_names("ranges"))
    tables: TracedNames[ir.Table] = attrs.field(init=False, default=_names("tables"))
    settings: TracedNames[ir.Setting] = attrs.field(init=False, default=_names("settings"))
    events: TracedNames[ir.Event] = attrs.field(init=False, default=_names("events"))
    signatures: TracedNames[tuple[ir.Param, ...]] = attrs.field(init=False, default=_names("signatures"))
    """The parameters of each rule that is not inside another."""
    rules: TracedNames[RuleSignature] = attrs.field(init=False, default=_names("rules"))
    """All rules and options once they are made, for examples."""
    kept: TracedNames[ir.Variable] = attrs.field(init=False, default=_names("kept"))
    """All variables, for examples."""
    _seen: dict[str, ir.Variable | None] = attrs.field(factory=dict, init=False)
    _signatures: dict[str, Signature | None] = attrs.field(factory=dict, init=False)
    _graphs: dict[str, GraphSignature | None] = attrs.field(factory=dict, init=False)
    _doing: list[str] = attrs.field(factory=list)
    _mistaken: set[str] = attrs.field(factory=set)

    def reporting_to(self, sink: Sink) -> Environment:
        """The same environment with findings going elsewhere."""
        other = copy.copy(self)
        other.sink = sink
        return other

    # ------------------------------------------------------------ memory

    def remembered(self, kind: str, name: str, source: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What ``make`` gives for the item ``name``; see ``Recall``."""
        return self.recall.remembered(kind, name, source, make, self.sink, self)

    # ------------------------------------------------------------ domains

    def add_domain(self, domain: ty.Domain) -> None:
        if self.recall.memory is not None:
            domain = self.recall.memory.shared(domain)
        self.domains.values_[domain.name] = domain
        self.add_members(domain)

    def add_members(self, domain: ty.Domain) -> None:
        members = self.members.values_
        memory = self.recall.memory
        for member, found in members_of(domain) if memory is None else memory.members(domain):
            other = members.get(member)
            members[member] = found if other is None else other + found

    @property
    def player(self) -> ty.MemberType:
        return ty.MemberType(self.domains["Player"])

    def unknown(
        self,
        name: str,
        span: Span,
        what: str,
        known: Iterable[str],
        rule: str | None = None,
        given: Sequence[ir.Expr] = (),
    ) -> None:
        """Reports a name that means nothing, unless it occurs in a part that could not be parsed.

        ``given``: the values it is called with.
        """
        if name not in self.words:
            absent = "nothing" if what == "thing" else f"no {what}"
            help_ = scope.remedy(self, name, what, known).also(*scope.declared(self, name, what, span, given))
            self.sink.error("R0401", span, f"There is {absent} called `{name}`.", help=help_, rule=rule)

    # ------------------------------------------------------------ numbers

    def number(self, name: str) -> int | None:
        """The value of a number; None when it has a mistake."""
        value = self.numbers.get(name)
        if value is None and name not in self._mistaken:
            declared = self.linked.names[name]
            assert isinstance(declared, tree.Number)
            if self.enter(name, declared.span):
                value = self.remembered("number", name, (declared,), lambda: self._number(declared))
                self.leave()
        if value is None:
            # Worked out only once: numbers that use mistaken ones twice would double the work at each step.
            self._mistaken.add(name)
        else:
            self.numbers[name] = value
        self.recall.log.note("number", name, value)
        return value

    def _number(self, declared: tree.Number) -> int | None:
        value: int | None = None
        for case in declared.cases:
            holds = case.when is None or self.constant(case.when, ty.FLAG)
            if holds:
                value = self.constant(case.value, ty.NumberType(-MAX_NUMBER, MAX_NUMBER))
                break
        else:
            self.sink.error(
                "R0307",
                declared.span,
                f"`{declared.name}` has no value for {several(self.players, 'player')}.",
                help=Help("Add a case for them, or `otherwise: ...`.", (scope.otherwise(declared),)),
            )
        return value

    def constant(self, node: tree.Expr, expected: ty.Type, rule: str | None = None) -> Any:
        """The value of an expression that must be known before the game starts; None after a finding."""
        value = attrs.evolve(self.expressions(rule), chosen=True).value(node, expected)
        if isinstance(value, ir.Const):
            return None if value.type is ty.UNKNOWN else value.value
        if value.type is ty.UNKNOWN:
            return None
        try:
            return Fixed(lambda _: None, self.tables).value(value, {})
        except NotFixed:
            pass
        self.sink.error(
            "R0409",
            node.span,
            "This must be known before the game starts.",
            help="Use only numbers, settings, `players`, and what follows from enums and tables, such as `count(...)`.",
        )
        return None

    def expressions(self, rule: str | None = None) -> Expressions:
        """What works out expressions that see no local names."""
        from .expressions import Expressions

        return Expressions(self, Scope(SlotFrame()), rule)

    def enter(self, name: str, span: Span) -> bool:
        """Marks a name as being worked out; False (with a finding) when that leads back to itself."""
        if name in self._doing:
            way = [*self._doing[self._doing.index(name) :], name]
            self.sink.error(
                "R0504",
                span,
                f"`{name}` is defined in terms of itself: {' -> '.join(way)}.",
                help=self._remedy(way),
            )
            return False
        self._doing.append(name)
        return True

    def _remedy(self, way: list[str]) -> str:
        found = [self.linked.names.get(name) for name in way]
        name = next((node.name for node in reversed(found) if isinstance(node, tree.Define) and node.params), None)
        if name is None or not all(isinstance(node, tree.Define) for node in found):
            return "Break the circle. Only a definition with parameters may use itself, if it says how deep."
        return (
            "If that comes to an end, say what it gives and how deep it may go: "
            f"`define {name}(...): 0..99, at most 6 deep = ...`."
        )

    def leave(self) -> None:
        self._doing.pop()

    # ------------------------------------------------------------ types

    def type(self, node: tree.TypeExpr, rule: str | None = None) -> ty.Type:
        """The type that is written; UNKNOWN after a finding."""
        match node:
            case tree.TypeFlag():
                return ty.FLAG
            case tree.TypeRange():
                return self.range_type(node.low, node.high, node.span)
            case tree.TypeOptional():
                item = self.type(node.item, rule)
                return item if item is ty.UNKNOWN else ty.OptionalType(item)
            case tree.TypeSet():
                item = self.type(node.item, rule)
                return item if item is ty.UNKNOWN else ty.SetType(item)
            case tree.TypeSquare():
                return ty.SQUARE
            case tree.TypeList():
                items = tuple(self.type(item, rule) for item in node.items)
                if ty.UNKNOWN in items:
                    return ty.UNKNOWN
                return ty.ListType(items[0] if len(items) == 1 else ty.TupleType(items))
            case tree.TypeRule():
                raise AssertionError("a column that names rules has a type of its own")
            case tree.TypeSpot():
                kind = self.kind(node.item)
                return ty.UNKNOWN if kind is None else ty.spot_of(kind)
            case tree.TypePieces() | tree.TypePlace():
                kind = self.kind(node.item)
                return ty.UNKNOWN if kind is None else ty.PiecesType(kind)
            case tree.TypeName():
                if node.name in self.domains:
                    return ty.MemberType(self.domains[node.name])
                if node.name in self.ranges:
                    return self.ranges[node.name]
                if self.declared.get(node.name) is tree.Graph:
                    graph = self.graph(node.name)
                    return ty.UNKNOWN if graph is None else ty.SetType(graph.node_type)
                self.unknown(node.name, node.span, "type", [*self.domains, *self.ranges], rule)
                return ty.UNKNOWN
        assert_never(node)

    def kind(self, node: tree.TypeExpr) -> ty.MemberType | ty.NumberType | None:
        """The type of pieces: it must have a fixed list of kinds."""
        found = self.type(node)
        if isinstance(found, (ty.MemberType, ty.NumberType)):
            if ty.size_of(found) > 5_000:
                self.sink.error("R0404", node.span, "Pieces can have at most 5,000 kinds.", help="Use a smaller range.")
                return None
            return found
        if found is not ty.UNKNOWN:
            self.sink.error(
                "R0402",
                node.span,
                "This cannot be a kind of piece.",
                help="Name an enum, a table, a range or `Player`.",
            )
        return None

    def range_type(self, low: tree.Expr, high: tree.Expr, span: Span) -> ty.Type:
        wide = ty.NumberType(-MAX_NUMBER, MAX_NUMBER)
        first, last = self.constant(low, wide), self.constant(high, wide)
        if first is None or last is None:
            return ty.UNKNOWN
        if last < first:
            self.sink.error(
                "R0404", span, f"The range {first}..{last} is empty.", help="Write the smaller number first."
            )
            return ty.UNKNOWN
        return ty.NumberType(first, last)

    # ------------------------------------------------------------ what is computed

    def take(self, program: ir.Program) -> None:
        """Takes over what a Program that is made already has of its variables, definitions and graphs."""
        for name, variable in program.variables.items():
            self.variables[name], self._seen[name] = _with_view(variable)
        for name, definition in program.definitions.items():
            self.definitions[name], self._signatures[name] = _with_signature(definition)
        for name, graph in program.graphs.items():
            self.graphs[name], self._graphs[name] = self._with_nodes(graph)

    def variable(self, name: str) -> ir.Variable | None:
        """The part of a variable that others see: all but its initial value, which ``variables`` then has."""
        from .histories import history_variable
        from .variables import elaborate_variable

        if name not in self.variables:
            declared = self.linked.names[name]
            assert isinstance(declared, (tree.Variable, tree.History))
            owners = self.linked.owners.get(name, ())
            keys = self.linked.keys.get(name, ())

            def make() -> tuple[ir.Variable | None, ir.Variable | None]:
                if isinstance(declared, tree.History):
                    return _with_view(history_variable(self, declared))
                return _with_view(elaborate_variable(self, declared, owners, keys))

            if self.enter(name, declared.span):
                self.variables[name], self._seen[name] = self.remembered(
                    "variable", name, (declared, owners, keys), make
                )
                self.leave()
        found = self._seen.get(name)
        self.recall.log.note("variable", name, found)
        return found

    def definition(self, name: str) -> ir.Definition | None:
        """The definition as a whole; for everybody but the one who assembles the Program, ``signature`` is enough."""
        from .definitions import elaborate_definition
        from .histories import history_definition

        if name not in self.definitions:
            declared = self.linked.names[name]
            assert isinstance(declared, (tree.Define, tree.History))
            adjustments = tuple(self.linked.adjustments.get(name, ()))

            def make() -> tuple[ir.Definition | None, Signature | None]:
                if isinstance(declared, tree.History):
                    return _with_signature(history_definition(self, declared))
                return _with_signature(elaborate_definition(self, declared, adjustments))

            if self.enter(name, declared.span):
                self.definitions[name], self._signatures[name] = self.remembered(
                    "definition", name, (declared, *adjustments), make
                )
                self.leave()
        return self.definitions.get(name)

    def is_shown(self, name: str) -> bool:
        """Whether some rule shows the variable to somebody."""
        places = (part.place for part in walk(list(self.linked.rules.values())) if isinstance(part, tree.Show))
        names = (place.value if isinstance(place, tree.Index) else place for place in places)
        found = any(isinstance(part, tree.Name) and part.name == name for part in names)
        found = found or ir.shown_of(name) in self.linked.names
        self.recall.log.note("is_shown", name, found)
        return found

    def settled(self) -> Environment:
        """The same environment with the values of settings in force."""
        if not self.every_setting:
            return self
        other = copy.copy(self)
        other.every_setting = False
        return other

    def settled_definition(self, name: str) -> ir.Definition | None:
        """The definition as a whole, with the values of settings in force."""
        from .definitions import elaborate_definition

        found = self.definition(name)
        declared = self.linked.names[name]
        if found is not None and self.every_setting and isinstance(declared, tree.Define):
            silent = self.settled().reporting_to(Sink())
            found = elaborate_definition(silent, declared, tuple(self.linked.adjustments.get(name, ())))
        self.recall.log.note("settled_definition", name, found)
        return found

    def signature(self, name: str) -> Signature | None:
        """The part of a definition that others see. Of one that may use itself, its first line says it all."""
        declared = self.linked.names[name]
        if not (isinstance(declared, tree.Define) and declared.deep is not None):
            self.definition(name)
        elif name not in self._signatures:
            source = (declared.name, declared.params, declared.result)
            self._signatures[name] = self.remembered("promise", name, source, lambda: self._promise(declared))
        found = self._signatures.get(name)
        self.recall.log.note("signature", name, found)
        return found

    def _promise(self, declared: tree.Define) -> Signature:
        assert declared.result is not None
        unheard = self.reporting_to(Sink())  # mistakes are reported with the definition as a whole
        made = []
        for number, param in enumerate(declared.params):
            made.append(ir.Param(param.name, number, unheard.type(param.type)))
        return Signature(tuple(made), unheard.type(declared.result), None)

    def graph(self, name: str) -> GraphSignature | None:
        """The part of a graph that others see; ``graphs`` then has the whole of it."""
        from .graphs_and_ways import elaborate_graph

        if name not in self.graphs:
            declared = self.linked.names[name]
            assert isinstance(declared, tree.Graph)
            if self.enter(name, declared.span):
                self.graphs[name], self._graphs[name] = self.remembered(
                    "graph", name, (declared,), lambda: self._with_nodes(elaborate_graph(self, declared))
                )
                self.leave()
        found = self._graphs.get(name)
        self.recall.log.note("graph", name, found)
        return found

    def _with_nodes(self, graph: ir.Graph | None) -> tuple[ir.Graph | None, GraphSignature | None]:
        if graph is None:
            return None, None
        nodes = tuple((bind.name, bind.type) for bind in graph.nodes.binds)
        one_way = next((edge.span for edge in graph.edges if edge.one_way), None)
        most = board_functions.most_lengths(self, graph)
        return graph, GraphSignature(graph.name, graph.params, nodes, graph.node_type, most, one_way)

    def table_file(self, key: tuple[str, str]) -> SourceFile | None:
        """The file of rows that a rules file names: (the rules file, the name written there). None when not usable."""
        found = self.files.table(*key)
        if found is not None:
            self.tables_read[key] = found
            self.files.sources.setdefault(found.name, found)
        self.recall.log.note("table_file", key, found)
        return found

    def all_members(self, domain: ty.Domain, span: Span) -> ir.Expr:
        return ir.Apply("members", (), ty.ListType(ty.MemberType(domain)), span=span)


def _with_view(variable: ir.Variable | None) -> tuple[ir.Variable | None, ir.Variable | None]:
    return variable, None if variable is None else attrs.evolve(variable, initial=None)


def _with_signature(definition: ir.Definition | None) -> tuple[ir.Definition | None, Signature | None]:
    if definition is None:
        return None, None
    value = definition.body if isinstance(definition.body, ir.Const) else None
    return definition, Signature(definition.params, definition.type, value)
