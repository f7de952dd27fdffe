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
from interpreter.reference import asks, cell_changes, flatten
from interpreter.reference import instructions as steering
from interpreter.reference.machine import Instruction, Machine

_MODULES = (asks, cell_changes, flatten, steering)

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
    _at: list[Instruction] = attrs.field(factory=list)

    def begin(self, instruction: Instruction, machine: Machine) -> None:
        self._at = [instruction]
        ends = self.inside and isinstance(instruction, steering.EndTogether)
        if not self.has_opened and (ends or _opens(instruction, machine)):
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


def _opens(instruction: Instruction, machine: Machine) -> bool:
    if isinstance(instruction.node, code.Leave):
        rules = machine.blueprint.program.rules
        return machine.dirty and any(rules[watcher.rule].openly for watcher in machine.blueprint.watchers)
    return code.discloses(instruction.node)


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
    kinds = {kind for module in _MODULES for kind in vars(module).values() if isinstance(kind, type)}
    for kind in kinds:
        if issubclass(kind, Instruction) and "run" in vars(kind) and kind is not Instruction:
            patch.setattr(kind, "run", _run(kind.run))
    for kind in (asks.AskChoose, asks.AskMenu, asks.AskPay):
        patch.setattr(kind, "take", _take(kind.take))
    patch.setattr(Machine, "pick", _pick(Machine.pick))
    patch.setattr(Machine, "draw", _draw(Machine.draw))
    patch.setattr(Machine, "shuffle", _shuffle(Machine.shuffle))


def _run(real: Any) -> Any:
    def run(self: Instruction, machine: Machine, frame: Any) -> None:
        if _now:
            _now[-1].begin(self, machine)
        real(self, machine, frame)

    return run


def _take(real: Any) -> Any:
    def take(self: Any, machine: Machine, frame: Any, player: int, raw: Any) -> None:
        if _now:
            _now[-1]._at = [self]
        real(self, machine, frame, player, raw)

    return take


def _pick(real: Any) -> Any:
    def pick(self: Machine, combos: Sequence[Any], types: Any, instruction: Instruction) -> int:
        index = int(real(self, combos, types, instruction))
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
    def draw(self: Machine, counts: Sequence[int], element: Any, instruction: Instruction) -> int:
        index = int(real(self, counts, element, instruction))
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
