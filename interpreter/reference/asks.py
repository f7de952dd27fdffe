"""Instructions that stop at a decision and resume with the option taken."""

from __future__ import annotations

from typing import Any

import attrs

from rulelang import program as ir
from rulelang.types import kinds

from ..evaluation.compiler import Function
from ..lowered import code
from ..lowered.cells import Cells
from ..position import events
from ..position.position import OpenQuestion, Question
from .cell_changes import add
from .machine import Frame, Instruction, Machine

UNLISTED = object()
"""Stands for the options of a question where they are not listed."""


@attrs.define(eq=False)
class Ask(Instruction):
    node: code.Choose | code.Menu | code.Pay
    question: Question

    def run(self, machine: Machine, frame: Frame) -> None:
        raws: tuple[Any, ...] | None
        if machine.brief:
            asks = self.is_asked(machine, frame) if self.may_have_nothing else True
            raws = None if asks is None else (UNLISTED,) if asks else ()
        else:
            raws = self.question.offers(machine.cells, frame.local)
        if raws is None:
            return
        if not raws:
            self.nothing(machine, frame)
            return
        # The frame waits at this instruction until the decision is made.
        frame.pc -= 1
        frame.at = self.node.site.number
        machine.asked = OpenQuestion(self.question, self.question.who(machine.cells, frame.local), raws)
        if machine.asked.player == machine.at_turn:
            machine.turns, machine.at_turn = machine.turns + 1, None

    def is_asked(self, machine: Machine, frame: Frame) -> bool | None:
        """As ``Question.asks``, where it is known what is asked next: if that is something else, there is nothing to
        choose from here; if it is this, its option may be on offer here, or only when the rules come back."""
        cells, local = machine.cells, frame.local
        if machine.coming is None:
            return self.question.asks(cells, local)
        node, raw = machine.coming()
        return node is self.node and (self.question.may_take(raw, cells, local) or self.question.asks(cells, local))

    @property
    def may_have_nothing(self) -> bool:
        """Whether the rules go on where nothing is asked, which for all others would be a fault."""
        return True

    def nothing(self, machine: Machine, frame: Frame) -> None:
        """Go on without a choice, because there is nothing to choose from; a fault where that is not allowed."""
        raise self.question.nothing()

    def note(self, machine: Machine, player: int, raw: Any) -> None:
        machine.note(events.chosen, self.node.rule, player, self.question.option(raw), self.node.hidden)


def _bind(frame: Frame, binds: ir.Binds | None, values: tuple[Any, ...]) -> None:
    for bind, value in zip(binds.binds if binds is not None else (), values, strict=True):
        frame.local[bind.slot] = value


@attrs.define(eq=False)
class AskChoose(Ask):
    """``body`` and ``otherwise`` are indices of instructions; without a body the next instruction follows a choice."""

    node: code.Choose
    body: int | None = None
    otherwise: int | None = None

    @property
    def may_have_nothing(self) -> bool:
        return self.otherwise is not None

    def nothing(self, machine: Machine, frame: Frame) -> None:
        if self.otherwise is None:
            raise self.question.nothing()
        frame.pc = self.otherwise

    def take(self, machine: Machine, frame: Frame, player: int, raw: Any) -> None:
        self.note(machine, player, raw)
        if raw is None:
            if self.otherwise is not None:
                frame.pc = self.otherwise
            return
        _bind(frame, self.node.binds, raw)
        if self.body is not None:
            frame.pc = self.body


@attrs.define(eq=False)
class AskMenu(Ask):
    """``starts``: the index of the first instruction of each option's body, ``otherwise`` of what runs without any."""

    node: code.Menu
    starts: list[int] = attrs.field(factory=list)
    otherwise: int | None = None

    @property
    def may_have_nothing(self) -> bool:
        return self.otherwise is not None

    def nothing(self, machine: Machine, frame: Frame) -> None:
        if self.otherwise is None:
            raise self.question.nothing()
        frame.pc = self.otherwise

    def take(self, machine: Machine, frame: Frame, player: int, raw: Any) -> None:
        number, values = raw
        self.note(machine, player, raw)
        _bind(frame, self.node.items[number].binds, values)
        frame.pc = self.starts[number]


@attrs.define(eq=False)
class AskPay(Ask):
    node: code.Pay
    source: Cells
    source_cell: Function
    target: Cells
    target_cell: Function

    def is_asked(self, machine: Machine, frame: Frame) -> bool | None:
        return self.question.asks(machine.cells, frame.local)

    def take(self, machine: Machine, frame: Frame, player: int, raw: Any) -> None:
        self.note(machine, player, raw)
        from_cell = self.source_cell(machine.cells, frame.local)
        to_cell = self.target_cell(machine.cells, frame.local)
        held = machine.cells[from_cell]
        machine.store(from_cell, tuple(h - p for h, p in zip(held, raw, strict=True)))
        element = self.source.variable.element
        assert element is not None
        low = kinds(element).start
        pieces = tuple(low + i for i, n in enumerate(raw) for _ in range(n))
        add(machine, self, self.target, to_cell, pieces)
        machine.note(events.moved, self.node, self.source, from_cell, self.target, to_cell, pieces, False)
