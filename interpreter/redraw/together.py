"""What others have decided unseen while a seat decides together with them: decided anew, at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..position.secrets import BeginTogether, EndTogether, Secret
from ..reference.code import NextEach
from ..reference.machine import Frame, Machine
from .inside import Misfit
from .memory import contents

if TYPE_CHECKING:
    from ..bots.stream import Stream
    from ..position.cells import Cells
    from .seen import Deciding

_LIMIT = 1_000
"""Decisions of others before it is the seat's turn to decide."""


def decide(machine: Machine, deciding: Deciding, owners: Mapping[int, Cells], seat: int, stream: Stream) -> Secret:
    """Runs the block again from its beginning up to the seat's first decision, on the redrawn position before it.

    Misfit when that leads elsewhere.
    """
    place, at = _block(machine)
    before = list(machine.cells)
    moved: Counter[int] = Counter()
    for cell, value in deciding.before:
        variable = owners[cell].variable
        if variable.element is not None:
            moved.update(contents(variable, value))
            moved.subtract(contents(variable, machine.cells[cell]))
        before[cell] = value
    if any(moved.values()):
        raise Misfit  # the seat moved pieces to where it does not see them; which they were is not known here
    again = machine.copy()
    again.cells = list(before)
    del again.frames[place + 1 :]
    frame: Frame = again.frames[place]
    start = frame.code[at]
    first = frame.code[at + 1]
    assert isinstance(first, NextEach)
    frame.local[first.position] = 0
    frame.pc = at + 1
    again.secret = Secret(start.rule, tuple(before))
    again.advance()
    for _ in range(_LIMIT):
        if again.pending is None or again.pending.player == seat:
            break
        again.choose(stream.below(len(again.pending.raws)))
    secret = again.secret
    if secret is None or secret.player != seat or tuple(player for player, _ in secret.done) != deciding.done:
        raise Misfit
    return secret


def _block(machine: Machine) -> tuple[int, int]:
    """Which of the running rules stands in a block in which all decide, and where the block begins."""
    for place, frame in enumerate(machine.frames):
        for at in reversed(range(frame.pc)):
            if isinstance(frame.code[at], EndTogether):
                break
            if isinstance(frame.code[at], BeginTogether):
                return place, at
    raise Misfit
