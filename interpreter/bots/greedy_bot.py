"""A bot that likes to be ahead soon: it tries every option, with a little random play behind it.

It looks a part of a game ahead, judges all tries of a decision by one measure, and lets options drop out of a race.
Where nothing is hidden but chance that is still to come, it plays whole games inside the module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from .simple import Streams

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

_RACE, _RACE_TO_THE_END = (2, 32, 12), (2, 64, 16)
"""Of a race: tries of an option in a round at least, tries of all options together if that is enough for so many, and
options that take part; and of one in which games are played to their end."""

_QUICK_RACE, _QUICK_RACE_TO_THE_END, _QUICK_PART = (1, 12, 12), (1, 24, 12), 0.6
"""The same for a quick bot, which tries no more options than race; the part of the way that it looks ahead."""

_SAMPLED = 16
"""Random games that say how long a game is."""

_PLACES, _LOOKS, _TELLING = 12, 8, 0.75
"""Places in a random game from which it is looked, so many times, who leads so soon; the share of them at which that
must tell anything."""

_LONGEST = 100_000


@frozen
class GreedyBot(Structural):
    """Takes the option after which it is soonest ahead.

    Each option is tried in positions that fit what the seat knows, with some random play behind it, and judged by how
    far the seat is then ahead of the best of the others. Ties are broken at random. ``epsilon``: the chance that any
    option is taken instead, all equally likely, so that each is taken now and then. ``quick``: a quarter of the
    time for a decision, for many games. ``experience``: what it knows of how long games are; None: what it finds out
    about the game that it plays.
    """

    game: Game
    epsilon: float = 0.0
    quick: bool = False
    experience: Experience | None = None

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
        from ..wasm.search import Stakes
        from .tree_search import TO_THE_END

        leads = Stakes.at(game).leads
        measured = found_out(game, self.experience, "greedy", _Measured.of)
        horizon = measured.horizon if leads else 0
        if self.quick and horizon:
            horizon = max(_SOON, int(_QUICK_PART * horizon))
            return _raced(horizon, _QUICK_RACE, 0.0, measured.scale, self.epsilon, _QUICK_RACE[2])
        if self.quick:
            race = _QUICK_RACE_TO_THE_END
            return _raced(TO_THE_END, race, 0.5, measured.scale, self.epsilon, race[2])
        if horizon:
            return _raced(horizon, _RACE, 0.0, measured.scale, self.epsilon)
        return _raced(TO_THE_END, _RACE_TO_THE_END, 0.5, measured.scale, self.epsilon)


def _raced(
    limit: int, race: tuple[int, int, int], winning: float, scale: int, epsilon: float, most_options: int = _MOST
) -> Trying:
    from ..wasm.greedy import Race, Trying

    first, budget, wide = race
    most = 1 + max(budget, first * wide.bit_length())  # of one option: once before the race, and in every round
    return Trying(limit, most, budget, most_options, winning, epsilon, Race(_CLEAR, first, wide, scale))


@frozen
class _Measured(Structural):
    """What random games say. ``horizon``: decisions after which a try is judged; 0 for at the end of the game. That is
    where games are short, and where a lead so soon tells nothing.
    ``scale``: by how many points the sides are mostly apart at the end."""

    horizon: int
    scale: int

    @classmethod
    def of(cls, game: WasmGame, seed: int) -> _Measured:
        from ..errors import RuleFault
        from ..wasm.search import Search, Settings, Stakes
        from .tree_search import TO_THE_END

        try:
            state = game.start(seed)
            if state.over:
                return cls(0, 0)
            search = Search(game, [game.without_chance(state)], Settings(winning=0.0), 0, 1)
            lengths = _lengths(search, TO_THE_END, seed)
            scale = search.scale
            length = sum(lengths) // len(lengths) if lengths else 0
            if length <= _SHORT or not Stakes.at(game).leads:
                return cls(0, scale)
            horizon = max(_SOON, length // _PART)
            return cls(horizon if _tells(game, state, horizon, length, scale, seed) else 0, scale)
        except RuleFault:
            pass
        return cls(0, 0)


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
