"""A turn at a glance, points of doubt, and other ways to play."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import walk

from ..rulebook.print.holding import without_sign
from ..rulebook.print.matter import Entry, Listing
from ..rulebook.print.model import HeadingPart, Rulebook, StatementPart
from .flow import Stage, course_of

_DEPTH = 3
"""Of the list of a turn."""


@attrs.frozen
class Book:
    """What the text of a rulebook says, by section; ``chapters``: the heading that each section stands below;
    ``anchors``: that of the chapter, a heading of the second level.
    """

    rulebook: Rulebook
    sections: Mapping[str, tuple[StatementPart, ...]]
    chapters: Mapping[str, str]
    first: Mapping[str, str]
    """The headings of chapters by the section that they begin with."""
    anchors: Mapping[str, str]

    @classmethod
    def of(cls, rulebook: Rulebook) -> Book:
        sections: dict[str, list[StatementPart]] = {}
        chapters: dict[str, str] = {}
        first: dict[str, str] = {}
        anchors: dict[str, str] = {}
        heading, anchor, fresh = "", "", False
        for part in rulebook.parts:
            if isinstance(part, HeadingPart):
                heading, fresh = part.text, part.level > 1
                anchor = part.anchor if part.level == 2 else anchor
            elif part.mark != "removed":
                sections.setdefault(part.section, []).append(part)
                chapters.setdefault(part.section, heading)
                anchors.setdefault(part.section, anchor)
                if fresh:
                    first.setdefault(part.section, heading)
                fresh = False
        return cls(rulebook, {id_: tuple(parts) for id_, parts in sections.items()}, chapters, first, anchors)

    def says(self, section: str) -> list[str]:
        """The sentences of a section that hold."""
        return [part.text for part in self.sections.get(section, ()) if not part.aside]

    def opening(self, section: str) -> str:
        """The first of them."""
        return next(iter(self.says(section)), "")

    def valued(self, section: str) -> str:
        """The first with a value of the rules in it, or else the first."""
        parts = [part for part in self.sections.get(section, ()) if not part.aside]
        with_value = (part for part in parts if any(piece.placeholder for piece in part.sentence))
        return next((part.text for part in with_value), self.opening(section))


# ---------------------------------------------------------------- a turn


def turn_list(program: Program, book: Book) -> Listing | None:
    """What happens in a turn, in order, each with the first sentence that the rulebook says of it."""
    stages = course_of(program, lambda id_: bool(book.opening(id_)), _DEPTH)
    if len(stages) == 1:
        stages = stages[0].inner or stages
    return Listing(tuple(_entry(stage, book) for stage in stages), numbered=True) if stages else None


def led(heading: str) -> str:
    """A heading as the words that an entry begins with."""
    return heading if not heading or heading.endswith((".", "!", "?", ":")) else f"{heading}."


def in_turns(program: Program) -> bool:
    """Whether the players take turns; else the game goes by rounds."""
    return any(isinstance(node, ir.TakeTurns) for node in walk(list(program.rules.values())))


def _entry(stage: Stage, book: Book) -> Entry:
    lead = led(book.first.get(stage.id, ""))
    inner = tuple(_entry(one, book) for one in stage.inner)
    return Entry(book.opening(stage.id), lead, stage.id, inner)


# ---------------------------------------------------------------- points of doubt


def doubts(program: Program, book: Book) -> Listing | None:
    """Each reading: how this rulebook has it, how one may also read it, and, in English, why."""
    entries = []
    for name, setting in program.settings.items():
        parts = book.sections.get(name, ())
        if setting.kind != "reading" or not parts:
            continue
        held = " ".join(part.text for part in parts if not part.aside)
        because = setting.because if book.rulebook.language == "en" else None
        text = f"{held} ({because[:1].upper()}{because[1:]}.)" if because else held
        other = tuple(part.text for part in parts if part.aside)
        entries.append(Entry(text, led(book.chapters.get(name, "")), name, other=other))
    return Listing(tuple(entries)) if entries else None


def other_ways(program: Program, book: Book) -> Listing | None:
    """What the text says of options and readings that are not in force, without what ``doubts`` tells."""
    told = {name for name, setting in program.settings.items() if setting.kind == "reading"}
    entries: dict[str, list[Entry]] = {}
    for section, parts in book.sections.items():
        aside = tuple(part.text for part in parts if part.aside)
        if aside and section not in told:
            held = next((part.text for part in parts if not part.aside), "")
            listed = [Entry(held, link=section, other=aside)] if held else [
                Entry(without_sign(text), link=section) for text in aside]  # fmt: skip
            entries.setdefault(book.chapters.get(section, ""), []).extend(listed)
    chapters = (_gathered(heading, some) for heading, some in entries.items())
    return Listing(tuple(chapters)) if entries else None


def _gathered(heading: str, entries: list[Entry]) -> Entry:
    """The entries of a chapter as one."""
    if len(entries) == 1:
        return attrs.evolve(entries[0], lead=led(heading))
    return Entry("", led(heading), entries[0].link, tuple(entries))
