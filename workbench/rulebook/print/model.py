"""A rulebook ready to be printed: headings and statements in reading order, their values filled in."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

Mark: TypeAlias = Literal["same", "value", "changed", "added", "removed"]
"""What a variant did to a part: nothing, another value in the same words, other words, new, gone."""


@attrs.frozen
class Piece:
    """A stretch of a sentence. A value carries its ``placeholder``, and ``old`` when a variant changed it.

    ``symbol``: the name of one that stands before it, of those that are printed with the rulebook.
    """

    text: str
    placeholder: str | None = None
    old: str | None = None
    symbol: str | None = None


Sentence: TypeAlias = tuple[Piece, ...]


@attrs.frozen
class HeadingPart:
    """``anchor`` is unique in the rulebook; level 1 is the title."""

    level: int
    text: str
    anchor: str
    mark: Mark = "same"
    origin: str | None = None
    borrowed: str | None = None


@attrs.frozen
class StatementPart:
    """``old``: the base game's sentence where the words changed. ``origin``: the variant whose text it is.

    ``aside``: it tells of another value of an option or a reading than that in force, so it is set apart.
    ``borrowed``: the language of its words, where it is not that of the rulebook, which does not have it yet;
    ``sign``: the same where the language changes, so that a sign is due. ``doubt``: the titles of variants that change
    what it tells of without saying how, so that it may no longer be true.
    """

    id: str
    section: str
    sentence: Sentence
    mark: Mark = "same"
    old: Sentence | None = None
    origin: str | None = None
    aside: bool = False
    borrowed: str | None = None
    sign: str | None = None
    doubt: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return plain(self.sentence)


Part: TypeAlias = HeadingPart | StatementPart


@attrs.frozen
class Change:
    """One entry of the list of changes.

    ``kind`` and what ``name`` then is: ``value`` (its placeholder), ``setting`` (the option or reading), ``changed``
    (the id of a statement), ``added`` and ``removed`` (the id of a section; sentences of it that follow each other are
    one entry). ``where``: ids of the statements that show it. ``called``: what the glossary calls a value or setting in
    the language of the rulebook; None where it has no term.
    """

    number: int
    kind: Literal["value", "setting", "changed", "added", "removed"]
    name: str
    old: str | None
    new: str | None
    where: tuple[str, ...] = ()
    called: str | None = None


@attrs.frozen
class VariantPart:
    """``title``: what its text calls it in the language of the rulebook; without a text its name in the rules."""

    name: str
    title: str
    summary: str | None


@attrs.frozen
class Rulebook:
    """``players``: the one number of players it is printed for, or the fewest and the most.

    ``unworded``: ids of rules that a variant changes without a text about it.
    """

    game: str
    title: str
    language: str
    players: tuple[int, ...]
    variants: tuple[VariantPart, ...]
    parts: tuple[Part, ...]
    changes: tuple[Change, ...]
    unworded: tuple[str, ...]


def plain(sentence: Sentence) -> str:
    """The words of a sentence with its values."""
    return "".join(piece.text for piece in sentence)


def borrowed(rulebook: Rulebook) -> list[Part]:
    """The parts whose words are those of another language."""
    return [part for part in rulebook.parts if part.borrowed is not None and part.mark != "removed"]
