"""Counting the ways a game can go."""

from __future__ import annotations

import json
from pathlib import Path

import interpreter


def _ways(left: int, depth: int) -> int:
    """Taking 1, 2 or 3 from a pile, counted without any rules engine; what is over counts at its own depth."""
    if depth == 0:
        return 1
    return sum(_ways(left - n, depth - 1) for n in (1, 2, 3) if n <= left)


def test_leaves_at_exactly_each_depth(rulelang, pile: Path) -> None:
    ran = rulelang("perft", pile, "--players", 2, "--depth", 8, "--format", "json")
    assert ran.status == 0
    assert json.loads(ran.out) == {"leaves": [_ways(7, d) for d in range(1, 9)]}
    assert json.loads(ran.out)["leaves"][-1] == 0, "the longest game has seven choices"


def test_the_state_stays_as_it_was(pile: Path) -> None:
    state = interpreter.load(str(pile), players=2).start(0)
    key = state.key()
    assert [state.sequences(depth) for depth in (1, 2, 3)] == [3, 9, 27 - 4], (
        "3+3+3 and the three orders of 3+3+2 are more than seven"
    )
    assert state.key() == key


def test_text_tells_each_depth(rulelang, pile: Path) -> None:
    ran = rulelang("perft", pile, "--players", 2, "--depth", 2)
    assert ran.status == 0 and "depth 1: 3" in ran.out and "depth 2: 9" in ran.out


def test_both_engines_count_the_same(rulelang, pile: Path) -> None:
    counted = [
        rulelang("perft", pile, "--players", 2, "--depth", 8, "--format", "json", "--engine", engine).out
        for engine in ("reference", "wasm")
    ]
    assert counted[0] == counted[1]
