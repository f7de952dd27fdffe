"""What stopped a module, in words that name the rule, the file and the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.program.values import name_of, show

from ..game import RuleFault
from .layout.memory import decode
from .layout.places import CALLER, FAULT, FAULT_A, FAULT_B, FAULT_C

if TYPE_CHECKING:
    from .compiled import Compiled
    from .host import Instance, Trap
    from .write.module import Site


def fault_of(compiled: Compiled, instance: Instance, trap: Trap) -> RuleFault:
    """The fault that a trap stands for. Every trap of a module that is right has left its site."""
    number, a, b, c = (instance.word(compiled.memory.scratch + at) for at in (FAULT, FAULT_A, FAULT_B, FAULT_C))
    start = compiled.program.start
    if trap.late:
        return RuleFault("it ran too long without a decision; does a loop end?", start)
    if number == -1:
        return RuleFault("it needs more room for lists than this engine has", start)
    if number == -2:
        return RuleFault("there are more options than this engine has room for", start)
    if not 0 <= number < len(compiled.sites):
        return RuleFault(f"the engine stopped: {trap.reason.splitlines()[0]}", start)
    site = compiled.sites[number]
    try:
        message = _message(compiled, instance, site, a, b, c)
    except (IndexError, ValueError):  # the numbers name nothing
        message = "the position is damaged"
    if site.shared:
        site = compiled.sites[instance.word(compiled.memory.scratch + CALLER)]
    return RuleFault(message, site.rule, site.span)


def _message(compiled: Compiled, instance: Instance, site: Site, a: int, b: int, c: int) -> str:
    facts = site.facts
    match site.kind:
        case "range":
            return f"{compiled.place(b, facts['cell'])}: {a} is outside {facts['low']}..{facts['high']}"
        case "argument":
            return f"{a} is outside {facts['low']}..{facts['high']}, which rule {facts['rule']} takes"
        case "room":
            where = compiled.place(b, facts["cell"])
            return f"{where}: {a} pieces do not fit, there is room for {facts['capacity']}"
        case "full":
            return f"{compiled.place(b, facts['cell'])} is full: {a} more, there is room for {facts['capacity']}"
        case "no room":
            where = compiled.place(b, facts["cell"])
            return f"{where} holds more than the fast engine has room for, which is {facts['capacity']}"
        case "short":
            element = compiled.memory.cells[facts["place"]].variable.element
            kind = f" {name_of(c, element)}" if facts["named"] and element is not None else ""
            return f"{facts['place']} holds {a}{kind}, {b} are needed; write `up to`, or check before"
        case "position":
            return f"{facts['place']} holds {a} pieces, there is none at position {b}"
        case "pay":
            type_ = compiled.memory.cells[facts["place"]].type
            size = compiled.memory.cells[facts["place"]].size // 4
            held = decode([instance.word(a + 4 * i) for i in range(size)], 0, type_)[0]
            return f"the cost cannot be paid: {compiled.place(a, facts['place'])} holds {show(held, type_)}"
        case "falling":
            return f"{facts['text']} must fall with each pass, but it was {a} and is {b}"
        case "need":
            return f"it needs {facts['text']}, which does not hold here; whoever runs the rule must see to it"
        case "options":
            return f"none of the options {', '.join(facts['options'])} is possible; add one that always is"
    return _SIMPLE[site.kind].format(a=a, b=b, place=facts.get("place", ""))


_SIMPLE: dict[str, str] = {
    "nothing": "there is nothing to choose",
    "roll": "there is nothing to roll for",
    "negative": "{a} pieces cannot be moved",
    "kinds": "the pool holds pieces of several kinds; say which, as in `move 1 of ...`",
    "one_square": "{a} pieces cannot be laid on one square",
    "reach": "({a}, {b}) is out of reach in {place}",
    "taken": "({a}, {b}) in {place} is taken",
    "turn": "a piece is turned by 0 to 3 quarter turns, not by {a}",
    "together": "players who decide together cannot do so within it again",
    "division": "division by zero",
    "overflow": "a number grew beyond 32 bits",
    "frames": "the rules that wait for a decision hold more than this engine has room for",
}
