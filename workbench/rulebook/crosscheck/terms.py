"""Terms of the glossary: each language uses its own, and none that must not stand for a concept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import attrs

from rulelang.diagnostics import Diagnostic, Label

from ..corpus import Corpus, Counterpart
from ..glossary import Glossary
from ..languages.lexicon import pole_words
from ..texts import Statement
from .comparison import is_reworded
from .finding import Check, Counts, about, between, differs, in_words, outliers

# ---------------------------------------------------------------- term


_CLOSE = 0.6
"""Passages with less in common name other things by right."""
_UNKNOWN = 1_000
"""More often than a statement names anything."""


def _find_term(corpus: Corpus) -> Iterator[Diagnostic]:
    """A concept of the glossary is named in the other languages of a statement, and in this one it is missing, or
    another concept is named instead. Between passages: a concept that only one of the two names, while both state the
    same."""
    glossary = corpus.glossary
    if glossary is None:
        return
    for _, group in corpus.groups():
        yield from _between_languages(corpus, glossary, group)
    if corpus.only is None:
        for pair in (p for p in corpus.counterparts if p.share >= _CLOSE):
            yield from _between_documents(glossary, corpus, pair)


TERM = Check("term", "R0914", "warning", _find_term)


def _between_languages(corpus: Corpus, glossary: Glossary, group: Mapping[str, Statement]) -> Iterator[Diagnostic]:
    counts = {language: _count(glossary, statement.spoken, language) for language, statement in group.items()}
    for odd in outliers(counts):
        if not odd.extra:
            implied = glossary.implied(group[odd.language].spoken, odd.language)
            odd = attrs.evolve(odd, missing=tuple(id_ for id_ in odd.without if id_ not in implied), without=())
        if odd.missing or odd.without:
            help = "Use the glossary's terms; if a form is missing there, add it to the list."
            found = differs(TERM.code, group, odd, help, partial(_term, glossary))
            people = not odd.extra and all(
                _is_person(glossary, id_, odd.language) for id_ in odd.missing or odd.without
            )
            faint = people or (not odd.extra and is_reworded(corpus, group, odd.language, 0, instead=True))
            yield attrs.evolve(found, severity="note") if faint else found


def _is_person(glossary: Glossary, concept: str, language: str) -> bool:
    """Whether a concept is somebody, whom a pronoun may stand for."""
    term = glossary.concepts[concept].term(language)
    return any(word.axis == "person" for word in pole_words(term, language))


def _count(glossary: Glossary, text: str, language: str) -> Counts:
    """As the glossary counts; a concept that has no term in the language may be named any number of times."""
    surely, perhaps = glossary.count(text, language)
    for id_, concept in glossary.concepts.items():
        if language not in concept.terms:
            perhaps[id_] = _UNKNOWN
    return surely, perhaps


def _term(glossary: Glossary, concept: str, language: str) -> str:
    return f"`{glossary.concepts[concept].term(language)}`"


def _between_documents(glossary: Glossary, corpus: Corpus, pair: Counterpart) -> Iterator[Diagnostic]:
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
        yield between(TERM.code, pair, f"{other.document.id} does not speak of {terms} as {one.name} does.")


# ---------------------------------------------------------------- forbidden term


def _find_forbidden_term(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement or passage uses a word that the glossary lists as not to be used for a concept."""
    glossary = corpus.glossary
    if glossary is None:
        return
    for language, statement in corpus.each():
        for use in glossary.forbidden(statement.spoken, language):
            word = statement.spoken[use.start : use.end]
            concepts = [glossary.concepts[id_] for id_ in sorted(use.concepts)]
            terms = in_words([f"`{c.term(language)}`" for c in concepts], "or")
            found = about(
                FORBIDDEN_TERM.code, statement, f"`{word}` is not the word we use for this.", f"Write {terms}."
            )
            labels = tuple(Label(c.span, "see the glossary") for c in concepts)
            yield attrs.evolve(found, span=statement.place(use.start, use.end), labels=labels)
    for excerpt in corpus.excerpts if corpus.only is None else ():
        for use in glossary.forbidden(excerpt.text or "", excerpt.language):
            word = (excerpt.text or "")[use.start : use.end]
            rule = excerpt.passage.states[0].rpartition(".")[0] if excerpt.passage.states else None
            message = f"{excerpt.name} says `{word}`, which the glossary does not use."
            yield Diagnostic(
                FORBIDDEN_TERM.code, message, excerpt.span, "note", (), "Use the glossary's term in the rulebook.", rule
            )


FORBIDDEN_TERM = Check("forbidden-term", "R0915", "warning", _find_forbidden_term)


CHECKS = (TERM, FORBIDDEN_TERM)
