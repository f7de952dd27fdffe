"""Play by itself: the choices of bots, and those where there is only one option."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from .hints import chosen
from .line import Choice
from .refusals import Refused, Unwritable
from .work import BY_ITSELF, GivenUp

if TYPE_CHECKING:
    from .line import Line
    from .table import Table

LOG = logging.getLogger("rulelang.table")

_RETRY = 5.0
"""Seconds until bots try again to go on when the disk was full."""


async def play(table: Table) -> None:
    """Makes such choices at a table, as long as the server runs."""
    BY_ITSELF.set(True)
    while True:
        while (seat := _waiting(table)) is not None:
            try:
                await _play_for(table, seat)
            except GivenUp as problem:
                table.halt(str(problem))
            except Exception:
                LOG.exception("a choice by itself has failed")
                table.halt(str(Refused("own_mistake")))
        await table.moved.wait()
        table.moved.clear()


def _waiting(table: Table) -> int | None:
    """The seat for which the server is to choose now."""
    state = table.line.state
    seat = state.player
    if seat is None or table.fault is not None or table.pending is not None:
        return None
    return seat if seat in table.bots or state.option_count == 1 else None


async def _play_for(table: Table, seat: int) -> None:
    line, turn, bot = table.line, table.turn, table.bots.get(seat)
    if bot is not None and table.pace:
        await asyncio.sleep(table.pace)
    option = 0
    if bot is not None and line.state.option_count > 1:
        option = await table.work.search(chosen, line.game, bot, line.state.copy(), seed_of(line, turn))
    try:
        async with table.change(turn):
            if table.bots.get(seat) == bot:
                await table.make(Choice(option, seat))
    except Unwritable as problem:
        table.tell({"kind": "fault", "text": str(problem), "rule": None})
        await asyncio.sleep(_RETRY)
    except GivenUp:
        raise
    except Refused:  # the position has changed meanwhile, or everybody has been told of a fault
        pass


def seed_of(line: Line, turn: int) -> int:
    """The seed of a bot's own chance at a position: the same after a restart, another in every game."""
    from interpreter.bots import mix

    return mix(line.state.position.seed, line.number, turn)
