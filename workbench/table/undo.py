"""Taking back: how far somebody may go back, and who has to agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from . import store as rows
from .refusals import Refused

if TYPE_CHECKING:
    from .guests import Guest
    from .line import Line
    from .table import Table


@attrs.define
class Request:
    """A wish to go back to the position after ``at`` choices. ``by``: the seat; ``asked``: the seats that have not
    agreed yet."""

    by: int
    at: int
    asked: set[int]


async def wish(table: Table, guest: Guest) -> None:
    """A guest would like to take back the last decision; it is done when everybody else who plays agrees."""
    async with table.change():
        if guest.role == "open":
            await _back(table, await table.work.quick(last_decision, table.line, table.people))
            return
        if guest.seat is None:
            raise Refused("watching")
        at = await table.work.quick(target, table.line, guest.seat)
        table.request = Request(guest.seat, at, table.people - {guest.seat})
        await _settle(table, table.request)


async def answer(table: Table, guest: Guest, agrees: bool) -> None:
    """A guest's answer to the wish to take something back."""
    async with table.change():
        request = table.request
        if request is None or guest.seat not in request.asked:
            raise Refused("not_asked_undo")
        if not agrees:
            table.request = None
            table.tell({**told(None), "refused by": guest.seat})
            return
        request.asked.discard(guest.seat)
        await _settle(table, request)


def told(request: Request | None) -> dict[str, Any]:
    """A wish as everybody is told of it; None: there is none any more."""
    if request is None:
        return {"kind": "asked", "undo by": None}
    return {"kind": "asked", "undo by": request.by, "of": sorted(request.asked)}


async def _settle(table: Table, request: Request) -> None:
    if request.asked:
        table.tell(told(request))
    else:
        await _back(table, request.at)


async def _back(table: Table, at: int) -> None:
    line = table.line
    await table.keep(*rows.undo(line.number, at))
    await table.work.quick(line.back, at)
    table.advance()


def target(line: Line, seat: int) -> int:
    """The number of choices that are left when a seat takes back its last decision.

    Raises Refused when it made none, or when chance or something hidden has come out since, seen or not.
    """
    from interpreter.bots import uncovers

    at = next((n for n in reversed(range(len(line.choices))) if _decided(line, n, seat)), None)
    if at is None:
        raise Refused("nothing_of_yours")
    since = line.state.log[len(line.position(at).log) :]
    if any(uncovers(event, line.game.program) for event in since):
        raise Refused("uncovered")
    return at


def last_decision(line: Line, people: set[int]) -> int:
    """The number of choices before the last decision of one of these seats; Refused if there is none."""
    for number in reversed(range(len(line.choices))):
        if line.choices[number].seat in people and line.position(number).option_count > 1:
            return number
    raise Refused("nothing_to_undo")


def _decided(line: Line, number: int, seat: int) -> bool:
    """Whether the seat had to think about a choice; one with a single option was made for it."""
    return line.choices[number].seat == seat and line.position(number).option_count > 1
