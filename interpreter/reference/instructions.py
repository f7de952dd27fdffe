"""Flat code of the reference engine, with its control-flow instructions; others change cells, or ask.

An instruction runs in a frame of a machine. It holds only what is fixed when the game is loaded; everything that
changes is plain data in the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from rulelang.types import NumberType

from ..errors import RuleFault
from ..evaluation.compiler import Combos, Function
from ..evaluation.meter import Undefined
from ..lowered import code
from ..position import events, faults
from ..position.position import Secret
from .machine import Frame, Instruction, Machine

if TYPE_CHECKING:
    from ..position.blueprint import Watcher


@attrs.define(eq=False)
class Jump(Instruction):
    to: int = 0

    def run(self, machine: Machine, frame: Frame) -> None:
        frame.pc = self.to


@attrs.define(eq=False)
class Disclose(Instruction):
    """What comes next looks at something openly."""

    def run(self, machine: Machine, frame: Frame) -> None:
        machine.note(events.disclosed, self.node.rule)


@attrs.define(eq=False)
class JumpUnless(Instruction):
    condition: Function
    to: int = 0

    def run(self, machine: Machine, frame: Frame) -> None:
        if not self.condition(machine.cells, frame.local):
            frame.pc = self.to


@attrs.define(eq=False)
class Need(Instruction):
    node: code.Need
    condition: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        if not self.condition(machine.cells, frame.local):
            raise self.fault(faults.need(self.node.text))


@attrs.define(eq=False)
class Enter(Instruction):
    """Start of a rule or an option."""

    node: code.Inline

    def run(self, machine: Machine, frame: Frame) -> None:
        name = self.node.id
        machine.fired[name] = machine.fired.get(name, 0) + 1
        if machine.observer is not None:
            machine.observer.entered(self.node, frame)
        if self.node.noted:
            machine.note(events.rule_run, name)


def _holds(machine: Machine, watcher: Watcher) -> bool:
    """Whether a watcher must run. A fault in its condition is its own, not that of the rule that has just ended."""
    try:
        return watcher.holds(machine.cells)
    except Undefined as error:
        span = machine.blueprint.program.rules[watcher.rule].span
        raise RuleFault(str(error), watcher.rule, span) from None


@attrs.define(eq=False)
class Leave(Instruction):
    """End of a rule or an option: the watchers are tested if a cell has changed since the last test."""

    node: code.Leave

    def run(self, machine: Machine, frame: Frame) -> None:
        # What players do together takes effect, and is tested, once all of them are done.
        if not machine.dirty or machine.watching or machine.secret is not None:
            return
        machine.dirty = False
        if machine.blueprint.watched_openly:
            machine.note(events.disclosed, self.node.rule)
        for number, watcher in enumerate(machine.blueprint.watchers):
            if _holds(machine, watcher):
                machine.watching = True
                frame.at = self.node.site.number
                machine.open(code.WATCHING, (), self, pc=number)
                return


@attrs.define(eq=False)
class RunWatcher(Instruction):
    node: code.RunWatcher

    def run(self, machine: Machine, frame: Frame) -> None:
        watcher = machine.blueprint.watchers[self.node.number]
        if _holds(machine, watcher):
            frame.at = self.node.site.number
            machine.open(watcher.rule, (), self)


@attrs.define(eq=False)
class EndWatching(Instruction):
    def run(self, machine: Machine, frame: Frame) -> None:
        machine.watching = False
        machine.frames.pop()


@attrs.define(eq=False)
class Return(Instruction):
    def run(self, machine: Machine, frame: Frame) -> None:
        machine.frames.pop()


@attrs.define(eq=False)
class Assign(Instruction):
    slot: int
    value: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        frame.local[self.slot] = self.value(machine.cells, frame.local)


@attrs.define(eq=False)
class CallRule(Instruction):
    """``bounds``: for each argument, the range of its parameter if the argument may lie outside it."""

    node: code.Call
    arguments: Sequence[Function]
    bounds: Sequence[NumberType | None]

    def run(self, machine: Machine, frame: Frame) -> None:
        unit = self.node.unit
        values = [f(machine.cells, frame.local) for f in self.arguments]
        for value, bound in zip(values, self.bounds, strict=True):
            if bound is not None and value is not None and not bound.low <= value <= bound.high:
                raise self.fault(faults.argument(value, bound.low, bound.high, unit))
        frame.at = self.node.site.number
        machine.open(unit, values, self)


@attrs.define(eq=False)
class StartEach(Instruction):
    """Lists the combinations once; ``items`` and ``position`` are internal slots."""

    combos: Combos
    items: int
    position: int

    def run(self, machine: Machine, frame: Frame) -> None:
        frame.local[self.items] = tuple(self.combos(machine.cells, frame.local))
        frame.local[self.position] = 0


@attrs.define(eq=False)
class NextEach(Instruction):
    items: int
    position: int
    slots: tuple[int, ...]
    end: int = 0

    def run(self, machine: Machine, frame: Frame) -> None:
        local = frame.local
        position = local[self.position]
        items = local[self.items]
        if position >= len(items):
            frame.pc = self.end
            return
        local[self.position] = position + 1
        for slot, value in zip(self.slots, items[position], strict=True):
            local[slot] = value
        if machine.observer is not None:
            machine.observer.loop_begun(machine, self.node)


@attrs.define(eq=False)
class NextPass(Instruction):
    """``repeat at most``: ``left`` is the slot with the number of passes left."""

    left: int
    end: int = 0

    def run(self, machine: Machine, frame: Frame) -> None:
        if frame.local[self.left] <= 0:
            frame.pc = self.end
            return
        frame.local[self.left] -= 1
        if machine.observer is not None:
            machine.observer.loop_begun(machine, self.node)


@attrs.define(eq=False)
class CheckFalling(Instruction):
    """``repeat falling``: the measure must be smaller than at the start of the pass before."""

    node: code.RepeatFalling
    measure: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        slot = self.node.last
        value = self.measure(machine.cells, frame.local)
        before = frame.local[slot]
        if before is not None and value >= before:
            raise self.fault(faults.not_falling(self.node.text, before, value))
        frame.local[slot] = value
        if machine.observer is not None:
            machine.observer.loop_begun(machine, self.node)


@attrs.define(eq=False)
class BeginTurn(Instruction):
    """A pass begins that is a turn of the player in ``slot``: once they are asked something, if there is ``asking``."""

    slot: int
    asking: bool

    def run(self, machine: Machine, frame: Frame) -> None:
        if self.asking:
            machine.at_turn = frame.local[self.slot]
        else:
            machine.turns += 1


@attrs.define(eq=False)
class PassOver(Instruction):
    """On to the first player with a turn who is not ``out``; past the loop if ``nobody`` is in. Where those who follow
    lead round in a circle, the turn goes on along the table."""

    node: code.TakeTurns
    out: Function
    nobody: Function
    following: Function
    clockwise: Function
    end: int = 0

    def run(self, machine: Machine, frame: Frame) -> None:
        cells, local, tries = machine.cells, frame.local, 0
        while self.out(cells, local):
            if self.nobody(cells, local):
                frame.pc = self.end
                return
            tries += 1
            on = self.following if tries <= machine.blueprint.program.players else self.clockwise
            local[self.node.slot] = on(cells, local)


@attrs.define(eq=False)
class BeginPass(Instruction):
    node: code.TakeTurns

    def run(self, machine: Machine, frame: Frame) -> None:
        if machine.observer is not None:
            machine.observer.turn_begun(machine, self.node, frame.local[self.node.slot])


@attrs.define(eq=False)
class Finish(Instruction):
    """The game ends; ``who``, one or several players, wins, or without it the players ranked best."""

    who: Function | None

    def run(self, machine: Machine, frame: Frame) -> None:
        cells = machine.cells
        found = machine.blueprint.best(cells) if self.who is None else self.who(cells, frame.local)
        machine.finish((found,) if isinstance(found, int) else found, self.node.rule)


# Instructions for players who decide together; see ``position.position``.


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
