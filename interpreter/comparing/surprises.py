"""Surprises: differences that are barely beyond chance, played again on fresh seeds before anybody is told of them.

What stands out among many numbers stands out partly by luck. A difference counts as confirmed when the fresh games
alone find it again, in the same direction. A run that goes on until it is settled needs none: it goes on until what it
waits for is beyond doubt, and what else is doubtful is not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext

import attrs

from ..simulate.games import TimeIsUp
from .estimates import Moments, chance_of, half_width
from .playing import Beside, ComparedTable, ComparisonRun, Guard
from .verdicts import CERTAIN, LEVEL, Difference, merged, real_ones

Group = tuple[str, ...]
"""Rules and options whose counts are equal in every game: one thing said several times."""


@attrs.define(eq=False)
class Surprise:
    """What stands out in an alternative at a table.

    ``rules``: those that ran oftener or less often. ``tested``: how many groups of rules were looked at, ``shown`` how
    many were picked, on the whole page. ``doubtful``: the quantities, and first names of groups, that fresh games must
    confirm; ``refuted``: those that they did not.
    """

    table: ComparedTable
    beside: Beside
    rules: tuple[Group, ...]
    doubtful: frozenset[str]
    tested: int = 1
    shown: int = 0
    refuted: frozenset[str] = frozenset()

    def settle(self) -> None:
        """Notes what the fresh games so far did not confirm; without any, all that is doubtful."""
        self.refuted = _refuted(self)


def assess(run: ComparisonRun) -> list[Surprise]:
    """What stands out, at the level of the whole page; one for each alternative that is played at a table."""
    places = [(table, beside) for table in run.tables for beside in table.beside if beside.plays]
    groups = {
        (place, group): chance_of(beside.pairs.ran[group[0]].moments)
        for place, (_, beside) in enumerate(places)
        for group in merged({name: tracked.digest for name, tracked in beside.pairs.ran.items()})
    }
    real = real_ones(groups)
    found = []
    for place, (table, beside) in enumerate(places):
        rules = tuple(group for at, group in groups if at == place and (at, group) in real)
        unsure = {group[0] for group in rules if groups[place, group] * len(groups) > CERTAIN}
        unsure |= {
            name
            for name, difference in run.differences(table, beside).items()
            if difference.verdict in ("changed", "small") and not run.is_certain(beside.pairs.quantities[name])
        }
        found.append(Surprise(table, beside, rules, frozenset(unsure), len(groups), len(real)))
    return found


def confirm(run: ComparisonRun, found: list[Surprise], guard: Guard = nullcontext) -> Iterator[ComparedTable]:
    """Plays as many fresh games as before for what is doubtful, and notes what they refute.

    ``found`` is complete once the iterator ends. If it is closed before, what was not confirmed stays refuted.
    """
    for each in found:
        each.settle()
    if run.question.until_settled:
        return
    for table in run.tables:
        whom = [each.beside for each in found if each.table is table and each.doubtful]
        first, last = 0, max((each.pairs.played for each in whom), default=0)
        while first < last:
            try:
                first += table.again(whom, first, last - first, guard, run.until("confirming"))
            except TimeIsUp:
                return
            for each in found:
                if each.table is table:
                    each.settle()
            yield table


def _refuted(found: Surprise) -> frozenset[str]:
    fresh = found.beside.fresh
    if fresh is None:
        return found.doubtful
    mine = found.beside.pairs
    before: Mapping[str, Moments] = {**{name: t.moments for name, t in mine.ran.items()}, **mine.quantities}
    after: Mapping[str, Moments] = {**{name: t.moments for name, t in fresh.ran.items()}, **fresh.quantities}
    return frozenset(name for name in found.doubtful if not _again(before[name], after.get(name, Moments())))


def _again(before: Moments, after: Moments) -> bool:
    """Whether fresh games alone find a difference in the same direction."""
    return before.mean * after.mean > 0 and abs(after.mean) > half_width(after, LEVEL)


def told(run: ComparisonRun, found: Surprise) -> dict[str, Difference]:
    """The verdicts once more, with what fresh games made of the doubtful ones: all games together then say how large
    a difference is. Where too many pairs had to be left out, nothing is concluded."""
    verdicts = run.differences(found.table, found.beside)
    fresh = found.beside.fresh
    if fresh is not None:
        # A second look at the same quantity, so that both together have to hold.
        twice = run.differences(found.table, found.beside, fresh=fresh)
        for name in found.doubtful & twice.keys():
            one = twice[name]
            sure = one.verdict if one.verdict in ("changed", "small") else verdicts[name].verdict
            verdicts[name] = attrs.evolve(one, verdict=sure, more_games=0)
    for name, one in verdicts.items():
        if name in found.refuted or found.beside.pairs.crippled:
            verdicts[name] = attrs.evolve(one, verdict="unsettled", more_games=None)
    return verdicts
