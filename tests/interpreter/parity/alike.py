"""What tests ask of a program: that both engines play it alike."""

from __future__ import annotations

from typing import Any

from interpreter.parity import compare


def same_on_both(program: Any, games: int = 3, limit: int = 2_000) -> None:
    """Fails with what a developer needs when the engines differ."""
    found = compare(program, games, seed=1, limit=limit)
    assert found is None, found.text()
