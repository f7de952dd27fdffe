"""Support for a language: what libraries and files know of it, and what no check guards without them."""

from __future__ import annotations

from collections import Counter

import attrs

from .languages import numbers, stems
from .languages.catalogue import lacking
from .languages.lexicon import lexicon, unguarded
from .languages.plurals import name_of

_ENGLISH = "en"


@attrs.frozen
class Support:
    """``name``: in English, None for a code that CLDR does not know. ``unguarded``: how many classes of each part of
    the lexicon have no words; ``classes``: how many classes there are. ``interface``: words that will be English.
    """

    language: str
    name: str | None
    number_words: bool
    stems: bool
    unguarded: Counter[str]
    classes: int
    interface: tuple[str, ...]

    def lines(self) -> list[str]:
        """What a translator should know, a line each."""
        yes = [
            f"Number words are {'known' if self.number_words else 'not known: only digits are compared'}.",
            "Word stems are known, so a term is found in its forms."
            if self.stems
            else "Word stems are not known: give the glossary every form of a term.",
        ]
        return [*yes, self._lexicon(), *self._interface()]

    def _lexicon(self) -> str:
        missing = sum(self.unguarded.values())
        if not missing:
            return "The lexicon is complete: negation, order, direction, comparison and duty are compared."
        if missing == self.classes:
            return (
                "There is no lexicon, so nothing guards negation, order, direction, comparison and duty: only values, "
                "numbers, terms, length and copies are compared."
            )
        parts = ", ".join(f"{part} ({number})" for part, number in self.unguarded.most_common())
        return f"The lexicon has no words for {missing} of {self.classes} classes, which are not compared: {parts}."

    def _interface(self) -> list[str]:
        if not self.interface:
            return []
        return [f"Of the words that rulebooks and pages add, {len(self.interface)} will be English."]


def support_of(language: str) -> Support:
    """What is known of a language. Raises UnusablePath for a file of one's own that cannot be read."""
    return Support(
        language,
        name_of(language),
        numbers.knows_words(language),
        stems.knows(language),
        Counter(part for part, _ in unguarded(language)),
        sum(1 for _ in lexicon(_ENGLISH).classes()),
        lacking(language),
    )
