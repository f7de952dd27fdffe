"""Instructions: what a rule is lowered to. This module has those that steer; others change cells or ask.

An instruction runs in a frame (a rule, the place of its next instruction, its locals) of a machine. It holds only
what is fixed when the game is loaded, so all that changes is plain data in the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from rulelang.source import NOWHERE, Span
from rulelang.types import NumberType, Type

from ..evaluation.compiler import Combos, Function
from ..game import RuleFault
from ..position import events

if TYPE_CHECKING:
    from .machine import Frame, Machine

WATCHING = "(whenever)"
"""The name of the code that runs the watchers one after another; no rule can be called so."""


@attrs.define(eq=False, kw_only=True)
class Instruction:
    """``rule``: id of the rule in whose text it stands. ``reads`` and ``writes``: slots of the frame."""

    rule: str
    span: Span = NOWHERE
    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()
    falls: ClassVar[bool] = True
    """Whether the next instruction may follow."""

    def run(self, machine: Machine, frame: Frame) -> None:
        raise NotImplementedError

    def targets(self) -> tuple[int, ...]:
        """Places of the code it may jump to."""
        return ()

    def calls(self) -> tuple[str, ...]:
        """Units it may open a frame for."""
        return ()

    def fault(self, message: str) -> RuleFault:
        return RuleFault(message, self.rule, self.span)


@attrs.frozen
class Items:
    """What a slot of a loop holds: the combinations still to come, each of these types."""

    types: tuple[Type, ...]


@attrs.define(eq=False)
class Unit:
    """The code of a rule. ``slots``: what each slot of its frame holds (None: a count of the engine's own).

    ``live``: for each place, the slots that are still needed there.
    """

    rule: str
    code: list[Instruction]
    frame: int
    slots: dict[int, Type | Items | None]
    live: list[frozenset[int]] = attrs.field(factory=list)


@attrs.define(eq=False, kw_only=True)
class Jump(Instruction):
    to: int = 0
    falls: ClassVar[bool] = False

    def run(self, machine: Machine, frame: Frame) -> None:
        frame.pc = self.to

    def targets(self) -> tuple[int, ...]:
        return (self.to,)


@attrs.define(eq=False, kw_only=True)
class JumpUnless(Instruction):
    condition: Function
    to: int = 0

    def run(self, machine: Machine, frame: Frame) -> None:
        if not self.condition(machine.cells, frame.local):
            frame.pc = self.to

    def targets(self) -> tuple[int, ...]:
        return (self.to,)


@attrs.define(eq=False, kw_only=True)
class Need(Instruction):
    """A condition the callers of a rule must have met."""

    condition: Function
    text: str

    def run(self, machine: Machine, frame: Frame) -> None:
        if not self.condition(machine.cells, frame.local):
            raise self.fault(f"it needs {self.text}, which does not hold here; whoever runs the rule must see to it")


@attrs.define(eq=False, kw_only=True)
class Enter(Instruction):
    """A rule or an option begins."""

    id: str
    noted: bool = True

    def run(self, machine: Machine, frame: Frame) -> None:
        machine.fired[self.id] = machine.fired.get(self.id, 0) + 1
        if self.noted:
            machine.note(events.rule_run, self.id)


@attrs.define(eq=False, kw_only=True)
class Leave(Instruction):
    """A rule or an option ends: when something has changed since they were last tested, the watchers are."""

    def run(self, machine: Machine, frame: Frame) -> None:
        # What players do together takes effect, and is looked at, when all of them are done.
        if not machine.dirty or machine.watching or machine.secret is not None:
            return
        machine.dirty = False
        for i, watcher in enumerate(machine.book.watchers):
            if watcher.holds(machine.cells):
                machine.watching = True
                machine.open(WATCHING, (), self, at=i)
                return

    def calls(self) -> tuple[str, ...]:
        return (WATCHING,)


@attrs.define(eq=False, kw_only=True)
class RunWatcher(Instruction):
    number: int

    def run(self, machine: Machine, frame: Frame) -> None:
        watcher = machine.book.watchers[self.number]
        if watcher.holds(machine.cells):
            machine.open(watcher.rule, (), self)

    def calls(self) -> tuple[str, ...]:
        return (self.rule,)


@attrs.define(eq=False, kw_only=True)
class EndWatching(Instruction):
    falls: ClassVar[bool] = False

    def run(self, machine: Machine, frame: Frame) -> None:
        machine.watching = False
        machine.frames.pop()


@attrs.define(eq=False, kw_only=True)
class Return(Instruction):
    falls: ClassVar[bool] = False

    def run(self, machine: Machine, frame: Frame) -> None:
        machine.frames.pop()


@attrs.define(eq=False, kw_only=True)
class Assign(Instruction):
    """``let``."""

    slot: int
    value: Function

    def run(self, machine: Machine, frame: Frame) -> None:
        frame.local[self.slot] = self.value(machine.cells, frame.local)


@attrs.define(eq=False, kw_only=True)
class CallRule(Instruction):
    """``bounds``: of each argument, the numbers its parameter takes, where the argument may lie outside."""

    unit: str
    arguments: Sequence[Function]
    bounds: Sequence[NumberType | None]

    def run(self, machine: Machine, frame: Frame) -> None:
        values = [f(machine.cells, frame.local) for f in self.arguments]
        for value, bound in zip(values, self.bounds, strict=True):
            if bound is not None and value is not None and not bound.low <= value <= bound.high:
                raise self.fault(f"{value} is outside {bound.low}..{bound.high}, which rule {self.unit} takes")
        machine.open(self.unit, values, self)

    def calls(self) -> tuple[str, ...]:
        return (self.unit,)


@attrs.define(eq=False, kw_only=True)
class StartEach(Instruction):
    """Takes the combinations once; ``items`` and ``position`` are slots of the engine's own."""

    combos: Combos
    items: int
    position: int

    def run(self, machine: Machine, frame: Frame) -> None:
        frame.local[self.items] = tuple(self.combos(machine.cells, frame.local))
        frame.local[self.position] = 0


@attrs.define(eq=False, kw_only=True)
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

    def targets(self) -> tuple[int, ...]:
        return (self.end,)


@attrs.define(eq=False, kw_only=True)
class NextPass(Instruction):
    """``repeat at most``: ``left`` is the slot with the number of passes to come."""

    left: int
    end: int = 0

    def run(self, machine: Machine, frame: Frame) -> None:
        if frame.local[self.left] <= 0:
            frame.pc = self.end
        else:
            frame.local[self.left] -= 1

    def targets(self) -> tuple[int, ...]:
        return (self.end,)


@attrs.define(eq=False, kw_only=True)
class CheckFalling(Instruction):
    """``repeat falling``: the measure must be smaller than at the start of the pass before."""

    last: int
    measure: Function
    text: str

    def run(self, machine: Machine, frame: Frame) -> None:
        value = self.measure(machine.cells, frame.local)
        before = frame.local[self.last]
        if before is not None and value >= before:
            raise self.fault(f"{self.text} must fall with each pass, but it was {before} and is {value}")
        frame.local[self.last] = value


@attrs.define(eq=False, kw_only=True)
class BeginTurn(Instruction):
    def run(self, machine: Machine, frame: Frame) -> None:
        machine.turns += 1


@attrs.define(eq=False, kw_only=True)
class NextPlayer(Instruction):
    slot: int

    def run(self, machine: Machine, frame: Frame) -> None:
        frame.local[self.slot] = (frame.local[self.slot] + 1) % machine.book.program.players


@attrs.define(eq=False, kw_only=True)
class Finish(Instruction):
    """The game ends; ``who`` alone wins, or without it the best by the ranks."""

    who: Function | None
    falls: ClassVar[bool] = False

    def run(self, machine: Machine, frame: Frame) -> None:
        cells = machine.cells
        winners: tuple[Any, ...]
        winners = machine.book.best(cells) if self.who is None else (self.who(cells, frame.local),)
        machine.finish(winners, self.rule)
