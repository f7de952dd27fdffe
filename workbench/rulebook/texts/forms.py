"""Forms in rulebook texts: words that depend on a value of the rules.

``{cards_each: one # card; other # cards}`` prints ``1 card`` or ``2 cards``: the forms are named after the
plural categories of CLDR, and ``#`` is the value. A form without ``#`` is words only: ``{goal: one is; other are}``.

The forms of a setting are named after its values, ``{trump: wood du #; other de la #}``, and ``#`` is what the value is
called in the language of the text. ``other`` stands for all values without a form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import attrs

from ..languages.plurals import OTHER

VALUE = "#"

_BRACES = re.compile(r"\{([^{}]*)\}")
_FORM = re.compile(r"\s*([^\W\d]\w*)(?:\s+(\S.*?))?\s*")


@attrs.frozen
class Forms:
    """The forms of one pair of braces, as they are written: ``value`` as between plain braces, then name and words.

    A form is named after a plural category, or after a value of a setting. ``broken``: one that is not a name with
    words, or None.
    """

    value: str
    forms: tuple[tuple[str, str], ...]
    broken: str | None = None

    def words(self, name: str) -> str:
        """The form of this name; where there is none, that of ``other``, else the last one."""
        known = dict(self.forms)
        return known.get(name) or known.get(OTHER) or next(reversed(known.values()), VALUE)

    @property
    def sound(self) -> bool:
        """Whether all of it can be read: a value, and forms of which no two have the same name."""
        return bool(self.value) and self.broken is None and 0 < len(self.forms) == len(dict(self.forms))

    @property
    def shows_value(self) -> bool:
        """Whether it prints the value, and not words only."""
        return VALUE in self.words(OTHER)

    def __str__(self) -> str:
        return f"{{{self.value}: {'; '.join(f'{name} {words}' for name, words in self.forms)}}}"


def forms_of(inner: str) -> Forms | None:
    """The forms that a pair of braces holds; None for a plain value."""
    value, colon, rest = inner.partition(":")
    if not colon:
        return None
    forms: list[tuple[str, str]] = []
    broken: str | None = None
    for part in rest.split(";"):
        found = _FORM.fullmatch(part)
        if found is None or found[2] is None:
            broken = part.strip() if broken is None else broken
        else:
            forms.append((found[1], found[2]))
    return Forms(value.strip(), tuple(forms), broken)


def forms_in(text: str) -> tuple[tuple[int, int, Forms], ...]:
    """All plural forms of a text in order, with where they begin and end."""
    found = ((*match.span(), forms_of(match[1])) for match in _BRACES.finditer(text))
    return tuple((start, end, plural) for start, end, plural in found if plural is not None)


# ---------------------------------------------------------------- one form of a text


def inflected(text: str, names: Mapping[str, str]) -> str:
    """The text with plain values and words in place of forms. ``names``: by value, the form to take."""

    def form(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        if plural is None or not plural.sound or plural.value not in names:
            return match[0]
        return plural.words(names[plural.value]).replace(VALUE, f"{{{plural.value}}}")

    return _BRACES.sub(form, text)


@lru_cache(maxsize=20_000)
def spoken(text: str) -> str:
    """The text in one form, ``other``, for whoever looks at its words: ``There are {goal     } points.``

    It is as long as the text, so that places in it are places in the text: values are filled up with blanks.
    """

    def form(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        if plural is None:
            return match[0]
        words = plural.words(OTHER)
        room = len(match[0]) - len(words.replace(VALUE, f"{{{plural.value}}}"))
        if VALUE not in words:
            return words + " " * room
        return words.replace(VALUE, f"{{{plural.value}{' ' * max(0, room)}}}", 1).replace(VALUE, f"{{{plural.value}}}")

    return _BRACES.sub(form, text) if ":" in text else text


def settled(text: str, names: Mapping[str, str], terms: Mapping[str, str]) -> str:
    """The text with words in place of settings, and of the forms that depend on them. ``names``: setting to value;
    ``terms``: setting to what that value is called.

    It is as long as the text where the words are not longer than what stands between the braces.
    """

    def words(match: re.Match[str]) -> str:
        plural = forms_of(match[1])
        value = match[1].strip() if plural is None else plural.value
        if value not in names:
            return match[0]
        said = VALUE if plural is None else plural.words(names[value])
        return said.replace(VALUE, terms[value]).ljust(len(match[0]))

    return _BRACES.sub(words, text)
