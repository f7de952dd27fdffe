"""Pairs of games: the same seed under the base and under an alternative, added up as they come."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from ..bots.experience import training_of
from ..simulate.records import Array, Records
from .estimates import Moments
from .quantities import Quantity
from .typical import Gallery
from .verdicts import crippled
from .worth import Worths

REST = "(at the start)"
"""Points that no rule gave: what the scores begin with."""


@attrs.frozen
class Results:
    """How the games of one side of the pairs came off: each counts in one of ``wins``, by the seat that won alone,
    ``shares``, the parts of those that some won together, ``draws`` and, where all win or lose together, ``losses``."""

    games: int
    wins: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, records: Records, keep: Array) -> Results:
        win, winning = records.column("win")[keep], records.column("winning")[keep]
        nobody = int((winning == 0).sum())
        together = len(set(records.shape.sides)) == 1
        alone = winning == 1
        return cls(
            len(win),
            tuple(win[alone].sum(axis=0).tolist()),
            tuple(win[winning > 1].sum(axis=0).tolist()),
            0 if together else nobody,
            nobody if together else 0,
        )

    def and_also(self, other: Results) -> Results:
        if not self.games:
            return other
        return Results(
            self.games + other.games,
            tuple(a + b for a, b in zip(self.wins, other.wins, strict=True)),
            tuple(a + b for a, b in zip(self.shares, other.shares, strict=True)),
            self.draws + other.draws,
            self.losses + other.losses,
        )


@attrs.define
class Side:
    """What the games of one side of the pairs add up to.

    ``by_rule``: how often each rule ran. ``offered`` and ``taken``: of each option. ``points``: by rule, for a player.
    ``scores``: how many seats ended with so many points; ``lengths``: how many games took so many turns, or decisions,
    as ``unit`` says. ``best`` and ``last``: sums of the points of whoever was ahead
    and behind at each of 21 moments. ``wins``: by the order of play, shared wins in part; ``results``: how the games
    came off. All but the last five are sums over games.
    """

    games: int = 0
    quantities: dict[str, Moments] = attrs.field(factory=dict)
    by_rule: Counter[str] = attrs.field(factory=Counter)
    offered: Counter[str] = attrs.field(factory=Counter)
    taken: Counter[str] = attrs.field(factory=Counter)
    points: dict[str, float] = attrs.field(factory=dict)
    scores: Counter[int] = attrs.field(factory=Counter)
    lengths: Counter[int] = attrs.field(factory=Counter)
    unit: str = "turns"
    best: Array | None = None
    last: Array | None = None
    wins: Array | None = None
    results: Results = Results(0)

    def add(self, seen: SeenBlock, keep: Array) -> None:
        """Adds the games that are to be kept."""
        records = seen.records
        self.games += int(keep.sum())
        self.results = self.results.and_also(Results.of(records, keep))
        for name, numbers in seen.quantities.items():
            self.quantities.setdefault(name, Moments()).extend(numbers[keep], seen.groups_of(keep))
        for name, numbers in seen.ran.items():
            self.by_rule[name] += int(numbers[keep].sum())
        for name, numbers in seen.points.items():
            self.points[name] = self.points.get(name, 0.0) + float(numbers[keep].sum())
        for kind, counts in (("offered", self.offered), ("taken", self.taken)):
            sums = records.column(kind)[keep].sum(axis=(0, 2))
            counts.update(dict(zip(records.shape.axes["option"], map(int, sums), strict=True)))
        self.scores += counted(records.column("score")[keep])
        self.unit = "turns" if "length" in seen.quantities else "decisions"
        self.lengths += counted(records.column(self.unit)[keep])
        if records.shape.axes["moment"]:
            over_time = records.column("over_time")[keep]
            best, last = over_time.max(axis=2).sum(axis=0), over_time.min(axis=2).sum(axis=0)
            self.best = best if self.best is None else self.best + best
            self.last = last if self.last is None else self.last + last
        win, order = records.column("win")[keep], records.column("order")[keep]
        wins = np.array([(win * (order == place)).sum() for place in range(1, order.shape[1] + 1)])
        self.wins = wins if self.wins is None else self.wins + wins


def counted(numbers: Array) -> Counter[int]:
    """How often each number is there."""
    found, times = np.unique(numbers, return_counts=True)
    return Counter(dict(zip(map(int, found), map(int, times), strict=True)))


@attrs.frozen
class SeenBlock:
    """A block of games, read once: by name, a number for each game. ``trained``: whether those who play learned
    anything beforehand, so that the games of a training are a group."""

    records: Records
    finished: Array
    quantities: Mapping[str, Array]
    ran: Mapping[str, Array]
    points: Mapping[str, Array]
    trained: bool

    @classmethod
    def of(
        cls, records: Records, quantities: Sequence[Quantity], weights: Sequence[float], *, trained: bool = False
    ) -> SeenBlock:
        """``weights``: of each scorer, the share of the seats whose points it keeps."""
        finished = records.column("finished").astype(bool)
        finished[[number - records.first for number in records.faults]] = False
        ran = records.column("ran").sum(axis=2)
        points = _points(records, weights)
        return cls(
            records,
            finished,
            {q.name: q.read(records).astype(float) for q in quantities},
            {name: ran[:, place] for place, name in enumerate(records.shape.axes["rule"])},
            points,
            trained,
        )

    def groups_of(self, keep: Array) -> Array | None:
        """The training of those who play each of the games to keep; None where they have none."""
        return training_of(self.records.numbers)[keep] if self.trained else None

    def parts_from(self, other: SeenBlock) -> Array:
        """For each game, whether it is played in another way than the same game of the other side, as far as is
        counted: whether it came to its end, who decided how often and among how many options, which of them were taken.
        """
        differ = np.zeros(len(self.finished), dtype=bool)
        for name in ("finished", "decisions", "offers", "bits", "asked", "chose", "order"):
            differ |= _unlike(self.records.column(name), other.records.column(name))
        mine, theirs = (one.records.shape.number["option"] for one in (self, other))
        for option in mine.keys() & theirs.keys():
            for name in ("offered", "taken"):
                columns = self.records.column(name)[:, mine[option]], other.records.column(name)[:, theirs[option]]
                differ |= _unlike(*columns)
        return differ

    def touches(self, other: SeenBlock) -> Array:
        """For each game, whether anything differs that is counted on both sides."""
        differ = self.parts_from(other)
        for name in ("winners", "score"):
            differ |= _unlike(self.records.column(name), other.records.column(name))
        for name in self.ran.keys() & other.ran.keys():
            differ |= self.ran[name] != other.ran[name]
        return differ


def _points(records: Records, weights: Sequence[float]) -> dict[str, Array]:
    """By rule, the points it gave a player in each game; they add up to the mean score."""
    names = records.shape.axes["scoring"]
    if not names:
        return {}
    given = records.column("points") @ np.array(weights)
    found = {name: given[:, place] for place, name in enumerate(names)}
    return {**found, REST: records.column("score").mean(axis=1) - given.sum(axis=1)}


def _unlike(mine: Array, theirs: Array) -> Array:
    """In which games numbers differ, one or several in each."""
    differ: Array = (mine != theirs).reshape(len(mine), -1).any(axis=1)
    return differ


def _of(columns: Mapping[str, Array], name: str, games: int) -> Array:
    found = columns.get(name)
    return np.zeros(games) if found is None else found


@attrs.define
class Tracked:
    """Differences of one rule, and a digest of them, by which equal columns are known."""

    moments: Moments = attrs.field(factory=Moments)
    _hash: Any = attrs.field(factory=hashlib.blake2b)

    def extend(self, numbers: Array, groups: Array | None) -> None:
        self.moments.extend(numbers, groups)
        self._hash.update(np.ascontiguousarray(numbers, dtype=float).tobytes())

    @property
    def digest(self) -> bytes:
        found: bytes = self._hash.digest()
        return found


@attrs.define
class Pairs:
    """Differences of an alternative from the base, game by game. Only pairs that both finished are ``games``.

    ``played``: all pairs; ``touched``: how many of them differ in anything, ``parted`` in how they are played.
    ``faulted`` and ``stopped``: games by side (base, alternative) that could not go on, or were stopped at the limit;
    ``fault``: the game of the first fault of the alternative, and its message. ``ranges``: of each quantity in the
    base, from and to. ``furthest``: of each quantity that ever differs, the difference of the pair that differs most in
    it, and the number of its game. ``worths``: what options bring, which says something where chances of choices are
    known. ``gallery``: which games to look at.
    """

    played: int = 0
    games: int = 0
    touched: int = 0
    parted: int = 0
    faulted: list[int] = attrs.field(factory=lambda: [0, 0])
    stopped: list[int] = attrs.field(factory=lambda: [0, 0])
    fault: tuple[int, str] | None = None
    base: Side = attrs.field(factory=Side)
    other: Side = attrs.field(factory=Side)
    quantities: dict[str, Moments] = attrs.field(factory=dict)
    ran: dict[str, Tracked] = attrs.field(factory=dict)
    points: dict[str, Moments] = attrs.field(factory=dict)
    ranges: dict[str, tuple[float, float]] = attrs.field(factory=dict)
    furthest: dict[str, tuple[float, int]] = attrs.field(factory=dict)
    worths: Worths = attrs.field(factory=lambda: Worths(sides=2))
    gallery: Gallery = attrs.field(factory=Gallery)

    def add(self, base: SeenBlock, other: SeenBlock) -> None:
        """Adds a block of pairs."""
        keep = base.finished & other.finished
        groups = base.groups_of(keep)
        for side, seen in enumerate((base, other)):
            faults = len(seen.records.faults)
            self.faulted[side] += faults
            self.stopped[side] += int((~seen.finished).sum()) - faults
        if self.fault is None:
            self.fault = next(iter(other.records.faults.items()), None)
        self.played += len(keep)
        self.games += int(keep.sum())
        touched = base.touches(other)
        self.touched += int((touched | ~keep).sum())
        self.parted += int((base.parts_from(other) | ~keep).sum())
        self.base.add(base, keep)
        self.other.add(other, keep)
        self.worths.add(keep, base.records, other.records)
        differences = {name: numbers - base.quantities[name] for name, numbers in other.quantities.items()}
        for name, change in differences.items():
            self.quantities.setdefault(name, Moments()).extend(change[keep], groups)
            self._widen(name, base.quantities[name][keep])
            self._note_furthest(name, np.where(keep, np.nan_to_num(change), 0.0), base.records.first)
        changes = {name: change[keep] for name, change in differences.items()}
        values = {name: numbers[keep] for name, numbers in other.quantities.items()}
        self.gallery.add(other.records.numbers[keep], values, changes, touched[keep])
        for name in {**base.ran, **other.ran}:
            change = _of(other.ran, name, len(keep)) - _of(base.ran, name, len(keep))
            self.ran.setdefault(name, Tracked()).extend(change[keep], groups)
        for name in {**base.points, **other.points}:
            change = (_of(other.points, name, len(keep)) - _of(base.points, name, len(keep)))[keep]
            self.points.setdefault(name, Moments()).extend(change, groups)

    @property
    def touch_rate(self) -> float | None:
        """The share of all pairs that differ in anything; None without any."""
        return self.touched / self.played if self.played else None

    @property
    def course_rate(self) -> float | None:
        """The share of all pairs that differ in how they are played."""
        return self.parted / self.played if self.played else None

    @property
    def crippled(self) -> bool:
        """Whether so many pairs are left out that the others may say little about the game."""
        return crippled(self.played, self.games)

    def _note_furthest(self, name: str, change: Array, first: int) -> None:
        place = int(np.argmax(np.abs(change))) if len(change) else 0
        if len(change) and abs(change[place]) > abs(self.furthest.get(name, (0.0, 0))[0]):
            self.furthest[name] = float(change[place]), first + place

    def _widen(self, name: str, numbers: Array) -> None:
        found = numbers[~np.isnan(numbers)]
        if len(found):
            low, high = self.ranges.get(name, (np.inf, -np.inf))
            self.ranges[name] = min(low, float(found.min())), max(high, float(found.max()))

    def reach(self, name: str) -> float:
        """By how much a game can differ in a quantity, as far as the base shows."""
        low, high = self.ranges.get(name, (0.0, 0.0))
        return max(high - low, 1.0)
