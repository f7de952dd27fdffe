"""Stems of words, so that a term is found in all its forms."""

from __future__ import annotations

import functools
from typing import Any

from .plurals import name_of

_ALSO = {"nb": "norwegian", "nn": "norwegian", "no": "norwegian", "fa": "persian"}
"""Languages that CLDR calls otherwise than the library of stemmers does."""


def knows(language: str) -> bool:
    """Whether there is a stemmer for a language."""
    return _stemmer(language) is not None


@functools.lru_cache(maxsize=50_000)
def stem(word: str, language: str) -> str:
    """The stem of a word; the word itself in a language without a stemmer."""
    stemmer = _stemmer(language)
    return word.lower() if stemmer is None else str(stemmer.stemWord(word.lower()))


@functools.cache
def _stemmer(language: str) -> Any:
    import snowballstemmer  # type: ignore[import-untyped]

    name = _ALSO.get(language) or (name_of(language) or "").lower()
    return snowballstemmer.stemmer(name) if name in snowballstemmer.algorithms() else None
