"""Spaces as printers of a language set them. Words, quotes and marks stay as the text has them."""

from __future__ import annotations

import re

_NARROW = "\u202f"
_SPACE = "[ \u00a0]"
_FRENCH = ((re.compile(f"{_SPACE}+([;:!?»])"), _NARROW + r"\1"), (re.compile(f"«{_SPACE}+"), "«" + _NARROW))


def set_type(text: str, language: str) -> str:
    """The text with its spaces in place: French has a narrow one that never breaks before ``; : ! ?`` and in « »."""
    if language == "fr":
        for pattern, replacement in _FRENCH:
            text = pattern.sub(replacement, text)
    return text
