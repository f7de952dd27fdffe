"""Sights of a table for a guest, and answers when it asks: each made from what that guest may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from .counting import counted, told
from .hints import hint
from .playing import seed_of
from .refusals import Refused
from .renders import Viewpoint, position

if TYPE_CHECKING:
    from .guests import Guest
    from .table import Table


@attrs.frozen
class Told:
    """What a page knows: how many ``events`` of the log of which ``line``, and the ``pieces`` of its picture."""

    line: int
    events: int
    pieces: frozenset[str]


async def shown(table: Table, guest: Guest, lang: str | None, width: int, known: Told | None) -> tuple[str, Told]:
    """The position that stands as a message for a guest, and what the page knows then; ``known``: knew before."""
    line, state, turn = table.line, table.line.state, table.turn
    events = len(state.log)
    since = known.events if known is not None and known.line == line.number and known.events <= events else None
    viewpoint = Viewpoint(guest.eyes(state.player), guest.role == "open", lang, width, since)
    beside = {"kind": "position", "turn": table.turn_of(guest), "at": told(line, guest), "line": line.number}
    async with table.drawing:
        render = table.renders.get(turn, viewpoint)
        if render is None:
            kept = table.renders.kept(lang)
            render = await table.work.quick(position, line.game, state, viewpoint, beside, kept)
            table.renders.keep(turn, viewpoint, render)
    held = known.pieces if known is not None else frozenset()
    return render.message(held), Told(line.number, events, frozenset(render.pieces))


async def past(table: Table, guest: Guest, lang: str | None, width: int, at: int) -> str:
    """An earlier position of the line as a message for a guest. Refused when there is none."""
    line = table.line
    number = counted(line, guest, at)
    if number is None:
        raise Refused("no_such_position", number=told(line, guest))
    async with table.drawing:
        state = await table.work.quick(line.position, number)
        viewpoint = Viewpoint(guest.eyes(state.player), guest.role == "open", lang, width)
        beside = {"kind": "past", "turn": table.turn_of(guest), "at": at, "line": line.number}
        kept = table.renders.kept(lang)
        return (await table.work.quick(position, line.game, state, viewpoint, beside, kept)).message()


async def answered(
    table: Table, make: Callable[..., dict[str, Any]], guest: Guest, about: Any, lang: str | None
) -> dict[str, Any]:
    """What ``shown.why`` or ``why_not`` says of the position that stands, to a guest."""
    game, state = table.line.game, table.line.state
    async with table.drawing:
        return await table.work.quick(lambda: make(game, state, guest.eyes(state.player), about, lang=lang))


async def hinted(table: Table, guest: Guest) -> dict[str, Any]:
    """What a search thinks of the options of a guest who is asked. Refused for all others."""
    line, state = table.line, table.line.state
    if state.player is None or not guest.decides_for(state.player):
        raise Refused("not_your_turn")
    return await table.work.search(hint, line.game, state.copy(), seed_of(line, table.turn_of(guest)))


async def saved(table: Table) -> dict[str, Any]:
    """The line of play as a save with its notes, for ``savefile``. It holds everything, hidden or not."""
    line = table.line
    notes = [attrs.asdict(note) for note in table.store.notes(line.number)]
    return {"notes": notes, **await table.work.quick(line.game.save, line.state)}
