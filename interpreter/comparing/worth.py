"""The worth of options: what taking one brings, whoever is ahead.

That winners took an option more often says little: they may be able to because they are ahead. But when chance
chooses, every decision is a small experiment, in which an option was taken with a known chance p. Over the decisions of
a seat in a game, the times that it took the option less the sum of those chances is its *luck* with it: 0 in the mean
whatever went before. What its result gains for each time of such luck is the worth of the option against the others of
the same decision. That is to weigh what was taken by 1/p and what was not by 1/(1 - p), and then each decision by
p(1 - p), so that those which nearly had to go one way count for little: the overlap weights of Li, Morgan and
Zaslavsky, "Balancing Covariates via Propensity Score Weighting" (2018), with which the estimate is least uncertain.

How far off that can be is found by leaving out a sixtieth of the games at a time (Quenouille's and Tukey's jackknife),
since the games in which a rare option comes up may be few, and a single one of them may weigh much. Games are left out
whole, and of a pair of games both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs
import numpy as np

from ..record.shape import SHARE
from ..simulate.records import Array, Records
from .estimates import Moments, half_width
from .verdicts import BEHIND, LEVEL, each_of

OUTCOMES = ("points", "wins")
"""What an option can bring: points of one's own, and the chance to be among the winners, in %."""

_LUCK, _SQUARE = len(OUTCOMES), len(OUTCOMES) + 1
_WITH_LUCK = len(OUTCOMES) + 2
_FIELDS = 2 * (len(OUTCOMES) + 2)
"""What a game is in the sums: luck times each outcome, the luck, and its square, each over its seats; and all of these
times the luck."""

_ROUNDED = 1e-2
"""Luck below this is that of rounded chances: there was nothing to decide."""

_EXACT = 1e-9
"""Spread below this is that of rounded numbers."""

GROUPS = 60
"""Groups of games, of which each is left out once; by a game's number."""

EVENTFUL = 100
"""Games in which chance had something to decide about an option, from which on its worth is told; and pairs that say
different things of it, from which on it is told how its worth changes."""


@attrs.frozen
class OptionEffect:
    """``value`` by so much; ``reach``: how far it can be off at 95 %, of changes at 99 %, for all options of the table
    together."""

    value: float
    reach: float

    @property
    def clear(self) -> bool:
        """Whether it is not just chance."""
        return abs(self.value) > self.reach


@attrs.frozen
class Worth:
    """An option's worth each time it is taken: by name of an outcome, in points or in % of games won.

    ``games``: those in which chance had something to decide.
    """

    option: str
    games: int
    effects: Mapping[str, OptionEffect]

    @property
    def clear(self) -> bool:
        return any(effect.clear for effect in self.effects.values())


@attrs.frozen
class WorthBeside:
    """An option's worth in the printed game and under other rules (None where it is not known, or is not there), and
    by how much that changes."""

    option: str
    base: Worth | None
    other: Worth | None
    change: Mapping[str, OptionEffect]

    @property
    def clear(self) -> bool:
        """Whether a change of its worth is not just chance."""
        return any(effect.clear for effect in self.change.values())


def games_of(records: Records) -> Array:
    """What each game says of each option: (games, options, fields)."""
    luck = records.column("taken") - records.column("expected") / SHARE
    luck[np.abs(luck) < _ROUNDED] = 0.0
    results = (records.column("score").astype(float), 100.0 * records.column("won"))
    sums = [(luck * result[:, None, :]).sum(axis=2) for result in results]
    fields = [*sums, luck.sum(axis=2), (luck * luck).sum(axis=2)]
    return np.stack([*fields, *(field * fields[_LUCK] for field in fields)], axis=2)


