"""Tallies of many games. Numbers are counted, not listed, so that ten million games take no more room than ten."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .batch import Batch, GameResult, Part, Wins, seats_of

if TYPE_CHECKING:
    from rulelang.program import Program

HOPELESS_GAMES, HOPELESS_SECONDS = 100, 5.0
"""When every game ends in a fault, there is no use in playing more than so many games, or for longer."""

FAULTS_KEPT = 1000
"""Faults whose messages are kept, and games played again whose reasons are; further ones are only counted."""


@attrs.frozen
class Spread:
    """Statistics of a list of numbers, all None when it is empty. ``sd`` is the sample standard deviation."""

    mean: float | None = None
    min: int | None = None
    max: int | None = None
    p50: int | None = None
    sd: float | None = None

    @classmethod
    def of(cls, numbers: Iterable[int] | Mapping[int, int]) -> Spread:
        """Statistics of numbers, or of a mapping from each number to its frequency. ``p50`` is the lower median."""
        counts = numbers if isinstance(numbers, Mapping) else Counter(numbers)
        many = sum(counts.values())
        if not many:
            return cls()
        total = sum(number * times for number, times in counts.items())
        squares = sum(number * number * times for number, times in counts.items())
        before, median = 0, 0
        for median in sorted(counts):
            before += counts[median]
            if 2 * before >= many:
                break
        # Whole numbers until the last division, so that no precision is lost however many there are.
        variance = (many * squares - total * total) / (many * (many - 1)) if many > 1 else 0.0
        return cls(mean=total / many, min=min(counts), max=max(counts), p50=median, sd=math.sqrt(variance))

    def as_json(self, *keys: str) -> dict[str, float | int | None]:
        return {key: _rounded(getattr(self, key)) for key in keys}


@attrs.frozen
class Summary:
    """Summary of the games. Turns, decisions, scores and wins count finished games only.

    ``faulted`` counts the games that could not be played to the end; ``faults`` are the first of them. ``wins``: for
    each seat the games it won alone; ``shares``: its parts of those that it won with others. The members of a team have
    an equal part each of what the team won, so that wins, shares, ``draws`` and ``losses`` (of games that all win or
    lose together) add up to the finished games; ``shared`` of them were won by several sides. ``rules``: how often each
    rule ran, in all games. ``replayed`` counts the games that the fast engine could not play in one go and
    played again decision by decision; ``replays`` are the first of them, each with its reason. ``digest``: SHA-256 over
    the final scores of all games in order, one line each, a dash for a game that did not finish; a game without scores
    counts a win as 1.
    """

    games: int
    finished: int
    stopped_at_limit: int
    faulted: int
    faults: tuple[GameResult, ...]
    turns: Spread
    decisions: Spread
    scores: tuple[Spread, ...]
    wins: tuple[float, ...]
    shares: tuple[float, ...]
    shared: int
    draws: int
    losses: int
    rules: dict[str, int]
    digest: str
    replayed: int = attrs.field(default=0, eq=False)
    replays: tuple[GameResult, ...] = attrs.field(default=(), eq=False)

    @property
    def astray(self) -> tuple[GameResult, ...]:
        """Those of ``replays`` that ended otherwise than in one go, by a mistake of the engine.

        What took more than a playout's share of the work is not one.
        """
        from ..evaluation.meter import TOO_LONG

        differing = (result for result in self.replays if result.replayed != result.fault)
        return tuple(result for result in differing if TOO_LONG not in str(result.replayed))


@attrs.define
class Tally:
    """Adds up games as they come, so that a simulation stopped halfway still has its numbers.

    ``turns``, ``decisions`` and, by seat, ``scores``: how many finished games had each number. The games must come in
    the order of their numbers for the digest to be that of the whole.
    """

    seats: int
    rule_ids: tuple[str, ...] = ()
    sides: tuple[int, ...] = ()
    """By seat, the number of its side; without any, everybody plays alone."""
    games: int = 0
    finished: int = 0
    stopped_at_limit: int = 0
    faulted: int = 0
    faults: list[GameResult] = attrs.field(factory=list)
    replayed: int = 0
    replays: list[GameResult] = attrs.field(factory=list)
    turns: Counter[int] = attrs.field(factory=Counter)
    decisions: Counter[int] = attrs.field(factory=Counter)
    scores: list[Counter[int]] = attrs.field(init=False)
    wins: Wins = attrs.field(init=False)
    rules: Counter[str] = attrs.field(factory=Counter)
    _hash: Any = attrs.field(factory=hashlib.sha256, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.scores = [Counter() for _ in range(self.seats)]
        self.wins = Wins(self.sides or tuple(range(self.seats)))

    @classmethod
    def of(cls, program: Program) -> Tally:
        """An empty one for the games of a program."""
        from rulelang.program.sides import sides

        return cls(program.players, tuple(program.rules), sides(program))

    def add(self, part: Part) -> None:
        self.games += part.games
        self.rules.update(part.fired)
        if isinstance(part, Batch):
            self._add_batch(part)
            return
        if part.replayed is not None:
            self.replayed += 1
            if len(self.replays) < FAULTS_KEPT:
                self.replays.append(part)
        if part.fault is None:
            self._count(1, part.finished, part.turns, part.decisions, part.winners, part.scores)
            self._hash.update(self._digest_line(part.finished, part.winners, part.scores).encode())
        else:
            self.faulted += 1
            if len(self.faults) < FAULTS_KEPT:
                self.faults.append(part)
            self._hash.update(_UNFINISHED.encode())

    def is_hopeless(self, seconds: float) -> bool:
        """Whether every game so far ended in a fault, and it has been tried often enough. ``seconds``: how long."""
        tried_enough = self.games >= HOPELESS_GAMES or seconds >= HOPELESS_SECONDS
        return tried_enough and 0 < self.faulted == self.games

    def _add_batch(self, batch: Batch) -> None:
        # Short games often end the same way: equal rows are counted first, and each different one is read once.
        keys = batch.keys()
        lines = {}
        for key, times in Counter(keys).items():
            finished, turns, decisions, mask, *scores = batch.values(key)
            winners = seats_of(mask)
            self._count(times, bool(finished), turns, decisions, winners, scores)
            lines[key] = self._digest_line(bool(finished), winners, scores)
        self._hash.update("".join(map(lines.__getitem__, keys)).encode())

    def _count(
        self, times: int, finished: bool, turns: int, decisions: int, winners: Sequence[int], scores: Sequence[int]
    ) -> None:
        if not finished:
            self.stopped_at_limit += times
            return
        self.finished += times
        self.turns[turns] += times
        self.decisions[decisions] += times
        for counts, score in zip(self.scores, scores, strict=False):
            counts[score] += times
        self.wins.count(winners, times)

    def _digest_line(self, finished: bool, winners: Sequence[int], scores: Sequence[int]) -> str:
        if not finished:
            return _UNFINISHED
        return ",".join(map(str, scores or (int(seat in winners) for seat in range(self.seats)))) + "\n"

    def summary(self) -> Summary:
        known = {rule: self.rules.get(rule, 0) for rule in self.rule_ids}
        return Summary(
            games=self.games,
            finished=self.finished,
            stopped_at_limit=self.stopped_at_limit,
            faulted=self.faulted,
            faults=tuple(self.faults),
            turns=Spread.of(self.turns),
            decisions=Spread.of(self.decisions),
            scores=tuple(map(Spread.of, self.scores)),
            wins=self.wins.wins,
            shares=self.wins.shares,
            shared=self.wins.shared,
            draws=self.wins.drawn,
            losses=self.wins.lost,
            rules=known | {rule: n for rule, n in self.rules.items() if rule not in known},
            digest=self._hash.hexdigest(),
            replayed=self.replayed,
            replays=tuple(self.replays),
        )


def tally(results: Iterable[Part], seats: int, rule_ids: tuple[str, ...] = (), sides: tuple[int, ...] = ()) -> Summary:
    """The summary so far. ``rule_ids`` are listed even if they never ran."""
    total = Tally(seats, rule_ids, sides)
    for part in results:
        total.add(part)
    return total.summary()


_UNFINISHED = "-\n"


def _rounded(number: float | None) -> float | None:
    return round(number, 6) if isinstance(number, float) else number
