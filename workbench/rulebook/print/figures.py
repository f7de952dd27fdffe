"""Figures of a printed rulebook: pictures with their words, and where in the text they belong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs


@attrs.frozen
class Picture:
    """SVG text, for a column of text and for a phone. ``ratio``: height to width of the wide one. ``alt`` says
    in words what it shows; ``name`` is that of its file, without an ending.
    """

    name: str
    wide: str
    narrow: str
    ratio: float
    alt: str


@attrs.frozen
class Figure:
    """Pictures beside each other with a caption. ``parts``: the names of its numbered parts, from 1, each with the
    section about it, if there is one.
    """

    caption: str
    pictures: tuple[Picture, ...]
    parts: tuple[tuple[str, str | None], ...] = ()


@attrs.frozen
class Figures:
    """``title``: the heading of those in front of the text; ``sections``: those that follow a section, by its id."""

    title: str = ""
    front: tuple[Figure, ...] = ()
    sections: Mapping[str, tuple[Figure, ...]] = attrs.field(factory=dict)

    def after(self, section: str | None) -> tuple[Figure, ...]:
        return self.sections.get(section or "", ())

    def pictures(self) -> Iterator[Picture]:
        """All pictures, in the order of the rulebook's ids."""
        for figure in (*self.front, *(f for figures in self.sections.values() for f in figures)):
            yield from figure.pictures
