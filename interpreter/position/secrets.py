"""Players who decide together: each acts on the position before, unseen, and then all of it comes to light.

While it lasts the cells of the position are those before with what the player who is asked has changed; what the
others have changed is set aside. So nobody's choices can depend on another's, and a view needs no exceptions.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs

Changes: TypeAlias = tuple[tuple[int, Any], ...]
"""Cells by their index, with their new values."""


@attrs.frozen
class Secret:
    """``rule``: whose text lets them decide. ``before``: the cells then. ``done``: (player, changes), in order.

    ``player``: who is deciding, None between two players. ``told``: the notes taken so far, as a chain of
    (earlier, player, teller, facts); it is history, and not part of the position.
    """

    rule: str
    before: tuple[Any, ...]
    done: tuple[tuple[int, Changes], ...] = ()
    player: int | None = None
    told: Any = attrs.field(default=None, eq=False, repr=False)

    def cells(self, now: list[Any], seat: int) -> list[Any]:
        """The cells as far as a seat knows: those before, with what it has changed itself. ``now``: all cells."""
        if seat == self.player:
            return now
        cells = list(self.before)
        for player, changes in self.done:
            if player == seat:
                for cell, value in changes:
                    cells[cell] = value
        return cells
