"""Order of what a statement lists: steps, phases, things set off by commas or by "first ... then", told by the terms of
the glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

import attrs

from ..glossary import Glossary
from ..languages.lexicon import pole_words
from ..texts import Statement

_BETWEEN = re.compile(r"[,;]")
_LISTED = 3
"""Things that make a list by commas alone; two of them are as often two clauses that may change places."""
_FIRST = "first"
_FOLLOWING = frozenset({"then", "after", "last", "end"})
"""Classes of the lexicons that put one thing before another."""


@attrs.frozen
class Swap:
    """``language`` lists ``second`` before ``first``; all the others list ``first`` before ``second``."""

    language: str
    first: str
    second: str


def swapped(glossary: Glossary, group: Mapping[str, Statement]) -> Swap | None:
    """The one language that lists two things the other way round than all the others, at least two; None if there is
    none. Only things that every language names once count: at least three of them, set apart by commas in each
    language, or two, of which each language says that one comes first and the other then."""
    places = {language: _places(glossary, statement.spoken, language) for language, statement in group.items()}
    if len(places) < 3:
        return None
    shared = [id_ for id_ in next(iter(places.values())) if all(id_ in there for there in places.values())]
    for one, other in combinations(shared, 2):
        if all(_in_sequence(group[name].spoken, name, there[one], there[other]) for name, there in places.items()):
            found = _swap(places, (one, other))
            if found is not None:
                return found
    listed: list[str] = []
    for id_ in shared:
        apart = all(_apart(group[name].spoken, there[id_], there[o]) for name, there in places.items() for o in listed)
        if apart:
            listed.append(id_)
    return _swap(places, listed) if len(listed) >= _LISTED else None


def _in_sequence(text: str, language: str, one: int, other: int) -> bool:
    """Whether a text says "first" before the earlier of two places, and "then" or the like between them."""
    early, late = min(one, other), max(one, other)
    said = pole_words(text, language)
    return any(word.name == _FIRST and word.start < early for word in said) and any(
        word.name in _FOLLOWING and early < word.start < late for word in said
    )


def _swap(places: Mapping[str, Mapping[str, int]], listed: Sequence[str]) -> Swap | None:
    for one, other in combinations(listed, 2):
        turned = [language for language, there in places.items() if there[one] > there[other]]
        straight = [language for language in places if language not in turned]
        if len(turned) == 1:
            return Swap(turned[0], one, other)
        if len(straight) == 1:
            return Swap(straight[0], other, one)
    return None


def _places(glossary: Glossary, text: str, language: str) -> Mapping[str, int]:
    """Where the concepts stand that a text surely names, and names once."""
    surely, perhaps = glossary.count(text, language)
    once = {id_ for id_, number in surely.items() if number == perhaps[id_] == 1}
    return {id_: use.start for use in glossary.uses(text, language) for id_ in use.concepts & once}


def _apart(text: str, one: int, other: int) -> bool:
    return _BETWEEN.search(text, min(one, other), max(one, other)) is not None
