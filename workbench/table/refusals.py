"""Refusals: what cannot be done at a table, in words for the person who tried."""

from __future__ import annotations

from collections.abc import Callable

from ..rulebook.languages.catalogue import say


class Refused(Exception):
    """Nothing has changed; the message says why, and what would help.

    ``word``: of the section ``refused`` of the catalogues, with ``values`` for the names in its braces; a ``player`` is
    the name of a seat.
    """

    def __init__(self, word: str, /, **values: object) -> None:
        super().__init__(word, values)
        self.word, self.values = word, values

    def __str__(self) -> str:
        return self.told(None)

    def told(self, lang: str | None, called: Callable[[str], str] = str) -> str:
        """The message in a language, by default in English. ``called``: what people call a seat."""
        values = {name: called(str(v)) if name == "player" else v for name, v in self.values.items()}
        return say(f"refused_{self.word}", lang, **values)


class Unwritable(Refused):
    """The file that keeps the table cannot be written to. Players are told no more than the word; the rest is for the
    server's own log."""
