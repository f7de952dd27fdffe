"""Index of a rulebook: the terms of its glossary, with the sections that tell of them."""

from __future__ import annotations

import unicodedata
from collections import Counter

from ..rulebook.glossary import Glossary
from ..rulebook.print.matter import Index
from .course import Book

_SECTIONS = 6
"""A term leads to at most so many sections: those that speak of it most."""


def index_of(glossary: Glossary, book: Book) -> Index:
    """The terms that the text uses, in the order of the alphabet."""
    lang = book.rulebook.language
    uses: dict[str, Counter[str]] = {}
    for section in book.sections:
        said = book.says(section)
        for number, text in enumerate(said):
            for use in glossary.uses(text, lang):
                for id_ in use.concepts:
                    uses.setdefault(id_, Counter())[section] += 2 if number == 0 else 1
    order = {section: number for number, section in enumerate(book.sections)}
    terms: dict[str, set[str]] = {}
    for id_, sections in uses.items():
        concept = glossary.concepts[id_]
        if lang not in concept.terms:
            continue
        own = {id_} & sections.keys()
        best = own | {section for section, _ in sections.most_common(_SECTIONS - len(own))}
        terms.setdefault(concept.term(lang), set()).update(best)
    listed = []
    for term in sorted(terms, key=alphabetical):
        found = sorted(terms[term], key=order.__getitem__)
        listed.append((term, tuple((section, book.chapters[section]) for section in found)))
    return Index(tuple(listed))


def alphabetical(term: str) -> tuple[str, str]:
    """Where a term stands in the alphabet: accents and capitals count only among equals."""
    plain = "".join(c for c in unicodedata.normalize("NFD", term) if not unicodedata.combining(c))
    return plain.casefold(), term
