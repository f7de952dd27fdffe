"""Values of definitions to remember: which ones, in a table by their arguments, and until when.

Variables are gathered under *clocks*. A clock is set anew when one of its variables changes; a value that was worked
out under one reading of a clock counts as long as the clock reads the same. A definition that reads no variable needs
no clock. Only definitions that may be asked for again while nothing changes are worth a table, and only if working
them out takes more than looking them up. What takes long anyway is always remembered: searches of graphs, and what a
history goes by.

Pieces that a definition gathers in a loop are remembered by themselves, if they are worth it: ``{t.kind: 1 for t in
won[p]}`` inside of ``define due(p, c)`` asks for ``p`` alone, and its value counts until fewer variables change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from math import prod

import attrs

from rulelang.program import ByLength, Call, Definition, Local, LongestTrail, Node, Param, PiecesOf, Program
from rulelang.program.analysis.cost_model import Work, repeated
from rulelang.program.analysis.effects import reached, reads_state, uses_itself, variables_read
from rulelang.program.analysis.faults import Faults
from rulelang.program.walk import free_slots, rewrite, walk
from rulelang.structural import Structural, frozen
from rulelang.types import Type

from . import on

MOST_ENTRIES = 1 << 13
"""Combinations of arguments for which values of one definition are remembered, at most."""

LEAST_WORK = 24
"""Steps that working out a value takes, at least, for it to be remembered."""

MOST_CLOCKS = 12

Span = tuple[int, int]
"""The first of the numbers that stand for the values of a type, and how many there are."""


@frozen
class KeptDefinition(Structural):
    """A definition whose values are remembered. ``spans``: of each parameter. ``clock``: its number; None: for ever."""

    spans: tuple[Span, ...]
    clock: int | None

    @property
    def entries(self) -> int:
        return prod(size for _, size in self.spans)


@frozen
class MemoryPlan(Structural):
    """What is remembered of a program. ``clocks``: the variables that each of them goes by."""

    kept: dict[str, KeptDefinition]
    clocks: tuple[frozenset[str], ...]

    def clocks_of(self, variables: Iterable[str]) -> list[int]:
        """The clocks that are set when these variables change."""
        changed = frozenset(variables)
        return [number for number, clock in enumerate(self.clocks) if clock & changed]


def plan(program: Program, span: Callable[[Type], Span | None], fits: Callable[[Type], bool]) -> MemoryPlan:
    """What to remember of a program.

    ``span``: how the values of a type are numbered, None if they are not; ``fits``: whether a table can hold values of
    a type.
    """
    if not on("remember"):
        return MemoryPlan({}, ())
    spans = {name: _spans(d, span) for name, d in program.definitions.items() if fits(d.type)}
    work = Work(program)

    def takes_long(name: str) -> bool:
        if name in program.variables and program.variables[name].history:
            return True
        nodes = reached(program, program.definitions[name])
        return any(isinstance(node, (ByLength, LongestTrail)) for node in nodes)

    def worth(name: str) -> bool:
        if not spans.get(name) or work.of_definition(name) < LEAST_WORK:
            return False
        return not uses_itself(program, program.definitions[name])

    reads = {name: variables_read(program, program.definitions[name].body) for name in filter(worth, spans)}
    often = repeated(program, reads.__contains__)
    reads = {name: read for name, read in reads.items() if name in often or not read or takes_long(name)}
    names = sorted(reads)
    clocks = _clocks(reads.values())
    return MemoryPlan(
        {name: KeptDefinition(tuple(spans[name] or ()), _clock(clocks, reads[name])) for name in names}, clocks
    )


def _spans(definition: Definition, span: Callable[[Type], Span | None]) -> list[Span] | None:
    """The spans of the parameters; None where there are none, or too many combinations."""
    found = [span(param.type) for param in definition.params]
    known = [each for each in found if each is not None]
    return known if known and len(known) == len(found) and prod(n for _, n in known) <= MOST_ENTRIES else None


def _clocks(reads: Iterable[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """A clock for each set of variables; where there would be too many, the last is for all the others."""
    found = sorted(filter(None, set(reads)), key=sorted)
    if len(found) > MOST_CLOCKS:
        found = [*found[: MOST_CLOCKS - 1], frozenset().union(*found[MOST_CLOCKS - 1 :])]
    return tuple(found)


def _clock(clocks: Sequence[frozenset[str]], read: frozenset[str]) -> int | None:
    """The number of the clock that goes by the fewest other variables."""
    if not read:
        return None
    return min((len(clock), number) for number, clock in enumerate(clocks) if read <= clock)[1]


# Pieces gathered apart.


PORTION = "portion "
"""What the names of such definitions begin with; no name in a text has a space."""


def apart(program: Program, planned: Callable[[Program], MemoryPlan]) -> Program:
    """The program with definitions for the pieces that are worth remembering, called where the pieces stood.

    ``planned``: the plan of what would be remembered of a program.
    """
    faults = Faults(program)
    portions: dict[str, Definition] = {}
    calls: dict[str, dict[PiecesOf, Call]] = {}
    for name, definition in program.definitions.items() if on("remember") else ():
        for number, pieces in enumerate(_gathered(program, faults, definition), 1):
            found = {node.slot: node for node in walk(pieces) if isinstance(node, Local)}
            asked = [found[slot] for slot in sorted(free_slots(pieces))]
            params = tuple(Param(local.name, local.slot, local.type) for local in asked)
            portion, span = f"{PORTION}{number} of {name}", pieces.span
            portions[portion] = Definition(portion, params, pieces, pieces.type, definition.frame, span=span)
            given = tuple(Local(local.slot, local.name, local.type) for local in asked)
            calls.setdefault(name, {})[pieces] = Call(portion, given, pieces.type, span=span)
    if not portions:
        return program

    def using(names: Collection[str]) -> Program:
        definitions = dict(program.definitions)
        for name, within in calls.items():
            wanted = {pieces: call for pieces, call in within.items() if call.definition in names}
            body = rewrite(definitions[name].body, partial(_called, wanted))
            definitions[name] = attrs.evolve(definitions[name], body=body)
        return attrs.evolve(program, definitions={**definitions, **{name: portions[name] for name in sorted(names)}})

    return using(planned(using(portions)).kept.keys() & portions.keys())


def _gathered(program: Program, faults: Faults, definition: Definition) -> Iterable[PiecesOf]:
    """The pieces that a definition gathers in a loop and that could be worked out apart."""
    inside = (node for node in walk(definition.body) if isinstance(node, PiecesOf) and node is not definition.body)
    for pieces in dict.fromkeys(node for node in inside if node.binds is not None and free_slots(node)):
        if reads_state(program, pieces) and not faults.may(pieces):
            yield pieces


def _called(calls: Mapping[PiecesOf, Call], node: Node) -> Node:
    return calls.get(node, node) if isinstance(node, PiecesOf) else node
