"""Seats: how often each wins under every rule set, how far that is from an equal share, and which rule set is fairest.

A rule set is as unfair as its worst seat is far from an equal share of the games that anybody won. One is told to be
fairer than another where some seat of the other is further off than every seat of the one, in the games that both
played: then one of few such statements is beyond chance for all seats of the one together (Berger, "Multiparameter
hypothesis testing and acceptance sampling", 1982), and as many are tried as there are seats and pairs of rule sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from rulelang.program import Program
from rulelang.program.sides import sides

from ..simulate.records import Array
from .estimates import COMMON, FEWEST, Moments, half_width, share_between
from .pairs import SeenBlock
from .verdicts import BEHIND, LEVEL, each_of, level_of_a_look

PRINTED = "printed"
"""What the base is called among its alternatives."""

_GROUPS = 60
"""Groups of games, by their numbers, where players have no trainings that make them."""


@attrs.frozen
class SeatShare:
    """A seat's share of the games, or that of a place in the order of play: the parts of wins that it has, printed and
    under a house rule, and the ``difference``. ``equal``: the share it would have of the games that are won if all were
    alike. The half widths of all shares of a table hold together at 95 %, those of all differences at 99 %."""

    seat: str
    share: float
    half_width: float
    difference: float
    difference_half_width: float
    printed: float
    printed_half_width: float
    equal: float
    printed_equal: float

    def as_json(self) -> dict[str, Any]:
        return {
            **attrs.asdict(self),
            "from_equal": self.share - self.equal,
            "printed_from_equal": self.printed - self.printed_equal,
        }


@attrs.frozen
class Worst:
    """The seat of a rule set that is furthest from an equal share, how far, and how far off that can be."""

    seat: str
    distance: float
    half_width: float


@attrs.frozen
class Ranking:
    """The rule sets of a table, the fairest first. ``groups``: those that cannot be told apart together; ``fairer``:
    all pairs of which the first is fairer beyond doubt; ``worst``: by name. ``why``: why there is nothing to rank."""

    players: int
    bots: str
    groups: tuple[tuple[str, ...], ...] = ()
    fairer: frozenset[tuple[str, str]] = frozenset()
    worst: Mapping[str, Worst] = attrs.field(factory=dict)
    why: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "players": self.players,
            "bots": self.bots,
            "fairest": listed(self.groups),
            "fairer": sorted(map(list, self.fairer)),
            "why_not": self.why,
        }


@attrs.define(eq=False)
class Seats:
    """Parts of wins of every seat and place, of all rule sets of a table, in the games that each two of them finished.

    ``names``: of the rule sets, the base's first. ``equal``: of each, by seat, its part of a win if all were alike;
    None where all win or lose together. ``varies``: whether the order of play is not always that of the seats.
    """

    names: tuple[str, ...]
    seats: tuple[str, ...]
    equal: tuple[tuple[float, ...] | None, ...]
    varies: bool = False
    _sums: dict[int, Array] = attrs.field(factory=dict)
    _counts: dict[int, Array] = attrs.field(factory=dict)

    @classmethod
    def of(cls, programs: Mapping[str, Program | None]) -> Seats:
        """Of rule sets by name, the base first; None for one that is not played."""
        base = next(iter(programs.values()))
        assert base is not None
        return cls(
            tuple(programs),
            base.seats,
            tuple(None if each is None else equal_parts(each) for each in programs.values()),
        )

    def add(self, seen: Mapping[int, SeenBlock]) -> None:
        """Adds a block of games, by the place of each rule set that was played."""
        first = next(iter(seen.values()))
        games, number = len(first.finished), len(self.seats)
        parts, there = np.zeros((games, len(self.names), 2 * number)), np.zeros((games, len(self.names)))
        for place, one in seen.items():
            win, order = one.records.column("win"), one.records.column("order")
            by_place = [(win * (order == rank)).sum(axis=1) for rank in range(1, number + 1)]
            parts[:, place] = np.column_stack([win, *by_place]) * one.finished[:, None]
            there[:, place] = one.finished
            asked = one.finished[:, None] & (order > 0)
            self.varies |= bool((asked & (order != np.arange(1, number + 1))).any())
        groups = first.groups_of(np.ones(games, bool))
        groups = first.records.numbers % _GROUPS if groups is None else groups
        for group in np.unique(groups).tolist():
            mine = groups == group
            sums, counts = np.einsum("gis,gj->ijs", parts[mine], there[mine]), there[mine].T @ there[mine]
            self._sums[group] = self._sums.get(group, 0) + sums
            self._counts[group] = self._counts.get(group, 0) + counts

    def games(self, one: int, other: int) -> int:
        """Games that both rule sets finished."""
        return int(sum(counts[one, other] for counts in self._counts.values()))

    def shares(self, place: int, *, any_time: bool) -> tuple[tuple[SeatShare, ...], tuple[SeatShare, ...]]:
        """Of a house rule: every seat, and every place in the order of play, if that is not the order of the seats."""
        played = sum(self.games(0, n) > 0 for n in range(1, len(self.names)))
        if self.equal[0] is None or self.equal[place] is None or self.games(0, place) < FEWEST:
            return (), ()
        level = _level((played + 1) * self._rows, LEVEL, any_time=any_time)
        apart = _level(played * self._rows, BEHIND, any_time=any_time)
        found = [self._share(place, row, level, apart) for row in range(self._rows)]
        number = len(self.seats)
        return tuple(found[:number]), tuple(found[number:])

    def ranking(self, players: int, bots: str, left_out: Iterable[int], *, any_time: bool) -> Ranking:
        """``left_out``: places of rule sets of which nothing is concluded."""
        if self.equal[0] is None:
            return Ranking(players, bots, why=_why_not(len(self.seats)))
        ranked = self._ranked(set(left_out))
        if len(ranked) < 2:
            return Ranking(players, bots, why="too few games of any two rule sets have come to their end")
        shown = _level(len(ranked) * self._rows, LEVEL, any_time=any_time)
        worst = {n: self._worst(n, shown) for n in ranked}
        ranked.sort(key=lambda n: (worst[n].distance, n))
        fairer = self._fairer(ranked, any_time=any_time)
        return Ranking(
            players,
            bots,
            tuple(tuple(self.names[n] for n in group) for group in cut(ranked, fairer)),
            frozenset((self.names[a], self.names[b]) for a, b in fairer),
            {self.names[n]: worst[n] for n in ranked},
        )

    def _ranked(self, left_out: set[int]) -> list[int]:
        """The rule sets that can be ranked."""
        there = (n for n in range(len(self.names)) if n not in left_out and self.equal[n] is not None)
        return [n for n in there if self.games(n, 0) >= FEWEST]

    def _fairer(self, ranked: Sequence[int], *, any_time: bool) -> set[tuple[int, int]]:
        """The pairs of which the first is fairer beyond doubt."""
        # Of two sides one is off by as much as the other, so that they are one thing to try.
        free = 1 if len(self.seats) == 2 and not self.varies else self._rows
        level = _level(len(ranked) * (len(ranked) - 1) * free, BEHIND, any_time=any_time)
        return {(a, b) for a in ranked for b in ranked if a != b and self._is_fairer(a, b, level)}

    @property
    def _rows(self) -> int:
        return len(self.seats) * (2 if self.varies else 1)

    def _name(self, row: int) -> str:
        number = len(self.seats)
        return self.seats[row] if row < number else ordinal(row - number + 1)

    def _fair(self, place: int) -> Array:
        """By row, the part of a win that each has if all are alike. Places are taken by everybody in turn."""
        equal = self.equal[place]
        assert equal is not None
        return np.array([*equal, *[1 / len(equal)] * len(equal)])[: self._rows]

    def _contrast(self, one: int, other: int, mine: Array, theirs: Array) -> Moments:
        """Of the games that both rule sets finished, the sum of the parts of wins, by row so many times those of either
        rule set."""
        groups, rows = {}, self._rows
        for group, sums in self._sums.items():
            count = int(self._counts[group][one, other])
            if count:
                groups[group] = count, float(sums[one, other, :rows] @ mine + sums[other, one, :rows] @ theirs)
        count, total = (sum(numbers) for numbers in zip(*groups.values(), strict=True)) if groups else (0, 0.0)
        mean = total / count if count else 0.0
        apart = sum((each - size * mean) ** 2 for size, each in groups.values())
        return Moments(count, mean, 0.0 if apart < 1e-18 else apart, groups=groups)

    def _share(self, place: int, row: int, level: float, apart: float) -> SeatShare:
        one, zero = np.eye(self._rows)[row], np.zeros(self._rows)
        found = [self._contrast(*which, one, zero) for which in ((place, 0), (0, place))]
        change = self._contrast(place, 0, one, -one)
        reaches = [max(half_width(each, level), _wilson(each, level)) for each in found]
        reach = half_width(change, apart)
        if min(each.mean * each.count for each in found) < COMMON:
            reach = max(reach, math.hypot(*reaches))
        won = [self._contrast(*which, np.ones(self._rows), zero).mean for which in ((place, 0), (0, place))]
        won = [each * len(self.seats) / self._rows for each in won]
        fair = [float(self._fair(n)[row] * each) for n, each in zip((place, 0), won, strict=True)]
        return SeatShare(
            self._name(row), found[0].mean, reaches[0], change.mean, reach, found[1].mean, reaches[1], *fair
        )  # fmt: skip

    def _off(self, place: int) -> Array:
        """By row, what turns parts of wins into the distance from an equal share (rows, rows)."""
        number = len(self.seats)
        whole = np.zeros(self._rows)
        whole[:number] = 1.0
        return np.eye(self._rows) - np.outer(self._fair(place), whole)

    def _worst(self, place: int, level: float) -> Worst:
        zero = np.zeros(self._rows)
        found = [self._contrast(place, 0, row, zero) for row in self._off(place)]
        row = int(np.argmax([abs(each.mean) for each in found]))
        return Worst(self._name(row), abs(found[row].mean), half_width(found[row], level))

    def _is_fairer(self, one: int, other: int, level: float) -> bool:
        """Whether some seat of the other is further from an equal share than every seat of this one, beyond doubt."""
        if self.games(one, other) < FEWEST:
            return False
        mine, theirs = self._off(one), self._off(other)
        return any(
            all(
                found.mean > half_width(found, level, 2.0)
                for row in mine
                for turn in (1, -1)
                for found in [self._contrast(one, other, turn * row, sign * far)]
            )
            for far in theirs
            for sign in (1, -1)
        )


def equal_parts(program: Program) -> tuple[float, ...] | None:
    """By seat, its part of a win if all sides were alike; None where all win or lose together."""
    side = sides(program)
    number = len(set(side))
    return None if number < 2 else tuple(1 / number / side.count(one) for one in side)


def cut(ranked: Sequence[Any], fairer: set[tuple[Any, Any]]) -> list[list[Any]]:
    """Those ranked, cut where all before are fairer than all after."""
    groups: list[list[Any]] = []
    for place, name in enumerate(ranked):
        clean = all((before, after) in fairer for before in ranked[:place] for after in ranked[place:])
        if clean or not groups:
            groups.append([])
        groups[-1].append(name)
    return groups


def listed(groups: Iterable[Sequence[str]]) -> list[str | list[str]]:
    """Names in order; those that cannot be told apart as a list."""
    return [group[0] if len(group) == 1 else list(group) for group in groups]


def overall(rankings: Sequence[Ranking]) -> list[str | list[str]]:
    """The order at all tables together: one is fairer than another if it is so at some table, and less fair at none."""
    known = [ranking for ranking in rankings if ranking.groups]
    if len(known) < 2:
        return listed(known[0].groups) if known else []
    names = [name for name in known[0].worst if all(name in ranking.worst for ranking in known)]
    names.sort(key=lambda name: sum(ranking.worst[name].distance for ranking in known))
    every = {pair for ranking in known for pair in ranking.fairer}
    return listed(cut(names, {(a, b) for a, b in every if (b, a) not in every}))


def ordinal(place: int) -> str:
    """``first``, ``second``, ``4th``."""
    return {1: "first", 2: "second", 3: "third"}.get(place, f"{place}th")


def _level(many: int, level: float, *, any_time: bool) -> float:
    """The level of each of so many intervals."""
    one = each_of(many, level)
    return level_of_a_look(one) if any_time else one


def _wilson(share: Moments, level: float) -> float:
    """How far a share can be off by how often it happens alone."""
    if share.count < FEWEST:
        return float("inf")
    low, high = share_between(share.mean * share.count, share.count, level)
    return max(high - share.mean, share.mean - low)


def _why_not(players: int) -> str:
    if players == 1:
        return "one plays alone, so there is nothing to rank"
    return "all players win or lose together, so no seat can be better than another and there is nothing to rank"
