"""Coverage: how often the truth lies within the intervals of each kind, in samples drawn from a pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import attrs

from interpreter.comparing.estimates import Moments, half_width, share_between
from interpreter.comparing.pairs import Pairs
from interpreter.comparing.verdicts import LEVEL
from interpreter.comparing.worth import OptionEffect, WorthBeside, known_chances

from .pools import World

TOGETHER = "together: "
"""Begins the kinds of which all intervals of a page are to hold at once."""


@attrs.frozen
class Covered:
    """Intervals of one thing: how many of ``samples`` samples hold the truth. ``events``: games of a sample in which
    it comes up at all, in the mean."""

    kind: str
    name: str
    held: int
    samples: int
    events: float

    @property
    def share(self) -> float:
        return self.held / self.samples

    @property
    def between(self) -> tuple[float, float]:
        return share_between(self.held, self.samples)


def coverage(world: World, samples: int, games: int, table: int = 0) -> list[Covered]:
    """Of every kind of interval on a page, each thing by itself; worth as it is shown, all of its table together."""
    assert world.truth is not None
    truth = world.truth[table]
    told_worth = known_chances(world.run.tables[table].bots)
    worths = {one.option: one for one in truth.worths.beside()} if told_worth else {}
    held: Counter[tuple[str, str]] = Counter()
    events: Counter[tuple[str, str]] = Counter()
    told: Counter[tuple[str, str]] = Counter()
    for number in range(samples):
        sample = world.sample(number, games, table)
        for kind, name, found, scale in _means(sample):
            true = _true(truth, kind, name)
            told[kind, name] += 1
            held[kind, name] += abs(found.mean - true) <= half_width(found, LEVEL, scale) + _ROUNDING
            events[kind, name] += found.not_zero
        for kind, right in _worths(sample.worths.beside(), worths):
            told[kind, ""] += 1
            held[kind, ""] += right
    return [Covered(*key, held[key], told[key], events[key] / told[key]) for key in told]


_ROUNDING = 1e-9


def _means(pairs: Pairs) -> Iterator[tuple[str, str, Moments, float]]:
    for name, moments in pairs.base.quantities.items():
        yield "mean of a game", name, moments, 1.0
    for name, moments in pairs.quantities.items():
        yield "headline", name, moments, pairs.reach(name)
    for name, tracked in pairs.ran.items():
        yield "times a rule runs", name, tracked.moments, 1.0
    for name, moments in pairs.points.items():
        yield "points by rule", name, moments, 1.0


def _true(truth: Pairs, kind: str, name: str) -> float:
    return next(moments.mean for k, n, moments, _ in _means(truth) if (k, n) == (kind, name))


def _worths(found: tuple[WorthBeside, ...], truth: Mapping[str, WorthBeside]) -> Iterator[tuple[str, bool]]:
    """Whether all that a table says of the worth of options holds: as it is in the base, and its changes."""

    def right(effects: Mapping[str, OptionEffect], true: Mapping[str, OptionEffect]) -> bool:
        return all(abs(effect.value - true[o].value) <= effect.reach for o, effect in effects.items())

    bases = [
        (one.base.effects, base.effects)
        for one in found
        if one.option in truth and one.base is not None and (base := truth[one.option].base) is not None
    ]
    if bases:
        yield f"{TOGETHER}worth of options", all(right(*each) for each in bases)
    changes = [(one.change, truth[one.option].change) for one in found if one.option in truth and one.change]
    if changes:
        yield f"{TOGETHER}changes of worth", all(right(*each) for each in changes)


def pages(world: World, samples: int) -> tuple[int, int]:
    """Of so many pages, in how many all headline intervals hold; and how many there are."""
    assert world.truth is not None
    right = 0
    for number in range(samples):
        good = True
        for at, column in enumerate(world.page(number).columns):
            true = world.truth[at].quantities
            good &= all(
                abs(one.difference - true[name].mean) <= one.half_width + _ROUNDING
                for name, one in column.quantities.items()
            )
        right += good
    return right, samples
