"""Chances over time: who is how likely to win at moments of a game, found by playing on at random many times.

At 21 moments of each game of a sample everybody's chance of winning is the share of the playouts from there that they
win, a shared win in part. What dice and shuffles bring is drawn anew for each; what lies face down stays as it lies.
Where somebody without a chance has a choice, each of their options is tried too: one that moves another's chance far
makes kings.

What is extreme among many estimates is so partly by luck. Therefore whatever is picked for being highest or lowest is
picked by one half of the playouts and told by the other; and the two options that look furthest apart are played again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

import attrs
import numpy as np

from rulelang.program.sides import all_together, sides

from ..bots.experience import training_of
from ..bots.simple import BY_QUESTION
from ..chance import Stream, mix
from ..errors import GameError
from ..record.shape import MOMENTS
from ..simulate.batch import in_order
from ..simulate.games import game_seed, in_parallel, simulated
from ..simulate.records import Array
from ..wasm.engine import WasmGame
from ..wasm.state import WasmState
from .estimates import Moments, half_width, share_of_several
from .playing import LIMIT
from .quantities import scale_of
from .verdicts import LEVEL

if TYPE_CHECKING:
    from ..game import Game

PLAYOUTS = 100
"""From each moment, and for each option of somebody without a chance."""

HOPELESS = 0.02
"""A chance up to this is none."""

MOVED = 0.20
"""A change of another's chance from which on a decision makes a king."""

CERTAIN = 0.90
"""A chance from which on a game is as good as decided."""

AHEAD = 0.10
"""By so much a new favourite must be ahead of the old one."""

MOST_OPTIONS = 12
"""Options that are tried of one decision; of more, some at random."""

_SALT, _TRIED, _AGAIN, _SAMPLE = 0xC4A2CE, 1, 2, 3


@attrs.frozen(eq=False, slots=False)
class GameChances:
    """A game of the sample by its ``number``. ``moments``: decisions made at each of the 21 moments; ``halves``: the
    chance of each side then, by either half of the playouts (2, moments, sides), who won at the last: in a draw
    everybody has an equal part; ``moved``: by how
    much each decision of somebody without a chance that was looked at moves another's chance."""

    number: int
    moments: tuple[int, ...]
    halves: Array
    moved: tuple[float, ...]

    @cached_property
    def chances(self) -> Array:
        """The chance of each side at each moment: (moments, sides)."""
        found: Array = self.halves.mean(axis=0)
        return found

    @cached_property
    def winners(self) -> Array:
        """Which sides won; none in a draw."""
        end = self.chances[-1]
        found: Array = (end > 0) & (end.min() == 0)
        return found

    @property
    def drawn(self) -> bool:
        return not self.winners.any()

    @cached_property
    def winner(self) -> Array:
        """The chance of those who won, at each moment, together."""
        found: Array = self.chances[:, self.winners].sum(axis=1)
        return found

    @cached_property
    def favourite(self) -> Array:
        """The chance at each moment of who is likeliest to win then."""
        found = [_told(told, picked.argmax(axis=1)) for picked, told in _both(self.halves)]
        mean: Array = np.mean(found, axis=0)
        return mean

    @property
    def lowest(self) -> int:
        """The moment at which the winner's chance was lowest."""
        return int(np.argmin(self.winner))

    @property
    def low(self) -> float:
        """The winner's lowest chance."""
        halves = self.halves[:, :, self.winners].sum(axis=2)
        return float(np.mean([told[picked.argmin()] for picked, told in _both(halves)]))


def _both(halves: Array) -> list[tuple[Array, Array]]:
    """What to pick by, and what to tell, in both orders."""
    return [(halves[0], halves[1]), (halves[1], halves[0])]


def _told(chances: Array, sides: Array) -> Array:
    found: Array = np.take_along_axis(chances, sides[:, None], axis=1)[:, 0]
    return found


@attrs.frozen
class ChanceMeasure:
    """A measure of chances: its mean, how far it can be off at 95 %, over so many games."""

    name: str
    label: str
    unit: str
    meaning: str
    mean: float
    half_width: float


@attrs.frozen
class Kingmaking:
    """``decisions`` of somebody without a chance that were looked at; ``kings``: those that move another's chance far,
    a share from ``low`` to ``high`` of them; in ``games`` of the games there was one."""

    decisions: int
    kings: int
    low: float
    high: float
    games: int


