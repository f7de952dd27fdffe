"""Estimates of a mean from games: how far off it can be, and how many more games would narrow it down.

A game is the unit. What several seats give is averaged by game first, and two rule sets are compared game by game.
Games of players who were trained are as many groups as there were trainings, which are then the units: how far games of
one training are alike, and what a training moves, is seen in how far the groups are apart. Sources: Student's t for
pairs of games; Wallace, "Bounds on normal approximations to Student's and the chi-square distributions" (1959), for its
quantiles; Liang and Zeger, "Longitudinal data analysis using generalized linear models" (1986), for groups; Wilson,
"Probable inference" (1927), for shares.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any, TypeAlias

import attrs
import numpy as np

FEWEST = 30
"""Games from which on an interval means what it says; with fewer, nothing is concluded."""

COMMON = 30
"""Games from which on what carries a difference is common enough for its spread to be what it looks like."""

HARDLY_ANY = 5
"""So few games say nothing of how large what carries a difference can be."""

Array: TypeAlias = "np.ndarray[Any, Any]"

_NORMAL = NormalDist()


@attrs.define
class Moments:
    """Count, mean and spread of numbers that come in blocks, without keeping them (Chan, Golub and LeVeque, 1979).

    ``not_zero``: how many of them are not 0; ``fourth``: the sum of their fourth powers; ``groups``: of those that come
    in groups, by the group, how many and their sum. Numbers that are none (NaN) do not count.
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    not_zero: int = 0
    fourth: float = 0.0
    groups: dict[int, tuple[int, float]] = attrs.field(factory=dict)

    def extend(self, numbers: Sequence[float] | Array, groups: Array | None = None) -> None:
        """``groups``: the group of each number, if they come in groups."""
        found = np.asarray(numbers, dtype=float)
        known = ~np.isnan(found)
        found = found[known]
        if not len(found):
            return
        if groups is not None:
            every, place = np.unique(groups[known], return_inverse=True)
            counts, sums = np.bincount(place), np.bincount(place, found)
            self._add(dict(zip(every.tolist(), zip(counts.tolist(), sums.tolist(), strict=True), strict=True)))
        mean, count = float(found.mean()), self.count + len(found)
        step = mean - self.mean
        self.squares += float(((found - mean) ** 2).sum()) + step * step * self.count * len(found) / count
        self.mean += step * len(found) / count
        self.count = count
        self.not_zero += int(np.count_nonzero(found))
        self.fourth += float((found**4).sum())

    def and_also(self, other: Moments) -> Moments:
        """Those of all numbers of both."""
        count = self.count + other.count
        if not count:
            return Moments()
        step = other.mean - self.mean
        squares = self.squares + other.squares + step * step * self.count * other.count / count
        mean = self.mean + step * other.count / count
        both = Moments(count, mean, squares, self.not_zero + other.not_zero, self.fourth + other.fourth)
        for one in (self, other):
            both._add(one.groups)
        return both

    def _add(self, groups: Mapping[int, tuple[int, float]]) -> None:
        for group, (count, total) in groups.items():
            before = self.groups.get(group, (0, 0.0))
            self.groups[group] = before[0] + count, before[1] + total

    @property
    def variance(self) -> float:
        """Of the sample; 0 for fewer than two numbers."""
        return self.squares / (self.count - 1) if self.count > 1 else 0.0

    @property
    def carried(self) -> float:
        """How many numbers carry the spread around 0: so many, if they were equally large and all others 0."""
        square = self.squares + self.count * self.mean**2
        return square * square / self.fourth if self.fourth else float(self.count)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if not self.count or len(self.groups) == 1:
            return math.inf
        if not self.groups:
            return math.sqrt(self.variance / self.count)
        apart = sum((total - count * self.mean) ** 2 for count, total in self.groups.values())
        return math.sqrt(apart * len(self.groups) / (len(self.groups) - 1)) / self.count

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the standard error: units but one; of groups that differ in size, fewer count."""
        if not self.groups:
            return self.count - 1
        return int(self.count**2 / sum(count**2 for count, _ in self.groups.values()) - 1 + 1e-9)


def quantile(level: float, degrees: int) -> float:
    """Student's t at which the middle holds ``level`` (0.95), for so many degrees of freedom, by Wallace's formula.

    Off by less than 0.1 % from ten degrees on.
    """
    z = _NORMAL.inv_cdf(0.5 + level / 2)
    if degrees < 1:
        return math.inf
    scaled = z * (8 * degrees + 3) / (8 * degrees + 1)
    return math.sqrt(degrees * math.expm1(scaled * scaled / degrees))


def chance_of(moments: Moments) -> float:
    """How probable a mean at least so far from zero would be if it were zero (two-sided); 1 where nothing is known."""
    if moments.count < FEWEST or moments.degrees < 1:
        return 1.0
    if moments.error == 0:
        return 1.0 if moments.mean == 0 else 0.0
    degrees, t = moments.degrees, moments.mean / moments.error
    z = (8 * degrees + 1) / (8 * degrees + 3) * math.sqrt(degrees * math.log1p(t * t / degrees))
    return math.erfc(z / math.sqrt(2))


def half_width(moments: Moments, level: float, scale: float = 1.0) -> float:
    """How far the true mean can lie from the one found, at ``level``, when it is looked at once.

    Where all numbers are equal their spread says nothing; then no more than ``at_most`` of the games can be otherwise,
    by about ``scale`` each. Where a few numbers carry it, there may well be more of their kind, or larger ones.
    """
    if moments.count < FEWEST:
        return math.inf
    if moments.variance == 0:
        return scale * at_most(moments.count, level)
    return _widened(quantile(level, moments.degrees) * moments.error, moments, level, scale)


def _widened(reach: float, moments: Moments, level: float, scale: float) -> float:
    """A half width that is right where what makes the error is common, for where it came up in a few games only: by
    Wilson's interval for how often it does, and with hardly any such game as if there had been none."""
    common = min(COMMON, moments.count / 6)
    if moments.carried >= common:
        return reach
    share = moments.carried / moments.count
    _, most = share_between(moments.carried, moments.count, level)
    wide = reach * (1 + (math.sqrt(most / share) - 1) * (1 - moments.carried / common))
    return max(wide, scale * at_most(moments.count, level)) if moments.carried < HARDLY_ANY else wide


