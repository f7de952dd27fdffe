"""Locales: plural categories and names of languages (as CLDR has them, through Babel), the order of the alphabet,
stems of words, scripts, marks and spaces as printers set them, and the language of whoever reads.
"""

from __future__ import annotations

import functools
import os
import re
import threading
import unicodedata
from collections.abc import Sequence
from typing import Any, TypeAlias

import attrs

# ---------------------------------------------------------------- plural categories


CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""All categories, in the order of CLDR."""

OTHER = "other"
_USUAL = 200
"""The numbers below this one meet every category that whole numbers of a usual size have, in any language."""


def category(number: int, language: str) -> str:
    """The category of a whole number in a language; ``one`` and ``other`` as in English where CLDR does not know it."""
    rule = _plural_rule(language)
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
    rule = _plural_rule(language)
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
def _plural_rule(language: str) -> Any:
    locale = _locale(language)
    return None if locale is None else locale.plural_form


@functools.cache
def _locale(language: str) -> Any:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError, TypeError):
        return None


# ---------------------------------------------------------------- the order of the alphabet


_WORD_OR_NUMBER = re.compile(r"[0-9]+|[^\W\d_]+")
_OWN = {
    "cs": ("cč", "rř", "sš", "zž"),
    "da": ("zæøå",),
    "es": ("nñ",),
    "fi": ("zåäö",),
    "nb": ("zæøå",),
    "nn": ("zæøå",),
    "no": ("zæøå",),
    "pl": ("aą", "cć", "eę", "lł", "nń", "oó", "sś", "zźż"),
    "sv": ("zåäö",),
    "tr": ("cç", "gğ", "hı", "oö", "sş", "uü"),
}
"""Letters that a language does not count as one without its mark, behind the letter that they follow."""
_SPELT = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})


_Key: TypeAlias = tuple[int, int, tuple[tuple[str, int], ...]]
"""Whether it is a word; the number; the letters, each with its place behind another."""


def alphabetical(term: str, language: str) -> tuple[tuple[_Key, ...], str]:
    """The key of a term where terms are sorted. Quotes, spaces and other signs do not count, accents and capitals only
    among equals; numbers come first, in their order.
    """
    own = {letter: (after[0], place) for after in _OWN.get(language, ()) for place, letter in enumerate(after) if place}
    found: list[_Key] = []
    for part in _WORD_OR_NUMBER.findall(unicodedata.normalize("NFC", term).casefold()):
        if part.isdecimal():
            found.append((0, int(part), ()))
        else:
            found.append((1, 0, tuple(key for letter in part for key in _letter(letter, own))))
    return tuple(found), term


def _letter(letter: str, own: dict[str, tuple[str, int]]) -> list[tuple[str, int]]:
    if letter in own:
        return [own[letter]]
    plain = unicodedata.normalize("NFD", letter.translate(_SPELT))
    return [(one, 0) for one in plain if not unicodedata.combining(one)]


# ---------------------------------------------------------------- stems of words


_ALSO = {"nb": "norwegian", "nn": "norwegian", "no": "norwegian", "fa": "persian"}
"""Languages that CLDR calls otherwise than the library of stemmers does."""

_STEMMING = threading.Lock()
"""A stemmer keeps the word it is at, and several threads ask for stems."""


def knows_stems(language: str) -> bool:
    """Whether there is a stemmer for a language."""
    return _stemmer(language) is not None


@functools.lru_cache(maxsize=50_000)
def stem(word: str, language: str) -> str:
    """The stem of a word; the word itself in a language without a stemmer."""
    stemmer = _stemmer(language)
    if stemmer is None:
        return word.lower()
    with _STEMMING:
        return str(stemmer.stemWord(word.lower()))


@functools.cache
def _stemmer(language: str) -> Any:
    try:
        import snowballstemmer  # type: ignore[import-untyped]
    except ModuleNotFoundError:  # a shared page has to be small
        return None
    name = _ALSO.get(language) or (name_of(language) or "").lower()
    return snowballstemmer.stemmer(name) if name in snowballstemmer.algorithms() else None


# ---------------------------------------------------------------- scripts


SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Letters of scripts that have no space between words: Thai, Lao, Burmese, Khmer, Kana and Han."""
_CLOSED_UP = frozenset({"ja", "yue", "zh"})
"""Languages without a space between sentences either."""
WORD = re.compile(rf"[{SPACELESS}]|(?:(?![{SPACELESS}])[^\W_])+")
"""A word or a number; where nothing tells one word from the next, each letter counts as one."""


