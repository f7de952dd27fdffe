"""Games with their texts, read once."""

from __future__ import annotations

import functools
from pathlib import Path

from rulelang.diagnostics import Sink
from workbench.rulebook.crosscheck import Corpus
from workbench.rulebook.sources.review import load

ROOT = Path(__file__).parents[2]
GAMES = sorted(folder.parent for folder in (ROOT / "rules").glob("*/text"))


@functools.cache
def corpora_of(game: Path) -> tuple[Corpus, ...]:
    """The texts of a game and of its variants, without documents."""
    sink = Sink()
    _, corpora = load(game, (), None, sink, {})
    assert not sink.has_errors, [d.message for d in sink]
    return tuple(corpora)
