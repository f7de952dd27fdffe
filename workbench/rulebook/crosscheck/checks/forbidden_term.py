"""``forbidden-term``: a word that the glossary does not want for a concept."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.diagnostics import Diagnostic, Label

from ...corpus import Corpus
from .finding import about, in_words

CODE = "R0915"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A statement or passage uses a word that the glossary lists as not to be used for a concept."""
    glossary = corpus.glossary
    if glossary is None:
        return
    for language, statement in corpus.each():
        for use in glossary.forbidden(statement.spoken, language):
            word = statement.spoken[use.start : use.end]
            concepts = [glossary.concepts[id_] for id_ in sorted(use.concepts)]
            terms = in_words([f"`{c.term(language)}`" for c in concepts], "or")
            found = about(CODE, statement, f"`{word}` is not the word we use for this.", f"Write {terms}.")
            labels = tuple(Label(c.span, "see the glossary") for c in concepts)
            yield attrs.evolve(found, span=statement.place(use.start, use.end), labels=labels)
    for excerpt in corpus.excerpts if corpus.only is None else ():
        for use in glossary.forbidden(excerpt.text or "", excerpt.language):
            word = (excerpt.text or "")[use.start : use.end]
            rule = excerpt.passage.states[0].rpartition(".")[0] if excerpt.passage.states else None
            message = f"{excerpt.name} says `{word}`, which the glossary does not use."
            yield Diagnostic(CODE, message, excerpt.span, "note", (), "Use the glossary's term in the rulebook.", rule)
