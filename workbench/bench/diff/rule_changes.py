"""Differences between two rule sets, change by change, as canonical texts before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.folder import GameFiles
from rulelang.files.opening import check_settings
from rulelang.link import Linked
from rulelang.program import Program
from rulelang.program.values import show
from rulelang.syntax import tree
from rulelang.syntax.printer import fold, lines
from rulelang.syntax.walk import rewrite, rules_in

from ...rulebook.print import StatementPart, make_rulebook


@attrs.frozen(eq=False)
class RuleSide:
    """``programs``: one for each number of players."""

    name: str
    title: str
    linked: Linked
    programs: tuple[Program, ...]
    _files: GameFiles
    _variants: Sequence[str]
    _settings: Mapping[str, str]

    @property
    def books(self) -> Mapping[str, Mapping[str, str]]:
        """By language and id, the rulebook's statements with their values filled in."""
        return self._books[0]

    @property
    def sections(self) -> Mapping[str, str]:
        """Of each statement, the name of what it is about."""
        return self._books[1]

    @cached_property
    def _books(self) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
        """For languages that have a text; made when they are asked for, since that takes longer than the rest."""
        books: dict[str, dict[str, str]] = {}
        sections: dict[str, str] = {}
        for language in self.linked.game.languages:
            try:
                book = make_rulebook(self._files, language, self._variants, self._settings)
            except (UnusablePath, RulesError):  # not written yet, or with mistakes that `check` tells
                continue
            parts = [part for part in book.parts if isinstance(part, StatementPart) and part.mark != "removed"]
            books[language] = {part.id: part.text for part in parts}
            sections |= {part.id: part.section for part in parts}
        return books, sections


def variant_side(path: str | Path, variants: Sequence[str], settings: Mapping[str, str] | None = None) -> RuleSide:
    """The game at ``path`` with variants and settings. Raises UnusablePath and RulesError."""
    sink = Sink()
    games = workspace.default()
    files, names = games.open(path, list(variants), sink, notes=False)
    check_settings(files, settings or {})
    linked = games.linked(files, names, sink)
    if linked is None or sink.has_errors:
        raise RulesError(sink, files.sources)
    programs = tuple(games.programs(files, names, settings))
    title = "+".join([*names, *(f"{name}={value}" for name, value in (settings or {}).items())])
    return RuleSide(title or linked.game.name, programs[0].title, linked, programs, files, names, settings or {})


def folder_side(path: str | Path) -> RuleSide:
    """The game in a folder, or another version of it, as it is."""
    return attrs.evolve(variant_side(path, ()), name=str(path))


Nested = tree.Rule | tree.MenuOption


def text_of(item: tree.Item) -> str:
    """An item as a text of several lines."""
    return "\n".join(part for line in lines(item) for part in fold(line))


def own_texts(linked: Linked) -> dict[str, str]:
    """By id, the text of each rule and option without the rules and options in it."""
    return {
        part.id: text_of(_alone(_without_nested(part)))
        for rule in linked.rules.values()
        for part in [rule, *(inner for inner in rules_in(rule) if inner is not rule)]
    }


def _without_nested(part: Nested) -> Nested:
    """The rule with its own steps only."""

    def change(node: tree.Node) -> tree.Node | tuple[tree.Node, ...]:
        return () if isinstance(node, (tree.Rule, tree.MenuOption)) and node.id != part.id else node

    return rewrite(part, change)


def _alone(part: Nested) -> tree.Item:
    """An option as something that can be printed by itself."""
    return tree.Replace(part) if isinstance(part, tree.MenuOption) else part


def declared(linked: Linked) -> dict[tuple[str, str], str]:
    """By kind and name, everything that is declared but for numbers, settings and tables, whose values are compared."""
    return {key: "\n".join(filter(None, texts)) for key, *texts in _declared_text(linked)}


def _declared_text(linked: Linked) -> Iterator[tuple[tuple[str, str], str, str]]:
    for name, item in linked.names.items():
        adjusted = "\n".join(text_of(adjust) for adjust in linked.adjustments.get(name, ()))
        match item:
            case tree.Number() | tree.Setting() | tree.Table():
                continue
            case tree.Variable():
                owners, keys = linked.owners[name], linked.keys[name]
                yield ("variable", name), text_of(tree.Variables(owners, (item,), keys)), adjusted
            case tree.Define() if name == "out" and linked.out is not None:
                yield ("definition", name), text_of(linked.out), adjusted
            case tree.Define():
                yield ("definition", name), text_of(item), adjusted
            case _:
                yield ("declaration", name), text_of(item), adjusted
    for id_, invariant in linked.invariants.items():
        yield ("invariant", id_), text_of(invariant), ""
    if linked.winner is not None:
        yield ("winner", "winner"), text_of(linked.winner), ""
    if linked.carried:
        yield ("declaration", "carry"), f"carry {', '.join(linked.carried)}", ""


