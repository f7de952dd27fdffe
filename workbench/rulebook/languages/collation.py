"""The order of the alphabet in each language, for lists that a reader looks something up in."""

from __future__ import annotations

import re
import unicodedata
from typing import TypeAlias

_PART = re.compile(r"[0-9]+|[^\W\d_]+")
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
    for part in _PART.findall(unicodedata.normalize("NFC", term).casefold()):
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
