"""Positions for a bot to try things out in: never the real one, always redrawn from what the bot's seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..chance import Stream
from ..redraw import CannotRedraw, Redraw, Seen

if TYPE_CHECKING:
    from ..game import Game, State, Trial
    from ..position.position import Position

__all__ = ["CannotRedraw", "Imagined", "key_of", "leaders"]


class Imagined:
    """Positions that the deciding seat can imagine, as many as wanted, each drawn from a stream of chance."""

    def __init__(self, game: Game, state: State, seat: int) -> None:
        self._game = game
        self._redraw = Redraw(state.position.blueprint, Seen.of(state, seat))

    @property
    def certain(self) -> bool:
        """Whether nothing but future chance is hidden from the seat: then all positions are the same."""
        return self._redraw.certain

    def position(self, stream: Stream) -> Position:
        """An imagined position. CannotRedraw when none fits what the seat knows."""
        return self._redraw.draw(stream)

    def trial(self, stream: Stream) -> Trial:
        """An imagined position to try choices in."""
        return self._game.trial(self.position(stream))


def leaders(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats with the most points."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))


def key_of(value: Any) -> str:
    """A hashable key for the value of an option: equal exactly when the values are."""
    return repr(value)
