"""The shape of play: how long, how open, how decided; who waits; which options are dead; whether thinking pays.

After Browne, "Automatic generation and evaluation of recombination games" (2008), and what designers ask for. All but
the last is read off the records of games; thinking is measured by games against players who think less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext

import attrs
import numpy as np

from rulelang.program.sides import sides

from ..bots.experience import training_of
from ..chance import mix
from ..game import Game
from ..position.blueprint import Blueprint
from ..simulate.games import TimeIsUp, play_one, seated_for_comparison
from ..simulate.records import Array, Records
from .alternatives import BASE
from .estimates import FEWEST, Moments, half_width, share_between
from .pairs import counted
from .playing import LIMIT, Guard, Here, RuleSet
from .quantities import QUANTITIES, kinds_of, quantities_of, scale_of, while_ahead
from .typical import Gallery, Picked
from .verdicts import LEVEL, block_size
from .worth import Worth, Worths, known_chances


@attrs.frozen
class Measure:
    """``read``: a number for each game, not a number where it has none. ``needs``: what there must be in a game, of
    ``kinds_of``."""

    name: str
    label: str
    unit: str
    read: Callable[[Records], Array]
    meaning: str
    needs: tuple[str, ...] = ()


@attrs.frozen
class Measured:
    """A measure's mean and how far it can be off at 95 %, and over how many games."""

    measure: Measure
    mean: float
    half_width: float
    games: int


@attrs.frozen
class OptionUse:
    """An option in all games together: decisions in which it was offered, how often it was taken, and what it is worth
    each time; None where nobody can say.
    """

    name: str
    offered: int
    taken: int
    worth: Worth | None = None

    @property
    def share(self) -> float:
        return self.taken / self.offered if self.offered else 0.0


@attrs.frozen
class Thinking:
    """Games of one player who thinks more against others who think less. ``share``: of the games it won, from ``low``
    to ``high``; ``fair``: its share if thinking did not help."""

    more: str
    less: str
    games: int
    share: float
    low: float
    high: float
    fair: float

    @property
    def verdict(self) -> str:
        """``pays``, ``hurts`` or ``open``."""
        return "pays" if self.low > self.fair else "hurts" if self.high < self.fair else "open"


@attrs.frozen
class PlayShape:
    """``bots``: who played. ``games``: finished ones; ``left_out``: those with a fault or without an end.
    ``order_wins``: by order of play, the share of wins."""

    games: int
    left_out: int
    measured: tuple[Measured, ...]
    options: tuple[OptionUse, ...]
    order_wins: tuple[float, ...]
    picked: Picked
    bots: str
    thinking: tuple[Thinking, ...] = ()
    lengths: Mapping[int, int] = {}
    scores: Mapping[int, int] = {}

    def valued(self) -> list[OptionUse]:
        """Options whose worth is known, the best first: by points where there are any, else by wins."""

        def best(option: OptionUse) -> float:
            assert option.worth is not None
            return -next(iter(option.worth.effects.values())).value

        return sorted((option for option in self.options if option.worth is not None), key=best)

    def dead(self) -> list[OptionUse]:
        """Options that are offered and never taken, or never offered at all."""
        return [option for option in self.options if not option.taken]


def _single(records: Records) -> Array:
    single: Array = 100.0 * (records.column("winning") == 1)
    return single


def _forced(records: Records) -> Array:
    shares: Array = 100 * records.column("forced") / np.maximum(1, records.column("decisions"))
    return shares


def _waiting(records: Records) -> Array:
    most: Array = records.column("waited").max(axis=1).astype(float)
    return most


_LENGTH, _CHOICE = (next(q for q in QUANTITIES if q.name == name) for name in ("length", "choice"))

_LEADS = ("points", "rivals", "leads")

MEASURES = (
    Measure("length", "Length", "turns", _LENGTH.read, "turns of all players", ("turns",)),
    Measure("decisions", "Decisions", "a game", lambda r: r.column("decisions"), "what players are asked in all"),
    Measure("forced", "Forced decisions", "%", _forced, "decisions with a single option: nothing to think about"),
    Measure("choice", "Branching", "options", _CHOICE.read, "options of a decision that has more than one"),
    Measure("choice_bits", "Freedom", "bits", lambda r: r.column("choice_bits"), "choice in a whole game"),
    Measure("waiting", "Longest wait", "decisions", _waiting, "most decisions of others in a row before one’s own"),
    Measure("decisive", "Decisive games", "%", _single, "games that one player or team wins alone", ("rivals",)),
    Measure("margin", "Margin", "points", lambda r: r.column("margin"), "from the winner to the next",
            ("points", "rivals")),
    Measure("lead_changes", "Changes of the lead", "a game", while_ahead("lead_changes"),
            "how often the lead passes on", _LEADS),
    Measure("settled", "Settled after", "% of the game", while_ahead("settled", 100),
            "from then on the winner leads", _LEADS),
    Measure("deficit", "Comeback", "points", while_ahead("deficit"), "most the winner was ever behind", _LEADS),
    Measure("leader_won", "Runaway leader", "%", while_ahead("leader_won", 100), "leaders at half time who win",
            _LEADS),
    Measure("last_won", "Last to first", "%", while_ahead("last_won", 100), "last at half time who win", _LEADS),
)  # fmt: skip


def measures_of(blueprint: Blueprint) -> list[Measure]:
    """Those that say something of a game."""
    kinds = kinds_of(blueprint)
    return [measure for measure in MEASURES if kinds.issuperset(measure.needs)]


