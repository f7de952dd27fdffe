"""Symbols: what the names in the texts of a game stand for, and everywhere they are mentioned."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs

from .. import program as ir
from ..diagnostics import UnusablePath
from ..files.folder import GameFiles
from ..program import Program
from ..program.walk import walk
from ..recent import kept_with
from ..source import SourceFile, Span
from ..syntax import tree
from ..syntax.parse import WORD
from ..syntax.walk import rules_in
from ..types import MemberType, Type
from ..words import WORDS
from .mentions import mentions, parameters
from .rule_mentions import Mention, Scope, domain_of

_CELL = re.compile(r'(?:"[^"]*"|[^,"])+')


def mentions_in_rows(table: str, source: SourceFile, domains: Mapping[str, str]) -> Iterator[Mention]:
    """The mentions in a csv file with rows of ``table``. ``domains``: of columns that hold members, by column."""
    header: list[str] = []
    for number, line in enumerate(source.lines, 1):
        for position, cell in enumerate(_CELL.finditer(line)):
            for word in WORD.finditer(line, cell.start(), cell.end()):
                span = Span(source.name, number, word.start() + 1, number, word.end() + 1)
                if number == 1:
                    header.append(word[0])
                if number == 1 and position == 0:
                    break
                if number == 1:
                    yield Mention("column", word[0], span, of=table)
                elif position == 0:
                    yield Mention("member", word[0], span, declares=True, of=table)
                    break
                elif word[0] not in WORDS:
                    domain = domains.get(header[position]) if position < len(header) else None
                    yield Mention("value" if domain is None else "member", word[0], span, of=domain)


Group = Literal["local", "thing", "rule", "member", "column", "game", "variant", "example"]


@attrs.frozen
class Symbol:
    """What a name stands for. Two mentions of the same thing have equal symbols.

    ``of``: the domain of a member, the table of a column. ``given``: where a local name gets its meaning.
    """

    group: Group
    name: str
    of: str | None = None
    given: Span | None = None


@attrs.frozen
class Use:
    """A mention with what it stands for."""

    symbol: Symbol
    mention: Mention

    @property
    def span(self) -> Span:
        return self.mention.span


@attrs.define
class Symbols:
    """The names of one version of a game. ``meaning``: what its Program says of names that could be several things."""

    files: GameFiles
    meaning: Meaning
    things: dict[str, tree.Item | tree.Variable] = attrs.field(factory=dict, init=False)
    """What is declared under each name: an item, or a variable."""
    rules: dict[str, tree.Rule | tree.MenuOption] = attrs.field(factory=dict, init=False)
    domains: dict[str, list[str]] = attrs.field(factory=dict, init=False)
    """The domains that have a member of this name."""
    tables: dict[str, list[str]] = attrs.field(factory=dict, init=False)
    """The tables that have a column of this name."""
    _files: dict[str, tree.File] = attrs.field(factory=dict, init=False)
    _rows: dict[str, tuple[Mention, ...]] = attrs.field(factory=dict, init=False)
    _outer: dict[str, Scope] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for file in (*self.files.parts, *self.files.variants.values(), *self.files.examples):
            self._files.setdefault(file.span.file, file)
        for file in self._files.values():
            for item in file.items:
                self._declare(item)
        for name in self.file_names():
            for mention in self.mentions(name):
                if mention.declares and mention.of is not None:
                    known = self.domains if mention.role == "member" else self.tables
                    _add(known, mention.name, mention.of)
        for domain, members in self.meaning.members.items():
            for member in members:
                _add(self.domains, member, domain)

    def _declare(self, item: tree.Item) -> None:
        match item:
            case tree.Variables():
                for variable in item.variables:
                    self.things.setdefault(variable.name, variable)
            case tree.Rule() | tree.Insert() | tree.ExtendRule():
                for rule in rules_in((item,) if isinstance(item, tree.Rule) else getattr(item, "body", None) or item):
                    self.rules.setdefault(rule.id, rule)
                if isinstance(item, tree.Rule):
                    scope = parameters(item, self.files.sources[item.span.file].lines)
                    self._outer |= dict.fromkeys((rule.id for rule in rules_in((item,))), scope)
            case tree.Replace():
                for rule in rules_in((item.item,)):
                    self.rules.setdefault(rule.id, rule)
                if isinstance(item.item, tree.Table):
                    self._declare(item.item)
            case tree.Table() | tree.ExtendTable():
                if isinstance(item, tree.Table):
                    self.things.setdefault(item.name, item)
                for rows in item.rows:
                    if isinstance(rows, tree.RowsFile):
                        self._read_rows(item, rows.file)
            case tree.Enum() | tree.Range() | tree.Grid() | tree.Number() | tree.Setting():
                self.things.setdefault(item.name, item)
            case tree.Define() | tree.Graph() | tree.History() | tree.Event():
                self.things.setdefault(item.name, item)
            case tree.Invariant():
                self.things.setdefault(item.id, item)

    def _read_rows(self, table: tree.Table | tree.ExtendTable, name: str) -> None:
        try:
            source = self.files.table(table.span.file, name)
        except UnusablePath:
            return
        if source is not None and source.name not in self._rows:
            self.files.sources.setdefault(source.name, source)
            domains = {c.name: domain for c in table.columns if (domain := domain_of(c.type)) is not None}
            self._rows[source.name] = tuple(mentions_in_rows(table.name, source, domains))

    # ------------------------------------------------------------ mentions

    def file_names(self) -> Iterable[str]:
        """The names of the rules files, and of the files with rows of tables."""
        return (*self._files, *self._rows)

    def items(self, file: str) -> Sequence[tree.Item]:
        """The items of a rules file."""
        found = self._files.get(file)
        return () if found is None else found.items

    def mentions(self, file: str) -> Iterator[Mention]:
        """The mentions in one file."""
        yield from self._rows.get(file, ())
        if file not in self._files:
            return
        lines = self.files.sources[file].lines
        for item in self.items(file):
            yield from _remembered(item, lines, self._outer)

    def uses(self, file: str) -> Iterator[Use]:
        """The mentions in one rules file whose meaning is known."""
        for mention in self.mentions(file):
            symbol = self.symbol(mention)
            if symbol is not None:
                yield Use(symbol, mention)

    def at(self, file: str, line: int, column: int) -> Use | None:
        """What is mentioned at a place; behind the last letter of a name counts too."""
        found: Use | None = None
        for mention in self._near(file, line):
            s = mention.span
            if s.line == line and s.column <= column <= s.end_column:
                symbol = self.symbol(mention)
                there = None if found is None else found.mention.span
                wide = s.end_column - s.column
                if symbol and (there is None or wide < there.end_column - there.column or mention.declares):
                    found = Use(symbol, mention)
        return found

    def _near(self, file: str, line: int) -> Iterator[Mention]:
        """The mentions in the item that has a line, and perhaps others of the file."""
        yield from self._rows.get(file, ())
        for item in self.items(file):
            if item.span.line <= line <= item.span.end_line:
                yield from _remembered(item, self.files.sources[file].lines, self._outer)

    def of(self, symbol: Symbol) -> list[Use]:
        """Everywhere in the rules files where something is mentioned, in order."""
        files = [symbol.given.file] if symbol.given is not None else list(self.file_names())
        spans: dict[Span, Use] = {}
        for file in files:
            for mention in self.mentions(file):
                if mention.name == symbol.name and self.symbol(mention) == symbol:
                    known = spans.get(mention.span)
                    spans[mention.span] = Use(symbol, mention if known is None else _both(mention, known.mention))
        return [spans[span] for span in sorted(spans)]

    def declaration(self, symbol: Symbol) -> Span | None:
        """Where something gets its meaning; None for what is built in or comes from a table's file."""
        if symbol.group == "local":
            return symbol.given
        found = [use.span for use in self.of(symbol) if use.mention.declares]
        if found:
            return found[0]
        owner = self.things.get(symbol.of or "")
        return owner.span if owner is not None else None

    # ------------------------------------------------------------ meaning

    def symbol(self, mention: Mention) -> Symbol | None:
        """What a mention stands for; None for what is built in or not known."""
        name = mention.name
        if mention.local is not None:
            return None if mention.local.span is None else Symbol("local", name, None, mention.local.span)
        match mention.role:
            case "game" | "variant" | "example":
                return Symbol(mention.role, name)
            case "member" if mention.of is not None and (mention.declares or mention.of in self.domains.get(name, ())):
                return Symbol("member", name, mention.of)
            case "column":
                return self._column(mention)
            case "rule":
                return Symbol("rule", name) if name in self.rules else None
            case "value" | "member":
                return self._value(mention)
        return Symbol("thing", name) if name in self.things or mention.declares else None

    def _column(self, mention: Mention) -> Symbol | None:
        """The column, or the member of a domain whose name stands before the dot."""
        if mention.of in self.domains.get(mention.name, ()):
            return Symbol("member", mention.name, mention.of)
        tables = self.tables.get(mention.name, [])
        tables = [mention.of] if mention.of is not None and mention.of in tables else tables
        if len(tables) > 1:
            table = self.meaning.table_of(mention.span)
            tables = [table] if table is not None else tables
        return Symbol("column", mention.name, tables[0]) if tables else None

    def _value(self, mention: Mention) -> Symbol | None:
        name = mention.name
        if mention.of == "option" and name in self.rules:
            return Symbol("rule", name)
        domains = [] if mention.applied else self.domains.get(name, [])
        if len(domains) + (name in self.things) > 1:
            domain = self._domain(mention)
            if domain:
                return Symbol("member", name, domain)
        if name in self.things:
            return Symbol("thing", name)
        if domains:
            return Symbol("member", name, domains[0])
        return Symbol("rule", name) if name in self.rules else None

    def _domain(self, mention: Mention) -> str | None:
        """The domain of what may be a member; "" for what is none, None where that is not known."""
        if self.meaning.knows(mention.span):
            return self.meaning.domain_of(mention.span) or ""
        line = mention.span.line
        items = self.items(mention.span.file)
        example = next((item for item in items if item.span.line <= line <= item.span.end_line), None)
        return self.meaning.ask(example, mention.span) if isinstance(example, tree.Example) else None

    def is_certain(self, mention: Mention) -> bool:
        """Whether there is only one thing that a mention can stand for, or the Program says which."""
        if mention.local is not None or mention.of is not None or mention.declares:
            return True
        if mention.role == "column":
            several = len(self.tables.get(mention.name, [])) > 1
            return not several or self.meaning.table_of(mention.span) is not None
        if mention.role == "value" and not mention.applied:
            several = len(self.domains.get(mention.name, [])) + (mention.name in self.things) > 1
            return not several or self._domain(mention) is not None
        return True


