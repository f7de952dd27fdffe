"""Small words that carry the force of a rule: must and may, at most and at least, only, each.

A class is what must agree between languages; which words say it may differ, and a language's lexicon has them. Where
two expressions meet in a text, the one that begins first wins, and of two that begin together the one whose class
stands first in the lexicon.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

from .lexicon import SKIP, Classes, Lexicon, lexicon

Part: TypeAlias = Literal["modality", "quantifiers"]
"""How binding a rule is: must, may, must not, need not. How much and how many it speaks of."""

BINDING = {
    "at most": "at most",
    "at least": "at least",
    "exactly": "exactly",
    "only": "only",
    "both": "both",
    "every": "each or any",
    "any": "each or any",
}
"""The quantifiers that translations of one statement must share, and what they are compared as: languages differ in
where they say "each" and where "any", and say the other classes by many means."""


def modality(text: str, language: str) -> Counter[str]:
    """How often a text says each class of modality; empty for a language that is not known."""
    return Counter(_said(text, lexicon(language), "modality"))


def quantifiers(text: str, language: str) -> Counter[str]:
    """How often a text says each class of quantifiers; empty for a language that is not known."""
    return Counter(_said(text, lexicon(language), "quantifiers"))


def binding(text: str, language: str) -> Counter[str]:
    """As ``quantifiers``, but those of ``BINDING`` only, by what they are compared as."""
    return Counter(BINDING[name] for name in _said(text, lexicon(language), "quantifiers") if name in BINDING)


def knows(language: str, part: Part) -> bool:
    """Whether a language's lexicon has words for every class; with a hole it would seem to say less than others."""
    wanted = set(_table(lexicon("en"), part)) if part == "modality" else set(BINDING)
    ours = _table(lexicon(language), part)
    return all(ours.get(name) for name in wanted - {SKIP})


def _table(known: Lexicon, part: Part) -> Classes:
    return known.modality if part == "modality" else known.quantifiers


@functools.lru_cache(maxsize=50_000)
def _said(text: str, known: Lexicon, part: Part) -> tuple[str, ...]:
    if not any(_table(known, part).values()):
        return ()
    names, pattern = _pattern(known, part)
    found = [names[match.lastgroup or ""] for match in pattern.finditer(text.lower())]
    return tuple(name for name in found if name != SKIP)


@functools.cache
def _pattern(known: Lexicon, part: Part) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """One expression for all classes, in the order of the lexicon: negations stand before what they negate."""
    table = {name: words for name, words in _table(known, part).items() if words}
    names = {f"c{number}": name for number, name in enumerate(table)}
    parts = "|".join(rf"(?P<c{number}>\b(?:{words})(?!\w))" for number, words in enumerate(table.values()))
    return names, re.compile(parts)
