"""A bot that likes to be ahead soon: it tries every option, with a little random play behind it.

It looks a part of a game ahead, judges all tries of a decision by one measure, and lets options drop out of a race.
Where nothing is hidden but chance that is still to come, it plays whole games inside the module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from rulelang.structural import Structural, frozen

from ..chance import Stream, mix
from .experience import Experience, Worlds, found_out

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State
    from ..wasm.engine import WasmGame
    from ..wasm.greedy import Trying
    from ..wasm.search import Search
    from ..wasm.state import WasmState
    from ..wasm.value import Value
    from .simple import Streams

WINNING = 0.5
"""The share of a reward that is for winning, where more is judged than who is ahead soon."""

EPSILON = 0.15
"""How often the bot ``epsilon-greedy`` takes any option, if nobody says otherwise."""

IMAGINED = 8
"""Positions that a decision is tried out in, where something is hidden."""

_MOST = 60
"""Of more options a sample is tried."""

_SOON, _SHORT, _PART = 10, 100, 10
"""The fewest decisions behind an option; a game of so few is played to its end; of a longer one the part that is."""

_CLEAR = 2.5
"""Standard errors behind the one that leads that make an option drop out of a race."""

_RACE = (2, 32, 12), (2, 64, 16)
"""Of a race: tries of an option in a round at least, tries of all options together if that is enough for so many, and
options that take part; and of one in which games are played to their end."""

_QUICK_RACE, _QUICK_PART = ((1, 12, 12), (1, 24, 12)), 0.6
"""The same for a quick bot, which tries no more options than race; the part of the way that it looks ahead."""

_SAMPLED = 16
"""Random games that say how long a game is."""

_PLACES, _LOOKS, _TELLING = 12, 8, 0.75
"""Places in a random game from which it is looked, so many times, who leads so soon; the share of them at which that
must tell anything."""

_NEAR = 2, 12
"""The fewest and the most decisions behind an option where a value of positions judges."""

_DECISIONS, _OPTIONS, _TRIES, _TRUE = 60, 6, 4, 32
"""Decisions, options of each, tries and random games of each option that say what judges better."""

_WORSE, _BETTER = 0.8, 2.0
"""A value is left, or taken, that agrees with random games so many times as well as who is ahead does. In between games
are played."""

_GAMES, _LONG, _MORE = 48, 6_000, 1.15
"""So many, or fewer that have so many decisions, if that is a dozen; and the wins that it takes, in fair shares."""

TO_THE_END = 2_000
"""Decisions of random play that are taken for the end of a game."""

_LONGEST = 100_000


@frozen
class GreedyBot(Structural):
    """Takes the option after which it is soonest ahead.

    Each option is tried in positions that fit what the seat knows, with some random play behind it, and judged by how
    far the seat is then ahead of the best of the others. Ties are broken at random. ``epsilon``: the chance that any
    option is taken instead, all equally likely, so that each is taken now and then. ``quick``: a quarter of the
    time for a decision, for many games. ``experience``: what it knows of how long games are; None: what it finds out
    about the game that it plays; or ``foresight``, which says how it looks ahead.
    """

    game: Game
    epsilon: float = 0.0
    quick: bool = False
    experience: Experience | None = None
    foresight: Foresight | None = None

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        from ..redraw import CannotRedraw
        from ..wasm.greedy import Room
        from ..wasm.host import Trap

        if len(decision.options) == 1:
            return 0
        try:
            worlds = Worlds.of(self.game, state)
            # Imagining has its own stream, so that the rest does not depend on how much was imagined.
            drawn = worlds.drawn(IMAGINED, Stream(mix(stream.state)))
            trying = self._trying(worlds.game)
            return Room.of(worlds.game, trying, _LONGEST).choose(drawn, stream)
        except (CannotRedraw, Trap):
            return stream.below(len(decision.options))

    def whole_game(self, seed: int, streams: Streams, limit: int) -> WasmState | None:
        """The last state of the game of a seed in which every seat is played by this bot, as ``choose`` would play it;
        None where that cannot be done in one go, or it comes to a fault."""
        from ..wasm.engine import WasmGame
        from ..wasm.greedy import Room
        from ..wasm.host import Trap
        from .simple import BY_QUESTION

        game = self.game
        if not isinstance(game, WasmGame) or game.check or limit > _LONGEST:
            return None
        if not (game.blueprint.knowers.all_in_the_open or game.blueprint.knowers.all_followed):
            return None
        room = Room.of(game, self._trying(game), _LONGEST)
        try:
            return room.play(seed, streams.seats, limit, by_question=streams.version == BY_QUESTION)
        except Trap:
            return None

    def _trying(self, game: WasmGame) -> Trying:
        """How options of a game are tried, which is found out once."""
        from ..wasm.greedy import Race, Trying

        known = self.foresight or Foresight.of(game, self.experience)
        limit = known.horizon or TO_THE_END
        race = (_QUICK_RACE if self.quick else _RACE)[not known.horizon]
        if self.quick and known.horizon and known.value is None:
            limit = max(_SOON, int(_QUICK_PART * limit))
        first, budget, wide = race
        most = 1 + max(budget, first * wide.bit_length())  # of one option: once before the race, and in every round
        options = wide if self.quick else _MOST
        return Trying(
            limit,
            most,
            budget,
            options,
            known.winning,
            self.epsilon,
            Race(_CLEAR, first, wide, known.scale),
            known.value,
        )


@attrs.frozen(eq=False)
class Foresight:
    """What random games say of how to look ahead. ``horizon``: decisions after which a try is judged; 0 for at the end
    of the game. ``value``: what judges it there; None: who is ahead. ``scale``: by how many points the sides are mostly
    apart at the end."""

    horizon: int
    scale: int
    value: Value | None = None

    @classmethod
    def of(cls, game: WasmGame, experience: Experience | None) -> Foresight:
        """That of a game, which is found out once; the value of positions in each training."""
        found: Foresight = found_out(game, experience and attrs.evolve(experience, training=0), "foresight", cls._found)
        if found.value is None or experience is None:
            return found
        return attrs.evolve(found, value=found_out(game, experience, "value", _value) or found.value)

    @classmethod
    def _found(cls, game: WasmGame, seed: int) -> Foresight:
        from ..errors import RuleFault
        from ..wasm.search import Search, Settings
        from ..wasm.stakes import Stakes

        try:
            state = game.start(seed)
            if state.over:
                return cls(0, 0)
            search = Search(game, [game.without_chance(state)], Settings(winning=0.0), 0, 1)
            lengths = _lengths(search, TO_THE_END, seed)
            scale = search.scale
            length = sum(lengths) // len(lengths) if lengths else 0
            horizon = 0
            if length > _SHORT and Stakes.at(game).leads:
                horizon = max(_SOON, length // _PART)
                horizon = horizon if _tells(game, state, horizon, length, scale, seed) else 0
            return cls(horizon, scale)._valued(game, length, seed)
        except RuleFault:
            pass
        return cls(0, 0)

    def _valued(self, game: WasmGame, length: int, seed: int) -> Foresight:
        """The same, or with a value of positions where that tells options apart clearly better, or where it wins."""
        value = _value(game, seed)
        if value is None or not length:
            return self
        other = Foresight(min(_NEAR[1], max(_NEAR[0], length // 20)), value.scale, value)
        mine, others = _agreement(game, (self, other), length, seed)
        if others < _WORSE * mine or others <= 0:
            return self
        return other if others > _BETTER * mine or _wins(game, other, self, length, seed) else self

    @property
    def winning(self) -> float:
        """The share of a reward that is for winning, and not for being ahead."""
        return 0.0 if self.horizon and self.value is None else WINNING


def _value(game: WasmGame, seed: int) -> Value | None:
    from importlib.util import find_spec

    if find_spec("numpy") is None:  # as in a browser
        return None
    from ..wasm.value import Value

    return Value.of(game, seed)


def _agreement(game: WasmGame, ways: Sequence[Foresight], length: int, seed: int) -> list[float]:
    """For each way to look ahead, how well what a few tries say of options goes with what becomes of them in random
    games: their correlation within decisions."""
    from ..errors import RuleFault

    found: list[list[tuple[float, float]]] = [[] for _ in ways]
    for number in range(_DECISIONS):
        chance = Stream(mix(_mixed(seed, number), 2))
        state = game.start(mix(seed, number))
        try:
            for _ in range(chance.below(length)):
                if not state.over:
                    state.choose(chance.below(state.option_count))
        except RuleFault:
            continue
        if state.over or state.option_count < 2:
            continue
        options = chance.shuffled(range(state.option_count))[:_OPTIONS]
        streams = [chance.word() for _ in range(_TRUE + _TRIES)]
        true = _centred(game, state, Foresight(0, ways[0].scale), options, streams[_TRIES:])
        for way, pairs in zip(ways, found, strict=True):
            pairs += zip(_centred(game, state, way, options, streams[:_TRIES]), true, strict=False)
    return [_correlation(pairs) for pairs in found]


def _centred(
    game: WasmGame, state: WasmState, way: Foresight, options: Sequence[int], streams: Sequence[int]
) -> list[float]:
    """What options are worth, less their mean; nothing if one of them faults."""
    from ..wasm.search import Search, Settings

    search = Search(game, [state], Settings(winning=way.winning), 0, 1, way.value)
    search.judge_by(way.scale)
    means = []
    for option in options:
        tries = [search.attempt(option, 0, stream, way.horizon or TO_THE_END) for stream in streams]
        known = [one for one in tries if one is not None]
        if len(known) < len(tries):
            return []
        means.append(sum(known) / len(known))
    return [mean - sum(means) / len(means) for mean in means]


def _correlation(pairs: Sequence[tuple[float, float]]) -> float:
    squares = sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs)
    return sum(x * y for x, y in pairs) / squares**0.5 if squares else 0.0


def _wins(game: WasmGame, one: Foresight, other: Foresight, length: int, seed: int) -> bool:
    """Whether a player who looks ahead in one way clearly wins against those who do in another; not if that takes long
    to find out."""
    from ..errors import RuleFault
    from .experience import only_chance_hidden

    most = min(_GAMES, _LONG // length)
    if most < 12 or not only_chance_hidden(game, game.start(seed)):
        return False
    won = games = 0
    for number in range(most):
        seat = number % game.players
        seats = [GreedyBot(game, quick=True, foresight=one if own == seat else other) for own in range(game.players)]
        state, stream = game.start(mix(seed, number, 3)), Stream(mix(seed, number, 4))
        try:
            for _ in range(4 * length):
                if state.over or (asked := state.decision) is None:
                    break
                state.choose(seats[asked.player].choose(state, asked, stream))
        except RuleFault:
            continue
        won += seat in state.winners
        games += bool(state.winners)
    return won * game.players > _MORE * games


def _tells(game: WasmGame, state: WasmState, horizon: int, length: int, scale: int, seed: int) -> bool:
    """Whether it depends on chance who leads so soon, at most places of a random game that goes on from a state. Where
    points come all at once, after many decisions, it does not."""
    from ..wasm.search import Search, Settings

    chance = Stream(_mixed(seed, 0))
    looked = telling = 0
    while looked < _PLACES and not state.over:
        search = Search(game, [game.without_chance(state)], Settings(winning=0.0), 0, 1)
        search.judge_by(scale)
        telling += len(set(_leads(search, horizon, _LOOKS, seed))) > 1
        looked += 1
        for _ in range(length // _PLACES):
            if not state.over:
                state.choose(chance.below(state.option_count))
    return telling >= _TELLING * looked


def _mixed(seed: int, number: int) -> int:
    """The stream of a random game; those from seed 0 are what greedy has always looked at."""
    return mix(seed, number) if seed else mix(number)


def _lengths(search: Search, limit: int, seed: int) -> list[int]:
    """Decisions of random games from the root of a search, of those that do not fault."""
    found = []
    for number in range(_SAMPLED):
        if search.attempt(number % search.options, 0, _mixed(seed, number), limit) is not None:
            found.append(search.decisions)
    return found


def _leads(search: Search, horizon: int, number: int, seed: int) -> list[float | None]:
    """How far whoever decides is ahead after so much random play, so many times."""
    return [search.attempt(one % search.options, 0, _mixed(seed, one), horizon) for one in range(number)]
