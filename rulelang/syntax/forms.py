"""How each line is written and what its words mean, for editors, from ``advice.toml`` and ``keywords.toml``. The forms
name no game: NAME, KIND and VALUE stand for what it has."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from .layout import without_comment


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


ADVICE = _data("advice.toml")

ITEMS: dict[str, str] = ADVICE["items"]
STEPS: dict[str, str] = ADVICE["steps"]
EXAMPLE: dict[str, str] = ADVICE["example"]
DOING: dict[str, str] = ADVICE["doing"]
INSIDE: dict[str, str] = ADVICE["inside"]

STARTS = frozenset({*ITEMS, *STEPS, *EXAMPLE})
"""The words that lines start with."""

STEP = "A step starts with a word like `set`, `move`, `if`, `each` or `do`, or with a player: `p chooses ...`."
EXAMPLE_STEP = "A step of an example starts with `given`, `run`, `chance`, `then`, ... or a player: `red chooses ...`."
ITEM = "In the first column stands an item: `enum`, `table`, `define`, `rule`, ... Steps are indented below a rule."


# ---- what a keyword means where it stands

_TOKEN = re.compile(r'"[^"]*"|\.\.\.?|\w+|\S')
_SIGN = re.compile(r"[^\w\".]|\.\.$")
_LEFT_OUT = re.compile(r"\[[^][]*\]")
_SPECIAL = {"...": "[^\0]*?", "[": "(?:", "]": ")?"}
_HERE = "\0"
_LONG = 500
"""Characters of a line in which forms are looked for."""


@attrs.frozen
class Form:
    """A way to write keywords. ``section``: of docs/language.md, as in an address."""

    text: str
    meaning: str
    section: str

    @property
    def keywords(self) -> tuple[str, ...]:
        """Its keywords, in order: the words in small letters, but for single ones, which stand for a name."""
        return tuple(token for token in _TOKEN.findall(self.text) if _is_keyword(token))

    @property
    def weight(self) -> int:
        """How many words and signs cannot be left out."""
        given = _LEFT_OUT.sub("", _LEFT_OUT.sub("", self.text))
        return sum(_is_keyword(token) or _SIGN.match(token) is not None for token in _TOKEN.findall(given))

    def fits(self, before: str, word: str, after: str) -> bool:
        """Whether the word stands in a line as it does in this form."""
        tokens = _TOKEN.findall(self.text)
        return any(
            re.fullmatch(_pattern([*tokens[:n], _HERE, *tokens[n + 1 :]]), f"{before}{_HERE}{after}")
            for n, token in enumerate(tokens)
            if token == word
        )


def _is_keyword(token: str) -> bool:
    return re.fullmatch("[a-z_]{2,}|a", token) is not None


def _pattern(tokens: Sequence[str]) -> str:
    """What a line looks like that holds a form. What stands for something of the game may be anything."""
    parts = [
        _SPECIAL.get(token)
        or (rf"\b{token}\b" if _is_keyword(token) else re.escape(token) if _SIGN.match(token) else "[^\0]+?")
        for token in tokens
    ]
    inside = r"\s*".join(parts)
    return rf"[^\0]*?{inside}[^\0]*"


@functools.cache
def forms() -> tuple[Form, ...]:
    """All forms, in the order of the page."""
    read = _data("keywords.toml")
    return tuple(Form(text, means, section) for section, found in read.items() for text, means in found.items())


def forms_at(line: str, start: int, end: int) -> list[Form]:
    """The forms to which the keyword from ``start`` to ``end`` of a line belongs: the fullest that fit, and where none
    fits (the line goes on from another, or is unfinished) the plainest."""
    code = without_comment(line)
    if code[:start].count('"') % 2:
        return []
    word = code[start:end]
    known = [form for form in forms() if word in form.keywords]
    fitting = [form for form in known if len(code) < _LONG and form.fits(code[:start], word, code[end:])]
    weights = [form.weight for form in fitting or known]
    best = max(weights) if fitting else min(weights, default=0)
    return [form for form in fitting or known if form.weight == best]
