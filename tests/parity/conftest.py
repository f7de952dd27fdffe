"""What the tests of both engines share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulelang
from interpreter.parity import compare


def same_on_both(program: Any, games: int = 3, limit: int = 2_000) -> None:
    """Fails with what a developer needs when the engines differ."""
    found = compare(program, games, seed=1, limit=limit)
    assert found is None, found.text()


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str], Any]:
    """The program of a game in one text."""

    def of_text(text: str) -> Any:
        (tmp_path / "tiny.rules").write_text(text, encoding="utf-8")
        return rulelang.load(tmp_path)

    return of_text
