"""Bots: what they all have in common, and the one that plays at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from rulelang.structural import Structural, frozen

from ..chance import Stream, mix, salt_of

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State


class Bot(Protocol):
    """Chooses for a seat. ``decision`` is ``state.decision``; the answer is an index into its options.

    A bot must not change the state, and may use only what its seat can see.
    """

    def choose(self, state: State, decision: Decision, stream: Stream) -> int: ...


Seating: TypeAlias = Callable[[int], Sequence[Bot]]
"""Who plays a game, by its number: a bot for each seat."""


@frozen
class RandomBot(Structural):
    """Takes an option at random, all equally likely."""

    game: Game

    def choose(self, state: State, decision: Decision, stream: Stream) -> int:
        return stream.below(len(decision.options))


def best(merits: Sequence[Any], stream: Stream) -> int:
    """The place of the highest merit; ties are broken at random."""
    top = max(merits)
    ties = [place for place, merit in enumerate(merits) if merit == top]
    return ties[stream.below(len(ties))]


# Streams of chance of those who play, so that players choose at random apart from the dice of the game.
#
# A version says which stream a decision draws from. It is part of what a seed means, so old seeds keep their meaning.
#
# - ``BY_SEAT`` (1): each seat has one stream, from ``mix(seed, SALT, seat)``. - ``BY_QUESTION`` (2): each seat has
# one for each rule that asks, from ``mix(seed, SALT, seat, salt_of(rule))``. A question more or less then leaves the
# answers to all others as they were, and two games that differ in a rule stay in step for longer.


SALT = 0xB075

BY_SEAT, BY_QUESTION = 1, 2


class Streams:
    """The streams of one game. ``seats``: where those of each seat begin."""

    def __init__(self, seed: int, players: int, version: int) -> None:
        self.version = version
        self.seats = tuple(mix(seed, SALT, seat) for seat in range(players))
        self._streams: dict[tuple[int, str], Stream] = {}

    def of(self, decision: Decision) -> Stream:
        """The stream that a decision draws from."""
        rule = decision.rule if self.version == BY_QUESTION else ""
        key = decision.player, rule
        found = self._streams.get(key)
        if found is None:
            begin = self.seats[decision.player]
            # As ``mix`` goes on with another salt.
            found = self._streams[key] = Stream(mix(begin ^ salt_of(rule)) if rule else begin)
        return found
