"""Bots that do not look far ahead: one plays at random, one likes to be ahead soon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from ..chance import Stream, mix

if TYPE_CHECKING:
    from rulelang.program import Program

    from ..data import Decision, Event
    from ..game import Game, State


class Bot(Protocol):
    """Chooses for a seat. ``decision`` is ``state.decision``; the answer is an index into its options.

    A bot must not change the state, and may use only what its seat can see.
    """

    def choose(self, state: State, decision: Decision, stream: Stream) -> int: ...


@attrs.frozen
class RandomBot:
    """Takes an option at random, all equally likely."""

    game: Game

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        return stream.below(len(decision.options))


@attrs.frozen
class GreedyBot:
    """Takes the option after which it is soonest ahead.

    Each option is tried ``tries`` times in positions that fit what the seat knows, with some random play behind it, and
    judged by how far the seat is then ahead of the best of the others. Where being ahead says nothing about how a game
    ends, it is played to its end, for all options together ``games`` times or once for each. Of more than ``most``
    options a sample is tried. Ties are broken at random.
    """

    game: Game
    most: int = 60
    tries: int = 16
    games: int = 64
    imagined: int = 8

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


def best(merits: Sequence[Any], stream: Stream) -> int:
    """The place of the highest merit; ties are broken at random."""
    top = max(merits)
    ties = [place for place, merit in enumerate(merits) if merit == top]
    return ties[stream.below(len(ties))]


def uncovers(event: Event, program: Program) -> bool:
    """Whether the event was chance, or moved a piece out of a place that nobody can see."""
    if event.kind in ("roll", "shuffle") or event.data.get("random"):
        return True
    source = program.variables.get(str(event.data.get("from", "")).partition("[")[0])
    return source is not None and source.seen_by not in ("all", "owner")
