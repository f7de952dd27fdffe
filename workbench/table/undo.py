"""Taking back: how far somebody may go back, and who has to agree.

What was seen cannot be unseen. So nobody goes back over chance, over anything by which somebody may have learned what
is hidden, or over the choice of one who knows what others do not, where that may show what it is. All of that is
decided from what everybody knows: whether something may be taken back tells nothing, and everybody is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import sights
from . import store as rows
from .refusals import Refused
from .table import Request

if TYPE_CHECKING:
    from .guests import Guest
    from .line import Line
    from .table import Page, Table


async def wish(table: Table, guest: Guest, page: Page) -> None:
    """A guest would like to take back the last decision; it is done when everybody else who plays agrees.

    Raises Refused; where that follows from the course of the game, all other pages are told as well.
    """
    async with table.change():
        if guest.role == "open":
            await _back(table, await table.work.quick(last_decision, table.line, table.people))
            return
        if guest.seat is None:
            raise Refused("watching")
        try:
            at = await table.work.quick(target, table.line, guest.seat, frozenset(table.bots), table.seats)
        except Refused as refused:
            why = refused
            if why.word != "nothing_of_yours":
                table.tell(lambda each: sights.refused(why, "undo", each.lang, table.line), but=page)
            raise
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
            table.tell(lambda each: sights.asked_to_undo(None, guest.seat))
            return
        request.asked.discard(guest.seat)
        await _settle(table, request)


async def _settle(table: Table, request: Request) -> None:
    if request.asked:
        table.tell(lambda each: sights.asked_to_undo(request))
    else:
        await _back(table, request.at)


async def _back(table: Table, at: int) -> None:
    line = table.line
    await table.keep(*rows.undo(line.number, at))
    await table.work.quick(line.back, at)
    table.advance()


def target(line: Line, seat: int, bots: frozenset[int], seats: tuple[str, ...]) -> int:
    """The number of choices that are left when a seat takes back its last decision.

    Raises Refused when it made none; while players decide together; and when something may have come out since.
    """
    from interpreter.position.events import uncovered

    if line.state.position.secret is not None:
        raise Refused("undo_together")
    at = next((n for n in reversed(range(len(line.choices))) if _decided(line, n, seat)), None)
    if at is None:
        raise Refused("nothing_of_yours")
    shown = uncovered(line.game.blueprint, line.state.position.log, line.position(at).position.log)
    if shown is not None or any(_tells(line, n, seat, bots) for n in range(at + 1, len(line.choices))):
        raise Refused("uncovered", player=seats[seat])
    return at


def _tells(line: Line, number: int, seat: int, bots: frozenset[int]) -> bool:
    """Whether a choice of another may show what only that one knows: a bot's always, a person's where the options show
    it. A person can be asked to agree, a bot cannot."""
    by = line.choices[number].seat
    if by == seat or line.game.blueprint.knowers.all_in_the_open:
        return False
    return by in bots or not _known_to_all(line, number)


def _known_to_all(line: Line, number: int) -> bool:
    """Whether everybody knows which options there were for a choice."""
    from interpreter.position.views import SPECTATOR

    frames = line.position(number).position.frames
    return line.game.blueprint.knowers.knows_options(frames, SPECTATOR)


def last_decision(line: Line, people: set[int]) -> int:
    """The number of choices before the last decision of one of these seats; Refused if there is none."""
    for number in reversed(range(len(line.choices))):
        if line.choices[number].seat in people and not line.position(number).forced:
            return number
    raise Refused("nothing_to_undo")


def _decided(line: Line, number: int, seat: int) -> bool:
    """Whether the seat made a choice itself; it is made for it where everybody knows that there is no other."""
    return line.choices[number].seat == seat and not line.position(number).forced
