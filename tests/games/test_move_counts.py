"""Published move counts: the rules say exactly what may be played, on both engines.

Chess: https://www.chessprogramming.org/Perft_Results. Draughts: https://aartbik.blogspot.com/search/label/perft, and
two positions that programs are tested with; captures of the same men that begin and end on the same squares count once.
A move of Kalah that goes on counts as it is asked.
"""

from __future__ import annotations

from typing import Literal

import pytest
from paths import RULES

import interpreter

COUNTS = {
    "classics/tic_tac_toe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "classics/connect_four": [7, 49, 343, 2401, 16807],
    "classics/reversi": [4, 12, 56, 244, 1396, 8200],
    "classics/breakthrough": [22, 484, 11132],
    "chess": [20, 400, 8902, 197281],
    "chess kiwipete": [48, 2039, 97862],  # every sort of move is possible
    "draughts": [9, 81, 658, 4265, 27117, 167140],
    "draughts woldouby": [6, 12, 30, 73, 215, 590, 1944, 6269, 22369],  # crowded
    "draughts kings": [14, 55, 1168, 5432, 87195],  # kings can take fourteen men
    "kalah": [6, 35, 185, 942, 4690, 23233, 114430],
}


@pytest.mark.parametrize(("engine", "most"), [("wasm", 10**6), ("reference", 5_000)])
@pytest.mark.parametrize("name", COUNTS)
def test_move_counts(name: str, engine: Literal["wasm", "reference"], most: int) -> None:
    """The reference engine counts up to ``most``, which takes it long enough."""
    path, *variants = name.split()
    game = interpreter.load(RULES / path, variants=variants, engine=engine)
    counts = [count for count in COUNTS[name] if count <= most]
    assert [game.start(0).sequences(depth) for depth in range(1, 1 + len(counts))] == counts
