"""Matter of a rulebook besides its text: pictures, tables, lists and told examples, in front, after a section, behind;
and the order in which all of it is printed.

A *link* is the id of a section of the text, or None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

import attrs

from ..languages.catalogue import counted, say
from .document import HeadingPart, ListedChange, Rulebook, StatementPart, borrowed


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
class TableRow:
    """``label`` leads to the section ``link``. As many ``cells`` as the table has columns behind the first, or none."""

    label: str
    cells: tuple[str, ...]
    link: str | None = None


@attrs.frozen
class MatterTable:
    """A table. ``head``: the titles of its columns, the first that of the labels; it may have none. A row without cells
    is the title of those below it.
    """

    head: tuple[str, ...]
    rows: tuple[TableRow, ...]

    @property
    def width(self) -> int:
        """The number of its columns."""
        return 1 + max(len(row.cells) for row in self.rows)


@attrs.frozen
class ListEntry:
    """An item of a list: ``lead`` in bold, ``text``, and a list below it. ``other``: told as what also may be."""

    text: str
    lead: str = ""
    link: str | None = None
    inner: tuple[ListEntry, ...] = ()
    other: tuple[str, ...] = ()


@attrs.frozen
class Listing:
    """``numbered``: in the order in which things happen. ``title``: above it, if any."""

    entries: tuple[ListEntry, ...]
    numbered: bool = False
    title: str = ""


@attrs.frozen
class TermIndex:
    """Terms in the order of the alphabet, each with the sections that tell of it and the chapters these are in."""

    terms: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


Block: TypeAlias = Figure | MatterTable | Listing | TermIndex


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


# ---------------------------------------------------------------- order


@attrs.frozen
class PrintedPassage:
    """The statements of a section, as far as they follow each other, with the figures about it.

    ``first``: links to the section lead here.
    """

    section: str
    statements: tuple[StatementPart, ...]
    figures: tuple[Figure, ...]
    first: bool


Placed: TypeAlias = HeadingPart | PrintedPassage | Chapter | Block


def in_order(rulebook: Rulebook, matter: Matter) -> Iterator[Placed]:
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
            yield PrintedPassage(section, told, matter.after(section) if first else (), first)
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


# ---------------------------------------------------------------- lines made of words of the catalogue


def for_players(rulebook: Rulebook) -> str:
    """``2 to 4 players``, ``3 players``."""
    low, high = rulebook.players[0], rulebook.players[-1]
    if low == high:
        return counted("players", rulebook.language, low)
    return say("players_range", rulebook.language, low=low, high=high)


def variant_lines(rulebook: Rulebook) -> list[str]:
    """A line for each variant in the rulebook. Their summaries are English, as the rules are."""
    lines = []
    for variant in rulebook.variants:
        line = f"{say('variant', rulebook.language)} {variant.title}"
        told = variant.summary is not None and rulebook.language == "en"
        lines.append(f"{line}: {variant.summary}" if told else line)
    return lines


def front_lines(rulebook: Rulebook) -> list[str]:
    """What is said below the title: the number of players, the variants, and what is not translated yet."""
    lines = [for_players(rulebook), *variant_lines(rulebook)]
    missing = borrowed(rulebook)
    if missing:
        numbers = {"missing": len(missing), "all": len(rulebook.parts), "mark": missing[0].borrowed}
        lines.append(say("untranslated", rulebook.language, **numbers))
    return lines


def doubt_line(statements: Iterable[StatementPart], language: str) -> str:
    """That statements may no longer be true, and because of which variants; empty where none is in doubt."""
    titles = dict.fromkeys(title for statement in statements for title in statement.doubt)
    return say("doubtful", language, variants=", ".join(titles)) if titles else ""


def label(change: ListedChange, language: str) -> str:
    """What kind of change it is, in a word."""
    return say({"added": "new", "removed": "gone"}.get(change.kind, "changed"), language)


# ---------------------------------------------------------------- enumerations


_ABOUT = re.compile(r"[^.:;,]{2,40}: \S")
_FEWEST = 3
"""So many statements make an enumeration."""


def items_of(statements: Sequence[StatementPart]) -> tuple[list[StatementPart], list[list[StatementPart]]]:
    """The statements before the first item, and the items, each with what follows it; no items without enumeration."""
    starts = [number for number, part in enumerate(statements) if _ABOUT.match(part.text)]
    if len(starts) < _FEWEST:
        return list(statements), []
    ends = [*starts[1:], len(statements)]
    return list(statements[: starts[0]]), [list(statements[a:b]) for a, b in zip(starts, ends, strict=True)]
