"""Positions as text for pages: made once for all that show the same, and never with more than a seat may see."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from interpreter.game import Game, State

_REMEMBERED = 16
"""Sights of a position that are remembered at most."""


@attrs.frozen
class Sight:
    """What decides how a position looks: whose ``eyes`` (None: a spectator's; ``everything``: all of it), in which
    language, how many pixels wide, and how many events of the log the page was told ``since``."""

    eyes: int | None
    everything: bool
    lang: str | None
    width: int
    since: int | None = None


def position(game: Game, state: State, sight: Sight, beside: dict[str, Any]) -> str:
    """The message that shows a position; ``beside``: what the server adds.

    Events are counted as far as they are told: how many others there are is nobody's business.
    """
    from .shown import position as shown

    data = shown(
        game,
        state,
        sight.eyes,
        lang=sight.lang,
        width=sight.width,
        since=sight.since,
        everything=sight.everything,
    )
    told = [sight.everything or event.told_to(sight.eyes) for event in state.log]
    counts = {"seen": sum(told), "since": None if sight.since is None else sum(told[: sight.since])}
    return json.dumps({**data, **beside, **counts}, ensure_ascii=False, separators=(",", ":"))


@attrs.define
class Renders:
    """The position of one table that stands, as it was sent to those who see the same."""

    _turn: int = 0
    _found: dict[Sight, str] = attrs.field(factory=dict)

    def get(self, turn: int, sight: Sight) -> str | None:
        """What was made for the position with this number."""
        return self._found.get(sight) if turn == self._turn else None

    def keep(self, turn: int, sight: Sight, text: str) -> None:
        """Remembers it until there is another position."""
        if turn != self._turn or len(self._found) >= _REMEMBERED:
            self._turn, self._found = turn, {}
        self._found[sight] = text
