"""Redrawing of the unseen decisions of others who decide together with a seat: made again, at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from ..lowered import code
from ..position.position import Position
from ..position.secrets import Secret
from .inside import Misfit
from .memory import contents

if TYPE_CHECKING:
    from ..chance import Stream
    from ..lowered.cells import Cells
    from ..position.blueprint import Blueprint
    from ..reference.engine import ReferenceGame
    from .seen import Deciding

_LIMIT = 1_000
"""The most decisions of others before the seat decides."""


def decide(position: Position, deciding: Deciding, owners: Mapping[int, Cells], seat: int, stream: Stream) -> Secret:
    """Run the block again up to the seat's first decision, on the redrawn position before it.

    Misfit when that leads elsewhere.
    """
    place, block = _block(position)
    before = list(position.cells)
    moved: Counter[int] = Counter()
    for cell, value in deciding.before:
        variable = owners[cell].variable
        if variable.element is not None:
            moved.update(contents(variable, value))
            moved.subtract(contents(variable, position.cells[cell]))
        before[cell] = value
    if any(moved.values()):
        raise Misfit  # the seat moved pieces to a place it does not see; which they were is not known here
    frames = [attrs.evolve(frame, local=list(frame.local)) for frame in position.frames[: place + 1]]
    frames[-1].at = block.site.number
    frames[-1].local[block.position] = 0
    start = attrs.evolve(
        position, cells=before, frames=frames, secret=Secret(block.rule, tuple(before)), fired=dict(position.fired)
    )
    trial = _rehearsed(position.blueprint).trial(start)
    for _ in range(_LIMIT):
        asked = trial.position.asked
        if asked is None or asked.player == seat:
            break
        trial.choose(stream.below(len(asked.raws)))
    secret = trial.position.secret
    if secret is None or secret.player != seat or tuple(player for player, _ in secret.done) != deciding.done:
        raise Misfit
    return secret


def _rehearsed(blueprint: Blueprint) -> ReferenceGame:
    """The game in which the decisions are made again; there is one for each blueprint, since making it takes long."""
    if blueprint.rehearsed is None:
        from ..reference.engine import ReferenceGame

        blueprint.rehearsed = ReferenceGame.of(blueprint)
    found: ReferenceGame = blueprint.rehearsed
    return found


def _block(position: Position) -> tuple[int, code.Together]:
    """The index of the running rule that waits inside a block where all decide together, and the block."""
    for place, frame in enumerate(position.frames):
        here = frame.unit.sites[frame.at]
        for node in frame.unit.nodes():
            if isinstance(node, code.Together) and any(inner is here for inner in code.walk(node.body)):
                return place, node
    raise Misfit
