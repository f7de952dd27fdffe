"""``term``: a concept of the glossary is called by another one's term, or is missing, in one language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rulelang.diagnostics import Diagnostic

from ...corpus import Corpus, Counterpart
from ...glossary import Glossary
from ...texts import Statement
from ..odd_ones import Counts, odd_ones
from .finding import between, differs, in_words

CODE = "R0914"
_CLOSE = 0.6
"""Passages with less in common name other things by right."""
_UNKNOWN = 1_000
"""More often than a statement names anything."""


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A concept of the glossary is named in the other languages of a statement, and in this one it is missing, or
    another concept is named instead. Between passages: a concept that only one of the two names, while both state the
    same."""
    glossary = corpus.glossary
    if glossary is None:
        return
    for _, group in corpus.groups():
        yield from _statements(glossary, group)
    if corpus.only is None:
        for pair in (p for p in corpus.counterparts if p.share >= _CLOSE):
            yield from _passages(glossary, corpus, pair)


def _statements(glossary: Glossary, group: Mapping[str, Statement]) -> Iterator[Diagnostic]:
    counts = {language: _count(glossary, statement.spoken, language) for language, statement in group.items()}
    for odd in odd_ones(counts):
        if odd.without or (odd.missing and odd.extra):
            help = "Use the glossary's terms; if a form is missing there, add it to the list."
            yield differs(CODE, group, odd, help, partial(_term, glossary, odd.language))


def _count(glossary: Glossary, text: str, language: str) -> Counts:
    """As the glossary counts; a concept that has no term in the language may be named any number of times."""
    surely, perhaps = glossary.count(text, language)
    for id_, concept in glossary.concepts.items():
        if language not in concept.terms:
            perhaps[id_] = _UNKNOWN
    return surely, perhaps


def _term(glossary: Glossary, language: str, concept: str) -> str:
    return f"`{glossary.concepts[concept].term(language)}`"


def _passages(glossary: Glossary, corpus: Corpus, pair: Counterpart) -> Iterator[Diagnostic]:
    """Only concepts that the statement itself speaks of: what is said in passing differs freely."""
    one, other = pair.one, pair.other
    shared = [state for state in one.passage.states if state in other.passage.states]
    spoken: set[str] = set()
    for state in shared:
        for language, statement in corpus.statements.get(state, {}).items():
            spoken |= set(glossary.count(statement.spoken, language)[0])
    ours = glossary.count(one.text or "", one.language)[0]
    theirs = glossary.count(pair.text, other.language)[1]
    gone = sorted(c for c in ours if c in spoken and not theirs[c] and other.language in glossary.concepts[c].terms)
    if gone:
        terms = in_words([f"`{concept}`" for concept in gone])
        yield between(CODE, pair, f"{other.document.id} does not speak of {terms} as {one.name} does.")
