"""Index of a rulebook: the terms of its glossary that somebody may look up, with the sections that tell of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs

from rulelang.program import Program

from ..pictures.build.facts import PLAYER
from ..pictures.scene.look import words
from ..rulebook.glossary import Concept, Glossary
from ..rulebook.languages.catalogue import section as words_of
from ..rulebook.languages.locale import alphabetical
from ..rulebook.print.matter import Index
from .course import Book

_SECTIONS = 5
"""A term leads to at most so many sections: those that speak of it most."""
_RARE = 4
"""A term in so many sections at most is about what these tell."""
_SPREAD = 0.7
"""A term of which the sections lie in more than this share of as many chapters is about nothing in particular."""


def index_of(program: Program, glossary: Glossary, book: Book, parts: Sequence[str]) -> Index:
    """The terms in the order of the alphabet. ``parts``: what lists of components and the like call its parts."""
    lang = book.rulebook.language
    found = _Terms(
        program, glossary, book, frozenset(_named(program, glossary, book, parts)), _everyday(glossary, lang)
    )
    order = {section: number for number, section in enumerate(book.sections)}
    terms: dict[str, set[str]] = {}
    for concept, sections in found.chosen():
        own = {concept.id} & sections.keys()
        best = own | {section for section, _ in sections.most_common(_SECTIONS - len(own))}
        terms.setdefault(concept.term(lang), set()).update(best)
    listed = []
    for term in sorted(terms, key=lambda term: alphabetical(term, lang)):
        where = sorted(terms[term], key=order.__getitem__)
        listed.append((term, tuple((section, book.chapters[section]) for section in where)))
    return Index(tuple(listed))


@attrs.frozen
class _Terms:
    """``named``: concepts that name something of the game; ``everyday``: those of any game."""

    program: Program
    glossary: Glossary
    book: Book
    named: frozenset[str]
    everyday: frozenset[str]

    def chosen(self) -> Iterator[tuple[Concept, Counter[str]]]:
        """The concepts that help, with their sections; what begins with one counts twice."""
        lang = self.book.rulebook.language
        uses: dict[str, Counter[str]] = {}
        for section in self.book.sections:
            for number, text in enumerate(self.book.says(section)):
                for use in self.glossary.uses(text, lang):
                    for id_ in use.concepts:
                        uses.setdefault(id_, Counter())[section] += 2 if number == 0 else 1
        for id_, sections in uses.items():
            concept = self.glossary.concepts[id_]
            if lang in concept.terms and (id_ in self.named or self._tells(concept, sections)):
                yield concept, sections

    def _tells(self, concept: Concept, sections: Mapping[str, int]) -> bool:
        """Whether a concept that names no part is about something of its own."""
        if concept.id in self.everyday or not _noun(concept):
            return False
        chapters = {self.book.chapters[section] for section in sections}
        return len(sections) <= _RARE or len(chapters) <= _SPREAD * len(sections)


def _named(program: Program, glossary: Glossary, book: Book, parts: Sequence[str]) -> Iterator[str]:
    """Concepts that stand for something the rules declare, for a part, or for what one chapter alone is about."""
    lang = book.rulebook.language
    declared = {*program.variables, *program.definitions, *program.numbers, *program.rules}
    for domain in program.domains.values():
        if domain.name != PLAYER:
            declared |= {domain.name, *(member for member in domain.members if isinstance(member, str))}
    for name in declared:
        yield from _whole(words(name), "en", glossary)
    for part in parts:
        yield from _whole(part, lang, glossary)
    headings = [heading for heading in dict.fromkeys(book.chapters.values()) if heading]
    met = Counter(
        id_ for heading in headings for id_ in {c for use in glossary.uses(heading, lang) for c in use.concepts}
    )
    yield from (id_ for id_, number in met.items() if number == 1)


def _whole(text: str, lang: str, glossary: Glossary) -> Iterator[str]:
    """The concepts that a text as a whole is a term of."""
    for use in glossary.uses(text, lang):
        if (use.start, use.end) == (0, len(text)):
            yield from use.concepts


def _everyday(glossary: Glossary, lang: str) -> frozenset[str]:
    """Concepts that words about any game speak of."""
    said = (text for name in ("players", "summary", "result") for text in words_of(name, lang).values())
    return frozenset(concept for text in said for use in glossary.uses(text, lang) for concept in use.concepts)


def _noun(concept: Concept) -> bool:
    """Whether the term is a noun, as far as can be seen: German, where the glossary has it, writes these large."""
    terms = concept.terms.get("de", ())
    return not terms or any(letter.isupper() for letter in terms[0])
