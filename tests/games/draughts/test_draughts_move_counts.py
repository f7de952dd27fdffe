"""Published move counts of international draughts.

From the start: https://aartbik.blogspot.com/search/label/perft. The other two positions are ones that programs for
draughts are tested with. Captures of the same men that begin and end on the same squares count once.
"""

from __future__ import annotations

import pytest
from paths import RULES

import interpreter
from interpreter.perft import leaves

DRAUGHTS = RULES / "draughts"
COUNTS = {
    "start": [9, 81, 658, 4265, 27117, 167140],
    "woldouby": [6, 12, 30, 73, 215, 590, 1944, 6269, 22369],
    "kings": [14, 55, 1168, 5432, 87195],
}
"""From the start, from a crowded position, and from one with kings that can take fourteen men."""


def counted(name: str, depth: int, engine: str = "wasm") -> list[int]:
    variants = [] if name == "start" else [DRAUGHTS / "variants" / f"{name}.rules"]
    return leaves(interpreter.load(DRAUGHTS, variants=variants, engine=engine).start(0), depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", COUNTS)
def test_move_counts(name: str) -> None:
    assert counted(name, len(COUNTS[name])) == COUNTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_both_engines_count_the_same_moves(name: str) -> None:
    assert counted(name, 2, "reference") == COUNTS[name][:2]
