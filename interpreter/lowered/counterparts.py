"""Counterparts: which question of a rule set is which of another one, and which of its options.

Rule sets that differ by a house rule mostly ask the same things. A question is known by the rule that asks it and by
what can be answered. Where a rule or an option has another name, what is left of that tells, and the order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from rulelang.program import Binds, Program
from rulelang.program.listing import rule_text
from rulelang.types import NumberType, Type, describe

from . import code

T = TypeVar("T")


def questions(units: Mapping[str, code.Unit]) -> tuple[code.Ask, ...]:
    """All that is asked, in the order of the text."""
    return tuple(node for unit in units.values() for node in unit.nodes() if isinstance(node, code.Ask))


def counterparts(base: Mapping[str, code.Unit], other: Mapping[str, code.Unit]) -> dict[code.Ask, code.Ask]:
    """The questions of ``other`` that ``base`` has as well, each with that of ``base``."""
    alike: tuple[Callable[[code.Ask], Hashable], ...] = (
        lambda ask: (ask.rule, _shape(ask), _names(ask)),
        lambda ask: (ask.rule, _shape(ask)),
        lambda ask: (ask.rule, type(ask)),
        lambda ask: (_shape(ask), _names(ask)),
        lambda ask: _shape(ask),
    )
    return _paired(questions(base), questions(other), alike)


def renamed(base: Program, other: Program) -> dict[str, str]:
    """The rules and options of ``other`` that say the same as one of ``base`` of another name, each with that name. A
    rule that was emptied has the name of the one in its place."""
    gone = [name for name in base.rules if _says(base, name) and not _says(other, name)]
    new = [name for name in other.rules if _says(other, name) and not _says(base, name)]
    others = (_named(base) ^ _named(other)) | {*gone, *new}
    names = re.compile("|".join(rf"(?<![\w.]){re.escape(name)}(?![\w.])" for name in sorted(others)) or r"(?!)")
    said = {name: names.sub("*", rule_text(base, base.rules[name])) for name in gone}
    said |= {name: names.sub("*", rule_text(other, other.rules[name])) for name in new}
    found = _paired(gone, new, [said.__getitem__])
    return found | {old: name for name, old in found.items() if old in other.rules}


def _says(program: Program, rule: str) -> bool:
    """Whether there is such a rule, and anything in it."""
    return rule in program.rules and bool(program.rules[rule].body or program.rules[rule].kind == "option")


def _named(program: Program) -> set[str]:
    """What has a name of its own, which could be another one."""
    kinds = (program.rules, program.variables, program.definitions, program.domains, program.tables, program.numbers)
    return {name for names in kinds for name in names}


def options(base: code.Menu, other: code.Menu) -> dict[int, int]:
    """The options of a menu, by number, that its counterpart ``base`` has as well, each with its number there."""
    alike: tuple[Callable[[int, code.Menu], Hashable], ...] = (
        lambda number, menu: menu.items[number].rule.id,
        lambda number, menu: _kinds(menu.items[number].binds),
    )
    mine, theirs = ([(number, menu) for number in range(len(menu.items))] for menu in (base, other))
    paired = _paired(mine, theirs, [lambda one, by=by: by(*one) for by in alike])  # type: ignore[misc]
    return {number: there for (number, _), (there, _) in paired.items()}


def _paired(base: Iterable[T], other: Iterable[T], alike: Iterable[Callable[[T], Hashable]]) -> dict[T, T]:
    """Each of ``other`` with one of ``base`` that is like it in the first way in which any is left, in their order."""
    left, open_, found = list(base), list(other), {}
    for by in alike:
        known: dict[Hashable, list[T]] = {}
        for one in left:
            known.setdefault(by(one), []).append(one)
        for one in open_:
            if known.get(by(one)):
                found[one] = known[by(one)].pop(0)
        taken = set(found.values())
        left, open_ = [one for one in left if one not in taken], [one for one in open_ if one not in found]
    return found


def _names(ask: code.Ask) -> Hashable:
    return tuple(item.rule.id for item in ask.items) if isinstance(ask, code.Menu) else ()


def _shape(ask: code.Ask) -> Hashable:
    """What can be answered, but for names of options and bounds of numbers."""
    match ask:
        case code.Menu(items=items):
            return "menu", tuple(_kinds(item.binds) for item in items)
        case code.Choose(binds=binds, may=may, some=some):
            return "choose", _kinds(binds), may, some is None
    return (type(ask).__name__,)


def _kinds(binds: Binds | None) -> tuple[str, ...]:
    return tuple(map(_kind, (bind.type for bind in binds.binds))) if binds is not None else ()


def _kind(type_: Type) -> str:
    return "number" if isinstance(type_, NumberType) else describe(type_)


__all__ = ["counterparts", "options", "questions", "renamed"]