@attrs.define(eq=False)
class ShapeRun:
    """The shape of a game as it is played by bots, block after block; ``printed``: as they know it, None for as it
    is."""

    game: Game
    bots: str
    seed: int
    threads: int
    printed: Game | None = None
    games: int = 0
    finished: int = 0
    _moments: dict[str, Moments] = attrs.field(factory=dict)
    _worths: Worths = attrs.field(factory=Worths)
    _gallery: Gallery = attrs.field(factory=Gallery)
    _offered: Array | None = None
    _taken: Array | None = None
    _wins: Array | None = None
    _lengths: Counter[int] = attrs.field(factory=Counter)
    _scores: Counter[int] = attrs.field(factory=Counter)

    def go(self, games: int, guard: Guard = nullcontext, until: float | None = None) -> Iterator[int]:
        """Plays so many games; gives back how many there are after each block. ``until``: by ``time.monotonic()``, when
        it is enough."""
        rules = RuleSet.of(BASE, self.game, self.bots, self.threads, Here(), self.printed)
        while self.games < games:
            count = min(games - self.games, block_size(self.games))
            try:
                seen = rules.play(self.seed, self.games, count, (), until)
            except TimeIsUp:
                return
            with guard():
                self.add(seen.records, trained=seen.trained)
            yield self.games

    def add(self, records: Records, *, trained: bool = False) -> None:
        """Adds games that were played; ``trained``: by players who learned anything beforehand."""
        keep = records.column("finished").astype(bool)
        keep[[number - records.first for number in records.faults]] = False
        values = {quantity.name: quantity.read(records)[keep] for quantity in quantities_of(self.game.blueprint)}
        self._gallery.add(records.numbers[keep], values)
        self.games += records.games
        self.finished += int(keep.sum())
        groups = training_of(records.numbers)[keep] if trained else None
        for measure in measures_of(self.game.blueprint):
            numbers = np.asarray(measure.read(records), dtype=float)[keep]
            self._moments.setdefault(measure.name, Moments()).extend(numbers, groups)
        offered, taken = (records.column(name).sum(axis=(0, 2)) for name in ("offered", "taken"))
        self._offered = offered if self._offered is None else self._offered + offered
        self._taken = taken if self._taken is None else self._taken + taken
        if known_chances(self.bots):
            self._worths.add(keep, records)
        win, order = records.column("win")[keep], records.column("order")[keep]
        wins = np.array([(win * (order == place)).sum() for place in range(1, order.shape[1] + 1)])
        self._wins = wins if self._wins is None else self._wins + wins
        kinds = kinds_of(self.game.blueprint)
        self._lengths += counted(records.column("turns" if "turns" in kinds else "decisions")[keep])
        if "points" in kinds:
            self._scores += counted(records.column("score")[keep])

    def shape(self, thinking: Sequence[Thinking] = ()) -> PlayShape:
        """What has been found so far."""
        from ..record.shape import Shape

        names = Shape.of(self.game.blueprint).axes["option"]
        found = []
        for measure in measures_of(self.game.blueprint):
            moments = self._moments.get(measure.name, Moments())
            if moments.count:
                reach = half_width(moments, LEVEL, scale_of(measure.unit))
                found.append(Measured(measure, moments.mean, reach, moments.count))
        worths = {worth.option: worth for worth in self._worths.worths()}
        counts = [] if self._offered is None or self._taken is None else [self._offered, self._taken]
        options = (
            tuple(
                OptionUse(name, int(offered), int(taken), worths.get(name))
                for name, offered, taken in zip(names, *counts, strict=True)
            )
            if counts
            else ()
        )
        wins = () if self._wins is None else tuple(float(n) / max(1, self.finished) for n in self._wins)
        return PlayShape(
            games=self.finished,
            left_out=self.games - self.finished,
            measured=tuple(found),
            options=options,
            order_wins=wins,
            thinking=tuple(thinking),
            picked=self._gallery.picked(),
            bots=self.bots,
            lengths=self._lengths,
            scores=self._scores,
        )


def thinking(game: Game, more: str, less: str, games: int, seed: int) -> Iterator[Thinking]:
    """One player who thinks more, in each seat in turn, against others who think less; after each game what is known.

    A win shared with others counts in part.
    """
    side = sides(game.program)
    fair = 1 / len(set(side))
    won = Moments()
    for number in range(games):
        seat = number % game.players
        bots = [more if side[place] == side[seat] else less for place in range(game.players)]
        seats = seated_for_comparison(game, bots, game)
        assert seats is not None
        result = play_one(game, mix(seed, number), seats(number), LIMIT, number)
        if result.finished:
            winners = {side[place] for place in result.winners} or set(side)  # a draw is worth the same to all
            part = 1 / len(winners) if side[seat] in winners else 0.0
            won.extend([part], np.array([training_of(number)]))
        if won.count:
            low, high = _between(won)
            yield Thinking(more, less, won.count, won.mean, low, high, fair)


def _between(won: Moments) -> tuple[float, float]:
    """The share of games won, from and to. Where games of one training go together, they count as fewer."""
    alone = won.mean * (1 - won.mean) / won.count
    fewer = max(1.0, won.error**2 / alone) if alone and won.count >= FEWEST and won.degrees > 0 else 1.0
    return share_between(won.mean * won.count / fewer, won.count / fewer, LEVEL)
