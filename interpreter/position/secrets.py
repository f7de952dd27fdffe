"""Players who decide together: each acts on the position before, unseen, and then all of it comes to light.

While it lasts the machine's cells are the position before with what the player who is asked has changed; what the
others have changed is set aside. So nobody's choices can depend on another's, and a view needs no exceptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from ..reference.code import Instruction
from . import events

if TYPE_CHECKING:
    from ..reference.machine import Frame, Machine

Changes: TypeAlias = tuple[tuple[int, Any], ...]
"""Cells by their place, with their new values."""


@attrs.frozen
class Secret:
    """``rule``: whose text lets them decide. ``before``: the cells then. ``done``: (player, changes), in order.

    ``player``: who is deciding, None between two players. ``told``: what has been noted, as a chain of
    (earlier, player, teller, facts); it is history, and not part of the position.
    """

    rule: str
    before: tuple[Any, ...]
    done: tuple[tuple[int, Changes], ...] = ()
    player: int | None = None
    told: Any = attrs.field(default=None, eq=False, repr=False)

    def cells(self, machine: Machine, seat: int) -> list[Any]:
        """The cells as far as a seat knows: the position before, with what it has changed itself."""
        if seat == self.player:
            return machine.cells
        cells = list(self.before)
        for player, changes in self.done:
            if player == seat:
                for cell, value in changes:
                    cells[cell] = value
        return cells


@attrs.define(eq=False, kw_only=True)
class BeginTogether(Instruction):
    def run(self, machine: Machine, frame: Frame) -> None:
        if machine.secret is not None:
            raise self.fault("players who decide together cannot do so within it again")
        machine.secret = Secret(self.rule, tuple(machine.cells))


@attrs.define(eq=False, kw_only=True)
class BeginPart(Instruction):
    """A player begins to decide. ``slot`` holds the player."""

    slot: int

    def run(self, machine: Machine, frame: Frame) -> None:
        machine.secret = attrs.evolve(_open(self, machine), player=frame.local[self.slot])


@attrs.define(eq=False, kw_only=True)
class EndPart(Instruction):
    """A player has decided: the changes are set aside."""

    def run(self, machine: Machine, frame: Frame) -> None:
        secret = _open(self, machine)
        if secret.player is None:
            raise self.fault("nobody is deciding")
        both = enumerate(zip(machine.cells, secret.before, strict=True))
        changes = tuple((cell, now) for cell, (now, before) in both if now != before)
        machine.cells[:] = secret.before
        machine.secret = attrs.evolve(secret, player=None, done=(*secret.done, (secret.player, changes)))


@attrs.define(eq=False, kw_only=True)
class EndTogether(Instruction):
    """All have decided: what they did takes effect, and everybody is told."""

    def run(self, machine: Machine, frame: Frame) -> None:
        secret = _open(self, machine)
        machine.secret = None
        for _, changes in secret.done:
            for cell, value in changes:
                machine.store(cell, value)
        told = []
        chain = secret.told
        while chain is not None:
            chain, *note = chain
            told.append(tuple(note))
        machine.note(events.revealed, tuple(reversed(told)))


def _open(instruction: Instruction, machine: Machine) -> Secret:
    if machine.secret is None:
        raise instruction.fault("nobody is deciding together")
    return machine.secret
