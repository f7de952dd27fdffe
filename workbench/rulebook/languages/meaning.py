"""Words that turn a rule into another one: before and after, left and right, most and fewest, not, unless, you.

``lexicons/`` has a file for each language: tables are *axes*, their keys *classes*, each with regular expressions over
lower-case text, one a line. Of two expressions that begin at the same place the one that stands first wins, and a word
counts once. ``skip`` has what only looks like one of them. ``classes.toml`` says which classes are compared, and how.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

_LEXICONS = Path(__file__).parent / "lexicons"
_CLASSES = "classes"
_SKIP = "skip"
_BRACES = re.compile(r"\{[^{}]*\}")
"""Values of the rules: their names are not words of the text."""


@attrs.frozen
class Word:
    """A word of a text that stands in the lexicon, with its place: offsets in the text."""

    axis: str
    name: str
    start: int
    end: int


@attrs.frozen
class Classes:
    """What classes are compared for; each field has names of axes or classes, ``classes.toml`` says what they mean."""

    tight: frozenset[str] = attrs.field(converter=frozenset)
    counted: tuple[str, ...] = attrs.field(converter=tuple)
    exchanged: frozenset[str] = attrs.field(converter=frozenset)
    elsewhere: frozenset[str] = attrs.field(converter=frozenset)


def knows(language: str) -> bool:
    """Whether there is a lexicon of a language."""
    return language in languages()


@functools.cache
def languages() -> tuple[str, ...]:
    """The languages with a lexicon."""
    return tuple(sorted(path.stem for path in _LEXICONS.glob("*.toml") if path.stem != _CLASSES))


@functools.cache
def classes() -> Classes:
    """What classes are compared for, in every language."""
    return Classes(**_read(_CLASSES))


@functools.lru_cache(maxsize=50_000)
def words(text: str, language: str) -> tuple[Word, ...]:
    """The words of a text that stand in the lexicon, in order; none for a language without a lexicon."""
    if not knows(language):
        return ()
    names, pattern = _pattern(language)
    found = []
    plain = _BRACES.sub(lambda match: "{" + "0" * (len(match[0]) - 2) + "}", text.lower())
    for match in pattern.finditer(plain):
        entry = names[match.lastgroup or ""]
        if entry is not None:
            found.append(Word(*entry, match.start(), match.end()))
    return tuple(found)


@functools.cache
def _pattern(language: str) -> tuple[Mapping[str, tuple[str, str] | None], re.Pattern[str]]:
    """One expression for the whole lexicon, and what each of its groups stands for; None: what is skipped."""
    lexicon = dict(_read(language))
    entries: list[tuple[tuple[str, str] | None, str]] = [(None, lexicon.pop(_SKIP, ""))]
    for axis, table in lexicon.items():
        entries += [((axis, name), expressions) for name, expressions in table.items()]
    names: dict[str, tuple[str, str] | None] = {}
    parts = []
    for number, (entry, expressions) in enumerate(entries):
        lines = [line for line in expressions.split("\n") if line]
        if lines:
            names[f"c{number}"] = entry
            parts.append(rf"(?P<c{number}>(?<!\w)(?:{'|'.join(lines)})(?:(?<=['’])|(?!\w)))")
    return names, re.compile("|".join(parts))


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_LEXICONS / f"{name}.toml").read_text(encoding="utf-8"))
