"""Conditions as the rulebook puts them: which of its statements belongs to a condition of a rule.

A statement belongs to a condition when it is about the same things. Those of a condition are the names in it, as the
game's glossary knows them; those of a statement are the terms that it uses. What every statement of a section is about
tells nothing, so a term counts the more the fewer of them have it. A number or a setting in a condition that has a
section of its own is stated there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulelang.program import Program

    from ..rulebook.glossary import Glossary
    from ..rulebook.texts import RulebookText
    from ..rulebook.texts.rulebook_text import Statement

_NAME = re.compile(r"[a-z][a-z_0-9]+", re.IGNORECASE)
_OWN = 1.5
"""What it counts that a statement is the one of a number or a setting in the condition."""
_WHICH = 0.4
_LEAST = 0.5
"""A statement that fits less is none: half a term of its own, so to speak."""


@attrs.frozen
class Stating:
    """Finds the statements of conditions. ``book``: in the ``language`` in which the rules are written."""

    program: Program
    book: RulebookText
    glossary: Glossary
    language: str

    def of(self, rule: str, conditions: Sequence[str]) -> list[Statement | None]:
        """For each condition of a rule, as the rules have it, the statement that belongs to it."""
        section = self._plain(rule)
        terms = {statement.id: self._terms(statement.text) for statement in section}
        weights = Counter(term for found in terms.values() for term in found)
        return [self._best(condition, section, terms, weights) for condition in conditions]

    def _best(
        self, condition: str, section: Sequence[Statement], terms: Mapping[str, frozenset[str]], weights: Counter[str]
    ) -> Statement | None:
        names = [name for name in dict.fromkeys(_NAME.findall(condition)) if len(name) > 1]
        about: dict[str, float] = {}
        for term, count in (pair for name in names for pair in self._meant(name)):
            about[term] = max(count, about.get(term, 0))
        found: list[tuple[float, Statement]] = [(_OWN, statement) for statement in self._own(names)]
        found += [(sum(about[term] / weights[term] for term in about.keys() & terms[s.id]), s) for s in section]
        best = max((score for score, _ in found), default=0.0)
        fitting = [statement for score, statement in found if score == best]
        return fitting[0] if best >= _LEAST else None

    def _own(self, names: Sequence[str]) -> Iterator[Statement]:
        """The first statements about numbers and settings."""
        for name in names:
            if name in self.program.numbers or name in self.program.settings:
                yield from self._plain(name)[:1]

    def _plain(self, section: str) -> list[Statement]:
        """The statements of a section, without those of other readings."""
        return [s for s in self.book.about(section) if s.id.rpartition(".")[2].isdigit()]

    def _terms(self, text: str) -> frozenset[str]:
        uses = self.glossary.uses(text, self.language)
        return frozenset(term for use in uses for term in use.concepts | use.inside)

    def _meant(self, name: str) -> Iterator[tuple[str, float]]:
        """The terms in a name, and what they count: its last word says what it is, those before only which."""
        if name in self.glossary.concepts:
            yield name, 1.0
        *before, last = name.split("_")
        yield from ((term, 1.0) for term in self._terms(last))
        yield from ((term, _WHICH) for term in self._terms(" ".join(before)))
