"""Perft, the standard test of a move generator: counts the ways a game can go.

``leaves(state, depth)[d - 1]`` is the number of different sequences of exactly d choices from the state. A game that is
over is counted at its own depth and nowhere deeper; a choice to pass is a choice. Published counts of the classics
(https://www.chessprogramming.org/Perft_Results and its sister pages) use the same count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import State


def leaves(state: State, depth: int) -> list[int]:
    """Counts for depths 1 to ``depth``. The state is not changed."""
    return list(each_depth(state, depth))


def each_depth(state: State, depth: int) -> Iterator[int]:
    """The counts one by one, so that each can be shown while the next depth is counted."""
    if depth < 1:
        raise ValueError(f"the depth must be at least 1, not {depth}")
    for d in range(1, depth + 1):
        yield state.sequences(d)
