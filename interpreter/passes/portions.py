"""Pieces that a definition gathers in a loop, as definitions of their own.

``{t.kind: 1 for t in won[p]}`` inside of ``define due(p, c)`` asks for ``p`` alone, so it may be remembered where the
value of the whole cannot be: for fewer arguments, and until fewer variables change. Nothing is gained by what looks at
nothing that changes, and what may fault has to be worked out where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import attrs

from rulelang.program import Call, Definition, Local, Node, Param, PiecesOf, Program
from rulelang.program.analysis.effects import reads_state
from rulelang.program.analysis.faults import Faults
from rulelang.program.walk import free_slots, rewrite, walk

from . import on
from .remember import MemoryPlan


def apart(program: Program, planned: Callable[[Program], MemoryPlan]) -> Program:
    """The program with definitions for the pieces that are worth remembering, called where the pieces stood.

    ``planned``: the plan of what would be remembered of a program.
    """
    if not (on("portions") and on("remember")):
        return program
    every = _Taken(program)
    if not every.portions:
        return program
    worth = planned(every.program()).kept.keys() & every.portions.keys()
    return every.program(worth)


_PREFIX = "portion "
"""What the names of such definitions begin with; no name in a text has a space."""


def is_portion(name: str) -> bool:
    """Whether a definition was made by this pass."""
    return name.startswith(_PREFIX)


class _Taken:
    """The pieces that can stand apart. ``portions``: the definitions made of them, by name."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._faults = Faults(program)
        self.portions: dict[str, Definition] = {}
        self._within: dict[str, dict[PiecesOf, str]] = {}
        for definition in program.definitions.values():
            self._look_into(definition)

    def program(self, wanted: Collection[str] | None = None) -> Program:
        """The program with some of the portions apart, or all of them."""
        names = self.portions.keys() if wanted is None else wanted
        definitions = dict(self._program.definitions)
        for whole, portions in self._within.items():
            apart = {pieces: name for pieces, name in portions.items() if name in names}
            definitions[whole] = self._without(definitions[whole], apart)
        definitions.update({name: self.portions[name] for name in sorted(names)})
        return attrs.evolve(self._program, definitions=definitions)

    def _look_into(self, definition: Definition) -> None:
        inside = (node for node in walk(definition.body) if isinstance(node, PiecesOf) and node is not definition.body)
        for number, pieces in enumerate(dict.fromkeys(filter(self._can_stand_apart, inside)), 1):
            name = f"{_PREFIX}{number} of {definition.name}"
            self.portions[name] = Definition(
                name, _params(pieces), pieces, pieces.type, definition.frame, span=pieces.span
            )
            self._within.setdefault(definition.name, {})[pieces] = name

    def _can_stand_apart(self, pieces: PiecesOf) -> bool:
        gathered = pieces.binds is not None and bool(free_slots(pieces))
        return gathered and reads_state(self._program, pieces) and not self._faults.may(pieces)

    def _without(self, definition: Definition, portions: Mapping[PiecesOf, str]) -> Definition:
        def change(node: Node) -> Node:
            name = portions.get(node) if isinstance(node, PiecesOf) else None
            return node if name is None else self._call(name)

        return attrs.evolve(definition, body=rewrite(definition.body, change))

    def _call(self, name: str) -> Call:
        portion = self.portions[name]
        given = tuple(Local(param.slot, param.name, param.type) for param in portion.params)
        return Call(name, given, portion.type, span=portion.span)


def _params(pieces: PiecesOf) -> tuple[Param, ...]:
    """What pieces are asked for: the names in them that they do not bind."""
    free = free_slots(pieces)
    found = {node.slot: Param(node.name, node.slot, node.type) for node in walk(pieces) if isinstance(node, Local)}
    return tuple(found[slot] for slot in sorted(free))
