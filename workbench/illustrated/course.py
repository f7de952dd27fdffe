"""A turn at a glance, and what is worth looking up: points, the end of the game, numbers, and points of doubt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs

from rulelang.program import Program
from rulelang.program import nodes as ir
from rulelang.program.walk import walk

from ..rulebook.glossary import Glossary
from ..rulebook.languages.catalogue import say
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


# ---------------------------------------------------------------- a page to look things up


def summary(program: Program, book: Book, glossary: Glossary | None, numbers: Collection[str]) -> tuple[Listing, ...]:
    """The aim, what brings points, how the game ends, and the numbers to remember. ``numbers``: told elsewhere."""
    lang = book.rulebook.language
    scored = _shared(book, glossary, _scoring(program))
    told: set[str] = set()
    lists = (
        ("aim", [program.start]),
        ("points", _scoring(program)),
        ("end", _ending(program)),
        ("numbers", [name for name in program.numbers if name not in numbers]),
    )
    found = []
    for word, ids in lists:
        entries = []
        for id_ in ids:
            text = scored.get(id_) or book.valued(id_) if word == "points" else book.valued(id_)
            if text and id_ not in told:
                told.add(id_)
                entries.append(Entry(" ".join(book.says(id_)) if word in ("aim", "end") else text, link=id_))
        if entries:
            found.append(Listing(tuple(entries), title=say(f"summary_{word}", lang)))
    return tuple(found)


def _shared(book: Book, glossary: Glossary | None, sections: Sequence[str]) -> dict[str, str]:
    """Of each section the first sentence with the term that sets these sections apart from all others: points, say."""
    lang = book.rulebook.language
    if glossary is None:
        return {}
    found: dict[str, dict[str, str]] = {}
    for section in book.sections:
        for text in book.says(section):
            for concept in (concept for use in glossary.uses(text, lang) for concept in use.concepts):
                found.setdefault(concept, {}).setdefault(section, text)
    wanted = set(sections)
    best = max(found.values(), key=lambda said: len(said.keys() & wanted) ** 2 / len(said), default={})
    return {section: text for section, text in best.items() if section in wanted}


def _scoring(program: Program) -> list[str]:
    """Rules that score, and definitions that decide who wins."""
    rules = [id_ for id_, rule in program.rules.items() if any(isinstance(node, ir.Score) for node in walk(rule.body))]
    return list(dict.fromkeys([*rules, *_called(program, program.ranks)]))


def _called(program: Program, roots: Sequence[ir.Node]) -> Iterator[str]:
    for node in walk(list(roots)):
        if isinstance(node, ir.Call):
            yield node.definition


def _ending(program: Program) -> list[str]:
    """Rules that end the game or set what turns wait for, and who wins then."""
    loops = [node for node in walk(list(program.rules.values())) if isinstance(node, ir.TakeTurns)]
    waited = {node.variable for loop in loops if loop.until is not None for node in walk(loop.until)
              if isinstance(node, ir.Read)} - {program.score}  # fmt: skip
    found = []
    for id_, rule in program.rules.items():
        ends = any(isinstance(node, (ir.EndGame, ir.Wins)) for node in walk(rule.body))
        sets = any(isinstance(node, ir.SetValue) and node.target.variable in waited for node in walk(rule.body))
        if id_ != program.start and (ends or sets):
            found.append(id_)
    return [*found, "winner"]


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
    entries = []
    for section, parts in book.sections.items():
        aside = [part.text for part in parts if part.aside]
        if aside and section not in told:
            held = next((part.text for part in parts if not part.aside), "")
            lead = led(book.chapters.get(section, ""))
            entries.append(Entry(held, lead, section, other=tuple(aside)) if held else
                           Entry(" ".join(aside), lead, section))  # fmt: skip
    return Listing(tuple(entries)) if entries else None
