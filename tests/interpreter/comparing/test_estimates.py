"""Intervals hold as often as they say, cry wolf no oftener, and find what is there after the games predicted."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from interpreter.comparing.estimates import (
    Moments,
    at_most,
    chance_of,
    games_to_find,
    half_width,
    quantile,
    share_between,
    share_of_several,
)
from interpreter.comparing.verdicts import (
    judged,
    leaves,
    level_of_a_look,
    level_of_shown,
    looks,
    merged,
    more_games,
    real_ones,
    verdict_on,
)

Draw = Callable[[random.Random], float]

LIKE_GAMES: dict[str, Draw] = {
    "scores": lambda r: r.gauss(0, 7),
    "wins": lambda r: r.choice((-1, 0, 0, 0, 1)),
    "skewed": lambda r: r.gammavariate(3, 1) - r.gammavariate(1, 1) - 2,
}
"""Differences of pairs of games whose mean is zero, of the kinds that games leave behind."""


def moments(numbers: list[float]) -> Moments:
    found = Moments()
    found.extend(numbers)
    return found


def drawn(draw: Draw, seed: int, count: int, shift: float = 0.0) -> Moments:
    chance = random.Random(seed)
    return moments([draw(chance) + shift for _ in range(count)])


@pytest.mark.parametrize(
    ("level", "degrees", "table"),
    [(0.95, 10, 2.228), (0.95, 29, 2.045), (0.99, 29, 2.756), (0.95, 99, 1.984), (0.998, 199, 3.131)],
)
def test_quantiles_are_those_of_the_tables(level: float, degrees: int, table: float) -> None:
    assert quantile(level, degrees) == pytest.approx(table, rel=1e-3)


def test_chances_and_quantiles_agree() -> None:
    found = moments([math.sin(n) + 0.2 for n in range(60)])
    level = 1 - chance_of(found)
    assert half_width(found, level) == pytest.approx(abs(found.mean), rel=1e-6)


@pytest.mark.parametrize("kind", LIKE_GAMES)
def test_intervals_cover(kind: str) -> None:
    runs = 1500
    inside = sum(
        abs(found.mean) <= half_width(found, 0.95)
        for found in (drawn(LIKE_GAMES[kind], seed, 120) for seed in range(runs))
    )
    assert 0.935 <= inside / runs <= 0.965


@pytest.mark.slow
@pytest.mark.parametrize("kind", LIKE_GAMES)
def test_intervals_cover_in_94_to_96_per_cent(kind: str) -> None:
    runs = 20_000
    inside = sum(
        abs(found.mean) <= half_width(found, 0.95)
        for found in (drawn(LIKE_GAMES[kind], seed, 200) for seed in range(runs))
    )
    assert 0.94 <= inside / runs <= 0.96


def half_width_of_a_look(found: Moments, level: float) -> float:
    return half_width(found, level_of_a_look(level))


def looks_that_cry_wolf(width: Callable[[Moments, float], float], runs: int, most: int = 5000) -> float:
    """The share of runs without any effect in which some look finds one."""
    wolf = 0
    for seed in range(runs):
        chance, found = np.random.default_rng(seed), Moments()
        for games in looks():
            if games > most:
                break
            found.extend(chance.normal(size=games - found.count))
            if abs(found.mean) > width(found, 0.95):
                wolf += 1
                break
    return wolf / runs


def test_looking_while_it_runs_does_not_cry_wolf() -> None:
    assert looks_that_cry_wolf(half_width_of_a_look, 1000) <= 0.065
    assert looks_that_cry_wolf(half_width, 300) > 0.15  # what peeking at plain intervals does


def test_looking_costs_less_than_twice_the_width() -> None:
    for level in (0.95, 0.999):
        found = Moments(500, 0.0, 499.0)
        assert 1.2 < half_width_of_a_look(found, level) / half_width(found, level) < 1.6


@pytest.mark.parametrize(
    ("looked", "level", "table"), [(1, 0.95, 1.96), (2, 0.95, 2.178), (5, 0.95, 2.413), (10, 0.99, 3.117)]
)
def test_equal_looks_have_the_bounds_of_the_tables(looked: int, level: float, table: float) -> None:
    """Jennison and Turnbull, "Group Sequential Methods" (2000), table 2.1."""
    assert leaves(table, tuple(range(1, looked + 1))) == pytest.approx(1 - level, rel=0.01)


@pytest.mark.slow
def test_all_looks_together_hold_as_often_as_they_say() -> None:
    runs = 4000
    assert 0.94 <= 1 - looks_that_cry_wolf(half_width_of_a_look, runs, 50_000) <= 0.96


def test_a_small_effect_is_found_after_the_games_predicted() -> None:
    games, runs = games_to_find(1.0, 7.0), 500
    found = sum(
        judged(0, drawn(LIKE_GAMES["scores"], seed, games, shift=1.0), 0.5).verdict == "changed" for seed in range(runs)
    )
    assert 0.74 <= found / runs <= 0.86


def test_more_games_are_those_that_settle_it() -> None:
    """After the games it asks for, most differences are settled, whatever they looked like at first."""
    settled, asked = 0, 0
    for seed in range(100):
        found = drawn(LIKE_GAMES["scores"], seed, 100, shift=1.0)
        first = judged(0, found, 1.0)
        if first.verdict == "unsettled" and first.more_games is not None and first.more_games < 5000:
            asked += 1
            more = drawn(LIKE_GAMES["scores"], 1000 + seed, first.more_games, shift=1.0)
            settled += judged(0, found.and_also(more), 1.0).verdict != "unsettled"
    assert asked > 50
    assert 0.6 < settled / asked < 0.95


def test_nothing_different_is_never_changed() -> None:
    for games in (1, 29, 30, 1000):
        found = judged(50, moments([0.0] * games), 1.0, scale=10)
        assert found.verdict in ("same", "unsettled")
    assert judged(50, moments([0.0] * 1000), 1.0, scale=10).verdict == "same"
    assert judged(50, moments([0.0] * 30), 0.1, scale=10).verdict == "unsettled"


def test_too_few_games_say_nothing() -> None:
    few = judged(0, moments([5.0, 6.0] * 14), 1.0)
    assert few.verdict == "unsettled"
    assert few.more_games is None


@pytest.mark.parametrize(
    ("difference", "reach", "expected"),
    [(5, 1, "changed"), (0.5, 0.2, "small"), (0.2, 0.5, "same"), (0.5, 3, "unsettled"), (-2, 1.9, "changed")],
)
def test_verdicts(difference: float, reach: float, expected: str) -> None:
    assert verdict_on(difference, reach, 1.0) == expected


def test_more_games_are_fewer_for_what_matters_more() -> None:
    asked = [more_games(100, 0.1, 2.0, matters) for matters in (0.5, 1.0, 1.9)]
    assert all(a is not None and b is not None and a > b for a, b in pairwise(asked))


def test_shares_keep_their_bounds_where_events_are_rare() -> None:
    for p, count in ((0.003, 500), (0.3, 100), (0.5, 40)):
        chance = random.Random(1)
        inside = 0
        for _ in range(1000):
            low, high = share_between(sum(chance.random() < p for _ in range(count)), count)
            inside += low <= p <= high
        assert inside / 1000 >= 0.9
    assert share_between(0, 100)[0] == 0
    assert share_between(100, 100)[1] == 1
    assert share_between(0, 0) == (0.0, 1.0)


def test_what_goes_together_in_a_game_counts_as_fewer_things() -> None:
    """Five decisions of a game, all alike: one by one they would count five times over."""
    inside, alone, runs = 0, 0, 300
    for run in range(runs):
        chance = random.Random(run)
        times = [5 * (chance.random() < 0.2) for _ in range(60)]
        low, high = share_of_several(times, [5] * 60)
        inside += low <= 0.2 <= high
        low, high = share_between(sum(times), 300)
        alone += low <= 0.2 <= high
    assert 0.92 <= inside / runs <= 0.98
    assert alone / runs < 0.75
    assert share_of_several([0, 0], [50, 50])[1] > 0.5
    assert share_of_several([], []) == (0.0, 1.0)


def test_what_did_not_happen_in_n_games_is_at_most_three_in_n() -> None:
    assert at_most(1000) == pytest.approx(0.003, rel=0.01)
    assert at_most(0) == 1


def test_many_counts_without_effect_give_few_false_alarms() -> None:
    """35 counts of a report, A against A: plainly every second report has some false alarm."""
    runs, plain, corrected = 200, 0, 0
    for run in range(runs):
        chances = {n: chance_of(drawn(LIKE_GAMES["wins"], run * 100 + n, 60)) for n in range(35)}
        plain += any(p < 0.05 for p in chances.values())
        corrected += bool(real_ones(chances))
    assert plain / runs > 0.5
    assert corrected / runs < 0.1


def test_real_ones_are_those_of_benjamini_and_hochberg() -> None:
    chances = {"a": 0.001, "b": 0.012, "c": 0.03, "d": 0.04, "e": 0.9}
    assert real_ones(chances) == {"a", "b"} | {"c", "d"}
    assert real_ones({}) == frozenset()
    assert level_of_shown(4, 5) == pytest.approx(0.96)


def test_equal_columns_are_one() -> None:
    assert merged({"a": (1, 2), "b": (1, 2), "c": (2, 1)}) == [("a", "b"), ("c",)]


def test_numbers_in_groups_are_as_uncertain_as_the_means_of_their_groups() -> None:
    chance = np.random.default_rng(4)
    trainings = chance.normal(0, 2, 16)
    groups = np.arange(320) % 16
    numbers = trainings[groups] + chance.normal(0, 1, 320)
    alone, together, halves = Moments(), Moments(), Moments()
    alone.extend(numbers)
    together.extend(numbers, groups)
    halves.extend(numbers[:100], groups[:100])
    halves.extend(numbers[100:], groups[100:])
    means = np.array([numbers[groups == group].mean() for group in range(16)])
    assert together.error == pytest.approx(means.std(ddof=1) / 4)
    assert together.degrees == 15 and alone.degrees == 319
    assert together.error > 3 * alone.error
    assert halves.error == pytest.approx(together.error) and halves.mean == pytest.approx(together.mean)
    both = Moments().and_also(together).and_also(halves)
    assert both.error == pytest.approx(together.error) and both.degrees == 15
    assert half_width(together, 0.95) > half_width(alone, 0.95)


def test_groups_that_say_nothing_of_the_spread_give_no_interval() -> None:
    one = Moments()
    one.extend([1.0, 2.0] * 20, np.zeros(40, dtype=int))
    assert math.isinf(half_width(one, 0.95)) and chance_of(one) == 1.0
