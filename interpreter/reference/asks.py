"""Questions: a rule stops at a decision, and goes on with the option taken."""

from __future__ import annotations

from typing import Any

from rulelang import program as ir
from rulelang.types import kinds

from ..lowered import code
from ..position import events
from ..position.position import OpenQuestion
from .cell_changes import add
from .machine import Frame, Machine, Step

UNLISTED = object()
"""Stands for the options of a question where they are not listed."""


def ask(machine: Machine, frame: Frame, step: Step) -> None:
    question, node = step.made.question, step.node
    raws: tuple[Any, ...] | None
    if machine.brief:
        asks = _is_asked(machine, frame, step) if isinstance(node, code.Pay) or _refused(step) is not None else True
        raws = None if asks is None else (UNLISTED,) if asks else ()
    else:
        raws = question.offers(machine.cells, frame.local)
    if raws is None:
        return
    if not raws:  # there is nothing to choose from, which is a fault where that is not allowed
        otherwise = _refused(step)
        if otherwise is None:
            raise question.nothing()
        frame.next = otherwise
        return
    frame.next = ask, step  # the frame waits here until the decision is made
    frame.at = node.site.number
    machine.asked = OpenQuestion(question, question.who(machine.cells, frame.local), raws)
    if machine.asked.player == machine.at_turn:
        machine.turns, machine.at_turn = machine.turns + 1, None


def _refused(step: Step) -> Any:
    """Where a rule goes on that may go on without a choice; None where it may not."""
    node = step.node
    may = node.body is not None if isinstance(node, code.Choose) else getattr(node, "otherwise", None) is not None
    return step.inner[-1] if may else None


def _is_asked(machine: Machine, frame: Frame, step: Step) -> bool | None:
    """As ``Question.asks``, where it is known what is asked next: if that is something else, there is nothing to choose
    from here; if it is this, its option may be on offer here, or only when the rules come back."""
    question, cells, local = step.made.question, machine.cells, frame.local
    if machine.coming is None or isinstance(step.node, code.Pay):
        return question.asks(cells, local)  # type: ignore[no-any-return]
    node, raw = machine.coming()
    return node is step.node and (question.may_take(raw, cells, local) or question.asks(cells, local))


def take(machine: Machine, frame: Frame, step: Step, player: int, raw: Any) -> None:
    """Go on after ``raw`` was chosen."""
    node = step.node
    machine.note(events.chosen, node.rule, player, step.made.question.option(raw), node.hidden)
    if isinstance(node, code.Pay):
        _pay(machine, frame, step, raw)
    elif isinstance(node, code.Menu):
        number, values = raw
        _bind(frame, node.items[number].binds, values)
        frame.next = step.inner[number]
    elif raw is None:
        frame.next = _refused(step) or step.then
    else:
        _bind(frame, node.binds, raw)
        frame.next = step.inner[0]


def _bind(frame: Frame, binds: ir.Binds | None, values: tuple[Any, ...]) -> None:
    for bind, value in zip(binds.binds if binds is not None else (), values, strict=True):
        frame.local[bind.slot] = value


def _pay(machine: Machine, frame: Frame, step: Step, raw: tuple[int, ...]) -> None:
    (source, from_), (target, to) = step.made.source, step.made.target
    from_cell, to_cell = from_(machine.cells, frame.local), to(machine.cells, frame.local)
    held = machine.cells[from_cell]
    machine.store(from_cell, tuple(h - p for h, p in zip(held, raw, strict=True)))
    low = kinds(source.variable.element).start
    pieces = tuple(low + i for i, n in enumerate(raw) for _ in range(n))
    add(machine, step, target, to_cell, pieces)
    machine.note(events.moved, step.node, source, from_cell, target, to_cell, pieces, False)
