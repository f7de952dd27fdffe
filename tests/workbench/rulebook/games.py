"""Games with their texts, as they are and with mistakes."""

from __future__ import annotations

import functools
from pathlib import Path

import attrs
from paths import RULES

from rulelang import workspace
from rulelang.diagnostics import Diagnostic, Sink
from workbench.rulebook.corpus import Corpus, read_corpus
from workbench.rulebook.crosscheck import cross_check
from workbench.rulebook.crosscheck.review import load
from workbench.rulebook.texts import Statement

GAMES = sorted(folder.parent for folder in RULES.glob("*/text"))


@functools.cache
def corpora_of(game: Path) -> tuple[Corpus, ...]:
    """The texts of a game and of its variants, without documents; read once."""
    sink = Sink()
    _, corpora = load(game, (), None, sink, {})
    assert not sink.has_errors, [d.message for d in sink]
    return tuple(corpora)


@functools.cache
def base_of(game: Path) -> Corpus:
    """The texts of a game itself, without documents; read once."""
    sink = Sink()
    files, _ = workspace.default().open(game, (), sink)
    corpus = read_corpus(files, (), (), None, sink)
    assert corpus is not None
    assert not sink.has_errors, [d.message for d in sink]
    return corpus


def corpus_of(game: Path) -> Corpus:
    """The texts of a game without variants, read anew."""
    sink = Sink()
    _, (corpus,) = load(game, (), None, sink, {})
    assert not sink.has_errors
    return corpus


# ---------------------------------------------------------------- texts with mistakes


def with_text(corpus: Corpus, statement: Statement, language: str, text: str) -> Corpus:
    """The corpus with one statement in other words; only that one is checked."""
    changed = attrs.evolve(statement, text=text)
    books = tuple(
        attrs.evolve(b, parts=tuple(changed if p is statement else p for p in b.parts)) if b.language == language else b
        for b in corpus.texts
    )
    return attrs.evolve(corpus, texts=books, only=frozenset({statement.id}))


def is_found(before: Corpus, mutant: Corpus) -> bool:
    """Whether a warning or an error is reported that was not reported before; notes do not count."""
    return any(d.severity != "note" for d in new_findings(before, mutant))


def new_findings(before: Corpus, mutant: Corpus) -> list[Diagnostic]:
    """What is found in ``mutant`` and nowhere in ``before``."""
    known = _messages(before)
    return [d for d in cross_check(mutant).findings if (d.code, d.message) not in known]


@functools.cache
def _messages(corpus: Corpus) -> frozenset[tuple[str, str]]:
    return frozenset((d.code, d.message) for d in cross_check(corpus).findings)
