"""Games needed: what is predicted for an effect of known size, and what it takes in samples drawn from a pool."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np

from interpreter.comparing.estimates import FEWEST, games_to_find, quantile
from interpreter.comparing.pairs import SeenBlock
from interpreter.comparing.quantities import Quantity
from interpreter.comparing.verdicts import LEVEL, more_games, verdict_on
from interpreter.simulate.records import Array

from .pools import World

POWER = 0.8
MOST = 40_000
"""Games of a sample at most."""


@attrs.frozen
class Needed:
    """An effect on a quantity. ``predicted``: games after which it is to be seen in ``POWER`` of all samples;
    ``found``: the share in which it is; ``needed``: the games after which it really is seen in so many."""

    quantity: Quantity
    effect: float
    predicted: int
    found: float
    needed: int


@attrs.frozen
class Settled:
    """Predictions of how many more games settle a verdict, made after ``first`` games in ``asked`` samples. ``share``:
    of them that were settled when the predicted number was played; ``ratio``: the games after which it was settled for
    the first time, against those predicted: median, and from and to of the middle half."""

    quantity: Quantity
    first: int
    asked: int
    share: float
    ratio: tuple[float, float, float]


def differences(world: World, table: int = 0) -> Iterator[tuple[Quantity, Array, float]]:
    """By headline quantity, the differences of all pairs of the pool, and the base's mean."""
    at = world.run.tables[table]
    other = at.beside[0].rules
    assert other is not None and world.draws is not None
    seen = [SeenBlock.of(world.draws.pools[rules], at.quantities, rules.weights) for rules in (at.base, other)]
    for quantity in at.quantities:
        base, changed = (one.quantities[quantity.name] for one in seen)
        there = ~np.isnan(changed - base)
        if there.any():
            yield quantity, (changed - base)[there], float(np.nanmean(base))


def needed(world: World, samples: int, seed: int = 0) -> Iterator[Needed]:
    """Of every quantity that clearly changes in the pool."""
    of = world.run.verdicts
    level = 1 - (1 - LEVEL) / of
    for quantity, change, _ in differences(world):
        effect, sd = float(change.mean()), float(change.std(ddof=1))
        if sd == 0 or abs(effect) < 4 * sd / len(change) ** 0.5:
            continue
        predicted = games_to_find(effect, sd, level, POWER)
        if predicted > MOST:
            continue
        chance = np.random.default_rng([seed, 7])

        def found(games: int, change: Array = change, chance: np.random.Generator = chance) -> float:
            seen = 0
            for _ in range(samples):
                drawn = change[chance.integers(0, len(change), games)]
                error = drawn.std(ddof=1) / games**0.5
                seen += bool(abs(drawn.mean()) > quantile(level, games - 1) * error)
            return seen / samples

        low, high = FEWEST, max(2 * predicted, FEWEST + 1)
        if found(low) >= POWER:
            high = low
        while high - low > max(1, low // 50):
            middle = (low + high) // 2
            low, high = (low, middle) if found(middle) >= POWER else (middle, high)
        yield Needed(quantity, effect, predicted, found(predicted), high)


def settled(world: World, samples: int, first: int, seed: int = 0) -> Iterator[Settled]:
    """Of every quantity that so many games leave open in some samples, how good the prediction is."""
    of = world.run.verdicts
    level = 1 - (1 - LEVEL) / of
    for quantity, change, base in differences(world):
        least = quantity.least(base, world.run.matters)
        chance = np.random.default_rng([seed, 11])
        ratios: list[float] = []
        at_once = 0
        for _ in range(samples):
            drawn = change[chance.integers(0, len(change), MOST)]
            counts = np.arange(1, MOST + 1)
            means = np.cumsum(drawn) / counts
            squares = np.maximum(0.0, np.cumsum(drawn * drawn) - counts * means**2) / np.maximum(1, counts - 1)
            reach = np.sqrt(squares / counts) * quantile(level, 1000)
            error = float((squares[first - 1] / first) ** 0.5)
            mean, wide = float(means[first - 1]), quantile(level, first - 1) * error
            if wide == 0 or verdict_on(mean, wide, least) != "unsettled":
                continue
            more = more_games(first, mean, wide, least, error)
            if more is None or first + more > MOST:
                continue
            open_ = ((np.abs(means) <= reach) & (np.abs(means) + reach > least))[first:]
            at_once += not open_[more - 1]
            ratios.append((int(np.argmin(open_)) + 1 if not open_.all() else MOST) / more)
        if len(ratios) >= samples // 10:
            low, middle, high = np.percentile(ratios, [25, 50, 75])
            yield Settled(quantity, first, len(ratios), at_once / len(ratios), (float(middle), float(low), float(high)))