def sentence_gap(language: str) -> str:
    """What stands between two sentences of a paragraph."""
    return "" if language in _CLOSED_UP else " "


def columns(text: str) -> int:
    """How long a text is, where a sign as wide as two letters, which says as much, counts as two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


# ---------------------------------------------------------------- quotes and spaces


_NARROW, _FIXED = "\u202f", "\u00a0"
_SPACES = f" {_FIXED}{_NARROW}"
_OPENS = "([{—–-/"
"""What can stand in front of an opening quote besides a space."""


@attrs.frozen
class _Quotes:
    """``inner``: the space between a quote and the words in it."""

    opening: str
    closing: str
    inner: str = ""


_ENGLISH = _Quotes("“", "”")
_QUOTES = {"de": _Quotes("„", "“"), "fr": _Quotes("«", "»", _NARROW), "es": _Quotes("«", "»")}
_FOREIGN = {
    "de": re.compile("“(?P<text>[^„“”«»]*)”"),
    "fr": re.compile("[“„](?P<text>[^„“”«»]*)[”“]"),
    "es": re.compile("[“„](?P<text>[^„“”«»]*)[”“]"),
}
_FOREIGN_ELSEWHERE = re.compile("„(?P<text>[^„“”«»]*)[“”]|«[ \u00a0\u202f]*(?P<more>[^„“”«»]*?)[ \u00a0\u202f]*»")
"""Quotes as other languages have them, in a language with those of English."""
_APOSTROPHE = re.compile(r"(?<=\w)'|'(?=\w)")
_STRAIGHT = re.compile('"')
_HIGH = re.compile(f"[{_SPACES}]*([;:!?])(?=[\\s»”)\\];:!?]|$)")
_INSIDE = re.compile(f"«[{_SPACES}]*|[{_SPACES}]*»")


@functools.lru_cache(maxsize=50_000)
def set_type(text: str, language: str) -> str:
    """The text as it is printed. It may be a piece of a sentence: a mark at its beginning follows something.

    Quotes and apostrophes are those of the language; French has a narrow space that never breaks in « » and before
    ``; ! ?``, and one of full width before a colon.
    """
    text = _APOSTROPHE.sub("’", text)
    quotes = _QUOTES.get(language, _ENGLISH)
    text = _STRAIGHT.sub(lambda found: quotes.opening if _opens(text, found.start()) else quotes.closing, text)
    text = _FOREIGN.get(language, _FOREIGN_ELSEWHERE).sub(lambda found: _quoted(found, quotes), text)
    if language == "fr":
        text = _HIGH.sub(_spaced, text)
        text = _INSIDE.sub(lambda found: f"«{_NARROW}" if found[0].startswith("«") else f"{_NARROW}»", text)
    return text


def spaces_high_marks(language: str) -> bool | None:
    """Whether a language has a space before ``; : ! ?``; None for one whose quotes we do not know either."""
    return language == "fr" if language in (*_QUOTES, "en", "nl") else None


def _opens(text: str, at: int) -> bool:
    """Whether a straight quote is an opening one: nothing or a space before it, and words behind it."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if not before:
        return bool(after) and (after.isalnum() or after in "{(")
    return before in _SPACES or before in _OPENS


def _quoted(found: re.Match[str], quotes: _Quotes) -> str:
    inside = next(group for group in found.groups() if group is not None)
    return f"{quotes.opening}{inside}{quotes.closing}"


def _spaced(found: re.Match[str]) -> str:
    """A high mark behind its space; none behind another mark."""
    if found.string[: found.start()].endswith(("?", "!", ":", ";", "…")):
        return found[1]
    return f"{_FIXED if found[1] == ':' else _NARROW}{found[1]}"


# ---------------------------------------------------------------- the reader's language


_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where a system says what language its user reads, the strongest first, as gettext has it."""

_ENGLISH_CODE = "en"


def language_for_reader(languages: Sequence[str]) -> str | None:
    """One of ``languages``, those that a game has words in: the reader's own, else English, else the first.

    None where the game has no words: names are then as the rules have them.
    """
    own = next((language for name in _VARIABLES for language in _spoken(os.environ.get(name, ""))), None)
    return next((known for known in (own, _ENGLISH_CODE, *languages) if known in languages), None)


def _spoken(value: str) -> list[str]:
    """The languages of ``nl_NL.UTF-8`` or ``nl:en``; none of ``C.UTF-8``."""
    parts = (re.match(r"[a-z]{2,3}(?=$|[_.@-])", part) for part in value.split(":"))
    return [found.group() for found in parts if found]
