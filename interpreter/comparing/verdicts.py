"""Verdicts on differences: changed, no difference that matters, or not settled; and which of many differences are real.

Sources: simultaneous intervals after Bonferroni; Benjamini and Hochberg, "Controlling the false discovery rate" (1995);
Benjamini and Yekutieli, "False discovery rate-adjusted multiple confidence intervals" (2005).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from statistics import NormalDist, quantiles
from typing import Literal, TypeAlias, TypeVar

import attrs
import numpy as np

from .estimates import FEWEST, Moments, half_width

K = TypeVar("K")

_NORMAL = NormalDist()
_LIKELY = 20
"""Into so many parts, equally likely, differences are cut that may be true."""

LEVEL = 0.95
"""With this probability all that a page says of its headline quantities holds."""

BEHIND = 0.99
"""With this probability all intervals of a kind hold that a page shows behind its headlines: points by rule, changes of
worth, causes, whether it depends on who plays. So they add little to what may be wrong on it."""

CERTAIN = 1e-3
"""What would happen by chance less often than this, among everything on a page, needs no second look."""

BEARABLE = 0.05
"""The share of pairs that may be left out of the numbers: those of the games that cannot be played to the end may be
of a kind of their own, so with more of them nothing is concluded."""

Verdict: TypeAlias = Literal["changed", "small", "same", "unsettled"]
"""``small``: real, but less than what matters. ``same``: no difference that matters."""


@attrs.frozen
class Difference:
    """A quantity under other rules less the same quantity under the base's, in the quantity's unit.

    ``base``: its mean in the base. ``half_width``: how far ``difference`` can be off, infinite with too few games.
    ``matters``: the least difference that the designer calls important. ``more_games``: about so many more would
    settle it, 0 when it is settled, None when nobody can say.
    """

    base: float
    difference: float
    half_width: float
    matters: float
    verdict: Verdict
    more_games: int | None

    @property
    def low(self) -> float:
        return self.difference - self.half_width

    @property
    def high(self) -> float:
        return self.difference + self.half_width


def judged(
    base: float,
    found: Moments,
    matters: float,
    *,
    level: float = LEVEL,
    any_time: bool = False,
    scale: float = 1.0,
) -> Difference:
    """The verdict on the differences ``found``, which holds at ``level``.

    ``any_time``: whether it holds at every look while the games come. ``scale``: by how much a game can differ, for
    where none does.
    """
    reach = half_width(found, level_of_a_look(level) if any_time else level, scale)
    mean = found.mean
    verdict = verdict_on(mean, reach, matters)
    more = 0 if verdict != "unsettled" else more_games(found.count, mean, reach, matters, found.error)
    return Difference(base, mean, reach, matters, verdict, more)


def each_of(many: int, level: float = LEVEL) -> float:
    """The level of each of so many intervals that are to hold together at ``level`` (Bonferroni)."""
    return 1 - (1 - level) / max(1, many)


def crippled(played: int, finished: int) -> bool:
    """Whether so many pairs are left out that nothing is concluded from the others."""
    return played - finished > BEARABLE * played


def verdict_on(difference: float, reach: float, matters: float) -> Verdict:
    """What an interval of ``difference`` plus or minus ``reach`` says."""
    within = abs(difference) + reach <= matters
    if abs(difference) > reach:
        return "small" if within else "changed"
    return "same" if within else "unsettled"


def more_games(games: int, difference: float, reach: float, matters: float, error: float = 0.0) -> int | None:
    """About how many more games settle it; two figures, rounded up.

    The interval shrinks with the square root of the games, until it leaves out zero or lies within what matters. What
    that takes if the difference is as large as it looks is often too few, since it may look larger or smaller than it
    is, by its standard ``error``: so this is enough for three of four of all that it may well be.
    """
    if games < FEWEST or not math.isfinite(reach) or matters <= 0:
        return None
    likely = [abs(difference + error * _NORMAL.inv_cdf(share / _LIKELY)) for share in range(1, _LIKELY)]
    enough = quantiles(((reach / max(true, matters - true)) ** 2 for true in likely), n=4)[2]
    more = max(1.0, games * (enough - 1))
    step = int(10 ** max(0, math.floor(math.log10(max(1.0, more))) - 1))
    return max(1, math.ceil(more / step) * step)


def real_ones(chances: Mapping[K, float], share: float = 0.05) -> frozenset[K]:
    """Those of many differences that are taken for real: of them no more than ``share`` are expected to be noise.

    ``chances``: of each, how probable it would be by chance alone.
    """
    ordered = sorted(chances, key=lambda key: chances[key])
    last = 0
    for place, key in enumerate(ordered, 1):
        if chances[key] <= share * place / len(ordered):
            last = place
    return frozenset(ordered[:last])


def level_of_shown(shown: int, of: int, share: float = 0.05) -> float:
    """The level of the intervals of those that are shown, widened because they were picked."""
    return 1 - share * shown / of if of else 1 - share


def merged(columns: Mapping[K, Hashable]) -> list[tuple[K, ...]]:
    """The names of columns that are equal, together: they are one thing said several times.

    ``columns``: something that is equal for two names exactly when their columns are.
    """
    groups: dict[Hashable, list[K]] = {}
    for name, column in columns.items():
        groups.setdefault(column, []).append(name)
    return [tuple(names) for names in groups.values()]


# When a comparison is looked at while it grows, and how sure each look must be for all of them to hold together.
#
# Games come in blocks, and verdicts are looked at after each: at numbers of games that are known beforehand. So
# intervals need not hold at any moment whatever, only at these. All looks have the same level (Pocock, "Group
# sequential methods", 1977), and intervals of all of them are shown (Jennison and Turnbull, "Interim analyses: the
# repeated confidence interval approach", 1989). How likely a mean is to leave its interval at some look is worked out
# by integrating from one to the next (Armitage, McPherson and Rowe, "Repeated significance tests on accumulating
# data", 1969).


FIRST_BLOCK, LARGEST_BLOCK = 8, 4000

SETTLED_AT = 50_000
"""Pairs after which no more are played in the hope that it will be settled."""

_NODES = 96
"""Places at which a density is known; twice as many change a level by less than a millionth."""


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
