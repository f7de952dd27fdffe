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

from ..chance import mix

if TYPE_CHECKING:
    from ..game import Game
    from ..wasm.engine import WasmGame
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
        from .worlds import fast  # redraws, which games at random do without

        game, key = fast(experience.printed), (name, experience.training)
        seed = mix(1, experience.training)
    if key not in game.kept:
        game.kept[key] = find(game, seed)
    found: T = game.kept[key]
    return found


__all__ = ["AGAIN", "TRAININGS", "Experience", "experienced", "found_out", "training_of"]
