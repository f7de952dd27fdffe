"""Bots: what they all have in common, and the one that plays at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rulelang.structural import Structural, frozen

from ..chance import Stream

if TYPE_CHECKING:
    from ..data import Decision
    from ..game import Game, State


class Bot(Protocol):
    """Chooses for a seat. ``decision`` is ``state.decision``; the answer is an index into its options.

    A bot must not change the state, and may use only what its seat can see.
    """

    def choose(self, state: State, decision: Decision, stream: Stream) -> int: ...


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
