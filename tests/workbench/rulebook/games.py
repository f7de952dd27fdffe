"""Games with their texts."""

from __future__ import annotations

import functools
from pathlib import Path

from paths import RULES

from rulelang import workspace
from rulelang.diagnostics import Sink
from workbench.rulebook.corpus import Corpus, read_corpus
from workbench.rulebook.crosscheck.review import load

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