def siblings(linked: Linked, program: Program) -> dict[str, tuple[str, ...]]:
    """What comes in which order: the parts of each rule, and the rules that wait for an event."""
    found = {}
    for rule in linked.rules.values():
        for part in [rule, *(inner for inner in rules_in(rule) if inner is not rule)]:
            inner = [each.id for each in _children(part)]
            if inner:
                found[f"in {part.id}"] = tuple(inner)
    return found | {f"on {event}": ids for event, ids in program.handlers.items() if ids}


def _children(part: Nested) -> Iterator[Nested]:
    """The rules and options directly inside."""
    inside: set[int] = set()
    for each in rules_in(part.body):
        if id(each) not in inside:
            yield each
        inside |= {id(deeper) for deeper in rules_in(each.body)}


@attrs.frozen
class StatementChange:
    """A statement of a rulebook, before and after; None where there is none."""

    id: str
    before: str | None
    after: str | None


@attrs.frozen
class RuleChange:
    """``kind``: number, option, reading, table, rule, definition, declaration, winner, invariant, order, statement.

    ``before`` and ``after``: as text, None for what is new or gone. ``where``: for a new rule, what it follows.
    ``statements``: by language, those of the rulebook that change with it.
    """

    kind: str
    name: str
    before: str | None
    after: str | None
    where: str = ""
    statements: Mapping[str, tuple[StatementChange, ...]] = attrs.field(factory=dict)

    def as_json(self) -> dict[str, Any]:
        told = {language: [attrs.asdict(one) for one in found] for language, found in self.statements.items()}
        return {
            "kind": self.kind, "name": self.name, "before": self.before, "after": self.after, "where": self.where,
            "statements": told,
        }  # fmt: skip


def changes_between(old: RuleSide, new: RuleSide) -> list[RuleChange]:
    """Everything that differs, in the order in which people ask: numbers, settings, tables, rules, what runs when, and
    last the statements of the rulebook that belong to none of these."""
    found = [*_numbers(old, new), *_settings(old, new), *_tables(old, new), *_declared(old, new), *_rules(old, new)]
    found += _orders(old, new)
    return list(_with_statements(found, old, new))


# ---------------------------------------------------------------- numbers and settings


def _numbers(old: RuleSide, new: RuleSide) -> Iterator[RuleChange]:
    for name in _names(_all_numbers(old), _all_numbers(new)):
        before, after = (_all_numbers(side).get(name) for side in (old, new))
        if before != after:
            yield RuleChange("number", name, _by_players(before), _by_players(after))


def _all_numbers(side: RuleSide) -> dict[str, dict[int, int]]:
    """By name and number of players."""
    found: dict[str, dict[int, int]] = {}
    for program in side.programs:
        for name, value in program.numbers.items():
            found.setdefault(name, {})[program.players] = value
    return found


def _by_players(values: Mapping[int, int] | None) -> str | None:
    """``8``; ``12 with 2 players, 8 with 3 or 4``."""
    if values is None:
        return None
    groups: dict[int, list[int]] = {}
    for players, value in values.items():
        groups.setdefault(value, []).append(players)
    if len(groups) == 1:
        return str(next(iter(groups)))
    told = [f"{value} with {' or '.join(map(str, players))} players" for value, players in groups.items()]
    return ", ".join(told)


def _settings(old: RuleSide, new: RuleSide) -> Iterator[RuleChange]:
    before, after = old.programs[0].settings, new.programs[0].settings
    for name in _names(before, after):
        one, other = before.get(name), after.get(name)
        if (one and (one.value, one.domain.members)) != (other and (other.value, other.domain.members)):
            known = other or one
            assert known is not None
            was, now = (None if setting is None else _setting(setting, known) for setting in (one, other))
            yield RuleChange(known.kind, name, was, now)


def _setting(setting: Any, known: Any) -> str:
    others = [value for value in setting.domain.members if value != setting.value]
    same = setting.domain.members == known.domain.members
    return setting.value if same and others else f"{setting.value} (or {', '.join(others)})"


# ---------------------------------------------------------------- tables


