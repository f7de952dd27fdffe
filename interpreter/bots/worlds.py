"""Positions for a bot to try things out in: never the real one, always redrawn from what the bot's seat knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..chance import Stream
from ..redraw import CannotRedraw, Redraw, Seen

if TYPE_CHECKING:
    from ..game import Game, State
    from ..wasm.engine import WasmGame
    from ..wasm.state import WasmState

__all__ = ["CannotRedraw", "Worlds"]


class Worlds:
    """What the deciding seat can imagine. ``game``: the game on the engine that tries it out."""

    def __init__(self, game: WasmGame, redraw: Redraw | WasmState) -> None:
        """``redraw``: draws positions; or the only one there is, where nothing but future chance is hidden."""
        self.game = game
        self._redraw = redraw

    @classmethod
    def of(cls, game: Game, state: State) -> Worlds:
        seat = state.player
        assert seat is not None
        tried = fast(game)
        if only_chance_hidden(game, state):
            return cls(tried, tried.without_chance(state))
        return cls(tried, Redraw(state.position.blueprint, Seen.of(state, seat)))

    def drawn(self, number: int, stream: Stream) -> list[WasmState]:
        """So many positions, or one where nothing but future chance is hidden from the seat: then all are the same.

        CannotRedraw when none fits what the seat knows.
        """
        if not isinstance(self._redraw, Redraw):
            return [self._redraw]
        found: list[WasmState] = []
        for _ in range(1 if self._redraw.certain else number):
            try:
                found.append(self.game.state_of(self._redraw.draw(stream)))
            except CannotRedraw:
                if not found:
                    raise
        return found


def only_chance_hidden(game: Game, state: State) -> bool:
    """Whether nothing but chance that is still to come is hidden from anybody who has watched the game."""
    from ..wasm.state import WasmState

    knowers = game.blueprint.knowers
    if knowers.all_in_the_open:
        return True
    return knowers.all_followed and not (state.edited if isinstance(state, WasmState) else state.position.edited)


def fast(game: Game) -> WasmGame:
    """The game on the fast engine."""
    from ..loading import reference_of
    from ..wasm.engine import WasmGame

    if isinstance(game, WasmGame):
        return game
    return WasmGame.beside(game.blueprint, reference_of)
