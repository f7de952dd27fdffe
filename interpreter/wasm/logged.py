"""The log of a game: told by an engine that keeps one, which follows the choices and lists no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..game import Game

if TYPE_CHECKING:
    from ..data import Event
    from ..position.blueprint import Blueprint
    from ..position.position import Position
    from .engine import WasmGame
    from .running import Ask

Course: TypeAlias = "tuple[Any, ...]"
"""The choices of a game as a chain, the last first: earlier ones, what was asked, the row of the option."""


class FollowedState(Protocol):
    """A state on an engine that keeps a log, of a game of which the choices are known."""

    @property
    def position(self) -> Position:
        """The position, with what was told in it."""

    @property
    def log(self) -> list[Event]:
        """What has happened so far, oldest first."""

    def copy(self) -> FollowedState:
        """An independent copy."""

    def follow(self, raw: Any) -> None:
        """Go on with a choice, a bare value."""


class LoggedGame(Game, Protocol):
    """A game on an engine that keeps a log and runs single rules."""

    def followed(self, seed: int) -> FollowedState:
        """The game of a seed, run to its first decision."""


Reference: TypeAlias = Callable[["Blueprint"], LoggedGame]
"""Makes the same game on an engine that keeps a log and runs single rules."""


def followed(game: WasmGame, seed: int, course: Course, known: tuple[Course, FollowedState] | None) -> FollowedState:
    """The state at the end of a course. ``known``: one that was followed before, perhaps the beginning of it."""
    since: list[tuple[Ask, bytes]] = []
    while course and not (known is not None and course is known[0]):
        course, ask, row = course
        since.append((ask, row))
    begun = known is not None and course is known[0]
    state = known[1].copy() if known is not None and begun else game.reference.followed(seed)
    for ask, row in reversed(since):
        state.follow(game.chosen(ask, row))
    return state
