"""Footprints: the cells that the value of a definition, or what is asked of a graph, can depend on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rulelang.program import (
    After,
    ByLength,
    Call,
    Const,
    Definition,
    Expr,
    Graph,
    GroupOf,
    Groups,
    Local,
    LongestTrail,
    Param,
    Program,
    Read,
)
from rulelang.program.analysis.reads import variables_read
from rulelang.program.walk import walk
from rulelang.structural import Structural, frozen

from ..lowered.cells import Layout


@frozen
class Argument(Structural):
    """The argument for a parameter, by the number of the parameter."""

    number: int


Owner: TypeAlias = "int | Argument"


@frozen
class Part(Structural):
    """A cell of a variable, by its owners: members, or arguments. ``owners`` None: all cells of it."""

    variable: str
    owners: tuple[Owner, ...] | None


Footprint: TypeAlias = frozenset[Part]


class Footprints:
    """The footprints of what a program defines; each is worked out once.

    Nothing that is looked at may use itself.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[type, str], Footprint] = {}

    def of(self, used: Definition | Graph) -> Footprint:
        key = (type(used), used.name)
        if key not in self._known:
            self._known[key] = self._of(used)
        return self._known[key]

    def _of(self, used: Definition | Graph) -> Footprint:
        found: set[Part] = set()
        for node in walk(used):
            match node:
                case Read():
                    found.add(self._read(node, used.params))
                case Call():
                    found |= self._passed(self._program.definitions[node.definition], node.arguments, used.params)
                case GroupOf() | Groups() | LongestTrail() | ByLength():
                    found |= self._passed(self._program.graphs[node.graph], node.arguments, used.params)
                case After():
                    found |= {Part(name, None) for name in variables_read(self._program, node)}
        return frozenset(part for part in found if part.owners is None or Part(part.variable, None) not in found)

    def _read(self, node: Read, params: Sequence[Param]) -> Part:
        wanted = self._program.variables[node.variable].owners
        owners = tuple(_owner(index, params) for index in node.indices)
        fits = all(index.type == owner for index, owner in zip(node.indices, wanted, strict=True))
        return _part(node.variable, owners if fits else (None,))

    def _passed(self, used: Definition | Graph, given: Sequence[Expr], params: Sequence[Param]) -> set[Part]:
        """The footprint of what is used with these arguments."""
        alike = [a.type == param.type for a, param in zip(given, used.params, strict=True)]
        owners = [_owner(a, params) if fits else None for a, fits in zip(given, alike, strict=True)]
        found = set()
        for part in self.of(used):
            if part.owners is not None:
                part = _part(part.variable, [owners[o.number] if isinstance(o, Argument) else o for o in part.owners])
            found.add(part)
        return found


def _owner(expr: Expr, params: Sequence[Param]) -> Owner | None:
    """An owner as far as it is known before anything is looked at."""
    match expr:
        case Const(int() as member):
            return member
        case Local(slot):
            return next((Argument(number) for number, param in enumerate(params) if param.slot == slot), None)
    return None


def _part(variable: str, owners: Sequence[Owner | None]) -> Part:
    known = tuple(owner for owner in owners if owner is not None)
    return Part(variable, known if len(known) == len(owners) else None)


def size(footprint: Footprint, layout: Layout) -> int:
    """How many cells there are in a footprint."""
    whole = (layout.places[part.variable].variable.cells for part in footprint if part.owners is None)
    return sum(whole) + sum(part.owners is not None for part in footprint)


def source(footprint: Footprint, layout: Layout, params: Sequence[Param]) -> str:
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


def is_open(footprint: Footprint, program: Program) -> bool:
    """Whether everybody may see all cells of a footprint."""
    return all(program.variables[part.variable].seen_by == "all" for part in footprint)
