"""What a search for settings has found: plain data that a terminal, JSON and a notebook show."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from .goals import Estimate, Goal, Verdict
from .tuning import Candidate, Table, TuningRun, dominates, nearer

PRINTED_SETTING = "as printed"
"""What the setting is called that changes nothing."""


@attrs.frozen
class FoundGoal:
    """A goal at a table, and how a setting fares in it."""

    goal: Goal
    players: int
    bots: str
    found: Estimate

    def as_json(self) -> dict[str, Any]:
        low, high = self.goal.bounds(self.found.printed)
        return {
            "goal": self.goal.text,
            "players": self.players,
            "bots": self.bots,
            "unit": self.goal.unit,
            "low": None if math.isinf(low) else low,
            "high": None if math.isinf(high) else high,
            "value": finite(self.found.value),
            "half_width": finite(self.found.half_width),
            "printed": finite(self.found.printed),
            "verdict": self.found.verdict,
        }


@attrs.frozen
class FoundSetting:
    """A setting that was played again on fresh seeds. ``nearest``: whether none is nearer to all goals together beyond
    doubt; ``best``: whether none is as good in every goal and better in one, beyond doubt. ``more_games``: about so
    many more would tell, None where that is settled or nobody can say."""

    name: str
    values: dict[str, str]
    games: int
    verdict: Verdict
    goals: tuple[FoundGoal, ...]
    nearest: bool
    best: bool
    more_games: int | None
    problem: str | None

    def as_json(self) -> dict[str, Any]:
        plain = {field: getattr(self, field) for field in ("name", "values", "games", "nearest", "best")}
        found = {goal.goal.quantity.name: goal.found for goal in self.goals}
        return {
            **plain,
            "meets": _MEETS[self.verdict],
            "quantities": {
                name: {"value": finite(one.value), "half_width": finite(one.half_width)} for name, one in found.items()
            },
            "more_games": self.more_games,
            "problem": self.problem,
            "goals": [g.as_json() for g in self.goals],
        }


@attrs.frozen
class Tuned:
    """``settings``: those that were confirmed, the best first. ``size``: settings there are; ``looked``: that were
    tried; ``out``: that miss a goal beyond doubt, confirmed ones included; ``unplayable``: names by the reason.
    ``promising``: not confirmed, since there was room for better ones, though the search saw them meet every goal.
    ``unmet``: goals that none of those tried meets; ``apart``: pairs of goals that one can meet, but not together."""

    title: str
    players: tuple[int, ...]
    bots: tuple[str, ...]
    goals: tuple[str, ...]
    size: int
    looked: int
    out: int
    promising: int
    unplayable: dict[str, list[str]]
    settings: tuple[FoundSetting, ...]
    unmet: tuple[str, ...]
    apart: tuple[tuple[str, str], ...]
    games: int
    stopped: bool

    def of(self, verdict: Verdict) -> list[FoundSetting]:
        return [one for one in self.settings if one.verdict == verdict and one.problem is None]

    @property
    def none_meets(self) -> bool:
        """Whether it is beyond doubt that no setting of the whole space meets all goals."""
        unplayable = sum(map(len, self.unplayable.values()))
        return self.looked == self.size == self.out + unplayable

    def as_json(self) -> dict[str, Any]:
        plain = attrs.asdict(self, recurse=False)
        tried, confirmed = plain.pop("looked"), sum(one.games for one in self.settings)
        told = {"none_meets": self.none_meets, "settings": [one.as_json() for one in self.settings]}
        return {**plain, "tried": tried, "confirmed_on": confirmed, **told}


_MEETS: Mapping[Verdict, str] = {"meets": "yes", "misses": "no", "open": "open"}


def tuned(run: TuningRun) -> Tuned:
    """What a search has found, complete or as far as it came."""
    tried = list(run.candidates.values())
    playable = [one for one in tried if one.problem is None and one.estimates]
    confirmed = [one for one in run.confirmed if one.fresh.games and one.estimates]
    settings = [_found(run, one, confirmed) for one in confirmed]
    order = {"meets": 0, "open": 1, "misses": 2}
    ranks = {_name(one): one.rank for one in confirmed}
    settings.sort(key=lambda one: (order[one.verdict], ranks[one.name]))
    labels = [f"{goal.text}{_where(run, table)}" for table in run.tables for goal in table.goals]
    unmet, apart = _limits(playable, labels)
    return Tuned(
        title=run.tables[0].base.game.program.title,
        players=run.question.players,
        bots=run.question.bots,
        goals=tuple(labels),
        size=run.space.size,
        looked=len(tried),
        out=sum(one.verdict == "misses" for one in playable),
        promising=sum(one.verdict == "meets" and one not in confirmed for one in playable),
        unplayable=_unplayable(tried),
        settings=tuple(settings),
        unmet=unmet,
        apart=apart,
        games=run.played,
        stopped=run.stopped,
    )


def _unplayable(tried: Sequence[Candidate]) -> dict[str, list[str]]:
    """Names of settings that cannot be played, by the reason."""
    found: dict[str, list[str]] = {}
    for one in tried:
        if one.problem is not None:
            found.setdefault(one.problem, []).append(_name(one))
    return found


def _limits(
    playable: Sequence[Candidate], labels: Sequence[str]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Goals that no setting may meet, and pairs of others that none may meet together, beyond doubt."""
    may = [[estimate.least == 0 for estimate in one.estimates] for one in playable]
    met = {label: {place for place, there in enumerate(may) if there[at]} for at, label in enumerate(labels)}
    unmet = tuple(label for label in labels if playable and not met[label])
    pairs = itertools.combinations((label for label in labels if met[label]), 2)
    return unmet, tuple((one, two) for one, two in pairs if not met[one] & met[two])


def _name(one: Candidate) -> str:
    return one.alternative.name or PRINTED_SETTING


def _where(run: TuningRun, table: Table) -> str:
    """Which table it is, if there are several."""
    told = [f"{table.players} players"] * (len(run.question.players) > 1) + [table.bots] * (len(run.question.bots) > 1)
    return f" ({', '.join(told)})" if told else ""


def _found(run: TuningRun, one: Candidate, confirmed: Sequence[Candidate]) -> FoundSetting:
    places = [(goal, table) for table in run.tables for goal in table.goals]
    goals = (
        FoundGoal(goal, table.players, table.bots, found)
        for (goal, table), found in zip(places, one.estimates, strict=True)
    )
    others = [other.estimates for other in confirmed if other is not one and other.problem is None]
    beaten = any(nearer(other, one.estimates) for other in others)
    dominated = any(dominates(other, one.estimates) for other in others)
    more = max((_more(one.fresh.games, found) for found in one.estimates), default=0)
    return FoundSetting(
        _name(one), run.space.values(one.point), one.fresh.games, one.verdict, tuple(goals), not beaten, not dominated,
        more or None, one.problem,
    )  # fmt: skip


def _more(games: int, found: Estimate) -> int:
    """About how many more games would settle a goal, to two figures; 0 where it is settled, or nobody can say."""
    if found.verdict != "open" or not math.isfinite(found.half_width) or not found.miss or not found.most - found.miss:
        return 0
    more = games * (((found.most - found.miss) / abs(found.miss)) ** 2 - 1)
    step = int(10 ** max(0, math.floor(math.log10(max(1.0, more))) - 1))
    return min(1_000_000_000, max(1, math.ceil(more / step) * step))


def finite(number: float) -> float | None:
    """None for what JSON does not know."""
    return number if math.isfinite(number) else None
