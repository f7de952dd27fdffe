"""Words that rulebooks, pictures and players need besides a game's own text, one catalogue for each language.

``catalogue/en.toml`` names them all. A language without a catalogue, or one that lacks a word, takes the English one;
``lacking`` tells which, so that nothing of it stays unnoticed.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from rulelang.diagnostics import UnusablePath

from .lexicon import languages_with, path_of, read
from .locale import category

FALLBACK = "en"


def say(word: str, language: str | None, /, **values: object) -> str:
    """A word of the catalogue with ``values`` in it; English where the language (None: English) lacks it."""
    text = _catalogue(language or FALLBACK).get(word) or _catalogue(FALLBACK)[word]
    return text.format(**values) if values else text


def section(name: str, language: str | None) -> dict[str, str]:
    """All words of a section whose words begin with its name, such as ``page``, without that beginning."""
    begin = f"{name}_"
    words = {**_catalogue(FALLBACK), **_catalogue(language or FALLBACK)}
    return {word.removeprefix(begin): text for word, text in words.items() if word.startswith(begin)}


def counted(word: str, language: str | None, number: int, /, **values: object) -> str:
    """``word`` for a number of ``{word}``, in the plural form that the language has for it: ``1 player``.

    Where the word has no forms, its only text.
    """
    known = language if language in catalogues() else FALLBACK
    entry = f"{word}_{category(number, known or FALLBACK)}"
    forms = [form for form in (entry, f"{word}_other", word) if form in _catalogue(known or FALLBACK)]
    return say(forms[0] if forms else f"{word}_other", known, **values | {word: number})


def lacking(language: str) -> tuple[str, ...]:
    """The words that are English in this language, because its catalogue does not have them."""
    return tuple(word for word in _catalogue(FALLBACK) if word not in _catalogue(language))


def catalogues() -> tuple[str, ...]:
    """The languages with a catalogue."""
    return languages_with("catalogue")


def _catalogue(language: str) -> Mapping[str, str]:
    return _read(language, path_of("catalogue", language))


@functools.cache
def _read(language: str, path: object) -> Mapping[str, str]:
    """Word to text. ``path``: only so that another file is read anew. Raises UnusablePath for what is no text."""
    found: dict[str, str] = {}
    for section, entries in read("catalogue", language).items():
        for word, text in entries.items() if isinstance(entries, dict) else ((section, entries),):
            if not isinstance(text, str) or not isinstance(entries, dict):
                raise UnusablePath(f'{path}: `{word}` must be a text below a [section]; write `{word} = "..."`.')
            _check(word, text, language, path)
            found[word] = text
    return found


def _check(word: str, text: str, language: str, path: object) -> None:
    """Its braces hold the names that the English text has, so that it can be filled in."""
    from string import Formatter

    wanted = "" if language == FALLBACK else _catalogue(FALLBACK).get(word, "")
    try:
        names = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        names = {"?"}
    allowed = {name for _, name, _, _ in Formatter().parse(wanted) if name is not None}
    if wanted and not names <= allowed:
        help = " and ".join(f"{{{name}}}" for name in sorted(allowed)) or "no braces"
        raise UnusablePath(f"{path}: `{word}` has braces that cannot be filled in; it takes {help}.")
