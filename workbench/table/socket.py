"""A page's connection: reads its messages one by one, and sends it what it is to know.

Positions are not queued. A page that is slow gets the newest one when it is ready for it, with all that has happened
since the last.

A page that names its messages is told of each whether it was done. When its connection is lost it sends what it has not
heard of once more, over another one: what was done already is not done again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..rulebook.languages.catalogue import catalogues
from . import messages, sights
from .access import Bucket, Doing, Guest, Link, Refused, TableLimits
from .sights import PageTold, Sight
from .store import UnusableFile

LOG = logging.getLogger("rulelang.table")

RUN = secrets.token_hex(6)
"""What this run of the server calls itself. Another one does not know what has been asked of this."""

_WAITING = 200
"""Small messages that wait for a page; one that does not take them is closed."""

_UNDER_WAY: set[Doing] = set()
"""What is being done, which nothing else may hold on to any more."""

UNKNOWN, CROWDED, RUDE, SLOW, BROKEN = 4401, 4429, 4400, 4408, 1011
"""Codes with which a connection is closed: nobody's link, too many, not what the page says, too slow, our mistake."""

_AT_ONCE = 8
"""Messages of one page that wait for the one before them; until one is done, no more are read."""

_DEAR = 4
"""Messages of one page at the same time that cost much."""


class Gone(Exception):
    """The other end has closed the channel, or is about to."""


class Channel(Protocol):
    """What carries the messages of a page: the socket of a server, or that of a page that holds the table itself."""

    async def receive(self) -> str:
        """The next message, as text. Raises Gone."""

    async def send(self, text: str) -> None:
        """Sends a message. Raises Gone."""

    async def close(self, code: int) -> None:
        """Ends it; one that has ended already stays so."""


