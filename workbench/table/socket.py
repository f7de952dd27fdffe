"""A page's connection: reads its messages one by one, and sends it what it is to know.

Positions are not queued. A page that is slow gets the newest one when it is ready for it, with all that has happened
since the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..pictures.build.facts import PLAYER
from ..pictures.looks import look_for
from ..rulebook.languages.catalogue import catalogues
from . import messages
from .guests import Guest
from .limits import Bucket, TableLimits
from .refusals import Refused
from .sights import Told, shown

if TYPE_CHECKING:
    from .table import Table

LOG = logging.getLogger("rulelang.table")

_UNDER_WAY: set[asyncio.Task[None]] = set()
"""Changes that are being made, which nothing else may hold on to any more."""

_WAITING = 200
"""Small messages that wait for a page; one that does not take them is closed."""

UNKNOWN, CROWDED, RUDE, SLOW, BROKEN = 4401, 4429, 4400, 4408, 1011
"""Codes with which a connection is closed: nobody's link, too many, not what the page says, too slow, our mistake."""

_DEAR = 4.0
"""How many messages one counts for that costs much."""


class Connection:
    """A page that is open at a table. See ``table.Page`` and ``messages.Asker``."""

    def __init__(self, socket: WebSocket, table: Table, guest: Guest, lang: str | None, width: int) -> None:
        self.socket, self.table, self.guest, self.lang, self.width = socket, table, guest, lang, width
        self._limits = table.limits
        self._bucket = Bucket(table.limits.rate, table.limits.burst)
        self._told: Told | None = None
        self._waiting: deque[str] = deque()
        self._due = True
        self._wake = asyncio.Event()
        self._dear: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------ as a page of the table

    def tell(self, message: Mapping[str, Any]) -> None:
        """Sends a message, soon."""
        self.send(json.dumps(message, ensure_ascii=False))

    def send(self, text: str) -> None:
        """Sends a message that is text already."""
        self._waiting.append(text)
        self._wake.set()

    def show(self) -> None:
        """Sends the position that stands when there is time for it."""
        self._due = True
        self._wake.set()

    def look(self, lang: str | None, width: int) -> None:
        """From now on in another language or width."""
        self.lang, self.width, self._told = lang, width, None
        self.show()
        if self.table.pending is not None:
            self.tell(self.table.pending.asked(self.table.line.game.program, lang))

    # ------------------------------------------------------------ the two directions

    async def run(self) -> None:
        """Until the page goes, or has to."""
        sending = asyncio.create_task(self._send_on())
        reading = asyncio.create_task(self._read_on())
        try:
            await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, reading, *self._dear):
                task.cancel()
            await asyncio.gather(sending, reading, *self._dear, return_exceptions=True)
        for task in (sending, reading):
            problem = None if task.cancelled() else task.exception()
            if problem is not None and not isinstance(problem, (WebSocketDisconnect, RuntimeError)):
                LOG.error("a connection has failed", exc_info=problem)
                await close(self.socket, BROKEN)

    async def _send_on(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                if len(self._waiting) > _WAITING:
                    await close(self.socket, SLOW)
                    return
                await self._send(self._waiting.popleft())
            if self._due:
                self._due = False
                text, self._told = await shown(self.table, self.guest, self.lang, self.width, self._told)
                await self._send(text)

    async def _send(self, text: str) -> None:
        try:
            await asyncio.wait_for(self.socket.send_text(text), self._limits.patience)
        except TimeoutError:
            await close(self.socket, SLOW)
            raise WebSocketDisconnect(SLOW) from None

    async def _read_on(self) -> None:
        while True:
            text = await received(self.socket)
            if not self._bucket.take():
                self._refuse(None, Refused("too_fast"))
                await asyncio.sleep(1 / self._limits.rate)
                continue
            await self._heard(text)

    async def _heard(self, text: str) -> None:
        kind: str | None = None
        try:
            data = messages.read(text)
            kind = data["kind"]
            if kind in messages.DEAR:
                self._later(data)
            else:
                await asyncio.shield(self._started(data, _UNDER_WAY))
        except Refused as refused:
            self._refuse(kind, refused)

    def _later(self, data: Mapping[str, Any]) -> None:
        """Does what takes long beside the rest, so that nobody's clicks wait for it."""
        if len(self._dear) >= _DEAR:
            raise Refused("one_by_one")
        self._started(data, self._dear if data["kind"] in messages.LOOKS else _UNDER_WAY)

    def _started(self, data: Mapping[str, Any], among: set[asyncio.Task[None]]) -> asyncio.Task[None]:
        """Begins what a message asks for. A change is not broken off half-way when the page goes; a look is."""
        task = asyncio.create_task(self._do(data))
        among.add(task)
        task.add_done_callback(among.discard)
        return task

    async def _do(self, data: Mapping[str, Any]) -> None:
        try:
            await messages.do(self, data)
        except Refused as refused:
            self._refuse(data["kind"], refused)
        except Exception:
            LOG.exception("what a page asked for has failed")
            self._refuse(data["kind"], Refused("own_mistake"))

    def _refuse(self, kind: str | None, refused: Refused) -> None:
        known = kind if kind in messages.VERBS else None
        self.tell({"kind": "refused", "to": known, "reason": refused.told(self.lang, self._called)})
        if kind == "choose":
            self.show()

    def _called(self, seat: str) -> str:
        """What people call a seat, in the language of the page."""
        return look_for(self.table.line.game.program, self.lang).label(f"{PLAYER}~{seat}")


async def received(socket: WebSocket) -> str:
    """The next message, as text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text if text is not None else ""


async def close(socket: WebSocket, code: int) -> None:
    """Closes a connection; one that is closed already stays so."""
    with contextlib.suppress(RuntimeError):
        await socket.close(code)


async def greet(
    socket: WebSocket, limits: TableLimits, find: Callable[[str], tuple[Table, Guest] | None]
) -> Connection | None:
    """The connection of a page that has said who it is; None when it has not, and has been told so."""
    try:
        data = messages.read(await asyncio.wait_for(received(socket), limits.greeting))
        token = messages.text(data, "token", 100)
        if data["kind"] != "hello":
            raise Refused("unreadable", reason="a page begins by saying whose link it has")
    except TimeoutError:
        await close(socket, SLOW)
        return None
    except Refused as refused:
        await _turn_away(socket, refused, None, RUDE)
        return None
    found = find(token)
    if found is None:
        await asyncio.sleep(_DOUBT)
        await _turn_away(socket, Refused("unknown_link"), _asked_language(data), UNKNOWN)
        return None
    table, guest = found
    lang, width = messages.look(data, table.languages)
    own, _ = messages.look({"lang": data.get("prefers")}, table.languages)
    page = Connection(socket, table, guest, lang or table.lang or own, width)
    try:
        table.enter(page)
    except Refused as refused:
        await _turn_away(socket, refused, page.lang, CROWDED)
        return None
    return page


_DOUBT = 0.5
"""Seconds that somebody with a wrong token waits for the answer."""


def _asked_language(data: Mapping[str, Any]) -> str | None:
    """The language in which somebody wants to be answered whom no table knows."""
    wanted = (data.get("lang"), data.get("prefers"))
    return next((lang for lang in catalogues() if lang in wanted), None)


async def _turn_away(socket: WebSocket, why: Refused, lang: str | None, code: int) -> None:
    await socket.send_json({"kind": "refused", "to": "hello", "reason": why.told(lang)})
    await close(socket, code)
