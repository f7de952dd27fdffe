"""Comparison of the two engines: the same seed and the same choices must give the same game on both.

``compare`` plays random games of one program side by side; ``python -m tests.tools.parity`` does so for every game in a
folder, every number of players, every variant, and on demand every value of every option and reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .games_compared import Divergence, Pair

if TYPE_CHECKING:
    from rulelang.program import Program

LIMIT = 1_000
"""Default number of decisions after which a game is abandoned: some variants' boards are too small to end on."""

__all__ = ["LIMIT", "Divergence", "Pair", "compare"]


def compare(
    program: Program, games: int, seed: int, *, first: int = 0, limit: int = LIMIT, shrink: bool = True
) -> Divergence | None:
    """Plays random games ``first``, ``first + 1``, ... of a simulation on both engines; the first difference, if any.

    The choices are those of random bots, so the fast engine's whole playouts are compared with the same games as well.
    ``limit``: decisions after which a game is abandoned; ``shrink``: look for the fewest choices that show the
    difference.
    """
    from .games_compared import shrunk

    pair = Pair(program)
    for index, found in enumerate(pair.games(seed, games, first, limit), first):
        if found is not None:
            return shrunk(pair, found.of_game(seed, index)) if shrink else found.of_game(seed, index)
    return None
