"""Trial positions and suppositions of the reference engine: their past does not matter."""

from __future__ import annotations

from typing import Any

import attrs

from rulelang.program.sides import all_together
from rulelang.types import NumberType

from ..chance import Stream
from ..data import Decision, Event
from ..errors import RuleFault
from ..evaluation.meter import METER, Undefined, Unsupposable
from ..position import faults
from ..position.events import Teller, tell
from ..position.position import Position
from .machine import STEP, Image, Machine, Step


class MachineTrial:
    """See ``interpreter.game.Trial``."""

    __slots__ = ("_machine",)

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    @property
    def position(self) -> Position:
        return self._machine

    @property
    def decision(self) -> Decision | None:
        asked = self._machine.asked
        return None if asked is None else asked.decision(self._machine)

    @property
    def scores(self) -> tuple[int, ...]:
        return self._machine.scores()

    @property
    def winners(self) -> tuple[int, ...]:
        return self._machine.winners

    @property
    def over(self) -> bool:
        return self._machine.over

    @property
    def log(self) -> list[Event]:
        """The events since the trial was made."""
        return tell(self._machine.blueprint, self._machine.log, None)

    def copy(self) -> MachineTrial:
        return MachineTrial(self._machine.copy())

    def choose(self, index: int) -> None:
        self._machine.choose(index, self._machine.copy())

    def playout(self, seed: int, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        machine = self._machine
        stream = Stream(seed)
        try:
            for _ in range(limit):
                asked = machine.asked
                if asked is None:
                    break
                machine.choose(stream.below(len(asked.raws)), machine.copy())
        except RuleFault:
            return None
        scores = machine.scores()
        if machine.over:
            return scores, machine.winners
        if all_together(machine.blueprint.program):
            return scores, ()  # nobody is ahead of anybody
        return scores, tuple(seat for seat, score in enumerate(scores) if score == max(scores))


# Suppositions: how the cells would be if a rule ran, without running it in the game.


@attrs.define(eq=False, kw_only=True)
class Rehearsal(Machine):
    """A machine that nobody hears of: it keeps no log, and since it is never dirty, no watcher runs."""

    def note(self, teller: Teller, *facts: Any) -> None:
        pass

    def store(self, cell: int, value: Any) -> None:
        self.cells[cell] = value

    def rehearse(self) -> None:
        """Run to the end. What it does counts as work of the expression that asks for it."""
        with METER.counting(self.blueprint.limits):
            METER.spend(STEP)
            self._advance()

    def undefined(self, step: Step, error: Undefined) -> Exception:
        """What goes wrong in a supposition inside another is told once."""
        return error if isinstance(error, Unsupposable) else super().undefined(step, error)


@attrs.frozen(eq=False)
class Supposer:
    """What tells how the cells would be after a rule; see ``evaluation.compiler.Suppose``."""

    image: Image

    def __call__(
        self, cells: list[Any], rule: str, values: tuple[Any, ...], bounds: tuple[NumberType | None, ...]
    ) -> list[Any]:
        for value, bound in zip(values, bounds, strict=True):
            if bound is not None and value is not None and not bound.low <= value <= bound.high:
                raise Undefined(faults.argument(value, bound.low, bound.high, rule))
        machine = Rehearsal(self.image.blueprint, cells.copy(), 0, 0, image=self.image)
        outer = METER.machine
        if outer is not None and self.image.depths:
            machine.around = {name: outer.running(name) for name in self.image.depths}
            deep = self.image.depths.get(rule)
            if deep is not None and machine.running(rule) >= deep:
                raise Undefined(faults.again(rule, deep))
        try:
            machine.open(rule, values, None)
            machine.rehearse()
        except RuleFault as fault:
            raise Unsupposable(faults.supposed(str(fault))) from None
        return machine.cells
