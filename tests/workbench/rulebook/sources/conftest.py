"""The documents themselves stay outside the project; what needs them is skipped plainly without them."""

from __future__ import annotations

from pathlib import Path

import pytest
from paths import RULES

from rulelang.diagnostics import Sink
from workbench.rulebook.corpus import Corpus
from workbench.rulebook.crosscheck.review import load
from workbench.rulebook.sources import documents_folder


@pytest.fixture(scope="session")
def at_hand() -> Path:
    """The folder with the documents."""
    folder = documents_folder()
    if folder is None or not folder.is_dir():
        pytest.skip("the source documents are not at hand (RULELANG_SOURCES)")
    return folder


@pytest.fixture(scope="session")
def meduris(at_hand: Path) -> Corpus:
    """Meduris with its documents and their texts."""
    sink = Sink()
    _, corpora = load(RULES / "meduris", (), at_hand, sink, {})
    assert not sink.has_errors
    if set(corpora[0].originals) != {d.id for d in corpora[0].documents}:
        pytest.skip("some source documents of the game are not at hand")
    return corpora[0]
