"""Nodes in a row, with the values that several of them ask for worked out once (``passes/again.py``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rulelang.program.analysis.faults import may_leave
from rulelang.program.analysis.free_variables import free_slots

from ...lowered.code import Code
from ...passes.again import Run
from ..emit.registry import Where
from ..emit.values import Val
from ..expr.expressions import Called, Held
from ..wat import ir
from .emitter import RuleEmitter


def nodes(writer: RuleEmitter, block: Sequence[Code]) -> None:
    """Writes nodes at which nobody is asked, or which never go on from there."""
    begin: defaultdict[int, list[Run]] = defaultdict(list)
    for run in writer.context.again.runs(block):
        begin[run.first].append(run)
    ends: defaultdict[int, list[tuple[Called, Run]]] = defaultdict(list)
    fixed: dict[int, tuple[Val, int]] = {}
    for number, node in enumerate(block):
        for run in begin[number]:
            _fix(writer, run, fixed)
            key = _hold(writer, run)
            if key is None:
                _release(writer, run, fixed)
            else:
                ends[run.last].append((key, run))
        writer.node(node)
        for key, run in ends[number]:
            _tell(writer, run, node, writer.held.pop(key).used)
            _release(writer, run, fixed)


def _fix(writer: RuleEmitter, run: Run, fixed: dict[int, tuple[Val, int]]) -> None:
    """Fixes the slots that a call reads; nothing sets them during its run.

    ``fixed``: for each slot what it was before, and how many runs that go on have it fixed.
    """
    for slot in free_slots(run.call):
        before, runs = fixed.get(slot, (writer.env[slot], 0))
        fixed[slot] = before, runs + 1
        writer.env[slot] = writer.fix(writer.env[slot])


def _release(writer: RuleEmitter, run: Run, fixed: dict[int, tuple[Val, int]]) -> None:
    for slot in free_slots(run.call):
        before, runs = fixed.pop(slot)
        if runs > 1:
            fixed[slot] = before, runs - 1
        else:
            writer.env[slot] = before


def _hold(writer: RuleEmitter, run: Run) -> Called | None:
    """What a call goes by whose value is held from here on; None if it is held already, or its arguments may fault."""
    definition = writer.program.definitions[run.call.definition]
    if any(may_leave(p.type, a.type) for p, a in zip(definition.params, run.call.arguments, strict=True)):
        return None
    key = writer.called_key(run.call, writer.given(run.call, writer.env))
    if key in writer.held:
        return None
    known = writer.b.local()
    writer.b.set(known, ir.ZERO)
    writer.held[key] = Held(known, writer.locals_for(definition.type), [])
    return key


def _tell(writer: RuleEmitter, run: Run, node: Code, used: list[Where]) -> None:
    """Says what was worked out once, if more than one statement asked for it."""
    if len(used) > 1:
        writer.registry.done["again"].append((f"{node.rule}: {run.call.definition}", run.call.span))
