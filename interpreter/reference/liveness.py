"""Which slots of a frame are still needed at each place of its code.

States are compared and saved by what can still matter: a slot whose value no later instruction reads is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from .code import Instruction


def live_slots(code: Sequence[Instruction]) -> list[frozenset[int]]:
    """For each place, the slots read there or later before they are written again (backward data flow)."""
    live: list[frozenset[int]] = [frozenset()] * len(code)
    changed = True
    while changed:
        changed = False
        for place in range(len(code) - 1, -1, -1):
            instruction = code[place]
            after: frozenset[int] = frozenset()
            if instruction.falls:
                after = live[place + 1]
            for target in instruction.targets():
                after |= live[target]
            now = instruction.reads | (after - instruction.writes)
            if now != live[place]:
                live[place] = now
                changed = True
    return live
