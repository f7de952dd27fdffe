"""Values that are remembered: those of definitions, and the groups of graphs.

A value is given again where the arguments are the same and the cells it can depend on hold the same. That is told by
what is in the cells, not by when they changed: so copies, suppositions and positions laid out by hand can share what
is remembered, and nothing has to be forgotten when something changes. What a value cost is charged again each time, so
that no limit is met sooner or later than without.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, TypeAlias

from rulelang.program import Definition, Graph, Param, Program
from rulelang.program.analysis.cost_model import Work
from rulelang.program.analysis.reads import uses_itself
from rulelang.types import (
    FlagType,
    MemberType,
    NumberType,
    OptionalType,
    PiecesType,
    RecordType,
    SetType,
    TupleType,
    Type,
)

from ..lowered.cells import Layout
from . import footprints
from .meter import KEPT, METER

LEAST_WORK = 64
"""Steps that working out a value takes, at least, for it to be remembered."""

CELLS_A_STEP = 4
"""Cells that can be compared in the time of one such step."""

ROOM = 1 << 17
"""What is remembered of one function at most: cells, arguments and members of lists, all together."""

TRIED = 128
"""Times that something is looked for before it is asked whether that pays."""

LEAST_FOUND = TRIED // 8
"""How often it must have been found by then."""

IDLE = 8 * TRIED
"""Otherwise, how often values are just worked out before it is tried again."""

Function: TypeAlias = Callable[..., Any]


class Memory:
    """Decides which values of a program are worth remembering; none if it is not ``on``."""

    def __init__(self, program: Program, layout: Layout, *, on: bool) -> None:
        self._on = on
        self._program = program
        self._layout = layout
        self._work = Work(program)
        self._footprints = footprints.Footprints(program)

    def definition(self, definition: Definition, value: Function) -> Function:
        """``value``, the function of a definition (of the cells and the arguments), or one that remembers."""
        work = self._work.of_definition(definition.name)
        return self._kept(definition, definition.params, work, value) if work >= LEAST_WORK else value

    def graph(self, graph: Graph, value: Function, *types: Type) -> Function:
        """``value``, a function of the cells, of the arguments of a graph and of more values, or one that remembers."""
        more = tuple(Param("", graph.frame + i, type_) for i, type_ in enumerate(types))
        return self._kept(graph, (*graph.params, *more), inf, value)

    def _kept(self, used: Definition | Graph, params: tuple[Param, ...], work: float, value: Function) -> Function:
        if not self._on or not all(_is_brief(param.type) for param in params) or uses_itself(self._program, used):
            return value
        footprint = self._footprints.of(used)
        if work * CELLS_A_STEP < footprints.size(footprint, self._layout):
            return value
        names = ", ".join(["C", *(f"v{param.slot}" for param in params)])
        look: Function = eval(f"lambda {names}: {footprints.source(footprint, self._layout, params)}")
        return remembering(value, look, is_open=footprints.is_open(footprint, self._program))


def _is_brief(type_: Type) -> bool:
    """Whether values of a type are quickly told apart: all but lists, and what has lists in it."""
    match type_:
        case OptionalType(item) | SetType(item):
            return _is_brief(item)
        case TupleType() | RecordType():
            return all(map(_is_brief, type_.items))
    return isinstance(type_, (MemberType, NumberType, FlagType, PiecesType))


def remembering(value: Function, look: Function, *, is_open: bool) -> Function:
    """A function of cells and arguments that works a value out once for what ``look`` sees in the cells.

    ``is_open``: everybody may see those cells. Of others, cells that remember who looked are always looked at anew.
    """
    known: dict[tuple[Any, ...], tuple[Any, Any, int, int]] = {}
    meter = METER
    room = ROOM
    idle = tried = hits = 0

    def remembered(cells: list[Any], *given: Any) -> Any:
        nonlocal room, idle, tried, hits
        if idle:
            idle -= 1
            return value(cells, *given)
        if type(cells) is not list and not is_open:
            return value(cells, *given)
        seen = look(cells, *given)
        entry = known.get(given)
        if tried == TRIED:
            idle = 0 if hits >= LEAST_FOUND else IDLE
            tried = hits = 0
        tried += 1
        if entry is not None and entry[0] == seen:
            hits += 1
            if entry[2]:
                meter.recall(entry[2])
            return entry[1]
        counted, before = meter.left != inf, meter.spent
        found = value(cells, *given)
        if counted:  # else limits other than the game's count, and there may be values that it does not have
            cost = int(meter.spent - before)
            size = 1 + len(seen) + cost // KEPT + sum(len(g) for g in given if type(g) in (frozenset, tuple))
            room += (entry[3] if entry is not None else 0) - size
            if room < 0:
                known.clear()
                room = ROOM - size
            known[given] = seen, found, cost, size
        return found

    return remembered
