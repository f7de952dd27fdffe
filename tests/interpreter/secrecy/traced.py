"""Steps of the reference engine, watched from inside: what chance gave, and when the rules disclosed something.

Two worlds that differ only in what is hidden are played side by side. What chance brings must look the same in both,
so the outcomes of the first world are laid down for the second, wherever they can come up there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs
import pytest

from interpreter.lowered import code
from interpreter.position.events import Chain
from interpreter.reference import asks, control_flow
from interpreter.reference.from_lowered import AGAIN, RUN
from interpreter.reference.machine import Machine, Step

Outcome = tuple[str, code.Code, Any]
"""``pick``, ``draw`` or ``shuffle``; the statement; what came of it."""


@attrs.define
class Trace:
    """One step of one world. ``laid``: outcomes of the other world to repeat. ``inside``: the world was made up while
    players decided together, and what some had decided with it; the end of that block discloses it. ``free``: rolls
    that nobody sees, which need not be repeated.

    ``outcomes``: what chance gave. ``has_opened``: whether the rules disclosed something; ``opened``: the log as it was
    when they first did.
    """

    laid: Sequence[Outcome] = ()
    inside: bool = False
    free: frozenset[code.Code] = frozenset()
    outcomes: list[Outcome] = attrs.field(factory=list)
    has_opened: bool = False
    opened: Chain = None
    _next: int = 0
    _at: list[Step] = attrs.field(factory=list)

    def begin(self, step: Step, machine: Machine, *, ends: bool = False) -> None:
        self._at = [step]
        if not self.has_opened and ((self.inside and ends) or _opens(step, machine)):
            self.has_opened, self.opened = True, machine.log

    def repeated(self, kind: str) -> Any:
        """What chance gave in the other world where this one is now; None where it was not asked."""
        node = self._at[0].node
        if node in self.free:
            return None
        for number in range(self._next, len(self.laid)):
            if self.laid[number][:2] == (kind, node):
                self._next = number + 1
                return self.laid[number][2]
        return None

    def came(self, kind: str, outcome: Any) -> None:
        self.outcomes.append((kind, self._at[0].node, outcome))


def _opens(step: Step, machine: Machine) -> bool:
    if isinstance(step.node, code.Leave):
        rules = machine.blueprint.program.rules
        return machine.dirty and any(rules[watcher.rule].openly for watcher in machine.blueprint.watchers)
    return code.discloses(step.node)


_now: list[Trace] = []


@contextmanager
def tracing(trace: Trace) -> Iterator[Trace]:
    """Steps taken meanwhile go into the trace. Needs ``watch``."""
    _now.append(trace)
    try:
        yield trace
    finally:
        _now.pop()


def watch(patch: pytest.MonkeyPatch) -> None:
    """Let traces see what the engine does."""
    for runs in (RUN, AGAIN):
        for kind, real in [*runs.items()]:
            patch.setitem(runs, kind, _run(real))
    patch.setattr(control_flow, "end_together", _end(control_flow.end_together))
    patch.setattr(asks, "take", _take(asks.take))
    patch.setattr(Machine, "pick", _pick(Machine.pick))
    patch.setattr(Machine, "draw", _draw(Machine.draw))
    patch.setattr(Machine, "shuffle", _shuffle(Machine.shuffle))


def _run(real: Any) -> Any:
    def run(machine: Machine, frame: Any, step: Step) -> None:
        if _now:
            _now[-1].begin(step, machine)
        real(machine, frame, step)

    return run


def _end(real: Any) -> Any:
    def end(machine: Machine, step: Step) -> None:
        if _now:
            _now[-1].begin(step, machine, ends=True)
        real(machine, step)

    return end


def _take(real: Any) -> Any:
    def take(machine: Machine, frame: Any, step: Step, player: int, raw: Any) -> None:
        if _now:
            _now[-1]._at = [step]
        real(machine, frame, step, player, raw)

    return take


def _pick(real: Any) -> Any:
    def pick(self: Machine, combos: Sequence[Any], types: Any, step: Step) -> int:
        index = int(real(self, combos, types, step))
        if not _now:
            return index
        trace = _now[-1]
        wanted = trace.repeated("pick")
        if wanted in combos:
            index = combos.index(wanted)
        trace.came("pick", combos[index])
        return index

    return pick


def _draw(real: Any) -> Any:
    def draw(self: Machine, counts: Sequence[int], element: Any, step: Step) -> int:
        index = int(real(self, counts, element, step))
        if not _now:
            return index
        trace = _now[-1]
        wanted = trace.repeated("draw")
        if wanted is not None and counts[wanted]:
            index = wanted
        trace.came("draw", index)
        return index

    return draw


def _shuffle(real: Any) -> Any:
    def shuffle(self: Machine, pieces: tuple[Any, ...]) -> tuple[Any, ...]:
        order: tuple[Any, ...] = real(self, pieces)
        if not _now:
            return order
        trace = _now[-1]
        wanted = trace.repeated("shuffle")
        if wanted is not None:
            order = _like(order, wanted)
        trace.came("shuffle", order)
        return order

    return shuffle


def _like(order: tuple[Any, ...], wanted: tuple[Any, ...]) -> tuple[Any, ...]:
    """The pieces in an order as close as possible to the one wanted, from the open end on."""
    left = Counter(order)
    found: list[Any] = []
    for piece in reversed(wanted[-len(order) :] if order else ()):
        taken = left[piece] > 0
        found.append(piece if taken else None)
        left[piece] -= taken
    rest = list((+left).elements())
    found += [None] * (len(order) - len(found))
    return tuple(reversed([rest.pop() if piece is None else piece for piece in found]))