def _tables(old: RuleSide, new: RuleSide) -> Iterator[RuleChange]:
    """Cells and rows, each once for all numbers of players for which it is the same."""
    found: dict[tuple[str, str | None, str | None], list[int]] = {}
    pairs = [(a, b) for a in old.programs for b in new.programs if a.players == b.players]
    for before, after in pairs:
        for change in _cells(before, after):
            found.setdefault(change, []).append(before.players)
    for (name, was, now), players in found.items():
        many = "" if len(players) == len(pairs) else f" with {' or '.join(map(str, players))} players"
        yield RuleChange("table", name + many, was, now)


def _cells(old: Program, new: Program) -> Iterator[tuple[str, str | None, str | None]]:
    for name in _names(old.tables, new.tables):
        before, after = (_rows(program, name) for program in (old, new))
        for row in _names(before, after):
            was, now = before.get(row), after.get(row)
            if was is None or now is None:
                yield f"{name} {row}", _joined(was), _joined(now)
                continue
            for column in _names(was, now):
                if was.get(column) != now.get(column):
                    yield f"{name} {row}.{column}", was.get(column), now.get(column)


def _joined(row: Mapping[str, str] | None) -> str | None:
    return None if row is None else ", ".join(row.values())


def _rows(program: Program, name: str) -> dict[str, dict[str, str]]:
    """By row and column, the values as people read them."""
    table = program.tables.get(name)
    if table is None:
        return {}
    return {
        row: {column: show(cells[number], table.types[column]) for column, cells in table.cells.items()}
        for number, row in enumerate(table.domain.members)
    }


# ---------------------------------------------------------------- rules and declarations


def _declared(old: RuleSide, new: RuleSide) -> Iterator[RuleChange]:
    before, after = declared(old.linked), declared(new.linked)
    for kind, name in _names(before, after):
        was, now = before.get((kind, name)), after.get((kind, name))
        if was != now:
            yield RuleChange(kind, name, was, now)


def _rules(old: RuleSide, new: RuleSide) -> Iterator[RuleChange]:
    before, after = own_texts(old.linked), own_texts(new.linked)
    follows = _followed(new)
    for id_ in _names(before, after):
        if before.get(id_) != after.get(id_):
            where = follows.get(id_, "") if id_ not in before else ""
            yield RuleChange("rule", id_, before.get(id_), after.get(id_), where)


def _followed(side: RuleSide) -> dict[str, str]:
    """Of each rule, what it comes after among its neighbours, in words."""
    found = {}
    for parent, ids in siblings(side.linked, side.programs[-1]).items():
        for place, id_ in enumerate(ids):
            found[id_] = f"{parent}, after {ids[place - 1]}" if place else f"{parent}, first"
    return found


def _orders(old: RuleSide, new: RuleSide) -> Iterator[RuleChange]:
    """Neighbours that have changed places: what runs before and after what."""
    before, after = (siblings(side.linked, side.programs[-1]) for side in (old, new))
    for parent in before.keys() & after.keys():
        common = set(before[parent]) & set(after[parent])
        was, now = ([id_ for id_ in side[parent] if id_ in common] for side in (before, after))
        if was != now:
            yield RuleChange("order", parent, ", then ".join(was), ", then ".join(now))


# ---------------------------------------------------------------- statements of the rulebook


def _with_statements(found: list[RuleChange], old: RuleSide, new: RuleSide) -> Iterator[RuleChange]:
    """The changes with what the rulebooks say of them, and what else changes there."""
    by_section: dict[str, dict[str, list[StatementChange]]] = {}
    for language in _names(old.books, new.books):
        before, after = old.books.get(language, {}), new.books.get(language, {})
        for id_ in _names(before, after):
            if before.get(id_) != after.get(id_):
                section = new.sections.get(id_) or old.sections[id_]
                told = by_section.setdefault(section, {}).setdefault(language, [])
                told.append(StatementChange(id_, before.get(id_), after.get(id_)))
    for change in found:
        yield attrs.evolve(change, statements=_frozen(by_section.pop(change.name, {})))
    for section, statements in by_section.items():
        yield RuleChange("statement", section, None, None, statements=_frozen(statements))


def _frozen(statements: Mapping[str, list[StatementChange]]) -> dict[str, tuple[StatementChange, ...]]:
    return {language: tuple(told) for language, told in statements.items()}


def _names(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> list[Any]:
    """The names of both, each once, in the order of the first."""
    return list(dict.fromkeys([*one, *other]))
