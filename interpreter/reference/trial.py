"""Trial positions of the reference engine: their past does not matter, so choices are made in place."""

from __future__ import annotations

from rulelang.program.sides import all_together

from ..chance import Stream
from ..data import Decision, Event
from ..errors import RuleFault
from ..position.events import tell
from ..position.position import Position
from .machine import Machine


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
