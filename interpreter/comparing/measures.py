"""The shape of play: how long, how open, how decided; who waits; which options are dead; whether thinking pays.

After Browne, "Automatic generation and evaluation of recombination games" (2008), and what designers ask for. All but
the last is read off the records of games; thinking is measured by games against players who think less.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import combinations
from statistics import NormalDist

import attrs
import numpy as np

from rulelang.program.sides import sides

from ..bots import MOST_PLAYOUTS, make_bot
from ..bots.experience import training_of
from ..bots.ladder import LEVELS, Ladder, Rung, Thinking
from ..bots.simple import Bot
from ..chance import Stream, mix
from ..data import Decision
from ..game import Game, State
from ..position.blueprint import Blueprint
from ..simulate.games import TimeIsUp, check_time, play_one, seated_for_comparison
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


def thinking(
    game: Game,
    more: str,
    less: str,
    games: int,
    seed: int,
    players: Mapping[str, Bot] | None = None,
    level: float = LEVEL,
) -> Iterator[Thinking]:
    """One player who thinks more, in each seat in turn, against others who think less; after each game what is known.

    A win shared with others counts in part. ``players``: who plays under these names; None: those of comparisons.
    """
    side = sides(game.program)
    fair = 1 / len(set(side))
    won = Moments()
    for number in range(games):
        seat = number % game.players
        bots = [more if side[place] == side[seat] else less for place in range(game.players)]
        if players is None:
            seats = seated_for_comparison(game, bots, game)
            assert seats is not None
            seated = seats(number)
        else:
            seated = [players[bot] for bot in bots]
        result = play_one(game, mix(seed, number), seated, LIMIT, number)
        if result.finished:
            winners = {side[place] for place in result.winners} or set(side)  # a draw is worth the same to all
            part = 1 / len(winners) if side[seat] in winners else 0.0
            won.extend([part], None if players else np.array([training_of(number)]))
        if won.count:
            low, high = _between(won, level)
            yield Thinking(more, less, won.count, won.mean, low, high, fair)


def _between(won: Moments, level: float) -> tuple[float, float]:
    """The share of games won, from and to. Where games of one training go together, they count as fewer."""
    alone = won.mean * (1 - won.mean) / won.count
    fewer = max(1.0, won.error**2 / alone) if alone and won.count >= FEWEST and won.degrees > 0 else 1.0
    return share_between(won.mean * won.count / fewer, won.count / fewer, level)


# The ladder of a game: all its players against each other.

_PLAYERS = "random", "learned", "epsilon-greedy:0.5", "epsilon-greedy:0.2", "greedy"

_LONGER, _PATIENCE = 8, 500.0
"""How many times as long as the one before each of those who search thinks, and the most milliseconds it may take."""

_LOOKS = (16, 32, 64, 128)
"""Games after which it is looked whether one player of a pair is stronger; if so, they play no more."""

_PROBES, _PROBED, _PROBED_FOR = (10, 100), 300, 4.0
"""Playouts with which searches are timed; the decisions and seconds that are enough to time a player."""

_HUNDRED = 100
"""Games that one who searches plays, about."""


@attrs.define
class _Timed:
    """A bot that counts the time it takes, and leaves its game when the time is up."""

    bot: Bot
    until: float
    seconds: float = 0.0
    decisions: int = -1
    """The first does not count: before it, some get to know the game."""

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        check_time(self.until)
        if len(decision.options) == 1:
            return 0
        before = time.process_time()
        found = self.bot.choose(state, decision, stream)
        self.decisions += 1
        self.seconds += time.process_time() - before if self.decisions else 0.0
        return found

    @property
    def milliseconds(self) -> float:
        return 1000 * self.seconds / max(1, self.decisions)


def _pace(game: Game, name: str, seed: int, until: float) -> tuple[float, float]:
    """Milliseconds of a decision in games among equals, and decisions of a game."""
    bot = _Timed(make_bot(name, game), until)
    enough, number = time.monotonic() + _PROBED_FOR, 0
    while not number or (bot.decisions < _PROBED and time.monotonic() < enough):
        play_one(game, mix(seed, number), [bot] * game.players, LIMIT, number)
        number += 1
    return bot.milliseconds, bot.decisions / number


def _playouts(game: Game, seed: int, until: float) -> Iterator[int]:
    """Of those who search: as many as take as long as a decision of greedy players, and several times as many while
    there is time for games of them."""
    greedy, decisions = _pace(game, "greedy", seed, until)
    few, many = (_pace(game, f"ismcts:{number}", seed, until)[0] for number in _PROBES)
    each = max(1e-6, (many - few) / (_PROBES[1] - _PROBES[0]))
    number = max(_PROBES[0], round(_PROBES[0] + (greedy - few) / each))
    yield number
    while (number := _LONGER * number) <= MOST_PLAYOUTS:
        spent = few + each * number
        if spent > _PATIENCE or _HUNDRED * decisions * spent / 1000 > (until - time.monotonic()) / 2:
            return
        yield number


@attrs.define
class Climb:
    """Games of all players of a ladder against each other."""

    game: Game
    seed: int
    games: int = 0
    _players: dict[str, _Timed] = attrs.field(factory=dict)
    _duels: dict[tuple[str, str], Thinking | None] = attrs.field(factory=dict)

    def go(self, until: float) -> Iterator[int]:
        """Plays; gives back how many games there are after each. ``until``: by ``time.monotonic()``, when it is
        enough."""
        try:
            names = *_PLAYERS, *(f"ismcts:{number}" for number in _playouts(self.game, self.seed, until))
            self._players = {name: _Timed(make_bot(name, self.game), until) for name in names}
            pairs = [(more, less) for place, more in enumerate(names) for less in names[:place]]
            self._duels = dict.fromkeys(pairs)
            level = 1 - (1 - LEVEL) / len(pairs) / len(_LOOKS)
            playing = {
                pair: thinking(self.game, *pair, _LOOKS[-1], mix(self.seed, number), self._players, level)
                for number, pair in enumerate(pairs)
            }
            for look in _LOOKS:
                undecided = [pair for pair in pairs if (known := self._duels[pair]) is None or known.verdict == "open"]
                for place, pair in enumerate(undecided):
                    now = time.monotonic()
                    share = now + (until - now) / (len(undecided) - place)
                    for found in playing[pair]:
                        self._duels[pair] = found
                        self.games += 1
                        yield self.games
                        if found.games >= look or time.monotonic() > share:
                            break
        except TimeIsUp:
            return

    def ladder(self) -> Ladder | None:
        """What is known so far; None unless every pair has met."""
        duels = [duel for duel in self._duels.values() if duel is not None]
        if not duels or len(duels) < len(self._duels):
            return None
        return ladder_of({name: bot.milliseconds for name, bot in self._players.items()}, duels)


def ladder_of(milliseconds: Mapping[str, float], duels: Sequence[Thinking]) -> Ladder:
    """The ladder of players, of whom the first choose at random; ``milliseconds``: that each takes to choose.

    Strengths are those of maximum likelihood, by who wins alone among several (Luce's choice axiom, 1959; of two,
    Bradley and Terry's), with a game added to each pair that ends as is fair, so that nobody is infinitely strong.
    """
    names = list(milliseconds)
    worth, slopes = np.zeros(len(names)), np.zeros(len(names))
    found: Array = np.zeros((len(names), len(names)))
    for _ in range(50):
        slopes[:], found[:] = 0, 0
        for duel in duels:
            more, less = names.index(duel.more), names.index(duel.less)
            likely = 1 / (1 + (1 / duel.fair - 1) * np.exp(worth[less] - worth[more]))
            surplus = duel.share * duel.games + duel.fair - (duel.games + 1) * likely
            pair = np.array([more, less])
            slopes[pair] += surplus * np.array([1, -1])
            found[np.ix_(pair, pair)] += (duel.games + 1) * likely * (1 - likely) * np.array([[1, -1], [-1, 1]])
        worth[1:] += np.clip(np.linalg.solve(found[1:, 1:], slopes[1:]), -1, 1)
    spread: Array = np.zeros_like(found)
    spread[1:, 1:] = np.linalg.inv(found[1:, 1:])
    strength = {name: round(400 * float(one) / math.log(10)) for name, one in zip(names, worth, strict=True)}
    rungs = [
        Rung(name, round(milliseconds[name], 3), strength[name]) for name in sorted(names, key=strength.__getitem__)
    ]
    surely = -NormalDist().inv_cdf((1 - LEVEL) / 2 / len(duels) / len(_LOOKS))
    ahead = {(one.more, one.less) if one.share > one.fair else (one.less, one.more) for one in duels}

    def beats(more: str, less: str) -> bool:
        """Whether one player is stronger beyond doubt by all games, and ahead in those of the two."""
        a, b = names.index(more), names.index(less)
        reach = surely * math.sqrt(spread[a, a] + spread[b, b] - 2 * spread[a, b])
        return (more, less) in ahead and bool(worth[a] - worth[b] > reach)

    return Ladder(tuple(rungs), tuple(duels), _levels(rungs, beats))


def _levels(rungs: Sequence[Rung], beats: Callable[[str, str], bool]) -> dict[str, str]:
    """Players each of whom clearly beats the one before, as evenly between random players and the strongest as the
    ladder allows."""
    names = [rung.bots for rung in rungs if beats(rung.bots, "random")]
    strength = {rung.bots: rung.strength for rung in rungs}
    for number in (3, 2):
        ideal = [strength[names[-1]] * (place + 1) / 3 for place in range(number - 1)] if names else []
        sets = [some for some in combinations(names, number) if some[-1] == names[-1]]
        clear = [some for some in sets if all(map(beats, some[1:], some))]
        if clear:
            best = min(clear, key=lambda some: sum(abs(strength[n] - i) for n, i in zip(some, ideal, strict=False)))
            return dict(zip((*LEVELS[: number - 1], LEVELS[-1]), best, strict=True))
    return {LEVELS[-1]: names[-1]} if names else {}
