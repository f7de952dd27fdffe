"""Matter of a rulebook besides its text: pictures, tables, lists and told examples, in front, after a section, behind.

A *link* is the id of a section of the text, or None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import attrs


@attrs.frozen
class Picture:
    """SVG text, for a column of text and for a phone. ``ratio``: height to width of the wide one, ``narrow_ratio`` of
    the other. ``alt`` says in words what it shows; ``name`` is that of its file, without an ending.
    """

    name: str
    wide: str
    narrow: str
    ratio: float
    alt: str
    narrow_ratio: float = 1.0


@attrs.frozen
class Figure:
    """Pictures beside each other with a caption. ``parts``: the names of its numbered parts, from 1, each with a link.

    ``wide``: on a screen, each picture takes the whole width; on paper, several stand beside each other, narrow.
    ``lead``: words above the pictures; ``steps``: what
    happens between the first picture and the last, told in order.
    """

    caption: str
    pictures: tuple[Picture, ...] = ()
    parts: tuple[tuple[str, str | None], ...] = ()
    lead: str = ""
    steps: tuple[str, ...] = ()
    wide: bool = False

    @property
    def narrow_on_paper(self) -> bool:
        """Whether pages of paper show the narrow pictures."""
        return self.wide and len(self.pictures) > 1


@attrs.frozen
class Row:
    """``label`` leads to the section ``link``. As many ``cells`` as the table has columns behind the first, or none."""

    label: str
    cells: tuple[str, ...]
    link: str | None = None


@attrs.frozen
class Grid:
    """A table. ``head``: the titles of its columns, the first that of the labels; it may have none. A row without cells
    is the title of those below it.
    """

    head: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def width(self) -> int:
        """The number of its columns."""
        return 1 + max(len(row.cells) for row in self.rows)


@attrs.frozen
class Entry:
    """An item of a list: ``lead`` in bold, ``text``, and a list below it. ``other``: told as what also may be."""

    text: str
    lead: str = ""
    link: str | None = None
    inner: tuple[Entry, ...] = ()
    other: tuple[str, ...] = ()


@attrs.frozen
class Listing:
    """``numbered``: in the order in which things happen. ``title``: above it, if any."""

    entries: tuple[Entry, ...]
    numbered: bool = False
    title: str = ""


@attrs.frozen
class Index:
    """Terms in the order of the alphabet, each with the sections that tell of it and the chapters these are in."""

    terms: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


Block: TypeAlias = Figure | Grid | Listing | Index


@attrs.frozen
class Chapter:
    """``anchor``: unique in the rulebook. ``whole``: it stays on one page of paper, if it fits."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]
    intro: str = ""
    whole: bool = False


@attrs.frozen
class Matter:
    """Chapters in front of the text and behind it; ``sections``: the figures that follow a section, by its id.

    By the anchor of a heading of the text: ``before``: chapters in front of it; ``opening`` and ``closing``: what its
    chapter begins and ends with.
    ``symbols``: those of the text by name, each as SVG elements in a square of 24 units, with the credit for them.
    """

    front: tuple[Chapter, ...] = ()
    sections: Mapping[str, tuple[Figure, ...]] = attrs.field(factory=dict)
    back: tuple[Chapter, ...] = ()
    symbols: Mapping[str, str] = attrs.field(factory=dict)
    credit: str = ""
    before: Mapping[str, tuple[Chapter, ...]] = attrs.field(factory=dict)
    opening: Mapping[str, tuple[Block, ...]] = attrs.field(factory=dict)
    closing: Mapping[str, tuple[Block, ...]] = attrs.field(factory=dict)

    def after(self, section: str | None) -> tuple[Figure, ...]:
        return self.sections.get(section or "", ())

    def figures(self) -> Iterator[Figure]:
        """All figures, in the order of the rulebook's ids."""
        between = [chapter for chapters in self.before.values() for chapter in chapters]
        blocks = [block for chapter in (*self.front, *between, *self.back) for block in chapter.blocks]
        inside = [
            block for some in (self.opening, self.closing, self.sections) for one in some.values() for block in one
        ]
        for block in (*blocks, *inside):
            if isinstance(block, Figure):
                yield block

    def pictures(self) -> Iterator[Picture]:
        """All pictures, in the same order."""
        for figure in self.figures():
            yield from figure.pictures

    def on_paper(self) -> dict[str, str]:
        """The SVG text of each picture as paper shows it, by the picture's name."""
        return {
            picture.name: picture.narrow if figure.narrow_on_paper else picture.wide
            for figure in self.figures()
            for picture in figure.pictures
        }