def at_most(count: int, level: float = 0.95) -> float:
    """The largest share of games that something may happen in which did not happen in ``count``: about 3/count."""
    return min(1.0, -math.log(1 - level) / count) if count else 1.0


def share_between(times: float, count: float, level: float = 0.95) -> tuple[float, float]:
    """The share of games that ``times`` of ``count`` stand for, from and to (Wilson's interval). What happens in part,
    such as a win that is shared, counts in part."""
    if not count:
        return 0.0, 1.0
    z = _NORMAL.inv_cdf(0.5 + level / 2)
    share, room = times / count, z * z / count
    middle = (share + room / 2) / (1 + room)
    reach = math.sqrt(room * (share * (1 - share) + room / 4)) / (1 + room)
    low = 0.0 if times == 0 else max(0.0, middle - reach)
    return low, 1.0 if times == count else min(1.0, middle + reach)


def share_of_several(times: Sequence[int], counts: Sequence[int], level: float = 0.95) -> tuple[float, float]:
    """The share of things that games have several of, from and to; ``times`` of ``counts`` in each game.

    What happens in one game goes together, so that they count as fewer things: by how much the shares of games spread
    (Kish's design effect), or as one for each game where all or none of them happen.
    """
    found = [(t, c) for t, c in zip(times, counts, strict=True) if c]
    whole, games = sum(c for _, c in found), len(found)
    if not games:
        return 0.0, 1.0
    share = sum(t for t, _ in found) / whole
    alone = share * (1 - share) / whole
    if games < 2 or not alone:
        return share_between(share * games, games, level)
    together = games / (games - 1) * sum((t - share * c) ** 2 for t, c in found) / whole**2
    count = whole / max(1.0, together / alone)
    return share_between(share * count, count, level)


def games_to_find(effect: float, sd: float, level: float = 0.95, power: float = 0.8) -> int:
    """Games after which a difference of ``effect`` is seen in a share ``power`` of all studies."""
    reach = _NORMAL.inv_cdf(0.5 + level / 2) + _NORMAL.inv_cdf(power)
    return max(FEWEST, math.ceil((reach * sd / effect) ** 2)) if effect else 0
