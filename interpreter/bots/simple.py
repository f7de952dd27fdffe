"""Bots: what they all have in common, and the one that plays at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rulelang.structural import Structural, frozen

from ..chance import Stream

if TYPE_CHECKING:
    from rulelang.program import Program

    from ..data import Decision, Event
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


def uncovers(event: Event, program: Program) -> bool:
    """Whether the event was chance, or moved a piece out of a place that nobody can see."""
    if event.kind in ("roll", "shuffle") or event.data.get("random"):
        return True
    source = program.variables.get(str(event.data.get("from", "")).partition("[")[0])
    return source is not None and source.seen_by not in ("all", "owner")
