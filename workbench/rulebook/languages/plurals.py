"""Plural categories of languages, as CLDR has them through Babel: zero, one, two, few, many, other."""

from __future__ import annotations

import functools
from typing import Any

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""All categories, in the order of CLDR."""

OTHER = "other"
_USUAL = 200
"""The numbers below this one meet every category that whole numbers of a usual size have, in any language."""


def category(number: int, language: str) -> str:
    """The category of a whole number in a language; ``one`` and ``other`` as in English where CLDR does not know it."""
    rule = _rule(language)
    return str(rule(number)) if rule is not None else "one" if number == 1 else "other"


@functools.cache
def usual_categories(language: str) -> tuple[str, ...]:
    """The categories that whole numbers of a usual size have in a language, in the order of CLDR.

    French, Italian and Spanish have ``many`` from a million only, so it is not among theirs.
    """
    found = {category(number, language) for number in range(_USUAL)} | {OTHER}
    return tuple(name for name in CATEGORIES if name in found)


def all_categories(language: str) -> frozenset[str]:
    """Every category that a language has."""
    rule = _rule(language)
    return frozenset({OTHER, *(("one",) if rule is None else rule.tags)})


def example_of(name: str, language: str) -> int | None:
    """The smallest usual number of a category, zero only if no other has it (French has it under ``one``); None where
    no such number has it."""
    return next((number for number in (*range(1, _USUAL), 0) if category(number, language) == name), None)


def name_of(language: str, among: str = "en") -> str | None:
    """What a language is called in the language ``among``; None for a code that CLDR does not know."""
    locale = _locale(language)
    if locale is None:
        return None
    shown = locale.get_display_name(among if _locale(among) is not None else "en")
    return str(shown) if shown else None


@functools.cache
def _rule(language: str) -> Any:
    locale = _locale(language)
    return None if locale is None else locale.plural_form


@functools.cache
def _locale(language: str) -> Any:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError, TypeError):
        return None
