"""Placeholders in rulebook texts: names in braces, ``{start_score}``, that take their values from the rules."""

from __future__ import annotations

import re
from collections import Counter

_BRACES = re.compile(r"(\{[^{}]*\})")


def split(text: str) -> list[str]:
    """The text cut before and after each placeholder: odd entries are placeholders, even ones what is between them."""
    return _BRACES.split(text)


def placeholders(text: str) -> list[str]:
    """The placeholders of a text with their braces, in order, repeated ones as often as they occur."""
    return split(text)[1::2]


def bindings(text: str) -> Counter[str]:
    """What a translation must keep: each placeholder, and each brace without a partner, with how often it occurs."""
    pieces = split(text)
    found = Counter(pieces[1::2])
    found.update(c for piece in pieces[::2] for c in piece if c in "{}")
    return found
