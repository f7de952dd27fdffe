"""Placeholders in rulebook texts: names in braces, ``{start_score}``, that take their values from the rules.

Forms, ``{start_score: one # point; other # points}``, are a placeholder too: that of their value.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection

from .forms import forms_of, spoken

_BRACES = re.compile(r"(\{[^{}]*\})")


def split(text: str) -> list[str]:
    """The text cut before and after each placeholder: odd entries are placeholders, even ones what is between them."""
    return _BRACES.split(text)


def placeholders(text: str) -> list[str]:
    """The placeholders of a text with their braces, in order, repeated ones as often as they occur.

    A plural form counts as often as it prints its value.
    """
    return [f"{{{piece[1:-1].strip()}}}" for piece in split(spoken(text))[1::2]]


def bindings(text: str, settings: Collection[str] = ()) -> Counter[str]:
    """What a translation must keep: each placeholder, and each brace without a partner, with how often it occurs.

    A setting counts once, however many words depend on it and whether they print what its value is called or not.
    """
    values = [(piece, value_of(piece)) for piece in split(text)[1::2]]
    found = Counter(placeholders("".join(piece for piece, value in values if value not in settings)))
    found.update({f"{{{value}}}" for _, value in values if value in settings})
    found.update(c for piece in split(text)[::2] for c in piece if c in "{}")
    return found


@functools.lru_cache(maxsize=20_000)
def values_in(text: str) -> frozenset[str]:
    """The names of the values that a text prints, or that its forms depend on."""
    return frozenset(map(value_of, split(text)[1::2]))


def value_of(placeholder: str) -> str:
    """The name of the value that a placeholder (with its braces) prints."""
    plural = forms_of(placeholder[1:-1])
    return placeholder[1:-1].strip() if plural is None else plural.value
