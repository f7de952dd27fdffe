"""Rulebook texts as data: headings and statements in reading order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import attrs

from rulelang.source import Span

from .forms import spoken


@attrs.frozen
class Ignore:
    """The reason why a finding of the check ``check`` is all right for a statement."""

    check: str
    reason: str
    span: Span


@attrs.frozen
class Statement:
    """One atomic rule in the words of one language. ``id`` is the section's id with its number.

    ``text`` is empty as long as nobody has translated it. ``origin``: the variant whose text it is part of, None for
    the game's own; ``borrowed``: the language of its words, where they are those of another text.
    """

    id: str
    section: str
    text: str
    span: Span
    origin: str | None = None
    ignores: tuple[Ignore, ...] = ()
    borrowed: str | None = None

    @property
    def spoken(self) -> str:
        """Its text in one form, without the other plural forms, for whoever looks at its words; as long as ``text``."""
        return spoken(self.text)

    def place(self, start: int, end: int) -> Span:
        """Where a stretch of its text stands in the file; ``start`` and ``end``: offsets in ``text``."""
        first = max(1, self.span.end_column - len(self.text) + start)
        return Span(self.span.file, self.span.line, first, self.span.line, first + end - start)


@attrs.frozen
class Heading:
    """A heading of the rulebook. ``text``, ``origin`` and ``borrowed`` as of a statement."""

    level: int
    text: str
    span: Span
    origin: str | None = None
    borrowed: str | None = None


@attrs.frozen
class Fallback:
    """The language whose words stand in for what a text does not have yet, and where that is written."""

    language: str
    span: Span


@attrs.frozen
class RulebookText:
    """What the rulebook says in one language: headings and statements in reading order.

    ``sections``: where the section of each id begins; ``fallback``: as the text says, None where it says nothing.
    """

    language: str
    file: str
    parts: tuple[Heading | Statement, ...]
    sections: Mapping[str, Span]
    fallback: Fallback | None = None

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Those that have words."""
        return tuple(p for p in self.parts if isinstance(p, Statement) and p.text)

    @property
    def untranslated(self) -> tuple[Heading | Statement, ...]:
        """Headings and statements that have a place and no words yet."""
        return tuple(p for p in self.parts if not p.text)

    def about(self, section: str) -> tuple[Statement, ...]:
        """The statements that belong to what has this id."""
        return tuple(s for s in self.statements if s.section == section)
