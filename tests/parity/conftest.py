"""What the tests of both engines share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulelang


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str], Any]:
    """The program of a game in one text."""

    def of_text(text: str) -> Any:
        (tmp_path / "tiny.rules").write_text(text, encoding="utf-8")
        return rulelang.load(tmp_path)

    return of_text
