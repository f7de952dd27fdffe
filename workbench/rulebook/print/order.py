"""The order of a printed rulebook: its text with the matter around it and between its chapters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TypeAlias

import attrs

from .matter import Block, Chapter, Figure, Matter
from .model import HeadingPart, Rulebook, StatementPart


@attrs.frozen
class Passage:
    """The statements of a section, as far as they follow each other, with the figures about it.

    ``first``: links to the section lead here.
    """

    section: str
    statements: tuple[StatementPart, ...]
    figures: tuple[Figure, ...]
    first: bool


Piece: TypeAlias = HeadingPart | Passage | Chapter | Block


def in_order(rulebook: Rulebook, matter: Matter) -> Iterator[Piece]:
    """All of a rulebook but its title, in reading order."""
    yield from matter.front
    met: set[str] = set()
    open_: str | None = None
    parts = [part for part in rulebook.parts if not (isinstance(part, HeadingPart) and part.level == 1)]
    for section, group in groupby(parts, lambda p: p.section if isinstance(p, StatementPart) else None):
        listed = list(group)
        if section is not None:
            first = section not in met
            met.add(section)
            told = tuple(part for part in listed if isinstance(part, StatementPart))
            yield Passage(section, told, matter.after(section) if first else (), first)
            continue
        for part in listed:
            if isinstance(part, HeadingPart):
                if part.level == 2:
                    yield from matter.closing.get(open_ or "", ())
                    yield from matter.before.get(part.anchor, ())
                    open_ = part.anchor
                yield part
                yield from matter.opening.get(part.anchor, ())
    yield from matter.closing.get(open_ or "", ())
    yield from matter.back


def chapters(rulebook: Rulebook, matter: Matter) -> Iterator[HeadingPart | Chapter]:
    """What a table of contents lists."""
    for piece in in_order(rulebook, matter):
        if isinstance(piece, Chapter) or (isinstance(piece, HeadingPart) and piece.mark != "removed"):
            yield piece
