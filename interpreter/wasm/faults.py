"""Faults from traps: messages that name the rule, the file and the line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulelang.program.values import name_of, show
from rulelang.types import REACH

from ..errors import RuleFault
from ..evaluation.runtime import beyond, too_many_steps, too_often
from ..lowered.cells import outside, too_many_in
from ..position import faults
from .layout.addresses import CALLER, FAULT, FAULT_A, FAULT_B, FAULT_C, MOST_OPTIONS_ROOM, SUPPOSING
from .layout.memory import Memory, decode
from .layout.shapes import no_room

if TYPE_CHECKING:
    from rulelang.program import Rule

    from .emit.registry import FaultPoint
    from .host import Instance, Trap
    from .write.module import Module


def fault_of(module: Module, instance: Instance, trap: Trap) -> RuleFault:
    """The fault behind a trap. In a correct module every trap has stored the number of its fault point."""
    number, a, b, c = (instance.word(module.memory.scratch + at) for at in (FAULT, FAULT_A, FAULT_B, FAULT_C))
    if not 0 <= number < len(module.fault_points):
        rule = _running(module, trap)
        noted = instance.word(module.memory.scratch + CALLER)
        place = module.fault_points[noted] if 0 <= noted < len(module.fault_points) else None
        span = place.span if place is not None and place.rule == rule.id else rule.span
        return _told(module, instance, RuleFault(_without_point(module, number, trap), rule.id, span))
    point = module.fault_points[number]
    try:
        message = _message(module.memory, instance, point, a, b, c)
    except (IndexError, KeyError, ValueError):  # the numbers make no sense
        message = faults.DAMAGED
    if point.shared:
        point = module.fault_points[instance.word(module.memory.scratch + CALLER)]
    return _told(module, instance, RuleFault(message, point.rule, point.span))


def _told(module: Module, instance: Instance, fault: RuleFault) -> RuleFault:
    """The fault, or in a supposition the one of the outermost place that supposes something."""
    supposing = instance.word(module.memory.scratch + SUPPOSING)
    if not supposing:
        return fault
    outer = module.fault_points[supposing - 1]
    return RuleFault(faults.supposed(str(fault)), outer.rule, outer.span)


def _without_point(module: Module, number: int, trap: Trap) -> str:
    """The message of a fault that can arise anywhere."""
    limits = module.memory.limits
    match number:
        case -1:
            return "its lists need more room than the fast engine has"
        case -2 if module.memory.build - module.memory.options >= MOST_OPTIONS_ROOM:
            return "its options need more room than the fast engine has"
        case -2:
            return faults.too_many_options(limits.options)
        case -4:
            return faults.too_many_members(limits.members)
        case -5:
            return faults.too_long(limits.work)
    if "call stack exhausted" in trap.reason:
        return "its rules and definitions run one another deeper than the fast engine has room for"
    return f"the engine stopped: {trap.reason.splitlines()[0]}"


def _running(module: Module, trap: Trap) -> Rule:
    """The innermost rule that was running: the functions of rules can be told by their names."""
    names = {name: rule for (rule, _), name in module.context.named.items()}
    program = module.program
    called = (names[name] for name in _FUNCTION.findall(trap.reason) if name in names)
    return program.rules[next(called, program.start)]


def _message(memory: Memory, instance: Instance, point: FaultPoint, a: int, b: int, c: int) -> str:
    facts = point.facts
    match point.kind:
        case "range":
            why = outside(a, facts["low"], facts["high"])
            return faults.misfit(memory.cells[facts["cell"]].name(b), why)
        case "beyond":
            return beyond(a, facts["low"], facts["high"], facts["name"], facts["verb"])
        case "steps":
            return too_many_steps(facts["name"], facts["most"])
        case "chosen":
            return no_room(a, facts["most"])
        case "argument":
            return faults.argument(a, facts["low"], facts["high"], facts["rule"])
        case "deep":
            return faults.again(facts["name"], facts["deep"])
        case "too often":
            return too_often(facts["name"], facts["deep"])
        case "room":
            why = too_many_in(memory.cells[facts["cell"]].variable, a)
            return faults.misfit(memory.cells[facts["cell"]].name(b), why)
        case "full":
            return faults.full(memory.cells[facts["cell"]].name(b), a, facts["capacity"])
        case "no room":
            where = memory.cells[facts["cell"]].name(b)
            return f"{where} would hold more than the {facts['capacity']} pieces the fast engine has room for"
        case "short":
            element = memory.cells[facts["place"]].variable.element
            kind = name_of(c, element) if facts["named"] and element is not None else None
            return faults.short(facts["place"], a, kind, b)
        case "position":
            return faults.no_piece_at(facts["place"], a, b)
        case "pay":
            type_ = memory.cells[facts["place"]].type
            size = memory.cells[facts["place"]].size // 4
            held = decode([instance.word(a + 4 * i) for i in range(size)], 0, type_)[0]
            return faults.cannot_pay("the cost", memory.cells[facts["place"]].name(a), show(held, type_))
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
        case "work":
            return faults.too_long(memory.limits.work)
        case "possibilities":
            return faults.too_many_options(memory.limits.options)
        case "rounds":
            return faults.too_many_members(memory.limits.members)
    return _SIMPLE[point.kind]


_FUNCTION = re.compile(r"^ *\d+: .*!(\w+)$", re.MULTILINE)
"""A function that was running, in what wasmtime says of a trap."""

_SIMPLE: dict[str, str] = {
    "nothing": faults.NOTHING_TO_CHOOSE,
    "roll": faults.NOTHING_TO_ROLL,
    "kinds": faults.SEVERAL_KINDS,
    "together": faults.NESTED_TOGETHER,
    "division": faults.DIVISION,
    "overflow": faults.TOO_BIG,
    "many edges": faults.MANY_EDGES,
    "frames": "the rules waiting for a decision hold more than the fast engine has room for",
}
