"""``python -m benchmarks.tuning``: what ``rulelang tune`` says of spaces whose answer is known.

Every setting of ten small spaces is played many times, once. Searches then draw their games from these pools, the same
places for every setting, so that what a pool says is the truth and a claim is true or false.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from unittest.mock import patch

import attrs
import numpy as np

from benchmarks.honesty.pools import whole
from benchmarks.subjects import ROOT
from interpreter.comparing.estimates import share_between
from interpreter.comparing.goals import Goal
from interpreter.comparing.playing import RuleSet, WantedGames
from interpreter.comparing.tuned import FoundSetting, Tuned, tuned
from interpreter.comparing.tuning import Candidate, Point, Sample, TuningQuestion, TuningRun
from interpreter.simulate.records import Records

SMALL = "benchmarks/honesty/games"


class Case(NamedTuple):
    """A game, with how many, what is varied, and what is wanted."""

    path: str
    players: int
    vary: tuple[str, ...]
    goals: tuple[str, ...]


CASES = (
    Case(f"{SMALL}/race", 2, ("goal=8..24", "head_start=0..3"), ("seat 1 wins 47..54%", "length 10..13")),
    Case(f"{SMALL}/race", 3, ("die=2..6", "bonus=0..2", "closing"), ("length -20%..-10%", "seat 1 wins 30..37%")),
    Case(f"{SMALL}/race", 3, ("goal=12..24", "closing"), ("every seat wins 29..38%", "score >= 20")),
    Case(f"{SMALL}/race", 2, ("head_start=0..3", "die=3..6"), ("length same", "seat 1 wins 45..52%", "margin <= 5")),
    Case(f"{SMALL}/ladder", 3, ("summit=20..40",), ("length -8%..-3%", "seat 1 wins <= 41%")),
    Case(f"{SMALL}/stones", 2, ("heap=8..30",), ("seat 1 wins 50.5..60%", "choice >= 3.3")),
    Case(f"{SMALL}/market", 3, ("rounds=4..9",), ("score >= 15", "spread <= 6.5")),
    Case(f"{SMALL}/beacon", 3, ("nights=6..16",), ("decisions 6.5..7.2", "won >= 40%")),
    Case("rules/dyers_row", 3, ("goal=10..20",), ("lead_changes by 0.2..0.6", "length +1%..+4%", "score <= 15")),
    Case("rules/kalah", 2, ("per_pit=3..6",), ("decisions >= 50", "margin same")),
)


class Pools:
    """A source of games: the game of a number lies in the same place of each pool."""

    def __init__(self, pools: Mapping[RuleSet, Records]) -> None:
        self.pools = pools

    def ready(self, wanted: Sequence[WantedGames]) -> None:
        pass

    def games(self, wanted: WantedGames) -> Records:
        rules, seed, first, number, _ = wanted
        pool = self.pools[rules]
        places = np.random.default_rng(seed).integers(0, pool.games, first + number)[first:]
        return Records(pool.shape, seed, first, pool.rows[places])

    def close(self) -> None:
        pass


class Known(NamedTuple):
    """The truth on a setting: by goal, the value, and by how much it is missed in units of what matters."""

    values: list[float]
    misses: list[float]

    @property
    def meets(self) -> bool:
        return max(self.misses) <= 0

    @property
    def missed(self) -> float:
        return sum(max(0.0, miss) for miss in self.misses)


@attrs.frozen(eq=False)
class Space:
    """A case with its pools: ``loaded``, of each setting what it is played by; ``truth`` of each."""

    run: TuningRun
    pools: Pools
    loaded: dict[Point, list[RuleSet]]
    truth: dict[Point, Known]

    @classmethod
    def of(cls, case: Case, pool: int, games: int) -> Space:
        run = TuningRun.of(TuningQuestion(str(ROOT / case.path), case.vary, case.goals, (case.players,), games=games))
        table = run.tables[0]
        pools = {table.base: whole(table.base, pool)}
        loaded, truth = {}, {}
        for point in run.space.points():
            one = Candidate(point, run.space.alternative(point), Sample.of(run.tables), Sample.of(run.tables))
            run.load(one)
            if one.problem is not None:
                raise ValueError(one.problem)
            rules = one.rules[0]
            if rules not in pools:
                pools[rules] = whole(rules, pool)
            loaded[point] = one.rules
            truth[point] = _truth(table.goals, pools[rules], pools[table.base])
        return cls(run, Pools(pools), loaded, truth)

    def search(self, seed: int) -> tuple[TuningRun, Tuned]:
        """A whole search with games of its own."""
        base = Candidate((), self.run.base.alternative, *(Sample.of(self.run.tables) for _ in range(2)))
        base.rules = self.run.base.rules
        tables = tuple(attrs.evolve(table, seed=seed) for table in self.run.tables)
        question = attrs.evolve(self.run.question, seed=seed)
        run = attrs.evolve(
            self.run, question=question, tables=tables, base=base, source=self.pools, candidates={}, confirmed=[]
        )

        def loaded(_: TuningRun, one: Candidate) -> None:
            one.rules = list(self.loaded[one.point])

        with patch.object(TuningRun, "load", loaded):
            for _ in run.go():
                pass
        return run, tuned(run)


def _truth(goals: Sequence[Goal], games: Records, printed: Records) -> Known:
    values, misses = [], []
    for goal in goals:
        mean, base = (float(np.nanmean(goal.quantity.read(records))) for records in (games, printed))
        value = {"value": mean, "change": mean - base, "share": 100 * (mean / base - 1)}[goal.kind]
        values.append(value)
        misses.append(goal.miss(value, base) / goal.scale(base))
    return Known(values, misses)


def claims(space: Space, run: TuningRun, found: Tuned) -> Counter[str]:
    """What is false in what is said, by its kind, and what was found."""
    truth, told = space.truth, Counter[str]()
    by_values = {tuple(run.space.values(point).items()): known for point, known in truth.items()}

    def known(one: FoundSetting) -> Known:
        return by_values[tuple(one.values.items())]

    told["meets"] = any(not known(one).meets for one in found.of("meets"))
    misses = [one for one in run.candidates.values() if one.verdict == "misses"]
    told["misses"] = any(truth[one.point].meets for one in misses)
    told["interval"] = any(
        abs(goal.found.value - true) > goal.found.half_width
        for one in found.settings
        for goal, true in zip(one.goals, known(one).values, strict=True)
    )
    least = min((known(one).missed for one in found.settings), default=0.0)
    told["nearest"] = any(not one.nearest and known(one).missed <= least for one in found.settings)
    none = [all(known.misses[at] > 0 for known in truth.values()) for at in range(run.wanted)]
    told["none has it"] = any(not none[found.goals.index(goal)] for goal in found.unmet)
    told["pull apart"] = any(
        any(known.misses[one] <= 0 and known.misses[two] <= 0 for known in truth.values())
        for one, two in (tuple(map(found.goals.index, pair)) for pair in found.apart)
    )
    told["false"] = any(told.values())
    told["something meets"] = any(known.meets for known in truth.values())
    told["found"] = bool(found.of("meets"))
    told["said that none"] = found.none_meets
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table. Returns 1 if more than one search in twenty says something false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=30, help="of each space")
    parser.add_argument("--pool", type=int, default=4000, help="games of each setting")
    parser.add_argument("--games", type=int, default=20_000, help="most games of a setting, twice")
    asked = parser.parse_args(arguments)
    print("| game | settings | that meet all goals | searches | false | found one | said that none does | games | s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    every: Counter[str] = Counter()
    for number, case in enumerate(CASES):
        began = time.process_time()
        space = Space.of(case, asked.pool, asked.games)
        told: Counter[str] = Counter()
        games = 0
        for search in range(asked.searches):
            run, found = space.search(1 + search + 1000 * number)
            told += claims(space, run, found)
            games += found.games
        meet = sum(known.meets for known in space.truth.values())
        cells = (f"{told[kind]}" for kind in ("false", "found", "said that none"))
        what = f"{case.path.split('/')[-1]}, {case.players} players: {'; '.join(case.goals)}"
        print(
            f"| {what} | {space.run.space.size} | {meet} | {asked.searches} | {' | '.join(cells)} "
            f"| {games // asked.searches:,} | {time.process_time() - began:.0f} |",
            flush=True,
        )
        every += told
    searches = asked.searches * len(CASES)
    low, high = share_between(every["false"], searches)
    print(f"\n{every['false']} of {searches} searches say something false: {100 * low:.1f} to {100 * high:.1f} %")
    kinds = ("meets", "misses", "interval", "nearest", "none has it", "pull apart")
    print(", ".join(f"{kind} {every[kind]}" for kind in kinds))
    print(f"{every['found']} of {every['something meets']} searches found a setting where there is one")
    return int(every["false"] > math.ceil(0.05 * searches))


if __name__ == "__main__":
    raise SystemExit(main())
