"""Instructions that stop at a decision.

``offers`` lists what may be chosen, as bare values; the decision that people see is made of it when somebody looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from rulelang import program as ir
from rulelang.program.values import plain, show
from rulelang.types import kinds

from ..evaluation.compiler import Combos, Function
from ..evaluation.runtime import plans
from ..game import Decision, DecisionKind, Option
from ..position import events
from ..position.cells import Cells
from .changes import add
from .code import Instruction

if TYPE_CHECKING:
    from .machine import Frame, Machine

MEMORY = 20_000
"""Options remembered by a statement that asks; most come back again and again."""


@attrs.define(eq=False, kw_only=True)
class Ask(Instruction):
    """``hidden``: whether what is chosen goes to places that not everybody sees."""

    kind: ClassVar[DecisionKind]
    who: Function
    hidden: bool = False
    _known: dict[Any, Option] = attrs.field(factory=dict, init=False)

    def run(self, machine: Machine, frame: Frame) -> None:
        raws = self.offers(machine, frame)
        if raws is None:
            return
        if not raws:
            self.nothing(machine, frame)
            return
        # The decision stands at this instruction until it is made.
        frame.pc -= 1
        machine.pending = Asked(self, self.who(machine.cells, frame.local), raws)

    def offers(self, machine: Machine, frame: Frame) -> tuple[Any, ...] | None:
        """What may be chosen, each once, in canonical order; None when nothing needs to be asked."""
        raise NotImplementedError

    def nothing(self, machine: Machine, frame: Frame) -> None:
        """There is nothing to choose."""
        raise self.fault("there is nothing to choose")

    def take(self, machine: Machine, frame: Frame, player: int, raw: Any) -> None:
        """Goes on after ``raw`` was chosen; ``frame.pc`` is the place after this instruction."""
        raise NotImplementedError

    def option(self, raw: Any) -> Option:
        option = self._known.get(raw)
        if option is None:
            if len(self._known) >= MEMORY:
                self._known.clear()
            option = self._known[raw] = self.describe(raw)
        return option

    def describe(self, raw: Any) -> Option:
        raise NotImplementedError


@attrs.define(eq=False)
class Asked:
    """A decision that stands open. Shared by copies of a state."""

    instruction: Ask
    player: int
    raws: tuple[Any, ...]
    _decision: Decision | None = None

    @property
    def decision(self) -> Decision:
        if self._decision is None:
            options = tuple(map(self.instruction.option, self.raws))
            self._decision = Decision(self.player, self.instruction.rule, self.instruction.kind, options)
        return self._decision


def _named(binds: ir.Binds | None, values: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
    """The chosen values in words, and as plain data by name."""
    each = [] if binds is None else list(zip(binds.binds, values, strict=True))
    return ", ".join(show(v, b.type) for b, v in each), {b.name: plain(v, b.type) for b, v in each}


@attrs.define(eq=False, kw_only=True)
class AskChoose(Ask):
    """``body`` and ``otherwise`` are places of the code; without a body the next instruction follows a choice."""

    kind: ClassVar[DecisionKind] = "choose"
    statement: ir.Choose
    combos: Combos
    body: int | None = None
    otherwise: int | None = None

    def offers(self, machine: Machine, frame: Frame) -> tuple[Any, ...]:
        found = tuple(dict.fromkeys(self.combos(machine.cells, frame.local)))
        return (*found, None) if found and self.statement.may else found

    def nothing(self, machine: Machine, frame: Frame) -> None:
        if self.otherwise is None:
            raise self.fault("there is nothing to choose")
        frame.pc = self.otherwise

    def take(self, machine: Machine, frame: Frame, player: int, raw: Any) -> None:
        machine.note(events.chosen, self.rule, player, self.option(raw), self.hidden)
        if raw is None:
            if self.otherwise is not None:
                frame.pc = self.otherwise
            return
        for bind, value in zip(self.statement.binds.binds, raw, strict=True):
            frame.local[bind.slot] = value
        if self.body is not None:
            frame.pc = self.body

    def describe(self, raw: Any) -> Option:
        if raw is None:
            return Option("no", None)
        return Option(*_named(self.statement.binds, raw))

    def targets(self) -> tuple[int, ...]:
        return tuple(place for place in (self.body, self.otherwise) if place is not None)


@attrs.define(eq=False)
class MenuItem:
    """An option rule of a menu; ``start`` is the place of its body."""

    rule: ir.Rule
    combos: Combos
    start: int = 0


@attrs.define(eq=False, kw_only=True)
class AskMenu(Ask):
    kind: ClassVar[DecisionKind] = "menu"
    items: tuple[MenuItem, ...]
    falls: ClassVar[bool] = False

    def offers(self, machine: Machine, frame: Frame) -> tuple[Any, ...]:
        cells, local = machine.cells, frame.local
        return tuple(
            (i, values) for i, item in enumerate(self.items) for values in dict.fromkeys(item.combos(cells, local))
        )

    def nothing(self, machine: Machine, frame: Frame) -> None:
        names = ", ".join(item.rule.id for item in self.items)
        raise self.fault(f"none of the options {names} is possible; add one that always is")

    def take(self, machine: Machine, frame: Frame, player: int, raw: Any) -> None:
        number, values = raw
        item = self.items[number]
        machine.note(events.chosen, self.rule, player, self.option(raw), self.hidden)
        if item.rule.binds is not None:
            for bind, value in zip(item.rule.binds.binds, values, strict=True):
                frame.local[bind.slot] = value
        frame.pc = item.start

    def describe(self, raw: Any) -> Option:
        number, values = raw
        rule = self.items[number].rule
        text, data = _named(rule.binds, values)
        return Option(f"{rule.id} {text}".rstrip(), {"option": rule.id, "with": data}, rule.id)

    def targets(self) -> tuple[int, ...]:
        return tuple(item.start for item in self.items)


@attrs.define(eq=False, kw_only=True)
class AskPay(Ask):
    kind: ClassVar[DecisionKind] = "pay"
    statement: ir.Pay
    cost: Function
    source: Cells
    source_cell: Function
    target: Cells
    target_cell: Function

    def offers(self, machine: Machine, frame: Frame) -> tuple[Any, ...] | None:
        cost = self.cost(machine.cells, frame.local)
        if not any(cost):
            return None
        held = machine.cells[self.source_cell(machine.cells, frame.local)]
        found = plans(held, cost, self.rate)
        if not found:
            type_ = self.source.variable.type
            place = self.source.text(self.source.owners(self.source_cell(machine.cells, frame.local)))
            raise self.fault(f"{show(cost, type_)} cannot be paid: {place} holds {show(held, type_)}")
        return found

    @property
    def rate(self) -> int:
        """How many other pieces stand for a missing one; 0: none can."""
        exchange = self.source.variable.exchange
        return exchange.rate if exchange is not None else 0

    def take(self, machine: Machine, frame: Frame, player: int, raw: Any) -> None:
        machine.note(events.chosen, self.rule, player, self.option(raw), self.hidden)
        from_cell = self.source_cell(machine.cells, frame.local)
        to_cell = self.target_cell(machine.cells, frame.local)
        held = machine.cells[from_cell]
        machine.store(from_cell, tuple(h - p for h, p in zip(held, raw, strict=True)))
        element = self.source.variable.element
        assert element is not None
        low = kinds(element).start
        pieces = tuple(low + i for i, n in enumerate(raw) for _ in range(n))
        add(machine, self, self.target, to_cell, pieces)
        machine.note(events.moved, self, self.source, from_cell, self.target, to_cell, pieces, False)

    def describe(self, raw: Any) -> Option:
        type_ = self.source.variable.type
        return Option(f"pay {show(raw, type_)}", {"pays": plain(raw, type_)})
