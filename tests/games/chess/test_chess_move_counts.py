"""Published move counts of chess: https://www.chessprogramming.org/Perft_Results."""

from __future__ import annotations

import pytest
from paths import RULES

import interpreter
from interpreter.perft import leaves

CHESS = RULES / "chess"
COUNTS = {"start": [20, 400, 8902, 197281], "kiwipete": [48, 2039, 97862]}
"""From the start, and from a position in which every sort of move is possible."""


def counted(name: str, depth: int) -> list[int]:
    variants = [] if name == "start" else [CHESS / "variants" / f"{name}.rules"]
    return leaves(interpreter.load(CHESS, variants=variants, engine="wasm").start(0), depth)


@pytest.mark.parametrize("name", COUNTS)
def test_move_counts(name: str) -> None:
    assert counted(name, len(COUNTS[name])) == COUNTS[name]


def test_both_engines_count_the_same_moves() -> None:
    reference = interpreter.load(CHESS, variants=[CHESS / "variants" / "kiwipete.rules"])
    assert leaves(reference.start(0), 1) == COUNTS["kiwipete"][:1]
