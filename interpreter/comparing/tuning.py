"""Tuning: which settings of a game meet a designer's goals, found by racing and confirmed on fresh seeds.

All settings play the same seeds. What is worse than another in every goal beyond doubt is dropped (Maron and Moore,
"Hoeffding races", 1994); where time is short, of those that are left the better half is played on (Karnin, Koren and
Somekh, "Almost optimal exploration in multi-armed bandits", 2013). Of a space that is too large to go through, a random
part is tried, and then the neighbours of what is best so far. The few that come out first are played again on seeds
that had no part in the search, and only that is told: one of a hundred settings always looks good.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Literal, TypeAlias

import attrs
import numpy as np

import rulelang
from rulelang.diagnostics import RulesError, UnusablePath, did_you_mean
from rulelang.words import several

from ..chance import mix
from ..cores import cores
from ..errors import GameError
from ..simulate.games import TimeIsUp
from ..simulate.records import Array, Records
from .alternatives import BASE, Alternative, AlternativeItem, Choices
from .goals import Estimate, Goal, Verdict, goals_of, verdict_of
from .playing import ComparisonQuestion, GameSource, Guard, RuleSet, WantedGames, check_players, source_of
from .quantities import meanings
from .verdicts import BEHIND, LEVEL, crippled, each_of, level_of_a_look

FIRST = 32
"""Games after which a setting is looked at for the first time."""

WHOLE = 200
"""Settings of the largest space that is gone through whole, and the most that are tried of a larger one."""

LARGEST = 1_000_000
"""Settings of the largest space."""

CONFIRMED = 8
"""Settings at most that are played again on fresh seeds."""

GAMES = 20_000
"""Games at most of a setting in the search, and as many on fresh seeds."""

SEARCHING = 0.55
"""The share of the time that belongs to the search."""

_SURE = LEVEL + (1 - BEHIND)
"""What is confirmed holds together with this probability; what the search drops, in ``BEHIND``: both in ``LEVEL``."""

_SAMPLE, _ELITE, _NEW = 48, 12, 24
"""Of a large space: settings tried at first, those whose neighbours are tried next, and how many of these at a time."""

_FRESH = 0x70E5


@attrs.frozen
class Axis:
    """Something that is varied. ``items``: its values as items of alternatives, None for what is printed.
    ``ordered``: whether values beside each other are alike."""

    name: str
    items: tuple[AlternativeItem | None, ...]
    values: tuple[str, ...]
    ordered: bool

    @classmethod
    def of(cls, text: str, choices: Choices, printed: dict[str, str]) -> Axis:
        """Of ``stones=1..6``, ``stones=2,4``, an option with its values or all of them, or a variant: without and with.
        ``printed``: the values of options. Raises UnusablePath."""
        name, equals, given = (part.strip() for part in text.partition("="))
        if name in choices.settings:
            members = choices.settings[name]
            values = tuple(dict.fromkeys(part.strip() for part in given.split(","))) if equals else members
            items: list[AlternativeItem | None] = [choices.item(f"{name}={value}") for value in values]
            now = printed[name]
        elif equals or name in choices.numbers:
            values = tuple(map(str, choices.values(name, given, "--vary")))
            items = [AlternativeItem("number", name, value) for value in values]
            now = str(choices.numbers[name])
        else:
            if not Path(name).is_file() and name not in choices.variants:
                near = did_you_mean(name, [*choices.numbers, *choices.settings, *choices.variants])
                raise UnusablePath(f"--vary {text}: there is nothing called `{name}`. {near or choices.listed}")
            values, now = ("without", "with"), "without"
            items = [None, choices.item(name)]
        kept = tuple(None if value == now else item for value, item in zip(values, items, strict=True))
        return cls(name, kept, values, name in choices.numbers)

    def neighbours(self, place: int) -> list[int]:
        """The places of the values beside one; of what has no order all others."""
        if self.ordered:
            return [other for other in (place - 1, place + 1) if 0 <= other < len(self.items)]
        return [other for other in range(len(self.items)) if other != place]


Point: TypeAlias = tuple[int, ...]
"""A setting: the place of a value on each axis."""


@attrs.frozen
class Space:
    """Everything that can be varied, together."""

    axes: tuple[Axis, ...]

    @property
    def size(self) -> int:
        return math.prod(len(axis.items) for axis in self.axes)

    @property
    def is_whole(self) -> bool:
        """Whether all of it is gone through."""
        return self.size <= WHOLE

    def points(self) -> list[Point]:
        return list(itertools.product(*(range(len(axis.items)) for axis in self.axes)))

    def any_point(self, chance: random.Random) -> Point:
        return tuple(chance.randrange(len(axis.items)) for axis in self.axes)

    def neighbours(self, point: Point) -> Iterator[Point]:
        """All settings that are one step away."""
        for place, axis in enumerate(self.axes):
            for other in axis.neighbours(point[place]):
                yield (*point[:place], other, *point[place + 1 :])

    def alternative(self, point: Point) -> Alternative:
        items = (axis.items[place] for axis, place in zip(self.axes, point, strict=True))
        return Alternative(tuple(item for item in items if item is not None))

    def values(self, point: Point) -> dict[str, str]:
        return {axis.name: axis.values[place] for axis, place in zip(self.axes, point, strict=True)}


@attrs.frozen
class Table:
    """A number of players, who plays, and what is wanted there. ``base``: the printed game."""

    players: int
    bots: str
    base: RuleSet
    goals: tuple[Goal, ...]
    seed: int


@attrs.define(eq=False)
class Sample:
    """Games of a setting, from 0 on: of each table the numbers of each goal, not numbers where a game has no end."""

    numbers: list[list[Array]]
    games: int = 0
    broken: int = 0
    fault: str | None = None

    @classmethod
    def of(cls, tables: Sequence[Table]) -> Sample:
        return cls([[np.empty(0, dtype=np.float32)] * len(table.goals) for table in tables])

    def add(self, tables: Sequence[Table], played: Sequence[Records], games: int) -> None:
        """Adds the next games of each table, up to so many."""
        for numbers, table, records in zip(self.numbers, tables, played, strict=True):
            ended = records.column("finished").astype(bool)
            ended[[number - records.first for number in records.faults]] = False
            self.broken += int((~ended).sum())
            self.fault = self.fault or next(iter(records.faults.values()), None)
            for at, goal in enumerate(table.goals):
                found = np.where(ended, goal.quantity.read(records), np.nan).astype(np.float32)
                numbers[at] = np.concatenate([numbers[at], found])
        self.games = games

    @property
    def crippled(self) -> str | None:
        """Why so many games have no end that nothing is concluded from the others."""
        games = self.games * len(self.numbers)
        if not crippled(games, games - self.broken):
            return None
        return f"{self.broken} of {several(games, 'game')} have no end: {self.fault or 'they go on for too long'}"


@attrs.define(eq=False)
class Candidate:
    """A setting in the race. ``rules``: of each table, once it is loaded. ``problem``: why it cannot be played.
    ``state``: ``out`` where another is better beyond doubt, ``aside`` where it only looked worse."""

    point: Point
    alternative: Alternative
    search: Sample
    fresh: Sample
    rules: list[RuleSet] = attrs.field(factory=list)
    problem: str | None = None
    state: Literal["playing", "out", "aside"] = "playing"
    searched: list[Estimate] = attrs.field(factory=list)
    confirmed: list[Estimate] = attrs.field(factory=list)

    @property
    def estimates(self) -> list[Estimate]:
        """Of each goal at each table; of fresh seeds, once there are any."""
        return self.confirmed or self.searched

    @property
    def verdict(self) -> Verdict:
        return verdict_of(self.estimates)

    @property
    def rank(self) -> float:
        """The less the better: what is missed, added up; where nothing is, how deep inside it is."""
        misses = [estimate.miss for estimate in self.estimates]
        missed = sum(max(0.0, miss) for miss in misses)
        return missed if missed else max(misses, default=math.inf)


@attrs.frozen
class TuningQuestion:
    """What is asked. ``games``: the most of a setting, in the search and on fresh seeds. ``minutes``: for everything.
    ``keep`` and ``scheduler`` as in comparisons."""

    path: str
    vary: tuple[str, ...]
    goals: tuple[str, ...]
    players: tuple[int, ...]
    bots: tuple[str, ...] = ("random",)
    games: int = GAMES
    minutes: float | None = None
    seed: int = 0
    threads: int | None = None
    keep: Path | None = None
    scheduler: str | None = None

    def as_comparison(self) -> ComparisonQuestion:
        """What says where games come from."""
        return ComparisonQuestion(
            self.path, (), self.players, self.bots, seed=self.seed, keep=self.keep, scheduler=self.scheduler
        )


@attrs.define(eq=False)
class TuningRun:
    """A search as it goes on. ``confirmed``: those that are played again on fresh seeds, once they are chosen."""

    question: TuningQuestion
    choices: Choices
    space: Space
    tables: tuple[Table, ...]
    base: Candidate
    source: GameSource
    candidates: dict[Point, Candidate] = attrs.field(factory=dict)
    confirmed: list[Candidate] = attrs.field(factory=list)
    stopped: bool = False
    began: float = attrs.field(factory=time.monotonic)
    played: int = 0
    _seconds: float = 0.0

    @classmethod
    def of(cls, question: TuningQuestion) -> TuningRun:
        """Reads what is varied and wanted. Raises UnusablePath, RulesError, GameError and StudyError."""
        began = time.monotonic()
        check_players(question.bots)
        if not question.players:
            question = attrs.evolve(question, players=(rulelang.load(question.path).players,))
        choices = Choices.of(question.path, players=question.players[0])
        first = choices.load(BASE, question.players[0])
        printed = {name: str(setting.value) for name, setting in first.program.settings.items()}
        space = space_of(question.vary, choices, printed)
        source = source_of(question.as_comparison(), choices.game)
        tables = []
        for players in question.players:
            game = first if players == first.players else choices.load(BASE, players)
            goals = tuple(goals_of(question.goals, game))
            for bots in question.bots:
                rules = RuleSet.of(BASE, game, bots, question.threads or cores(), source)
                tables.append(Table(players, bots, rules, goals, mix(question.seed, players)))
        base = Candidate((), BASE, Sample.of(tables), Sample.of(tables), [table.base for table in tables])
        return cls(question, choices, space, tuple(tables), base, source, began=began)

    # ------------------------------------------------------------ levels and time

    @property
    def wanted(self) -> int:
        """How many goals there are at all tables."""
        return sum(len(table.goals) for table in self.tables)

    @property
    def search_level(self) -> float:
        """Of a look at a goal of a setting, so that all looks at all settings hold together."""
        return level_of_a_look(each_of(self.space.size * self.wanted, BEHIND))

    @property
    def fresh_level(self) -> float:
        return level_of_a_look(each_of(len(self.confirmed) * self.wanted, _SURE))

    def left(self, share: float) -> float:
        """Seconds until a share of the time is over."""
        if self.question.minutes is None:
            return math.inf
        return self.began + 60 * self.question.minutes * share - time.monotonic()

    def _until(self, share: float) -> float | None:
        left = self.left(share)
        return None if left == math.inf else time.monotonic() + left

    # ------------------------------------------------------------ the search

    @property
    def playing(self) -> list[Candidate]:
        """Those in the race, the best so far first."""
        there = [one for one in self.candidates.values() if one.state == "playing" and one.problem is None]
        return sorted((one for one in there if one.search.games), key=lambda one: one.rank)

    def go(self, guard: Guard = nullcontext) -> Iterator[str]:
        """Searches, then confirms; gives what it is doing after each step. Closing the iterator, or an interrupt,
        leaves what is complete."""
        with suppress(TimeIsUp):  # the rest of the time is for confirming
            yield from self._search(guard)
        self.confirmed = self._chosen()
        try:
            yield from self._confirm(guard)
        except TimeIsUp:
            self.stopped = True

    def _search(self, guard: Guard) -> Iterator[str]:
        chance = random.Random(mix(self.question.seed, _FRESH))
        first = min(FIRST, self.question.games)
        if self.space.is_whole:
            points = self.space.points()
            chance.shuffle(points)  # so that, where time is short, no corner is left out
            yield from self._try(points, first, guard)
        else:
            yield from self._explore(chance, first, guard)
        games = first
        while True:
            self._drop()
            alive = self.playing
            if len(alive) <= CONFIRMED or games >= self.question.games or all(one.verdict != "open" for one in alive):
                return
            games = min(2 * games, self.question.games)
            for one in alive[self._affordable(games, alive) :]:
                one.state = "aside"
                one.rules = []
            for one in self.playing:
                self._advance(one, games, guard, SEARCHING)
                yield f"searching: {len(self.playing)} of {self.space.size:,} settings are in the race"

    def _affordable(self, games: int, alive: Sequence[Candidate]) -> int:
        """How many settings may be played on to so many games in half of the time that the search has left."""
        left = self.left(SEARCHING)
        if left == math.inf or not self.played:
            return len(alive)
        each = self._seconds / self.played * games / 2
        return max(CONFIRMED, min(len(alive), int(left / 2 / each)))

    def _try(self, points: Sequence[Point], games: int, guard: Guard) -> Iterator[str]:
        """First games of settings that were not looked at before."""
        for point in points:
            alternative = self.space.alternative(point)
            one = Candidate(point, alternative, Sample.of(self.tables), Sample.of(self.tables))
            if not alternative.items:
                one.search, one.fresh = self.base.search, self.base.fresh
            if self.left(SEARCHING) <= 0:
                raise TimeIsUp
            self.load(one)
            if one.problem is None:
                self._advance(one, games, guard, SEARCHING)
            self.candidates[point] = one
            yield f"searching: {len(self.candidates):,} of {self.space.size:,} settings looked at"

    def _explore(self, chance: random.Random, games: int, guard: Guard) -> Iterator[str]:
        """Tries a part of a large space: some at random, then what lies beside the best so far, which are played on."""
        yield from self._try(self._unseen(chance, _SAMPLE), games, guard)
        while len(self.candidates) < WHOLE and self.left(SEARCHING / 2) > 0:
            best = self.playing[:_ELITE]
            for one in best:
                self._advance(one, min(2 * one.search.games, 8 * games, self.question.games), guard, SEARCHING)
            beside = {near for one in best for near in self.space.neighbours(one.point)} - self.candidates.keys()
            near = chance.sample(sorted(beside), min(_NEW, len(beside)))
            few = max(_NEW - len(near), _NEW // 4)
            points = list(dict.fromkeys([*near, *self._unseen(chance, few)]))
            yield from self._try(points[: WHOLE - len(self.candidates)], games, guard)

    def _unseen(self, chance: random.Random, many: int) -> list[Point]:
        found: dict[Point, None] = {}
        while len(found) < many:
            point = self.space.any_point(chance)
            if point not in self.candidates:
                found[point] = None
        return list(found)

    def load(self, one: Candidate) -> None:
        """Loads a setting for every table, or notes why it cannot be played."""
        if not one.alternative.items:
            one.rules = list(self.base.rules)
            return
        try:
            games = {players: self.choices.load(one.alternative, players) for players in self.question.players}
        except (UnusablePath, RulesError, GameError) as error:
            one.problem = str(error)
            return
        for table in self.tables:
            game = games[table.players]
            beside = {goal.quantity.name for goal in table.goals if goal.kind != "value"}
            different = meanings(table.base.game, game, one.alternative.name) if beside else {}
            why = next((why for name, why in different.items() if name in beside), None)
            if why is not None:
                one.problem = f"it cannot be put beside the printed game: {why}"
                return
            base = table.base
            try:
                rules = RuleSet.of(one.alternative, game, base.names, base.threads, base.source, base.game)
            except GameError as error:
                one.problem = str(error)
                return
            one.rules.append(rules)

    def _advance(self, one: Candidate, games: int, guard: Guard, share: float, *, fresh: bool = False) -> None:
        """Plays a setting on to so many games, and the printed game with it. Raises TimeIsUp."""
        for each in (self.base, one):
            sample = each.fresh if fresh else each.search
            if sample.games >= games or (fresh and each is self.base and not self._compares):
                continue
            began, before = time.monotonic(), sample.games
            wanted = [
                WantedGames(rules, mix(table.seed, _FRESH) if fresh else table.seed, before, games - before)
                for table, rules in zip(self.tables, each.rules, strict=True)
            ]
            self.source.ready(wanted)
            played = [self.source.games(some._replace(until=self._until(share))) for some in wanted]
            with guard():
                sample.add(self.tables, played, games)
                self._seconds += time.monotonic() - began
                self.played += games - before
            if (why := sample.crippled) is not None:
                if each is self.base:
                    raise UnusablePath(f"The printed game cannot be tuned: {why}")
                each.problem = why
                return
        self._judge(one, fresh=fresh)

    @property
    def _compares(self) -> bool:
        """Whether any goal is about a change."""
        return any(goal.kind != "value" for table in self.tables for goal in table.goals)

    def _judge(self, one: Candidate, *, fresh: bool) -> None:
        sample, base = (one.fresh, self.base.fresh) if fresh else (one.search, self.base.search)
        if fresh and not self._compares:
            base = self.base.search
        level = self.fresh_level if fresh else self.search_level
        found = [
            Estimate.of(goal, sample.numbers[place][at], base.numbers[place][at], level, trained=bool(table.base.bots))
            for place, table in enumerate(self.tables)
            for at, goal in enumerate(table.goals)
        ]
        if fresh:
            one.confirmed = found
        else:
            one.searched = found

    def _drop(self) -> None:
        """Drops what another setting is no worse than in any goal, and better in one, beyond doubt."""
        alive = self.playing
        if not alive:
            return
        least = np.array([[estimate.least for estimate in one.estimates] for one in alive])
        most = np.array([[estimate.most for estimate in one.estimates] for one in alive])
        for place, one in enumerate(alive):
            if ((most <= least[place]).all(axis=1) & (most < least[place]).any(axis=1)).any():
                one.state = "out"
                one.rules = []

    # ------------------------------------------------------------ confirming

    def _chosen(self) -> list[Candidate]:
        """Those that are confirmed: what looks best, and where nothing seems to meet all goals also what is best for
        each of them."""
        alive = self.playing
        meeting = [one for one in alive if one.rank <= 0][:CONFIRMED]
        if meeting:
            return [*meeting, *(one for one in alive if one.rank > 0 and one.verdict == "open")][:CONFIRMED]
        chosen = dict.fromkeys(alive[: max(1, CONFIRMED - self.wanted)])
        for at in range(self.wanted):
            best = min(alive, key=lambda one: (max(0.0, one.estimates[at].miss), one.rank), default=None)
            if best is not None:
                chosen.setdefault(best)
        chosen.update(dict.fromkeys(alive))
        return list(chosen)[:CONFIRMED]

    def _confirm(self, guard: Guard) -> Iterator[str]:
        games = min(2 * FIRST, self.question.games)
        while open_ := [one for one in self.confirmed if self._is_open(one)]:
            for one in open_:
                self._advance(one, games, guard, 1, fresh=True)
                yield f"confirming {several(len(self.confirmed), 'setting')} on fresh seeds"
            if games == self.question.games:
                return
            games = min(2 * games, self.question.games)

    def _is_open(self, one: Candidate) -> bool:
        """Whether more games of a setting would tell: whether it meets the goals; or, as long as none does, which is
        the nearest."""
        if one.problem is not None:
            return False
        if verdict_of(one.confirmed) != "misses":
            return verdict_of(one.confirmed) == "open"
        others = [each for each in self.confirmed if each is not one and each.problem is None]
        return any(nearer(other.confirmed, one.confirmed) is None for other in others) and not any(
            verdict_of(other.confirmed) == "meets" or nearer(other.confirmed, one.confirmed) for other in others
        )


def nearer(one: Sequence[Estimate], other: Sequence[Estimate]) -> bool | None:
    """Whether one setting misses less than another, all goals added up; None where that cannot be told."""
    if not one or not other:
        return None
    if sum(each.most for each in one) < sum(each.least for each in other):
        return True
    return False if sum(each.most for each in other) < sum(each.least for each in one) else None


def dominates(one: Sequence[Estimate], other: Sequence[Estimate]) -> bool:
    """Whether a setting is as good as another in every goal, and better in one, beyond doubt."""
    pairs = list(zip(one, other, strict=True))
    return all(mine.most <= theirs.least for mine, theirs in pairs) and any(
        mine.most < theirs.least for mine, theirs in pairs
    )


def space_of(vary: Sequence[str], choices: Choices, printed: dict[str, str]) -> Space:
    """What is varied. Raises UnusablePath."""
    if not vary:
        raise UnusablePath(f"Say what may be varied: --vary NUMBER=A..B, OPTION or VARIANT. {choices.listed}")
    axes = [Axis.of(text, choices, printed) for text in dict.fromkeys(vary)]
    names = [axis.name for axis in axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UnusablePath(f"--vary {twice} is given twice; write all its values in one.")
    space = Space(tuple(axes))
    if space.size > LARGEST:
        raise UnusablePath(f"That is {space.size:,} settings; at most {LARGEST:,} can be searched. Vary less.")
    return space
