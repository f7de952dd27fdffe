"""Plural categories of languages, as CLDR has them through Babel: zero, one, two, few, many, other."""

from __future__ import annotations

import functools
from typing import Any


def category(number: int, language: str) -> str:
    """The category of a whole number in a language; ``one`` and ``other`` as in English where CLDR does not know it."""
    rule = _rule(language)
    return str(rule(number)) if rule is not None else "one" if number == 1 else "other"


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
