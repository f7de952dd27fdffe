"""People's games beside games of bots: where the two part, and how many more evenings would tell.

A mean of people's games is set beside that of the bots (Welch, "The generalization of Student's problem when several
different population variances are involved", 1947), and how often a kind of option is taken when it is offered beside
how often bots take it (Newcombe, "Interval estimation for the difference between independent proportions", 1998). As
many kinds are looked at, each has its share of the error. Choices count one by one, though those of one evening are
more alike than that: of few evenings the intervals say too much.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

import attrs

from ..bots.people import PeoplesChoices, Seen, choice_of, evening
from ..simulate.games import game_seed, play_one, seated
from .estimates import FEWEST, Moments, quantile, share_between

if TYPE_CHECKING:
    from ..bots.simple import Bot
    from ..chance import Stream
    from ..data import Decision
    from ..game import Game, State

LEVEL = 0.95
GAMES = 60
"""Games of bots that are played to compare with."""

_FEWEST = 5
"""Games of people from which on anything is concluded of a mean."""

_LEAST = 0.05
"""What counts as a difference where none is seen yet, as a part of the mean."""

MEANS: Mapping[str, Callable[[Mapping[str, Any]], float | None]] = {
    "turns": lambda game: game["turns"],
    "decisions": lambda game: game["decisions"],
    "points a player": lambda game: fmean(game["scores"]) if game["scores"] else None,
    "points between first and last": lambda game: max(game["scores"]) - min(game["scores"]) if game["scores"] else None,
}
"""What is compared of a game, as ``PeoplesChoices.evenings`` has it; None where it has none."""


@attrs.frozen
class MeanBeside:
    """A mean over ``games`` of people, with how far it can be off (None: no telling), beside that of bots. ``apart``:
    whether the two differ, None while that is open; ``more``: about how many further games would tell."""

    name: str
    games: int
    people: float
    half_width: float | None
    bots: float
    apart: bool | None
    more: int


@attrs.frozen
class KindBeside:
    """How often a kind of option was taken, of the times it was offered: by people (``times`` in all) and by bots."""

    asked: str
    kind: str
    times: int
    people: float
    bots: float
    apart: bool


@attrs.frozen
class Playtests:
    """People's games beside those of bots. ``kinds``: those that clearly differ first."""

    means: tuple[MeanBeside, ...]
    kinds: tuple[KindBeside, ...]


@attrs.frozen
class _Watching:
    """A bot, of which is kept what it takes."""

    bot: Bot
    seen: dict[str, Seen]

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        option = self.bot.choose(state, decision, stream)
        found = choice_of(decision, option)
        if found is not None:
            self.seen.setdefault(found[0], Counter())[found[1]] += 1
        return option


def watched(game: Game, bots: str, games: int = GAMES, seed: int = 1) -> PeoplesChoices:
    """What bots choose in games that they play, kept as people's choices are. Raises GameError."""
    seen: dict[str, Seen] = {}
    seats = [_Watching(bot, seen) for bot in seated(game, bots) or ()]
    results = (play_one(game, game_seed(seed, number), seats) for number in range(games))
    told = [evening(game.players, one.turns, one.decisions, one.scores) for one in results if one.finished]
    return PeoplesChoices(game.name, seen, tuple(told), "")


def beside(people: PeoplesChoices, others: PeoplesChoices, players: int) -> Playtests:
    """Sets people's games of so many players beside those of others."""
    theirs, own = ([game for game in each.evenings if game["players"] == players] for each in (people, others))
    means = [found for name in MEANS if (found := _mean(name, theirs, own)) is not None]
    kinds = sorted(_kinds(people, others.seen), key=lambda one: (not one.apart, -abs(one.people - one.bots)))
    return Playtests(tuple(means), tuple(kinds))


def _mean(name: str, theirs: Sequence[Mapping[str, Any]], own: Sequence[Mapping[str, Any]]) -> MeanBeside | None:
    people, bots = Moments(), Moments()
    for moments, games in ((people, theirs), (bots, own)):
        moments.extend([value for game in games if (value := MEANS[name](game)) is not None])
    if not people.count or not bots.count:
        return None
    wanted = max(abs(people.mean - bots.mean), _LEAST * abs(bots.mean)) or 1.0
    spread = people.variance if people.count >= _FEWEST else max(people.variance, bots.variance)
    enough = max(_FEWEST, math.ceil((quantile(LEVEL, FEWEST) / wanted) ** 2 * spread))
    half = quantile(LEVEL, people.degrees) * people.error if people.count > 1 else None
    apart = None
    if people.count >= _FEWEST:
        reach = _reach(people, bots)
        if abs(people.mean - bots.mean) > reach:
            apart = True
        elif reach <= _LEAST * abs(bots.mean):
            apart = False
    more = 0 if apart is not None else max(1, enough - people.count)
    return MeanBeside(name, people.count, people.mean, half, bots.mean, apart, more)


def _reach(one: Moments, other: Moments) -> float:
    """How far the difference of two means can be off."""
    parts = [each.variance / each.count for each in (one, other)]
    whole = sum(parts)
    if whole == 0:
        return 0.0
    degrees = whole**2 / sum(p**2 / (m.count - 1) for p, m in zip(parts, (one, other), strict=True) if m.count > 1)
    return quantile(LEVEL, int(degrees)) * math.sqrt(whole)


def _kinds(people: PeoplesChoices, seen: Mapping[str, Seen]) -> Iterator[KindBeside]:
    """The kinds of options of every question of which enough choices of people are known."""
    both = [(rule, _taken(people.seen[rule]), _taken(seen.get(rule, Counter()))) for rule in people.known]
    found = [(rule, kind, one[kind], other[kind]) for rule, one, other in both for kind in one if kind in other]
    level = 1 - (1 - LEVEL) / max(1, len(found))
    for rule, kind, (taken, offered), (by_bots, to_bots) in found:
        (low, high), (least, most) = share_between(taken, offered, level), share_between(by_bots, to_bots, level)
        share, other = taken / offered, by_bots / to_bots
        down, up = math.hypot(share - low, most - other), math.hypot(high - share, other - least)
        yield KindBeside(rule, kind, offered, share, other, share - other > down or other - share > up)


def _taken(seen: Seen) -> dict[str, tuple[int, int]]:
    """By kind of option, how often it was taken and how often it was offered beside others."""
    found: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for (offered, kind), many in seen.items():
        found.update(dict.fromkeys(offered, many))
        taken[kind] += many
    return {kind: (taken[kind], found[kind]) for kind in found}
