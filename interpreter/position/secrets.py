"""Secrets of players who decide together: each acts on the position before, unseen, then all is revealed at once.

Meanwhile the cells of the position are those before plus the changes of the player being asked; the changes of the
others are set aside. So nobody's choices can depend on another's, and a view needs no exceptions.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs

from rulelang.structural import Structural, frozen

Changes: TypeAlias = tuple[tuple[int, Any], ...]
"""Cells by their index, with their new values."""


@frozen
class Secret(Structural):
    """``rule``: the rule that lets them decide. ``before``: the cells at the start. ``done``: (player, changes) pairs.

    ``player``: who is deciding, None between two players. ``told``: the events so far, as a chain of (earlier, player,
    teller, facts); it is history, not part of the position.
    """

    rule: str
    before: tuple[Any, ...]
    done: tuple[tuple[int, Changes], ...] = ()
    player: int | None = None
    told: Any = attrs.field(default=None, eq=False, repr=False)

    def cells(self, now: list[Any], seat: int) -> list[Any]:
        """The cells as far as a seat knows: those before, with its own changes. ``now``: all cells."""
        if seat == self.player:
            return now
        cells = list(self.before)
        for player, changes in self.done:
            if player == seat:
                for cell, value in changes:
                    cells[cell] = value
        return cells
