"""Move counts of Kalah with six pits and four seeds; a move that goes on counts as it is asked."""

from __future__ import annotations

import pytest
from paths import RULES

import interpreter
from interpreter.perft import leaves

COUNTS = [6, 35, 185, 942, 4690, 23233, 114430]


def counted(depth: int, engine: str) -> list[int]:
    return leaves(interpreter.load(RULES / "kalah", engine=engine).start(0), depth)  # type: ignore[arg-type]


@pytest.mark.parametrize(("engine", "depth"), [("reference", 5), ("wasm", 7)])
def test_move_counts(engine: str, depth: int) -> None:
    assert counted(depth, engine) == COUNTS[:depth]
