"""Locals that a seat does not know, worked out again from the cells that were drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.program.values import belongs

from ..game import GameError
from ..reference.asks import AskChoose, AskMenu
from ..reference.changes import RollChance
from ..reference.code import Assign, CallRule, Instruction, Items, NextEach, StartEach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.types import Type

    from ..bots.stream import Stream
    from ..reference.machine import Frame, Machine


class Misfit(Exception):
    """The drawn cells do not lead to where the rules stand."""


def fill(machine: Machine, place: int, unknown: frozenset[int], stream: Stream) -> None:
    """Gives values to the unknown slots of a running rule, as its instructions up to now would from these cells.

    What was chosen in secret or rolled unseen is chosen at random. Misfit when a value does not fit its slot.
    """
    frame = machine.frames[place]
    unit = machine.book.units[frame.unit]
    # Slots that nothing needs any more, and which are empty here, may be needed to work out the unknown ones.
    empty = {slot for slot, value in enumerate(frame.local) if value is None}
    written = [instruction for instruction in frame.code[: frame.pc] if instruction.writes & empty]
    for instruction in (None, *written):
        try:
            found = _arguments(machine, place) if instruction is None else _again(machine, frame, instruction, stream)
        except (GameError, ArithmeticError, LookupError, TypeError, ValueError):
            continue  # an instruction that was never reached, or whose values nobody needs
        frame.local[:] = [found.get(slot, now) if slot in empty else now for slot, now in enumerate(frame.local)]
    if not all(_fits(unit.slots.get(slot), frame.local[slot]) for slot in unknown):
        raise Misfit


def _arguments(machine: Machine, place: int) -> dict[int, Any]:
    """The values that the rule was run with."""
    caller = machine.frames[place - 1] if place else None
    call = caller.code[caller.pc - 1] if caller is not None else None
    if caller is None or not isinstance(call, CallRule):
        return {}
    return {slot: function(machine.cells, caller.local) for slot, function in enumerate(call.arguments)}


def _again(machine: Machine, frame: Frame, instruction: Instruction, stream: Stream) -> dict[int, Any]:
    """The slots that an instruction writes, with their values."""
    cells, local = machine.cells, frame.local
    match instruction:
        case Assign():
            return {instruction.slot: instruction.value(cells, local)}
        case StartEach():
            return {instruction.items: tuple(instruction.combos(cells, local))}
        case NextEach():
            return dict(zip(instruction.slots, local[instruction.items][local[instruction.position] - 1], strict=True))
        case AskChoose():
            slots = [bind.slot for bind in instruction.statement.binds.binds]
            return _one_of(slots, instruction.combos(cells, local), stream)
        case AskMenu():
            found: dict[int, Any] = {}
            for item in instruction.items:
                if item.rule.binds is not None:
                    slots = [bind.slot for bind in item.rule.binds.binds]
                    found |= _one_of(slots, item.combos(cells, local), stream)
            return found
        case RollChance():
            return _one_of(instruction.slots, instruction.combos(cells, local), stream)
    return {}


def _one_of(slots: Sequence[int], combos: Sequence[tuple[Any, ...]], stream: Stream) -> dict[int, Any]:
    return dict(zip(slots, combos[stream.below(len(combos))], strict=True)) if combos else {}


def _fits(type_: Type | Items | None, value: Any) -> bool:
    """``None``: a count of the engine's own, which may still be missing."""
    if type_ is None:
        return value is None or type(value) is int
    if isinstance(type_, Items):
        return isinstance(value, tuple)
    return belongs(value, type_)
