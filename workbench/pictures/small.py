"""A picture of a single piece: a token, a card, a tile turned by some quarters."""

from __future__ import annotations

import attrs

from rulelang.program import Program

from .arrange.facts import facts_of
from .arrange.pieces import Maker
from .paint import paint
from .place.boxes import Box
from .place.fit import fit
from .scene.look import Look

_WIDTH = 120.0


def small(program: Program, look: Look, domain: str, member: str, *, turn: int = 0) -> str | None:
    """The SVG text of a member as a piece, without a style sheet; None for what has a name only."""
    facts = facts_of(program)
    maker = Maker(facts, look)
    if domain in facts.tiles:
        node = maker.tile(facts.domain(domain), member, "", turn)
    else:
        node = attrs.evolve(maker.piece(facts.domain(domain), member), address="")
    if node.kind == "pill":
        return None
    box = fit(node, _WIDTH)
    edge = 0.0 if node.kind == "tile" else 2.0
    data = {"title": node.alt, "alt": ""}
    page = Box(box.width + 2 * edge, box.height + 2 * edge, "group", data, ((edge, edge, box),))
    return paint(page, styled=False)
