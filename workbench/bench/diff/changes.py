"""Differences between two rule sets, change by change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulelang.program import Program
from rulelang.program.values import show

from .sides import RuleSide
from .texts import declared, own_texts, siblings


@attrs.frozen
class Statement:
    """A statement of a rulebook, before and after; None where there is none."""

    id: str
    before: str | None
    after: str | None


@attrs.frozen
class Change:
    """``kind``: number, option, reading, table, rule, definition, declaration, winner, invariant, order, statement.

    ``before`` and ``after``: as text, None for what is new or gone. ``where``: for a new rule, what it follows.
    ``statements``: by language, those of the rulebook that change with it.
    """

    kind: str
    name: str
    before: str | None
    after: str | None
    where: str = ""
    statements: Mapping[str, tuple[Statement, ...]] = attrs.field(factory=dict)

    def as_json(self) -> dict[str, Any]:
        told = {language: [attrs.asdict(one) for one in found] for language, found in self.statements.items()}
        return {
            "kind": self.kind, "name": self.name, "before": self.before, "after": self.after, "where": self.where,
            "statements": told,
        }  # fmt: skip


def changes_between(old: RuleSide, new: RuleSide) -> list[Change]:
    """Everything that differs, in the order in which people ask: numbers, settings, tables, rules, what runs when, and
    last the statements of the rulebook that belong to none of these."""
    found = [*_numbers(old, new), *_settings(old, new), *_tables(old, new), *_declared(old, new), *_rules(old, new)]
    found += _orders(old, new)
    return list(_with_statements(found, old, new))


# ---------------------------------------------------------------- numbers and settings


def _numbers(old: RuleSide, new: RuleSide) -> Iterator[Change]:
    for name in _names(_all_numbers(old), _all_numbers(new)):
        before, after = (_all_numbers(side).get(name) for side in (old, new))
        if before != after:
            yield Change("number", name, _by_players(before), _by_players(after))


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


def _settings(old: RuleSide, new: RuleSide) -> Iterator[Change]:
    before, after = old.programs[0].settings, new.programs[0].settings
    for name in _names(before, after):
        one, other = before.get(name), after.get(name)
        if (one and (one.value, one.domain.members)) != (other and (other.value, other.domain.members)):
            known = other or one
            assert known is not None
            was, now = (None if setting is None else _setting(setting, known) for setting in (one, other))
            yield Change(known.kind, name, was, now)


def _setting(setting: Any, known: Any) -> str:
    others = [value for value in setting.domain.members if value != setting.value]
    same = setting.domain.members == known.domain.members
    return setting.value if same and others else f"{setting.value} (or {', '.join(others)})"


# ---------------------------------------------------------------- tables


def _tables(old: RuleSide, new: RuleSide) -> Iterator[Change]:
    """Cells and rows, each once for all numbers of players for which it is the same."""
    found: dict[tuple[str, str | None, str | None], list[int]] = {}
    pairs = [(a, b) for a in old.programs for b in new.programs if a.players == b.players]
    for before, after in pairs:
        for change in _cells(before, after):
            found.setdefault(change, []).append(before.players)
    for (name, was, now), players in found.items():
        many = "" if len(players) == len(pairs) else f" with {' or '.join(map(str, players))} players"
        yield Change("table", name + many, was, now)


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


def _declared(old: RuleSide, new: RuleSide) -> Iterator[Change]:
    before, after = declared(old.linked), declared(new.linked)
    for kind, name in _names(before, after):
        was, now = before.get((kind, name)), after.get((kind, name))
        if was != now:
            yield Change(kind, name, was, now)


def _rules(old: RuleSide, new: RuleSide) -> Iterator[Change]:
    before, after = own_texts(old.linked), own_texts(new.linked)
    follows = _followed(new)
    for id_ in _names(before, after):
        if before.get(id_) != after.get(id_):
            where = follows.get(id_, "") if id_ not in before else ""
            yield Change("rule", id_, before.get(id_), after.get(id_), where)


def _followed(side: RuleSide) -> dict[str, str]:
    """Of each rule, what it comes after among its neighbours, in words."""
    found = {}
    for parent, ids in siblings(side.linked, side.programs[-1]).items():
        for place, id_ in enumerate(ids):
            found[id_] = f"{parent}, after {ids[place - 1]}" if place else f"{parent}, first"
    return found


def _orders(old: RuleSide, new: RuleSide) -> Iterator[Change]:
    """Neighbours that have changed places: what runs before and after what."""
    before, after = (siblings(side.linked, side.programs[-1]) for side in (old, new))
    for parent in before.keys() & after.keys():
        common = set(before[parent]) & set(after[parent])
        was, now = ([id_ for id_ in side[parent] if id_ in common] for side in (before, after))
        if was != now:
            yield Change("order", parent, ", then ".join(was), ", then ".join(now))


# ---------------------------------------------------------------- statements of the rulebook


def _with_statements(found: list[Change], old: RuleSide, new: RuleSide) -> Iterator[Change]:
    """The changes with what the rulebooks say of them, and what else changes there."""
    by_section: dict[str, dict[str, list[Statement]]] = {}
    for language in _names(old.books, new.books):
        before, after = old.books.get(language, {}), new.books.get(language, {})
        for id_ in _names(before, after):
            if before.get(id_) != after.get(id_):
                section = new.sections.get(id_) or old.sections[id_]
                told = by_section.setdefault(section, {}).setdefault(language, [])
                told.append(Statement(id_, before.get(id_), after.get(id_)))
    for change in found:
        yield attrs.evolve(change, statements=_frozen(by_section.pop(change.name, {})))
    for section, statements in by_section.items():
        yield Change("statement", section, None, None, statements=_frozen(statements))


def _frozen(statements: Mapping[str, list[Statement]]) -> dict[str, tuple[Statement, ...]]:
    return {language: tuple(told) for language, told in statements.items()}


def _names(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> list[Any]:
    """The names of both, each once, in the order of the first."""
    return list(dict.fromkeys([*one, *other]))
