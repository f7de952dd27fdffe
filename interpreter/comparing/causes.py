"""Causes: which item of an alternative does what, when all of them are played together.

Every subset of up to four items is played on the same seeds. An item's *share* is its mean effect over all orders in
which the items could be added (Shapley, "A value for n-person games", 1953); the shares add up to the whole difference,
game by game. With more items only each by itself and all but each are played, and there are no shares.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from math import factorial
from typing import Any

import attrs
import numpy as np

from ..simulate.games import TimeIsUp
from ..simulate.records import Array
from .alternatives import Alternative, AlternativeItem
from .estimates import Moments, half_width
from .playing import ComparedTable, ComparisonRun, Guard, RuleSet, WantedGames
from .quantities import Quantity, meanings
from .verdicts import BEHIND, block_size, each_of

MOST_ITEMS = 4
MOST_GAMES = 2000

Subset = frozenset[int]


@attrs.frozen
class MeanEffect:
    """A mean difference and how far it can be off, at 99 % for all of an alternative together."""

    difference: float
    half_width: float

    @classmethod
    def of(cls, moments: Moments, many: int) -> MeanEffect:
        """``many``: how many are to hold together."""
        return cls(moments.mean, half_width(moments, each_of(many, BEHIND)))

    @property
    def clear(self) -> bool:
        """Whether it is not just chance."""
        return abs(self.difference) > self.half_width


@attrs.frozen
class EffectPart:
    """An item's effect on a quantity: ``alone``, added to the base; ``taken_away`` from all the others, with its sign
    turned so that it compares; ``share`` of the whole, None with too many items."""

    item: str
    alone: MeanEffect
    taken_away: MeanEffect
    share: MeanEffect | None


@attrs.frozen
class Causes:
    """``parts``: by quantity, one for each item. ``whole``: by quantity, all items together. ``games``: of each
    subset."""

    name: str
    players: int
    bots: str
    games: int
    parts: Mapping[str, tuple[EffectPart, ...]]
    whole: Mapping[str, MeanEffect]

    def added_up(self, quantity: str) -> float:
        """What the items bring one by one, added up."""
        return sum(part.alone.difference for part in self.parts[quantity])

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name, "players": self.players, "bots": self.bots, "games": self.games,
            "quantities": {
                name: {
                    "whole": attrs.asdict(self.whole[name]),
                    "added_up": self.added_up(name),
                    "parts": [attrs.asdict(part) for part in parts],
                }
                for name, parts in self.parts.items()
            },
        }  # fmt: skip


def subsets(count: int) -> list[Subset]:
    """Those to be played, the smallest first: all of them, or with many items none, one, all but one and all."""
    sizes = range(count + 1) if count <= MOST_ITEMS else (0, 1, count - 1, count)
    return [frozenset(chosen) for size in sizes for chosen in itertools.combinations(range(count), size)]


@attrs.define(eq=False)
class CausesRun:
    """The subsets of an alternative at a table, block after block."""

    table: ComparedTable
    alternative: Alternative
    sets: dict[Subset, RuleSet]
    quantities: tuple[Quantity, ...]
    games: int = 0
    effects: dict[tuple[str, str, int], Moments] = attrs.field(factory=dict)

    @classmethod
    def of(cls, run: ComparisonRun, table: ComparedTable, alternative: Alternative) -> CausesRun:
        """Loads all subsets. Raises UnusablePath and RulesError for one that cannot be played."""
        items: tuple[AlternativeItem, ...] = alternative.items
        parts = {chosen: Alternative(tuple(items[n] for n in sorted(chosen))) for chosen in subsets(len(items))}
        sets = {
            chosen: RuleSet.of(
                part, run.choices.load(part, table.players), table.bots, table.base.threads, run.source, table.base.game
            )
            for chosen, part in parts.items()
        }
        different = {
            name for rules in sets.values() for name in meanings(table.base.game, rules.game, alternative.name)
        }
        return cls(table, alternative, sets, tuple(each for each in table.quantities if each.name not in different))

    def go(self, games: int, guard: Guard = nullcontext, until: float | None = None) -> Iterator[int]:
        """Plays so many games of each subset; gives back how many there are after each block. ``until``: by
        ``time.monotonic()``, when it is enough."""
        quantities, seed = self.quantities, self.table.seed
        while self.games < games:
            count = min(games - self.games, block_size(self.games))
            self.table.base.source.ready([WantedGames(rules, seed, self.games, count) for rules in self.sets.values()])
            try:
                seen = {
                    chosen: rules.play(seed, self.games, count, quantities, until)
                    for chosen, rules in self.sets.items()
                }
            except TimeIsUp:
                return
            keep = np.all([one.finished for one in seen.values()], axis=0)
            with guard():
                groups = next(iter(seen.values())).groups_of(keep)
                for quantity in quantities:
                    values = {chosen: one.quantities[quantity.name][keep] for chosen, one in seen.items()}
                    self._add(quantity.name, values, groups)
                self.games += count
            yield self.games

    def _add(self, quantity: str, values: Mapping[Subset, Array], groups: Array | None) -> None:
        count = len(self.alternative.items)
        every = frozenset(range(count))

        def note(kind: str, item: int, numbers: Array) -> None:
            self.effects.setdefault((quantity, kind, item), Moments()).extend(numbers, groups)

        note("whole", 0, values[every] - values[frozenset()])
        for item in range(count):
            one = frozenset((item,))
            note("alone", item, values[one] - values[frozenset()])
            note("taken_away", item, values[every] - values[every - one])
            if count <= MOST_ITEMS:
                without = [chosen for chosen in values if item not in chosen]
                parts = [weight(len(s), count) * (values[s | one] - values[s]) for s in without]
                note("share", item, np.sum(parts, axis=0))

    def causes(self) -> Causes:
        """What has been found so far."""

        def effect(*key: Any) -> MeanEffect:
            return MeanEffect.of(self.effects[key], len(self.effects))

        names = [quantity.name for quantity in self.quantities] if self.games else []
        shared = len(self.alternative.items) <= MOST_ITEMS
        parts = {
            name: tuple(
                EffectPart(
                    item.label,
                    effect(name, "alone", number),
                    effect(name, "taken_away", number),
                    effect(name, "share", number) if shared else None,
                )
                for number, item in enumerate(self.alternative.items)
            )
            for name in names
        }
        whole = {name: effect(name, "whole", 0) for name in names}
        return Causes(self.alternative.name, self.table.players, self.table.bots, self.games, parts, whole)


def weight(size: int, count: int) -> float:
    """How many of the orders of ``count`` items put exactly those of a set of ``size`` before a given one, as a
    share."""
    return factorial(size) * factorial(count - size - 1) / factorial(count)
