"""Count the ways a game can go inside the module that stops at decisions; see ``perft.wat``, which does the work."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from ..errors import GameError
from . import running
from .host import Trap
from .layout.addresses import ASK_COUNT, ASK_WORDS

if TYPE_CHECKING:
    from .engine import WasmGame
    from .state import WasmState

STEPS = 1_000
"""Choices tried in one call, so that Ctrl-C is heeded."""

MORE, NO_ROOM = 0, 2


def sequences(game: WasmGame, state: WasmState, depth: int) -> int:
    """The number of different sequences of exactly ``depth`` choices, from 1 up.

    Raises RuleFault when the rules cannot go on somewhere, GameError when the positions on the way do not fit into
    memory.
    """
    if state._ask is None or depth == 1:
        return state.option_count
    steps = game.steps
    instance, addresses = steps.searching, steps.addresses
    instance.room = None
    running.put(steps, instance, state)
    instance.write(addresses.options, state._rows)
    instance.put_word(addresses.scratch + ASK_COUNT, state._ask[3])
    instance.put_word(addresses.scratch + ASK_WORDS, state._ask[4])
    try:
        status = MORE if instance.call("count_from") else NO_ROOM
        while status == MORE:
            status = instance.call("count_on", depth - 1, STEPS)
    except Trap as trap:
        raise steps.fault(instance, trap) from None
    finally:
        instance.look()  # the memory may have grown
    if status == NO_ROOM:
        raise GameError(f"the positions on the way to depth {depth} need more memory than there is room for")
    found: int = struct.unpack("<Q", instance.read(addresses.search, 8))[0]
    return found
