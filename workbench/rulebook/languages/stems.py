"""Stems of words, so that a term is found in all its forms."""

from __future__ import annotations

import functools
from typing import Any

_STEMMERS = {"de": "german", "en": "english", "fr": "french", "nl": "dutch"}


@functools.lru_cache(maxsize=50_000)
def stem(word: str, language: str) -> str:
    """The stem of a word; the word itself in a language without a stemmer."""
    lower = word.lower()
    if language not in _STEMMERS:
        return lower
    return _stemmer(language).stemWord(lower)  # type: ignore[no-any-return]


@functools.cache
def _stemmer(language: str) -> Any:
    import snowballstemmer  # type: ignore[import-untyped]

    return snowballstemmer.stemmer(_STEMMERS[language])
