"""Dictionaries: whether a word is one of a language, its base form, and what it may be a slip of the pen for.

All of it needs the extra ``spell``; without it, or in a language without a dictionary, nobody knows.
"""

from __future__ import annotations

import functools
from typing import Any

from .lexicon import lexicon

_SHORTEST_PART = 3
"""Letters of a part of a compound."""
_COMMON = 20
"""How often a word occurs in the dictionary's own texts before another one is taken for a slip of it."""


def in_dictionary(word: str, language: str) -> bool | None:
    """Whether a dictionary has a word, in lower case or with a capital; None if nobody knows."""
    try:
        from simplemma import is_known
    except ImportError:
        return None
    try:
        return is_known(word, lang=language) or is_known(word.capitalize(), lang=language)
    except ValueError:
        return None


@functools.lru_cache(maxsize=20_000)
def base_form(word: str, language: str) -> str:
    """The form under which a dictionary lists a word; the word itself if nobody knows."""
    try:
        from simplemma import lemmatize
    except ImportError:
        return word
    try:
        return str(lemmatize(word, lang=language))
    except ValueError:
        return word


def is_noun(word: str, language: str) -> bool:
    """Whether a dictionary of a language in which nouns have capitals has a word, as it is written, as a noun only."""
    found = base_form(word, language)
    return in_dictionary(word, language) is not None and found[:1] != found[:1].lower()


@functools.lru_cache(maxsize=20_000)
def nearest(word: str, language: str) -> str | None:
    """The commonest word that is one slip of the pen away from an unknown one: a letter too many, too few or wrong, or
    two neighbours exchanged."""
    common, known = _common_words(language), lexicon(language)
    if common is None or _is_known(word, language) or _is_compound(word, language):
        return None
    if any(_is_known(word.removesuffix(end), language) for end in known.enclitics if word.endswith(end)):
        return None
    near = [other for other in common.edit_distance_1(word) if common[other] >= _COMMON]
    return max(near, key=lambda other: int(common[other]), default=None)


@functools.cache
def _common_words(language: str) -> Any:
    try:
        from spellchecker import SpellChecker
    except ImportError:
        return None
    return SpellChecker(language=language) if language in SpellChecker.languages() else None


def _is_compound(word: str, language: str) -> bool:
    """Whether a word is made of known ones, where compounds are one word."""
    joints = lexicon(language).joints
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1) if joints else ():
        first, rest = word[:cut], word[cut:]
        if (_is_known(rest, language) or _is_compound(rest, language)) and any(
            _is_known(first.removesuffix(joint), language) for joint in joints if first.endswith(joint)
        ):
            return True
    return False


def _is_known(word: str, language: str) -> bool:
    return len(word) >= _SHORTEST_PART and (in_dictionary(word, language) is True or word in _common_words(language))