@attrs.define(eq=False)
class Worths:
    """Sums over games of one rule set, or of pairs of games; ``sides``: 1 or 2.

    ``options``: the names of each side. An option that a side does not have is 0 in all its games.
    """

    sides: int = 1
    games: int = 0
    names: tuple[str, ...] = ()
    own: tuple[frozenset[str], ...] = ()
    scored: bool = False
    _events: Array | None = None
    _differ: Array | None = None
    _sums: Array | None = None
    _counts: Array | None = None

    def add(self, keep: Array, *blocks: Records) -> None:
        """Adds the games to keep of a block of each side."""
        axes = [records.shape.axes["option"] for records in blocks]
        if not self.own:
            self.names = tuple(dict.fromkeys(name for names in axes for name in names))
            self.own = tuple(frozenset(names) for names in axes)
            self.scored = any(records.shape.axes["scoring"] for records in blocks)
            self._events = np.zeros((self.sides, len(self.names)))
            self._differ = np.zeros(len(self.names))
            self._sums = np.zeros((GROUPS, self.sides, len(self.names), _FIELDS))
            self._counts = np.zeros(GROUPS)
        if not self.names:
            return
        assert self._events is not None and self._sums is not None and self._counts is not None
        assert self._differ is not None
        group = blocks[0].numbers[keep] % GROUPS
        self.games += len(group)
        np.add.at(self._counts, group, 1)
        seen = np.zeros((self.sides, len(group), len(self.names), _FIELDS))
        for side, (records, names) in enumerate(zip(blocks, axes, strict=True)):
            places = [self.names.index(name) for name in names]
            games = games_of(records)[keep]
            seen[side][:, places] = games
            self._events[side, places] += (games[:, :, _SQUARE] > 0).sum(axis=0)
            for number in np.unique(group):
                self._sums[number, side, places] += games[group == number].sum(axis=0)

        self._differ += (seen[0] != seen[-1]).any(axis=2).sum(axis=0)

    def worths(self, side: int = 0) -> tuple[Worth, ...]:
        """What is known of each option of a side, in the order of the rules."""
        solved = self._solved()
        return tuple(
            worth
            for name in self.names
            if name in self.own[side] and (worth := self._worth(name, side, solved)) is not None
        )

    def beside(self, pages: int = 1) -> tuple[WorthBeside, ...]:
        """Of pairs: the options of which something is known on either side. ``pages``: so many such tables are to hold
        together."""
        found, solved = [], self._solved()
        differ = np.zeros(len(self.names)) if self._differ is None else self._differ
        for place, name in enumerate(self.names):
            base, other = (self._worth(name, side, solved) if name in self.own[side] else None for side in (0, 1))
            if base is None and other is None:
                continue
            change = {}
            if base is not None and other is not None and differ[place] >= EVENTFUL:
                for outcome, of_games in solved.items():
                    by_groups = of_games[:, 1, place] - of_games[:, 0, place]
                    change[outcome] = self._effect(by_groups, BEHIND, pages)
            found.append(WorthBeside(name, base, other, change))
        return tuple(found)

    @property
    def outcomes(self) -> tuple[str, ...]:
        return OUTCOMES if self.scored else OUTCOMES[1:]

    def _solved(self) -> dict[str, Array]:
        """By outcome, the worth (of all games and of those without each group, sides, options)."""
        if self._sums is None or self._counts is None or not self.games:
            return {}
        whole, games = self._sums.sum(axis=0), self._counts.sum()
        there = (self._counts > 0) & (self._counts < games)
        rest = games - self._counts[there]
        without = (whole - self._sums[there]) / rest[:, None, None, None]
        means = np.concatenate([(whole / games)[None], without])
        return {outcome: _solution(means, outcome) for outcome in self.outcomes}

    def _worth(self, name: str, side: int, solved: Mapping[str, Array]) -> Worth | None:
        assert self._events is not None
        place = self.names.index(name)
        events = int(self._events[side, place])
        if events < EVENTFUL:
            return None
        return Worth(name, events, {o: self._effect(of_games[:, side, place]) for o, of_games in solved.items()})

    def _effect(self, solved: Array, level: float = LEVEL, pages: int = 1) -> OptionEffect:
        """The first of what was solved, that of all games, and how far it can be off by the others, which leave out a
        group each."""
        value, without = float(solved[0]), solved[1:]
        moments = Moments()
        moments.extend((len(without) - 1) * (value - without))  # each is off by what its games bring
        if moments.variance < _EXACT:
            moments = Moments(self.games, value)
        together = max(1, len(self.names) * len(self.outcomes) * pages)
        return OptionEffect(value, half_width(moments, each_of(together, level), abs(value)))


def _solution(means: Array, outcome: str) -> Array:
    """The worth by the means over games of what is added up (the last axis).

    With b: luck times outcome, l: luck, q: its square, the worth w and the level c of the outcome are those for which
    b - c l - w q is 0 in the mean and does not go with l; of several such, the smallest.
    """
    at = OUTCOMES.index(outcome)
    plain, with_luck = means[..., :_WITH_LUCK], means[..., _WITH_LUCK:]
    with_luck = with_luck - plain * plain[..., _LUCK, None]
    left = np.stack([plain[..., [_LUCK, _SQUARE]], with_luck[..., [_LUCK, _SQUARE]]], axis=-2)
    right = np.stack([plain[..., at], with_luck[..., at]], axis=-1)
    found: Array = (np.linalg.pinv(left, rcond=2 * np.finfo(float).eps) @ right[..., None])[..., 1, 0]
    return found


def clear_first(found: Sequence[WorthBeside]) -> list[WorthBeside]:
    """Those whose worth changes first, the largest change first; then the others as they come."""
    size = {one.option: max((abs(e.value) for e in one.change.values() if e.clear), default=0.0) for one in found}
    return sorted(found, key=lambda one: -size[one.option])


def known_chances(bots: str) -> bool:
    """Whether the chance of every choice of a kind of player is known: that of a random one."""
    return bots == "random"


def untold(bots: Iterable[str]) -> list[str]:
    """Of kinds of players, those between whom nothing can be said of the worth of options."""
    return [name for name in bots if not known_chances(name)]
