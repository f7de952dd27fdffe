"""The log of a game: told by an engine that keeps one, which follows the choices and lists no others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..game import Game
from .layout.addresses import WORD

if TYPE_CHECKING:
    from ..data import Event
    from ..position.asked import Coming
    from ..position.blueprint import Blueprint
    from ..position.position import Position
    from .engine import WasmGame
    from .running import Ask

Course: TypeAlias = "tuple[Any, ...]"
"""The choices of a game as a chain, the last first: earlier ones, what was asked, the row of the option."""


Asking: TypeAlias = "tuple[Ask, bytes]"
"""What is asked, with rows that stand for options of it."""


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

    def follow(self, raw: Any, coming: Callable[[], Coming]) -> None:
        """Go on with a choice, a bare value, to what is asked next."""


class LoggedGame(Game, Protocol):
    """A game on an engine that keeps a log and runs single rules."""

    def followed(self, seed: int) -> FollowedState:
        """The game of a seed, run to its first decision."""


Reference: TypeAlias = Callable[["Blueprint"], LoggedGame]
"""Makes the same game on an engine that keeps a log and runs single rules."""


def followed(
    game: WasmGame, seed: int, course: Course, known: tuple[Course, FollowedState] | None, asked: Asking | None
) -> FollowedState:
    """The state at the end of a course.

    ``known``: one that was followed before, perhaps the beginning of it. ``asked``: what is asked there, with the rows
    of its options; None if the game is over.
    """
    since: list[Asking] = []
    while course and not (known is not None and course is known[0]):
        course, ask, row = course
        since.append((ask, row))
    begun = known is not None and course is known[0]
    state = known[1].copy() if known is not None and begun else game.reference.followed(seed)
    since.reverse()
    for (ask, row), following in zip(since, (*since[1:], asked), strict=False):
        state.follow(game.chosen(ask, row), partial(_coming, game, following))
    return state


def _coming(game: WasmGame, asked: Asking | None) -> Coming:
    """What is asked, and the first option in the rows."""
    from ..position.asked import Coming

    if asked is None:
        return Coming(None, None)
    ask, rows = asked
    _, unit, site, count, width = ask
    row = b"" if count == 1 and game.may_refuse(unit, site) else rows[: WORD * width]
    return Coming(game.asks(unit, site), game.chosen(ask, row))