def _add(known: dict[str, list[str]], name: str, of: str) -> None:
    found = known.setdefault(name, [])
    if of not in found:
        found.append(of)


def _both(a: Mention, b: Mention) -> Mention:
    """One mention for two of the same place."""
    return attrs.evolve(a, declares=a.declares or b.declares, changes=a.changes or b.changes)


def words(text: str) -> list[str]:
    """The words in a text that could be names."""
    return WORD.findall(text)


# ---------------------------------------------------------------- items that stay as they were

_CHANGES = (tree.Replace, tree.ExtendRule, tree.Insert)
_known_mentions = kept_with(mentions)


def _remembered(item: tree.Item, lines: Sequence[str], outer: Mapping[str, Scope]) -> tuple[Mention, ...]:
    if isinstance(item, _CHANGES):  # they depend on the rules that they change
        return mentions(item, lines, outer)
    return _known_mentions(item, lines)


# Meaning of places in the texts, as far as a Program tells: the type of what is written there, and which of several
# things of one name.


Ask = Callable[[tree.Example, Span], "str | None"]
"""The domain of the member that a name in an example stands for, by the place of the name; "" for what is no member,
None where that is not known."""


@attrs.define
class Meaning:
    """What a Program says of places. ``program``: None while the rules have no Program; then nothing is known.

    ``ask``: says it of examples, which are no part of a Program.
    """

    program: Program | None
    ask: Ask = attrs.field(default=lambda example, span: None)
    _of: dict[str, list[Any]] | None = attrs.field(default=None, init=False)

    @property
    def members(self) -> Mapping[str, Sequence[str]]:
        """The members of each domain, those included that no text lists; of the players only if the game names them."""
        if self.program is None:
            return {}
        return {name: domain.members for name, domain in self.program.domains.items()}

    def domain_of(self, span: Span) -> str | None:
        """The domain of the member named here."""
        for node in self.nodes(span):
            if isinstance(node, ir.Const) and isinstance(node.type, MemberType):
                return node.type.domain.name
        return None

    def table_of(self, span: Span) -> str | None:
        """The table of the column named here. ``span``: of the column's name alone."""
        for node in self._units(span):
            for end, found in _columns(node).items():
                if end == (span.file, span.end_line, span.end_column):
                    return found
        return None

    def knows(self, span: Span) -> bool:
        """Whether the Program has something at exactly this place."""
        return any(True for _ in self.nodes(span))

    def type_of(self, span: Span) -> Type | None:
        """The type of what is written here."""
        for node in self.nodes(span):
            found = getattr(node, "type", None)
            if found is not None:
                return found  # type: ignore[no-any-return]
        return None

    def nodes(self, span: Span) -> Iterator[ir.Node]:
        """The nodes that came from exactly this place."""
        for unit in self._units(span):
            yield from _by_span(unit).get(span, ())

    def _units(self, span: Span) -> Iterator[Any]:
        """The parts of the Program that come from the same file."""
        if self.program is None:
            return
        if self._of is None:
            self._of = {}
            p = self.program
            for group in (p.rules, p.definitions, p.graphs, p.variables, p.tables):
                for unit in group.values():
                    self._of.setdefault(unit.span.file, []).append(unit)
            for other in (*p.ranks, *p.invariants):
                self._of.setdefault(other.span.file, []).append(other)
        yield from self._of.get(span.file, ())


@kept_with
def _by_span(unit: ir.Node) -> dict[Span, list[ir.Node]]:
    found: dict[Span, list[ir.Node]] = {}
    for node in walk(unit):
        found.setdefault(node.span, []).append(node)
    return found


@kept_with
def _columns(unit: ir.Node) -> dict[tuple[str, int, int], str]:
    """The tables of columns that a unit looks at, by where their names end."""
    looked_at = ((span, node) for span, nodes in _by_span(unit).items() for node in nodes)
    return {
        (span.file, span.end_line, span.end_column): node.table
        for span, node in looked_at
        if isinstance(node, ir.ColumnOf)
    }
