"""Values of the rules in sentences, piece by piece, so that a changed value can be marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulelang.diagnostics import Sink
from rulelang.program import Program

from ..glossary import Glossary
from ..texts import Statement, fill
from ..texts.interpolation import VALUE, form_for, forms_of, pieces_of, settings_in_force, value_of
from .model import Piece, Sentence


@attrs.frozen
class Values:
    """Where values come from, for texts in a ``language``.

    ``players``: whose values are taken where they depend on the number of players; ``glossary``: what the values of
    settings are called.
    """

    language: str
    programs: Sequence[Program]
    players: int | None
    sink: Sink
    glossary: Glossary | None = None

    def sentence(self, statement: Statement, before: Values | None = None) -> Sentence:
        """The statement with its values. ``before``: the values of the base game; those that differ are kept as old."""
        pieces: list[Piece] = []
        language = statement.borrowed or self.language
        for number, text in enumerate(pieces_of(statement.text)):
            if number % 2:
                pieces += self._placeholder(text, language, statement, before)
            elif text:
                pieces.append(Piece(self._filled(text, language, statement, self.sink)))
        return tuple(pieces)

    def _placeholder(self, text: str, language: str, statement: Statement, before: Values | None) -> Iterator[Piece]:
        """The value of a placeholder, with the words beside it in a plural form."""
        value = value_of(text)
        # Any word of a setting's forms can change with it, so that they are a value as a whole.
        name = text if value in settings_in_force(self.programs) else f"{{{value}}}"
        new = self._filled(name, language, statement, self.sink)
        old = None
        if before is not None:
            scratch = Sink()  # a value that the base game does not have is not a mistake here
            was = attrs.evolve(before, players=self.players)._filled(name, language, statement, scratch)
            old = was if was != new and not scratch.has_errors else None
        plural = forms_of(text[1:-1]) if name != text else None
        form = VALUE if plural is None else form_for(plural, new, language)
        for position, words in enumerate(form.split(VALUE)):
            if position:
                yield Piece(new, f"{{{value}}}", old)
            if words:
                yield Piece(words)

    def _filled(self, text: str, language: str, statement: Statement, sink: Sink) -> str:
        return fill(text, language, self.programs, statement.span, sink, self.players, self.glossary)