class Connection:
    """A page that is open at a table: a ``table.Page``."""

    def __init__(self, channel: Channel, link: Link, lang: str | None, width: int, learn: bool) -> None:
        self.channel, self.link, self.lang, self.width, self.learn = channel, link, lang, width, learn
        self.table = link.table
        self._limits = link.table.limits
        self._bucket = Bucket(self._limits.rate, self._limits.burst)
        self._told: PageTold | None = None
        self._waiting: deque[Sight] = deque()
        self._due, self._dismissed = True, False
        self._wake = asyncio.Event()
        self._asked: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue(_AT_ONCE)
        self._dear: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------ as a page of the table

    @property
    def guest(self) -> Guest:
        """Who has the page."""
        return self.link.guest

    def tell(self, sight: Sight) -> None:
        """Sends a message, soon."""
        self._waiting.append(sight)
        self._wake.set()

    def show(self) -> None:
        """Sends the position that stands when there is time for it."""
        self._due = True
        self._wake.set()

    def look(self, lang: str | None, width: int, learn: bool | None = None) -> None:
        """From now on in another language or width, and perhaps as one who learns the game or no longer does."""
        self.lang, self.width, self._told = lang, width, None
        self.learn = self.learn if learn is None else learn
        self.show()
        if self.table.pending is not None and self.table.pending.wanted.concerns(self.guest):
            self.tell(sights.asked_chance(self.table, self.guest, lang))

    def dismiss(self) -> None:
        """Its link leads nowhere any more."""
        self._dismissed = True
        self._wake.set()

    def leave(self) -> None:
        """It has been closed."""
        self.table.leave(self)

    # ------------------------------------------------------------ the two directions

    async def run(self) -> None:
        """Until the page goes, or has to."""
        tasks = [asyncio.create_task(each) for each in (self._send_on(), self._read_on(), self._answer_on())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (*tasks, *self._dear):
                task.cancel()
            await asyncio.gather(*tasks, *self._dear, return_exceptions=True)
        for task in tasks:
            problem = None if task.cancelled() else task.exception()
            if problem is not None and not isinstance(problem, (Gone, RuntimeError)):
                LOG.error("a connection has failed", exc_info=problem)
                await self.channel.close(BROKEN)

    async def _send_on(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                if len(self._waiting) > _WAITING:
                    await self.channel.close(SLOW)
                    return
                await self._send(self._waiting.popleft())
            if self._dismissed:
                await self.channel.close(UNKNOWN)
                return
            if self._due:
                self._due = False
                await self._show()

    async def _show(self) -> None:
        """Sends the position that stands; a page that cannot be shown it stays, and sees the one before."""
        try:
            how = (self.lang, self.width, self._told, self.learn)
            sight, self._told = await sights.shown(self.table, self.guest, *how)
        except Exception as problem:
            self._refuse(None, None, _told(problem))
        else:
            await self._send(sight)

    async def _send(self, sight: Sight) -> None:
        try:
            await asyncio.wait_for(self.channel.send(sight.text), self._limits.patience)
        except TimeoutError:
            await self.channel.close(SLOW)
            raise Gone from None

    async def _read_on(self) -> None:
        while True:
            text = await self.channel.receive()
            is_too_fast = not self._bucket.take()
            try:
                await self._heard(text, is_too_fast)
            except messages.UnreadMessage as refused:
                self._refuse(refused.kind, refused.name, refused)
            except Exception as problem:
                self._refuse(None, None, _told(problem))
            if is_too_fast:
                await asyncio.sleep(1 / self._limits.rate)

    async def _heard(self, text: str, is_too_fast: bool) -> None:
        data = messages.read(text)
        kind, name = data["kind"], data["id"]
        if is_too_fast:
            raise messages.UnreadMessage(kind, name, Refused("too_fast"))
        if kind == "alive":
            await self._send(sights.alive(RUN))  # at once, whatever else is being made for it
        elif kind not in messages.VERBS:
            raise messages.UnreadMessage(kind, name, Refused("unreadable", reason="this is not the moment for it"))
        elif not messages.VERBS[kind].dear:
            await self._asked.put(data)
        elif len(self._dear) >= _DEAR:
            raise messages.UnreadMessage(kind, name, Refused("one_by_one"))
        else:
            answering = asyncio.create_task(self._answer(data, self._doing(data)))
            self._dear.add(answering)
            answering.add_done_callback(self._dear.discard)

    async def _answer_on(self) -> None:
        """Does what the page asks for, one after another, while more is read."""
        while True:
            data = await self._asked.get()
            await self._answer(data, self._doing(data))

    def _doing(self, data: Mapping[str, Any]) -> Doing:
        """What a message asks for, begun now unless it was before."""
        name = data["id"]
        earlier = self.link.asked.get(name)
        if earlier is not None:
            return earlier
        doing = asyncio.create_task(self._do(data))
        _UNDER_WAY.add(doing)
        doing.add_done_callback(_UNDER_WAY.discard)
        if name is not None and not messages.VERBS[data["kind"]].looks:
            self.link.remember(name, doing)
        return doing

    async def _do(self, data: Mapping[str, Any]) -> Refused | None:
        try:
            if data["again since"] is not None and data["sent at"] != self.table.turn_of(self.guest):
                raise Refused("not_counted") if data["again since"] == RUN else Refused("not_sure")
            await messages.do(self, data)
        except Exception as problem:
            return _told(problem)
        return None

    async def _answer(self, data: Mapping[str, Any], doing: Doing) -> None:
        """Tells the page whether it was done. A change is not broken off half-way when the page goes; a look is."""
        refused = await (doing if messages.VERBS[data["kind"]].looks else asyncio.shield(doing))
        if refused is not None:
            self._refuse(data["kind"], data["id"], refused)
        elif data["id"] is not None:
            self.tell(sights.done(data["id"]))

    def _refuse(self, kind: str | None, name: str | None, refused: Refused) -> None:
        known = kind if kind in messages.VERBS else None
        self.tell(sights.refused(refused, known, self.lang, self.table.line, name))
        if kind == "choose":
            self.show()


def _told(problem: Exception) -> Refused:
    """What people are told of something that went wrong; what is no refusal goes into the log."""
    if isinstance(problem, Refused):
        return problem
    if isinstance(problem, UnusableFile):
        LOG.error("the file that keeps the tables has failed: %s", problem)
        return Refused("disk_broken")
    LOG.error("what a page asked for has failed", exc_info=problem)
    return Refused("own_mistake")


async def greet(
    channel: Channel, limits: TableLimits, find: Callable[[str], Link | None]
) -> Connection | None:  # fmt: skip
    """The connection of a page that has said whose link it has; None when it has not, and has been told so."""
    try:
        data = messages.read(await asyncio.wait_for(channel.receive(), limits.greeting))
        if data["kind"] != "hello":
            raise Refused("unreadable", reason="a page begins by saying whose link it has")
    except TimeoutError:
        await channel.close(SLOW)
        return None
    except Refused as refused:
        await _turn_away(channel, refused, None, RUDE)
        return None
    lang = _asked_language(data)
    try:
        link = find(data["token"])
        if link is None:
            await asyncio.sleep(_DOUBT)
            await _turn_away(channel, Refused("unknown_link"), lang, UNKNOWN)
            return None
        languages = link.table.languages
        asked, width = messages.look(data, languages)
        own = data["prefers"] if data["prefers"] in languages else None
        learn = link.table.teach if data["learn"] is None else data["learn"]
        page = Connection(channel, link, asked or link.table.lang or own, width, learn)
        lang = page.lang
        link.table.enter(page)
    except Gone:
        raise
    except Refused as refused:
        await _turn_away(channel, refused, lang, CROWDED)
        return None
    except Exception as problem:
        await _turn_away(channel, _told(problem), lang, BROKEN)
        return None
    return page


_DOUBT = 0.5
"""Seconds that somebody with a wrong token waits for the answer."""


def _asked_language(data: Mapping[str, Any]) -> str | None:
    """The language in which somebody wants to be answered whom no table knows."""
    wanted = (data.get("lang"), data.get("prefers"))
    return next((lang for lang in catalogues() if lang in wanted), None)


async def _turn_away(channel: Channel, why: Refused, lang: str | None, code: int) -> None:
    await channel.send(sights.refused(why, "hello", lang).text)
    await channel.close(code)
