"""Options that lay a piece in a grid: which piece, on which square, turned how far."""

from __future__ import annotations

import attrs

from interpreter.data import Decision, Option
from rulelang.program import Program
from rulelang.program.nodes import Move
from rulelang.types import MemberType

from .aim import place_of, text_of, value_of
from .scene import addresses


@attrs.frozen
class Laying:
    """``square``: an address; ``domain`` and ``piece``: what is laid; ``turn``: by how many quarters."""

    square: str
    domain: str
    piece: str
    turn: int


def laying(program: Program, decision: Decision, option: Option) -> Laying | None:
    """What an option lays, from the text of the rule that asks; None where that lays nothing that can be told."""
    if decision.kind == "pay" or option.value is None:
        return None
    values = option.value["with"] if decision.kind == "menu" else option.value
    known = dict(decision.subject) | dict(values)
    for node in text_of(program, decision, option):
        if not isinstance(node, Move) or node.square is None or node.kind is None:
            continue
        element = program.variables[node.target.variable].element
        place = place_of(program, node.target.variable, node.target.indices, known)
        square, piece = value_of(node.square, known), value_of(node.kind, known)
        turn = value_of(node.turn, known) if node.turn is not None else 0
        if place is None or not isinstance(element, MemberType) or None in (square, piece, turn):
            continue
        return Laying(addresses.square(place, square["x"], square["y"]), element.domain.name, piece, turn)
    return None
