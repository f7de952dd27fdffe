"""Faults from traps: messages that name the rule, the file and the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

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
        message = _MESSAGES[point.kind](_Stop(module.memory, instance, point.facts, a, b, c))
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


_FUNCTION = re.compile(r"^ *\d+: .*!(\w+)$", re.MULTILINE)
"""A function that was running, in what wasmtime says of a trap."""


@attrs.frozen
class _Stop:
    """What is known where a module stopped: the facts of its fault point, and up to three numbers."""

    memory: Memory
    instance: Instance
    facts: Mapping[str, Any]
    a: int
    b: int
    c: int

    def __getitem__(self, fact: str) -> Any:
        return self.facts[fact]

    def name(self, cell: str, index: int) -> str:
        """The name of a cell, the fact that says which being called ``cell``."""
        return self.memory.cells[self[cell]].name(index)

    def missing(self) -> str | None:
        """The kind of pieces that is missing, where one is named."""
        element = self.memory.cells[self["place"]].variable.element
        return name_of(self.c, element) if self["named"] and element is not None else None

    def held(self) -> str:
        """What a place holds from which somebody cannot pay."""
        cell = self.memory.cells[self["place"]]
        words = [self.instance.word(self.a + 4 * i) for i in range(cell.size // 4)]
        return show(decode(words, 0, cell.type)[0], cell.type)


_MESSAGES: dict[str, Callable[[_Stop], str]] = {
    "range": lambda stop: faults.misfit(stop.name("cell", stop.b), outside(stop.a, stop["low"], stop["high"])),
    "beyond": lambda stop: beyond(stop.a, stop["low"], stop["high"], stop["name"], stop["verb"]),
    "steps": lambda stop: too_many_steps(stop["name"], stop["most"]),
    "chosen": lambda stop: no_room(stop.a, stop["most"]),
    "argument": lambda stop: faults.argument(stop.a, stop["low"], stop["high"], stop["rule"]),
    "deep": lambda stop: faults.again(stop["name"], stop["deep"]),
    "too often": lambda stop: too_often(stop["name"], stop["deep"]),
    "room": lambda stop: faults.misfit(
        stop.name("cell", stop.b), too_many_in(stop.memory.cells[stop["cell"]].variable, stop.a)
    ),
    "full": lambda stop: faults.full(stop.name("cell", stop.b), stop.a, stop["capacity"]),
    "no room": lambda stop: (
        f"{stop.name('cell', stop.b)} would hold more than the {stop['capacity']} pieces the fast engine has room for"
    ),
    "short": lambda stop: faults.short(stop["place"], stop.a, stop.missing(), stop.b),
    "position": lambda stop: faults.no_piece_at(stop["place"], stop.a, stop.b),
    "pay": lambda stop: faults.cannot_pay("the cost", stop.name("place", stop.a), stop.held()),
    "falling": lambda stop: faults.not_falling(stop["text"], stop.a, stop.b),
    "need": lambda stop: faults.need(stop["text"]),
    "options": lambda stop: faults.no_option(stop["options"]),
    "negative": lambda stop: faults.negative(stop.a),
    "one_square": lambda stop: faults.one_square(stop.a),
    "reach": lambda stop: faults.out_of_reach(stop.a, stop.b, stop["place"], REACH),
    "taken": lambda stop: faults.taken(stop.a, stop.b, stop["place"]),
    "turn": lambda stop: faults.turn(stop.a),
    "work": lambda stop: faults.too_long(stop.memory.limits.work),
    "possibilities": lambda stop: faults.too_many_options(stop.memory.limits.options),
    "rounds": lambda stop: faults.too_many_members(stop.memory.limits.members),
    "nothing": lambda stop: faults.NOTHING_TO_CHOOSE,
    "roll": lambda stop: faults.NOTHING_TO_ROLL,
    "kinds": lambda stop: faults.SEVERAL_KINDS,
    "together": lambda stop: faults.NESTED_TOGETHER,
    "division": lambda stop: faults.DIVISION,
    "overflow": lambda stop: faults.TOO_BIG,
    "many edges": lambda stop: faults.MANY_EDGES,
    "frames": lambda stop: "the rules waiting for a decision hold more than the fast engine has room for",
}
"""What is told, by the kind of the fault point."""
