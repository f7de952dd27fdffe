"""A bot that likes to be ahead soon: it tries every option, with a little random play behind it.

The first version tried them one by one, and played to the end of the game wherever the lead soon after a decision does
not tell who wins. The second plays a small part of a game and goes on with the better half of the options. It plays
whole games inside the module where nothing is hidden but chance that is still to come. A version is part of what a seed
means, so the first one is there as ``greedy:v1``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.structural import Structural, frozen

from ..chance import Stream, mix
from .simple import best

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State
    from ..wasm.engine import WasmGame
    from ..wasm.greedy import Trying
    from ..wasm.state import WasmState
    from .streams import Streams

EPSILON = 0.15
"""How often the bot ``epsilon-greedy`` takes any option, if nobody says otherwise."""

IMAGINED = 8
"""Positions that a decision is tried out in, where something is hidden."""

_MOST = 60
"""Of more options a sample is tried."""

_TRIES, _BUDGET = 6, 96
"""Tries of an option that is tried to the last; where games are played to their end, of all options together."""

_SOON, _SHORT, _PART = 10, 100, 16
"""The fewest decisions behind an option; a game of so few is played to its end; of a longer one the part that is."""

_SAMPLED = 16
_LONGEST = 100_000


@frozen
class GreedyBot(Structural):
    """Takes the option after which it is soonest ahead.

    Each option is tried in positions that fit what the seat knows, with some random play behind it, and judged by how
    far the seat is then ahead of the best of the others. Ties are broken at random. ``epsilon``: the chance that any
    option is taken instead, all equally likely, so that each is taken now and then.
    """

    game: Game
    epsilon: float = 0.0

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        from ..wasm.greedy import Room
        from ..wasm.host import Trap
        from .worlds import CannotRedraw, Worlds

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
        from .streams import BY_QUESTION

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
        from ..wasm.greedy import Trying

        limit: int | None = game.kept.get("horizon")
        if limit is None:
            limit = game.kept["horizon"] = _horizon(game)
        if limit:
            return Trying(limit, _TRIES, _TRIES * _MOST, _MOST, 0.0, self.epsilon)
        from .search import TO_THE_END

        return Trying(TO_THE_END, 4 * _TRIES, _BUDGET, _MOST, 0.5, self.epsilon)


@frozen
class FirstGreedyBot(Structural):
    """Takes the option after which it is soonest ahead, in the way of the first version.

    Each option is tried ``tries`` times in positions that fit what the seat knows, with some random play behind it, and
    judged by how far the seat is then ahead of the best of the others. Where being ahead says nothing about how a game
    ends, it is played to its end, for all options together ``games`` times or once for each. Of more than ``most``
    options a sample is tried. Ties are broken at random.
    """

    game: Game
    most: int = _MOST
    tries: int = 16
    games: int = 64
    imagined: int = IMAGINED

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        from ..wasm.search import Search, Settings
        from .search import TO_THE_END, cut
        from .worlds import CannotRedraw, Worlds

        if len(decision.options) == 1:
            return 0
        tried = stream.sample(len(decision.options), self.most)
        # Imagining has its own stream, so that breaking ties does not depend on how much was imagined.
        fork = Stream(mix(stream.state))
        try:
            worlds = Worlds.of(self.game, state)
            drawn = worlds.drawn(self.imagined, fork)
        except CannotRedraw:
            return stream.below(len(decision.options))
        limit = cut(worlds.game)  # which may search itself, in the same memory
        search = Search(worlds.game, drawn, Settings(), fork.word(), 1)
        totals = [0.0] * len(tried)
        tries = self.tries if limit < TO_THE_END else max(1, min(self.tries, self.games // len(tried)))
        for number in range(tries):
            # All options meet the same chance, so that luck tells them apart as little as may be.
            world, chance = number % len(drawn), fork.word()
            for place, option in enumerate(tried):
                totals[place] += search.attempt(option, world, chance, limit) or 0.0
        return tried[best(totals, stream)]


def _horizon(game: WasmGame) -> int:
    """Decisions after which a try is judged; 0 for at the end of the game. That is where games are short, where nobody
    is ahead before, and where whoever is ahead so soon is not ahead by more or less than anybody was before."""
    from ..errors import RuleFault
    from ..wasm.search import Search, Settings, Stakes
    from .search import TO_THE_END

    if not Stakes.at(game).leads:
        return 0
    try:
        state = game.start(0)
        if state.over:
            return 0
        search = Search(game, [game.without_chance(state)], Settings(winning=0.0), 0, 1)
    except RuleFault:
        return 0
    lengths = []
    for number in range(_SAMPLED):
        if search.attempt(number % search.options, 0, mix(number), TO_THE_END) is not None:
            lengths.append(search.decisions)
    length = sum(lengths) // len(lengths) if lengths else 0
    if length <= _SHORT:
        return 0
    horizon = max(_SOON, length // _PART)
    leads = {search.attempt(number % search.options, 0, mix(number), horizon) for number in range(_SAMPLED)}
    return horizon if len(leads) > 1 else 0


__all__ = ["EPSILON", "FirstGreedyBot", "GreedyBot"]
