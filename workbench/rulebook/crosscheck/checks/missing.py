"""``missing``: a statement that a language, or a source document, does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.diagnostics import Diagnostic, Label
from rulelang.source import Span

from ...corpus import Corpus
from ...sources import Document
from ...texts import Statement
from .finding import in_words

CODE = "R0918"


def find(corpus: Corpus) -> Iterator[Diagnostic]:
    """A language lacks a statement that another one has; a source document states nothing of what others state.

    What has a place in a text and no words yet is told by the check of that text.
    """
    gaps: dict[tuple[str, str], list[str]] = {}
    begun = {text.language: {p.id for p in text.untranslated if isinstance(p, Statement)} for text in corpus.texts}
    for id_, group in corpus.groups():
        for language in corpus.languages:
            if language not in group and id_ not in begun[language]:
                gaps.setdefault((language, id_.rpartition(".")[0]), []).append(id_)
    for (language, section), ids in gaps.items():
        yield _gap(corpus, language, section, ids)
    if corpus.only is None and len(corpus.documents) > 1:
        stated = {d.id: {state for p in d.passages for state in p.states} for d in corpus.documents}
        for document in corpus.documents:
            yield from _unstated(corpus, document, stated)


def _gap(corpus: Corpus, language: str, section: str, ids: list[str]) -> Diagnostic:
    text = corpus.text_in(language)
    span = text.sections.get(section, Span(text.file, 1, 1, 1, 2))
    others: Mapping[str, Statement] = corpus.statements[ids[0]]
    labels = tuple(Label(statement.span, f"the statement in {name}") for name, statement in others.items())
    listed = in_words([f"`{id_}`" for id_ in ids])
    message = f"{listed} {'is' if len(ids) == 1 else 'are'} missing in {language}."
    help = "Write it in this language too, at the same place in the section."
    return Diagnostic(CODE, message, span, labels=labels, help=help, rule=section)


def _unstated(corpus: Corpus, document: Document, stated: Mapping[str, set[str]]) -> Iterator[Diagnostic]:
    """Notes, one a section: what other documents state and this one does not."""
    gone: dict[str, list[str]] = {}
    for id_ in corpus.statements:
        if id_ not in stated[document.id] and any(id_ in states for states in stated.values()):
            gone.setdefault(id_.rpartition(".")[0], []).append(id_)
    for section, ids in gone.items():
        sources = [name for name, states in stated.items() if states & set(ids)]
        message = f"{document.id} does not state {in_words([f'`{id_}`' for id_ in ids])}; {in_words(sources)} does."
        if len(sources) > 1:
            message = message.replace(" does.", " do.")
        help = "Take the rule from there, or add it to `states` of the passage that states it."
        yield Diagnostic(CODE, message, document.span, "note", (), help, section)
