"""Values of the rules in sentences, piece by piece, so that a changed value can be marked."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulelang.diagnostics import Sink
from rulelang.program import Program

from ..texts import Statement, fill
from ..texts.placeholders import split, value_of
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
            new = fill(text, language, self.programs, statement.span, self.sink, self.players)
            if number % 2 == 0:
                pieces += [Piece(new)] if text else []
                continue
            old = None
            if before is not None:
                scratch = Sink()  # a value that the base game does not have is not a mistake here
                was = fill(text, language, before.programs, statement.span, scratch, self.players)
                old = was if was != new and not scratch.has_errors else None
            pieces.append(Piece(new, f"{{{value_of(text)}}}", old))
        return tuple(pieces)
