"""Words that turn a rule into another one: before and after, left and right, most and fewest, not, unless, you.

Lexicons have them by *axis* and *class*. Of two expressions that begin at the same place the one that stands first
wins, and a word counts once. ``lexicons/classes.toml`` says which classes are compared, and how.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

import attrs

from .files import read
from .lexicon import PERHAPS, Lexicon, lexicon, lexicons

_BRACES = re.compile(r"\{[^{}]*\}")
"""Values of the rules: their names are not words of the text."""


@attrs.frozen
class Word:
    """A word of a text that stands in the lexicon, with its place: offsets in the text.

    ``sure``: False of a word that as often means something else ("daarvoor": before that, for that).
    """

    axis: str
    name: str
    start: int
    end: int
    sure: bool = True


def _groups(groups: Sequence[Sequence[str]]) -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, groups))


def _pairs(groups: Sequence[Sequence[str]]) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple((frozenset(one), frozenset(other)) for one, other in groups)


@attrs.frozen
class Classes:
    """What classes are compared for; each field has names of axes or classes, ``classes.toml`` says what they mean."""

    tight: frozenset[str] = attrs.field(converter=frozenset)
    counted: tuple[str, ...] = attrs.field(converter=tuple)
    exchanged: tuple[frozenset[str], ...] = attrs.field(converter=_groups)
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...] = attrs.field(converter=_pairs)
    noted: tuple[str, ...] = attrs.field(converter=tuple)
    near: tuple[frozenset[str], ...] = attrs.field(converter=_groups)
    elsewhere: frozenset[str] = attrs.field(converter=frozenset)


def knows(language: str) -> bool:
    """Whether a language's lexicon has words of this kind."""
    return bool(covered(language))


def languages() -> tuple[str, ...]:
    """The languages with a lexicon."""
    return lexicons()


def covered(language: str) -> frozenset[str]:
    """The classes that a language has words for, and the axes of which it has all classes."""
    return _covered(lexicon(language))


@functools.cache
def classes() -> Classes:
    """What classes are compared for, in every language."""
    return Classes(**read("lexicons", "classes"))


def words(text: str, language: str) -> tuple[Word, ...]:
    """The words of a text that stand in the lexicon, in order; none for a language without a lexicon."""
    return tuple(word for word in _words(text, lexicon(language)) if word.sure)


def possible_words(text: str, language: str) -> tuple[Word, ...]:
    """As ``words``, with those that as often mean something else."""
    return _words(text, lexicon(language))


@functools.lru_cache(maxsize=50_000)
def _words(text: str, known: Lexicon) -> tuple[Word, ...]:
    if not known.meaning:
        return ()
    names, pattern = _pattern(known)
    found = []
    plain = _BRACES.sub(lambda match: "{" + "0" * (len(match[0]) - 2) + "}", text.lower())
    for match in pattern.finditer(plain):
        entry = names[match.lastgroup or ""]
        if entry is not None:
            axis, name = entry
            found.append(Word(axis, name.rstrip(PERHAPS), match.start(), match.end(), not name.endswith(PERHAPS)))
    return tuple(found)


@functools.cache
def _covered(known: Lexicon) -> frozenset[str]:
    names = {name for table in known.meaning.values() for name, said in table.items() if said}
    wanted = lexicon("en").meaning
    return frozenset(names | {axis for axis, table in wanted.items() if names >= table.keys()})


@functools.cache
def _pattern(known: Lexicon) -> tuple[Mapping[str, tuple[str, str] | None], re.Pattern[str]]:
    """One expression for the whole lexicon, and what each of its groups stands for; None: what is skipped."""
    entries: list[tuple[tuple[str, str] | None, str]] = [(None, known.skip)]
    for axis, table in known.meaning.items():
        entries += [((axis, name), said) for name, said in table.items()]
    entries = [(entry, said) for entry, said in entries if said]
    entries.sort(key=lambda it: it[0] is not None and it[0][1].endswith(PERHAPS))  # where nothing else is said
    names = {f"c{number}": entry for number, (entry, _) in enumerate(entries)}
    parts = [rf"(?P<c{n}>(?<!\w)(?:{said})(?:(?<=['’])|(?!\w)))" for n, (_, said) in enumerate(entries)]
    return names, re.compile("|".join(parts or ["(?!)"]))
