"""The words around a game in one language, from the catalogues that rulebooks and pictures use too."""

from __future__ import annotations

import attrs

from ..rulebook.languages.catalogue import FALLBACK, catalogues, counted, say


@attrs.frozen
class Words:
    """Words by a name such as ``news.shuffled``. A text with forms for numbers follows the value ``n``."""

    lang: str

    def say(self, name: str, **values: object) -> str:
        """The text of a name with its values filled in."""
        word, number = name.replace(".", "_"), values.get("n")
        return counted(word, self.lang, number, **values) if isinstance(number, int) else say(word, self.lang, **values)

    def number(self, number: int) -> str:
        """A number as the language groups its digits."""
        from babel.numbers import format_decimal

        return format_decimal(number, locale=self.lang)


def words_in(lang: str | None) -> Words:
    """The words of a language; English where there is no catalogue for it."""
    return Words(lang if lang in catalogues() and lang is not None else FALLBACK)
