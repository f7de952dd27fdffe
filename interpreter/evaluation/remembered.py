"""Values that are remembered: those of definitions, and the groups of graphs.

A value is given again where the arguments are the same and the cells it can depend on hold the same. That is told by
what is in the cells, not by when they changed: so copies, suppositions and positions laid out by hand can share what
is remembered, and nothing has to be forgotten when something changes. What a value cost is charged again each time, so
that no limit is met sooner or later than without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, TypeAlias

from rulelang import program as ir
from rulelang import types as ty
from rulelang.program.analysis.cost_model import Work
from rulelang.program.analysis.effects import uses_itself, variables_read
from rulelang.program.walk import walk
from rulelang.structural import Structural, frozen

from ..lowered.cells import Layout
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


class ValueMemory:
    """Decides which values of a program are worth remembering; none if it is not ``on``."""

    def __init__(self, program: ir.Program, layout: Layout, *, on: bool) -> None:
        self._on = on
        self._program = program
        self._layout = layout
        self._work = Work(program)
        self._footprints = Footprints(program)

    def definition(self, definition: ir.Definition, value: Function) -> Function:
        """``value``, the function of a definition (of the cells and the arguments), or one that remembers."""
        work = self._work.of_definition(definition.name)
        return self._kept(definition, definition.params, work, value) if work >= LEAST_WORK else value

    def graph(self, graph: ir.Graph, value: Function, *types: ty.Type) -> Function:
        """``value``, a function of the cells, of the arguments of a graph and of more values, or one that remembers."""
        more = tuple(ir.Param("", graph.frame + i, type_) for i, type_ in enumerate(types))
        return self._kept(graph, (*graph.params, *more), inf, value)

    def _kept(
        self, used: ir.Definition | ir.Graph, params: tuple[ir.Param, ...], work: float, value: Function
    ) -> Function:
        if not self._on or not all(_is_brief(param.type) for param in params) or uses_itself(self._program, used):
            return value
        footprint = self._footprints.of(used)
        if work * CELLS_A_STEP < size(footprint, self._layout):
            return value
        names = ", ".join(["C", *(f"v{param.slot}" for param in params)])
        look: Function = eval(f"lambda {names}: {source(footprint, self._layout, params)}")
        return remembering(value, look, is_open=is_open(footprint, self._program))


def _is_brief(type_: ty.Type) -> bool:
    """Whether values of a type are quickly told apart: all but lists, and what has lists in it."""
    match type_:
        case ty.OptionalType(item) | ty.SetType(item):
            return _is_brief(item)
        case ty.TupleType() | ty.RecordType():
            return all(map(_is_brief, type_.items))
    return isinstance(type_, (ty.MemberType, ty.NumberType, ty.FlagType, ty.PiecesType))


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


# Footprints: the cells that the value of a definition, or what is asked of a graph, can depend on.


@frozen
class Argument(Structural):
    """The argument for a parameter, by the number of the parameter."""

    number: int


Owner: TypeAlias = "int | Argument"


@frozen
class FootprintPart(Structural):
    """A cell of a variable, by its owners: members, or arguments. ``owners`` None: all cells of it."""

    variable: str
    owners: tuple[Owner, ...] | None


Footprint: TypeAlias = frozenset[FootprintPart]


class Footprints:
    """The footprints of what a program defines; each is worked out once.

    Nothing that is looked at may use itself.
    """

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[tuple[type, str], Footprint] = {}

    def of(self, used: ir.Definition | ir.Graph) -> Footprint:
        key = (type(used), used.name)
        if key not in self._known:
            self._known[key] = self._of(used)
        return self._known[key]

    def _of(self, used: ir.Definition | ir.Graph) -> Footprint:
        found: set[FootprintPart] = set()
        for node in walk(used):
            match node:
                case ir.Read():
                    found.add(self._read(node, used.params))
                case ir.Call():
                    found |= self._passed(self._program.definitions[node.definition], node.arguments, used.params)
                case ir.AboutGraph():
                    found |= self._passed(self._program.graphs[node.graph], node.arguments, used.params)
                case ir.After():
                    found |= {FootprintPart(name, None) for name in variables_read(self._program, node)}
        return frozenset(
            part for part in found if part.owners is None or FootprintPart(part.variable, None) not in found
        )

    def _read(self, node: ir.Read, params: Sequence[ir.Param]) -> FootprintPart:
        wanted = self._program.variables[node.variable].owners
        owners = tuple(_owner(index, params) for index in node.indices)
        fits = all(index.type == owner for index, owner in zip(node.indices, wanted, strict=True))
        return _part(node.variable, owners if fits else (None,))

    def _passed(
        self, used: ir.Definition | ir.Graph, given: Sequence[ir.Expr], params: Sequence[ir.Param]
    ) -> set[FootprintPart]:
        """The footprint of what is used with these arguments."""
        alike = [a.type == param.type for a, param in zip(given, used.params, strict=True)]
        owners = [_owner(a, params) if fits else None for a, fits in zip(given, alike, strict=True)]
        found = set()
        for part in self.of(used):
            if part.owners is not None:
                part = _part(part.variable, [owners[o.number] if isinstance(o, Argument) else o for o in part.owners])
            found.add(part)
        return found


def _owner(expr: ir.Expr, params: Sequence[ir.Param]) -> Owner | None:
    """An owner as far as it is known before anything is looked at."""
    match expr:
        case ir.Const(int() as member):
            return member
        case ir.Local(slot):
            return next((Argument(number) for number, param in enumerate(params) if param.slot == slot), None)
    return None


def _part(variable: str, owners: Sequence[Owner | None]) -> FootprintPart:
    known = tuple(owner for owner in owners if owner is not None)
    return FootprintPart(variable, known if len(known) == len(owners) else None)


def size(footprint: Footprint, layout: Layout) -> int:
    """How many cells there are in a footprint."""
    whole = (layout.places[part.variable].variable.cells for part in footprint if part.owners is None)
    return sum(whole) + sum(part.owners is not None for part in footprint)


def source(footprint: Footprint, layout: Layout, params: Sequence[ir.Param]) -> str:
    """Python source of what is in the cells (C) of a footprint, as a sequence; parameters are called v<slot>."""
    spans: list[tuple[int, int]] = []
    for place in sorted((layout.places[p.variable] for p in footprint if p.owners is None), key=lambda p: p.offset):
        span = (place.offset, place.offset + place.variable.cells)
        if spans and spans[-1][1] == span[0]:
            span = (spans.pop()[0], span[1])
        spans.append(span)
    cells = []
    for part in footprint:
        if part.owners is not None:
            place = layout.places[part.variable]
            terms = [str(place.offset)]
            for owner, stride in zip(part.owners, place.strides, strict=True):
                terms.append(
                    f"{stride} * " + (f"v{params[owner.number].slot}" if isinstance(owner, Argument) else str(owner))
                )
            cells.append(f"C[{' + '.join(terms)}]")
    slices = [f"C[{start}:{end}]" for start, end in spans]
    if len(slices) == 1 and not cells:
        return slices[0]
    return "(" + "".join(f"{part}, " for part in [*sorted(cells), *(f"*{part}" for part in slices)]) + ")"


def is_open(footprint: Footprint, program: ir.Program) -> bool:
    """Whether everybody may see all cells of a footprint."""
    return all(program.variables[part.variable].seen_by == "all" for part in footprint)
