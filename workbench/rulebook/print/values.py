"""Values of the rules in sentences, piece by piece, so that a changed value can be marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulelang.diagnostics import Sink
from rulelang.program import Program

from ..texts import Statement, fill
from ..texts.placeholders import split, value_of
from ..texts.plurals import VALUE, plural_of
from ..texts.values import chosen
from .model import Piece, Sentence


@attrs.frozen
class Values:
    """Where values come from, for texts in a ``language``.

    ``players``: whose values are taken where they depend on the number of players.
    """

    language: str
    programs: Sequence[Program]
    players: int | None
    sink: Sink

    def sentence(self, statement: Statement, before: Values | None = None) -> Sentence:
        """The statement with its values. ``before``: the values of the base game; those that differ are kept as old."""
        pieces: list[Piece] = []
        language = statement.borrowed or self.language
        for number, text in enumerate(split(statement.text)):
            if number % 2:
                pieces += self._placeholder(text, language, statement, before)
            elif text:
                pieces.append(Piece(fill(text, language, self.programs, statement.span, self.sink, self.players)))
        return tuple(pieces)

    def _placeholder(self, text: str, language: str, statement: Statement, before: Values | None) -> Iterator[Piece]:
        """The value of a placeholder, with the words beside it in a plural form."""
        name = f"{{{value_of(text)}}}"
        new = fill(name, language, self.programs, statement.span, self.sink, self.players)
        old = None
        if before is not None:
            scratch = Sink()  # a value that the base game does not have is not a mistake here
            was = fill(name, language, before.programs, statement.span, scratch, self.players)
            old = was if was != new and not scratch.has_errors else None
        plural = plural_of(text[1:-1])
        form = VALUE if plural is None else chosen(plural, new, language)
        for position, words in enumerate(form.split(VALUE)):
            if position:
                yield Piece(new, name, old)
            if words:
                yield Piece(words)
