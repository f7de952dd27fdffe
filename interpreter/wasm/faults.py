"""What stopped a module, in words that name the rule, the file and the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.program.values import name_of, show
from rulelang.types import REACH

from ..game import RuleFault
from ..position import faults
from .layout.addresses import CALLER, FAULT, FAULT_A, FAULT_B, FAULT_C
from .layout.memory import decode

if TYPE_CHECKING:
    from .compiled import Compiled
    from .emit.registry import FaultPoint
    from .host import Instance, Trap


def fault_of(compiled: Compiled, instance: Instance, trap: Trap) -> RuleFault:
    """The fault that a trap stands for. Every trap of a module that is right has left its number."""
    number, a, b, c = (instance.word(compiled.memory.scratch + at) for at in (FAULT, FAULT_A, FAULT_B, FAULT_C))
    start = compiled.program.start
    if trap.late:
        return RuleFault(faults.TOO_LONG, start)
    if number == -1:
        return RuleFault("it needs more room for lists than this engine has", start)
    if number == -2:
        return RuleFault("there are more options than this engine has room for", start)
    if not 0 <= number < len(compiled.fault_points):
        return RuleFault(f"the engine stopped: {trap.reason.splitlines()[0]}", start)
    point = compiled.fault_points[number]
    try:
        message = _message(compiled, instance, point, a, b, c)
    except (IndexError, ValueError):  # the numbers name nothing
        message = faults.DAMAGED
    if point.shared:
        point = compiled.fault_points[instance.word(compiled.memory.scratch + CALLER)]
    return RuleFault(message, point.rule, point.span)


def _message(compiled: Compiled, instance: Instance, point: FaultPoint, a: int, b: int, c: int) -> str:
    facts = point.facts
    match point.kind:
        case "range":
            why = f"{a} is outside {facts['low']}..{facts['high']}"
            return faults.misfit(compiled.cell(b, facts["cell"]), why)
        case "argument":
            return faults.argument(a, facts["low"], facts["high"], facts["rule"])
        case "room":
            why = f"{a} pieces do not fit, there is room for {facts['capacity']}"
            return faults.misfit(compiled.cell(b, facts["cell"]), why)
        case "full":
            return faults.full(compiled.cell(b, facts["cell"]), a, facts["capacity"])
        case "no room":
            where = compiled.cell(b, facts["cell"])
            return f"{where} holds more than the fast engine has room for, which is {facts['capacity']}"
        case "short":
            element = compiled.memory.cells[facts["place"]].variable.element
            kind = name_of(c, element) if facts["named"] and element is not None else None
            return faults.short(facts["place"], a, kind, b)
        case "position":
            return faults.no_piece_at(facts["place"], a, b)
        case "pay":
            type_ = compiled.memory.cells[facts["place"]].type
            size = compiled.memory.cells[facts["place"]].size // 4
            held = decode([instance.word(a + 4 * i) for i in range(size)], 0, type_)[0]
            return faults.cannot_pay("the cost", compiled.cell(a, facts["place"]), show(held, type_))
        case "falling":
            return faults.not_falling(facts["text"], a, b)
        case "need":
            return faults.need(facts["text"])
        case "options":
            return faults.no_option(facts["options"])
        case "negative":
            return faults.negative(a)
        case "one_square":
            return faults.one_square(a)
        case "reach":
            return faults.out_of_reach(a, b, facts["place"], REACH)
        case "taken":
            return faults.taken(a, b, facts["place"])
        case "turn":
            return faults.turn(a)
    return _SIMPLE[point.kind]


_SIMPLE: dict[str, str] = {
    "nothing": faults.NOTHING_TO_CHOOSE,
    "roll": faults.NOTHING_TO_ROLL,
    "kinds": faults.SEVERAL_KINDS,
    "together": faults.NESTED_TOGETHER,
    "division": faults.DIVISION,
    "overflow": faults.TOO_BIG,
    "frames": "the rules that wait for a decision hold more than this engine has room for",
}
