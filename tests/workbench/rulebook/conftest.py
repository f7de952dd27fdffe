"""Small games on disk: one whose texts each test brings along, and one with texts in two languages."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from paths import TESTS
from pile import RULES, write

Write = Callable[..., Path]


@pytest.fixture
def small_game(tmp_path: Path) -> Write:
    """Writes the game of ``pile`` with further files (name to text) into a folder, and returns it."""

    def make(files: Mapping[str, str], folder: Path | None = None) -> Path:
        folder = folder or tmp_path / "pile"
        for name, text in {"pile.rules": RULES, **files}.items():
            write(folder, name, text)
        return folder

    return make


@pytest.fixture
def bilingual(tmp_path: Path) -> Path:
    """A copy of a small game with texts in two languages and a glossary."""
    return Path(shutil.copytree(TESTS / "language" / "good" / "R0914_another_term", tmp_path / "pile"))


@pytest.fixture
def texts(rulelang):
    """Runs ``rulelang texts`` in this process."""
    return functools.partial(rulelang, "texts")
