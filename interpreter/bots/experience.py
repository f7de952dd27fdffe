"""Experience: what players found out about a game before they play, for games that are compared.

Whoever learns anything beforehand from random games learns something else each time, even if a house rule changes
nothing. So the players of a comparison bring to all its rule sets what they found out in the printed game; and they are
trained many times over, so that what a training happens to teach is seen in the spread of the games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rulelang.structural import Structural, frozen

from ..chance import Stream, mix

if TYPE_CHECKING:
    from ..game import Game, State
    from ..redraw import Redraw
    from ..wasm.engine import WasmGame
    from ..wasm.state import WasmState
    from .simple import Bot

T = TypeVar("T")

TRAININGS = 16
"""Players of so many trainings take turns, game by game."""

AGAIN = 1024
"""After so many games others follow, who were trained anew, so that more games tell more."""


@frozen
class Experience(Structural):
    """``printed``: the game that it was gained in; ``training``: in which of many trainings."""

    printed: Game
    training: int

    @classmethod
    def in_game(cls, number: int, printed: Game) -> Experience:
        """That of those who play a game of a comparison."""
        return cls(printed, training_of(number))


def training_of(number: Any) -> Any:
    """The training of those who play a game of a comparison, by its number; or those of several."""
    return number % TRAININGS + TRAININGS * (number // AGAIN)


def experienced(bot: Bot, experience: Experience) -> Bot:
    """A bot with this experience; one that finds out nothing beforehand stays as it is."""
    learns = any(field.name == "experience" for field in attrs.fields(type(bot)))  # type: ignore[arg-type]
    return attrs.evolve(bot, experience=experience) if learns else bot  # type: ignore[misc]


def found_out(game: WasmGame, experience: Experience | None, name: str, find: Callable[[WasmGame, int], T]) -> T:
    """What is found out about a game once, from a seed: about the printed one, where there is experience of it."""
    key: object = name
    seed = 0
    if experience is not None:
        # redraws, which games at random do without

        game, key = fast(experience.printed), (name, experience.training)
        seed = mix(1, experience.training)
    if key not in game.kept:
        game.kept[key] = find(game, seed)
    found: T = game.kept[key]
    return found


# Positions for a bot to try things out in: never the real one, always redrawn from what the bot's seat knows.


class Worlds:
    """What the deciding seat can imagine. ``game``: the game on the engine that tries it out."""

    def __init__(self, game: WasmGame, redraw: Redraw | WasmState) -> None:
        """``redraw``: draws positions; or the only one there is, where nothing but future chance is hidden."""
        self.game = game
        self._redraw = redraw

    @classmethod
    def of(cls, game: Game, state: State) -> Worlds:
        from ..redraw import Redraw, Seen

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
        from ..redraw import CannotRedraw
        from ..wasm.state import WasmState

        if isinstance(self._redraw, WasmState):
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