@attrs.frozen(eq=False)
class Chances:
    """What a sample of games says. ``winner`` and ``favourite``: their mean chance at the 21 moments; ``fair``: what
    everybody has who is as good as the others; ``drawn``: how many games nobody won, which say nothing of winners;
    ``comeback``: the game whose winner was once furthest down."""

    games: int
    drawn: int
    playouts: int
    fair: float
    measured: tuple[ChanceMeasure, ...]
    winner: tuple[float, ...]
    favourite: tuple[float, ...]
    kingmaking: Kingmaking | None
    comeback: GameChances | None


Read = Callable[[GameChances, float], float]


def _settled(game: GameChances, fair: float) -> float:
    below = np.flatnonzero(game.winner < CERTAIN)
    return 100 * (int(below[-1]) + 1 if len(below) else 0) / (MOMENTS - 1)


def _half_time(game: GameChances, fair: float) -> float:
    best = game.chances[MOMENTS // 2]
    return 100.0 * bool((game.winners & (best == best.max())).any())


def _changes(game: GameChances, fair: float) -> float:
    """How often another side becomes the favourite, and clearly so."""
    changes, now = 0, int(game.chances[0].argmax())
    for chances in game.chances[1:]:
        best = int(chances.argmax())
        if chances[best] >= chances[now] + AHEAD:
            changes, now = changes + 1, best
    return float(changes)


_MEASURES: tuple[tuple[str, str, str, str, Read], ...] = (
    ("favourite_won", "Favourite half way", "%", "games that the favourite at half time wins", _half_time),
    ("decided", "Decided half way", "%", "games in which somebody has nine in ten by then",
     lambda game, fair: 100.0 * (game.favourite[MOMENTS // 2] >= CERTAIN)),
    ("settled", "Settled after", "% of the game", "from then on the winner has nine in ten", _settled),
    ("lowest", "Winner’s lowest chance", "%", "how far down the winner once was",
     lambda game, fair: 100 * game.low),
    ("comebacks", "Comebacks", "%", "games whose winner once had less than half a fair chance",
     lambda game, fair: 100.0 * (game.low < fair / 2)),
    ("favourites", "Changes of favourite", "a game", "how often another becomes the likeliest to win", _changes),
    ("drama", "Drama", "points", "how far the winner was behind the favourite, on average",
     lambda game, fair: 100 * float((game.favourite - game.winner)[:-1].mean())),
)  # fmt: skip


_OF_ALL = ("decided", "favourites")
"""Measures that do not ask who won, so that drawn games count in them."""


@attrs.define(eq=False)
class ChancesRun:
    """Chances in games of a simulation from a seed, one after the other, played by bots.

    ``game`` is on the fast engine; ``printed``: as those who play know it, None for as it is. Equal samples give equal
    chances, whatever the threads.
    """

    game: Game
    bots: str
    seed: int
    threads: int
    printed: Game | None = None
    playouts: int = PLAYOUTS
    games: list[GameChances] = attrs.field(factory=list)
    left_out: int = 0

    def __attrs_post_init__(self) -> None:
        if all_together(self.game.program) or len(set(sides(self.game.program))) < 2:
            raise GameError("chances over time need players who play against each other; here all win or lose together")

    def go(self, number: int, until: float | None = None) -> Generator[int]:
        """Looks at so many games; gives back how many there are after each. ``until``: by ``time.monotonic()``, when
        no more moments are looked at; a game of which some are missing is left out. Closing it stops the work."""
        bots = None if self.bots == "random" else self.bots
        work = (partial(self._look, at, bots, until) for at in range(number))
        if self.threads > 1 and in_parallel(self.game):
            found: Generator[GameChances | None] = in_order(work, self.threads)
        else:
            found = (piece() for piece in work)
        try:
            for one in found:
                if one is None:
                    self.left_out += 1
                else:
                    self.games.append(one)
                yield len(self.games)
                if until is not None and time.monotonic() > until:
                    return
        finally:
            found.close()

    def _look(self, number: int, bots: str | None, until: float | None) -> GameChances | None:
        from ..position.position import follow, laid_first

        own = game_seed(self.seed, number)
        try:
            end = simulated(self.game, self.seed, number, bots, limit=LIMIT, streams=BY_QUESTION, printed=self.printed)
        except GameError:
            return None
        if not end.over:
            return None
        assert isinstance(end, WasmState)
        made = end.choices()
        state = self.game.start(own, *laid_first(made))
        assert isinstance(state, WasmState)
        wanted = [round(len(made) * moment / (MOMENTS - 1)) for moment in range(MOMENTS)]
        chances: list[Array] = []
        moved: list[float] = []
        done = 0
        for moment, at in enumerate(wanted):
            if chances and at == done:  # a short game has fewer decisions than there are moments
                chances.append(chances[-1])
                continue
            follow(state, made[done:at])
            done = at
            if until is not None and time.monotonic() > until:
                return None
            chances.append(self._chances(state, mix(own, _SALT, moment)))
            king = self._kingmaking(state, chances[-1].mean(axis=0), mix(own, _SALT, moment, _TRIED))
            if king is not None:
                moved.append(king)
        return GameChances(number, tuple(wanted), np.stack(chances, axis=1), tuple(moved))

    @property
    def _sides(self) -> tuple[int, ...]:
        return tuple(sides(self.game.program))

    def _chances(self, state: WasmState, seed: int) -> Array:
        """The chance of each side from a position on, by either half of the playouts: (2, sides). Those that come to no
        end count for nobody."""
        side = self._sides
        found = np.zeros((2, len(set(side))))
        half = self.playouts // 2
        for number in range(2 if state.over else 2 * half):
            winners = state.winners if state.over else self._winners(state, mix(seed, number))
            winning = set() if winners is None else {side[seat] for seat in winners} or set(side)
            for each in winning:
                found[number % 2, each] += 1 / len(winning)
        return found if state.over else found / half

    def _winners(self, state: WasmState, seed: int) -> Sequence[int] | None:
        game = self.game
        assert isinstance(game, WasmGame)
        try:
            result = game.with_chance(state, seed).playout(mix(seed), LIMIT)
        except GameError:
            return None
        return None if result is None else result[1]

    def _kingmaking(self, state: WasmState, chances: Array, seed: int) -> float | None:
        """By how much the open decision moves the chance of another side, if it is that of somebody without one."""
        if state.over or len(chances) < 3 or state.option_count < 2 or state.player is None:
            return None
        own = self._sides[state.player]
        if chances[own] > HOPELESS:
            return None
        options = range(state.option_count)
        tried = Stream(mix(seed, _SAMPLE)).shuffled(options)[:MOST_OPTIONS] if len(options) > MOST_OPTIONS else options
        states = {}
        for option in tried:
            after = state.copy()
            with suppress(GameError):  # the rules cannot go on
                after.choose(option)
                states[option] = after
        found = {
            option: self._chances(after, mix(seed, option, _TRIED)).mean(axis=0) for option, after in states.items()
        }
        most = 0.0
        for rival in range(len(chances)) if found else ():
            if rival == own:
                continue
            best, worst = (pick(found, key=lambda option: found[option][rival]) for pick in (max, min))
            if found[best][rival] - found[worst][rival] >= MOVED:
                again = [self._chances(states[o], mix(seed, o, _AGAIN)).mean(axis=0)[rival] for o in (best, worst)]
                most = max(most, float(again[0] - again[1]))
        return most

    def chances(self) -> Chances:
        """What has been found so far."""
        fair = 1 / len(set(self._sides))
        measured = []
        won = [game for game in self.games if not game.drawn]
        for name, label, unit, meaning, read in _MEASURES:
            moments = Moments()
            some = self.games if name in _OF_ALL else won
            groups = None if self.bots == "random" else training_of(np.array([game.number for game in some]))
            moments.extend([read(game, fair) for game in some], groups)
            if not moments.count:
                continue
            reach = half_width(moments, LEVEL, scale_of(unit))
            measured.append(ChanceMeasure(name, label, unit, meaning, moments.mean, reach))
        winner, favourite = (
            tuple(float(n) for n in np.mean([getattr(game, of) for game in games], axis=0)) if games else ()
            for of, games in (("winner", won), ("favourite", self.games))
        )
        return Chances(
            games=len(self.games),
            drawn=len(self.games) - len(won),
            playouts=self.playouts,
            fair=fair,
            measured=tuple(measured),
            winner=winner,
            favourite=favourite,
            kingmaking=self._kings(),
            comeback=min(won, key=lambda game: game.low, default=None),
        )

    def _kings(self) -> Kingmaking | None:
        """None where there are not three sides: with two, whoever harms one helps the other."""
        if len(set(self._sides)) < 3 or not self.games:
            return None
        decisions = sum(len(game.moved) for game in self.games)
        kings = sum(by > MOVED for game in self.games for by in game.moved)
        moved = [[by > MOVED for by in game.moved] for game in self.games]
        low, high = share_of_several([sum(each) for each in moved], [len(each) for each in moved], LEVEL)
        return Kingmaking(decisions, kings, low, high, sum(any(b > MOVED for b in g.moved) for g in self.games))
