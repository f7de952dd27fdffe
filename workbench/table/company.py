"""Company: who sits down by the link that everybody has, what people are called, who leaves, and another game together.

Whoever sits down gets a link of their own, so that the one for everybody shows no more than a spectator sees. Whoever
leaves takes nothing along: the own link leads nowhere from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import branching, sights
from . import store as rows
from .access import Guest, Link, Refused, digest, token
from .table import Ready

if TYPE_CHECKING:
    from .sights import Sight
    from .table import Table


async def sit(table: Table, link: Link, seat: int | None, name: str) -> Sight | None:
    """Somebody at a seat says what they are called; somebody with the link for everybody sits down as well, where they
    like or where it is free, and is told their own link. Raises Refused."""
    async with table.change():
        if name.casefold() in {other.casefold() for owner, other in table.names.items() if owner != link.token}:
            raise Refused("name_taken", name=name)
        own = link.token
        if link.guest.role == "join":
            free = sights.free_seats(table)
            seat = next(iter(free), None) if seat is None else seat
            if seat not in free:
                raise Refused("seat_taken")
            own, guest = token(), Guest("seat", seat)
            await table.store.write([rows.guest(table.number, own, guest, name)])
            table.let_in(own, guest)
        elif link.guest.role == "seat":
            await table.store.write([rows.renamed(own, name)])
        else:
            raise Refused("watching")
        table.names[own] = name
        table.introduce()
        return None if own == link.token else sights.seated(own)


async def stand(table: Table, link: Link) -> None:
    """Somebody leaves a seat, which is free then. A link that was printed for the seat stays good for it."""
    async with table.change():
        if link.guest.role != "seat":
            raise Refused("watching")
        is_printed = next(own for own, guest in table.guests.items() if guest == link.guest) == link.token
        await table.store.write([rows.renamed(link.token, None) if is_printed else rows.gone(link.token)])
        table.names.pop(link.token, None)
        if not is_printed:
            del table.guests[link.token], table.links[digest(link.token)]
            for page in table.pages:
                if page.link is link:
                    page.tell(sights.left())
                    page.dismiss()
        table.introduce()


async def again(table: Table, guest: Guest, swap: bool) -> None:
    """A guest is ready for a new game under the same rules; it begins when all are who are here, with luck of its own,
    and with what the rules carry from the game on the table.

    ``swap``: everybody moves on by a seat, unless something is carried, which belongs to the seats. Who wishes it
    otherwise than the others did has to wait for them anew. The designer waits for nobody.
    """
    from interpreter.position.carrying import carries

    async with table.change():
        line = table.line
        swap = swap and not carries(line.game.program)
        if table.ready is None or table.ready.swap != swap:
            table.ready = Ready(swap)
        if guest.seat is not None:
            table.ready.seats.add(guest.seat)
        here = {page.guest.seat for page in table.pages if page.guest.role == "seat"} & table.people
        if guest.role != "open" and not table.one_screen and not here <= table.ready.seats:
            table.introduce()
            return
        seats = sorted(table.people)
        moved: dict[int | None, int] = (
            dict(zip(seats, [*seats[1:], *seats[:1]], strict=True)) if swap and len(seats) > 1 else {}
        )
        start: dict[str, Any] = {"seed": table.next_luck()}
        if carries(line.game.program):
            start["carried"] = line.state.carried if line.state.over else line.start.get("carried", {})
        await branching.begin(table, line.rules, start, moved=moved)
