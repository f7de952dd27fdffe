"""Marks and spaces as printers of a language set them: apostrophes, quotes, and spaces that never break."""

from __future__ import annotations

import functools
import re

import attrs

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
_OTHER = re.compile("„(?P<text>[^„“”«»]*)[“”]|«[ \u00a0\u202f]*(?P<more>[^„“”«»]*?)[ \u00a0\u202f]*»")
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
    text = _FOREIGN.get(language, _OTHER).sub(lambda found: _quoted(found, quotes), text)
    if language == "fr":
        text = _HIGH.sub(_spaced, text)
        text = _INSIDE.sub(lambda found: f"«{_NARROW}" if found[0].startswith("«") else f"{_NARROW}»", text)
    return text


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
