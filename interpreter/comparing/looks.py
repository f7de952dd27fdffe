"""When a comparison is looked at while it grows, and how sure each look must be for all of them to hold together.

Games come in blocks, and verdicts are looked at after each: at numbers of games that are known beforehand. So intervals
need not hold at any moment whatever, only at these. All looks have the same level (Pocock, "Group sequential methods",
1977), and intervals of all of them are shown (Jennison and Turnbull, "Interim analyses: the repeated confidence
interval approach", 1989). How likely a mean is to leave its interval at some look is worked out by integrating from one
to the next (Armitage, McPherson and Rowe, "Repeated significance tests on accumulating data", 1969).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from .estimates import FEWEST

FIRST_BLOCK, LARGEST_BLOCK = 8, 4000

SETTLED_AT = 50_000
"""Pairs after which no more are played in the hope that it will be settled."""

_NODES = 96
"""Places at which a density is known; twice as many change a level by less than a millionth."""

_NORMAL = NormalDist()


def block_size(played: int) -> int:
    """How many games follow the first ``played``."""
    return min(LARGEST_BLOCK, max(FIRST_BLOCK, played // 4))


def looks() -> Iterator[int]:
    """The numbers of games after which something may be concluded, when nobody said how many are to be played."""
    games = 0
    while games < SETTLED_AT:
        games += min(SETTLED_AT - games, block_size(games))
        if games >= FEWEST:
            yield games


@lru_cache(maxsize=64)
def level_of_a_look(level: float) -> float:
    """The level at which each look's interval must hold by itself, so that all of them hold together at ``level``."""
    low, high = _NORMAL.inv_cdf(0.5 + level / 2), 8.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if leaves(middle, tuple(looks())) > 1 - level else (low, middle)
    return 1 - math.erfc(high / math.sqrt(2))


def leaves(reach: float, games: tuple[int, ...]) -> float:
    """How likely the mean of numbers around zero is to be further from it than ``reach`` standard errors after at least
    one of these numbers of games, which grow."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    at, weights = reach * nodes, reach * weights
    density = np.exp(-at * at / 2) / math.sqrt(2 * math.pi)
    for before, after in pairwise(games):
        kept = math.sqrt(before / after)
        spread = math.sqrt(1 - before / after)
        steps = np.exp(-(((at[:, None] - kept * at[None, :]) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
        density = steps @ (weights * density)
    return max(0.0, 1 - float(weights @ density))
