"""Instructions for players who decide together; see ``position.secrets``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from ..position import events, faults
from ..position.secrets import Secret
from .code import Instruction

if TYPE_CHECKING:
    from .machine import Frame, Machine


@attrs.define(eq=False)
class BeginTogether(Instruction):
    def run(self, machine: Machine, frame: Frame) -> None:
        if machine.secret is not None:
            raise self.fault(faults.NESTED_TOGETHER)
        machine.secret = Secret(self.node.rule, tuple(machine.cells))


@attrs.define(eq=False)
class BeginPart(Instruction):
    """One player begins to decide. ``slot`` holds the player."""

    slot: int

    def run(self, machine: Machine, frame: Frame) -> None:
        machine.secret = attrs.evolve(_open(self, machine), player=frame.local[self.slot])


@attrs.define(eq=False)
class EndPart(Instruction):
    """One player has decided: the changes are set aside."""

    def run(self, machine: Machine, frame: Frame) -> None:
        secret = _open(self, machine)
        if secret.player is None:
            raise self.fault(faults.NOBODY_DECIDES)
        both = enumerate(zip(machine.cells, secret.before, strict=True))
        changes = tuple((cell, now) for cell, (now, before) in both if now != before)
        machine.cells[:] = secret.before
        machine.secret = attrs.evolve(secret, player=None, done=(*secret.done, (secret.player, changes)))


@attrs.define(eq=False)
class EndTogether(Instruction):
    """All have decided: their changes take effect, and everybody learns of them."""

    def run(self, machine: Machine, frame: Frame) -> None:
        secret = _open(self, machine)
        machine.secret = None
        for _, changes in secret.done:
            for cell, value in changes:
                machine.store(cell, value)
        notes = []
        chain = secret.told
        while chain is not None:
            chain, *note = chain
            notes.append(tuple(note))
        machine.note(events.revealed, tuple(reversed(notes)), self.node.rule)


def _open(instruction: Instruction, machine: Machine) -> Secret:
    if machine.secret is None:
        raise instruction.fault(faults.NOBODY_TOGETHER)
    return machine.secret
