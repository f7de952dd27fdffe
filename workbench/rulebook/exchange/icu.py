"""Forms as ICU MessageFormat has them, for spreadsheets: ``{n, plural, one {# card} other {# cards}}``, and ``{trump,
select, wood {du {trump}} other {de la {trump}}}`` for a setting, where ``#`` has no meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..languages.locale import CATEGORIES
from ..texts.interpolation import VALUE, Choices, Forms, forms_of
from .inflected import can_travel, fold
from .units import ExchangeError

_BRACES = re.compile(r"\{([^{}]*)\}")
_HEAD = re.compile(r"\{\s*([^\s{},]+)\s*,\s*(\w+)\s*,")
_FORM = re.compile(r"\s*(=?\w+)\s*\{")


def to_icu(text: str, choices: Choices | None = None) -> str:
    """The text with its forms as in ICU messages; those of settings with ``select``. ``choices``: all
    settings."""
    choices = choices or {}

    def form(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        if plural is None or not can_travel(plural, choices):
            return match[0]
        kind, shown = ("select", f"{{{plural.value}}}") if plural.value in choices else ("plural", VALUE)
        forms = " ".join(f"{name} {{{words.replace(VALUE, shown)}}}" for name, words in plural.forms)
        return f"{{{plural.value}, {kind}, {forms}}}"

    return _BRACES.sub(form, text)


def from_icu(text: str) -> str:
    """The text with its plural forms as rulebook texts write them. Raises ExchangeError."""
    position = 0
    while (head := _HEAD.search(text, position)) is not None:
        if head[2] not in ("plural", "select"):
            raise ExchangeError(f"`{{{head[1]}, {head[2]}, ...}}` is not a plural form, nor one with `select`.")
        forms, end = _forms(text, head.end(), CATEGORIES if head[2] == "plural" else None)
        value = head[1]
        if head[2] == "select":
            forms = {name: words.replace(f"{{{value}}}", VALUE) for name, words in forms.items()}
        if any(set(words) & set("{};") for words in forms.values()):
            # Forms with values or parts of sentences in them: taken apart as whole sentences.
            before, after = text[: head.start()], text[end:]
            shown = {name: words.replace(VALUE, f"{{{value}}}") for name, words in forms.items()}
            before, after = from_icu(before), from_icu(after)
            return before + fold(shown, value) + after
        written = str(Forms(value, tuple((name, words.strip()) for name, words in forms.items())))
        text = text[: head.start()] + written + text[end:]
        position = head.start() + len(written)
    return text


def _forms(text: str, position: int, known: Sequence[str] | None) -> tuple[dict[str, str], int]:
    """The forms that begin at a position, and where the message ends. ``known``: their names, None for any."""
    found: dict[str, str] = {}
    while (start := _FORM.match(text, position)) is not None:
        depth, end = 1, start.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if depth:
            break
        name = start[1]
        if known is not None and name not in known:
            raise ExchangeError(f"`{name}` is not a plural category; they are {', '.join(CATEGORIES)}.")
        if name in found:
            raise ExchangeError(f"the form `{name}` appears twice.")
        found[name] = text[start.end() : end - 1]
        position = end
    close = text.find("}", position)
    if not found or close < 0 or text[position:close].strip():
        raise ExchangeError("a plural form is not closed, or something else stands in it.")
    return found, close + 1
