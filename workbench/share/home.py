"""The table in a page of its own: what ``serve`` does on a server, done by the worker of a page.

The worker hands over messages of the page and sends what it is given; nothing else reaches the world. The file that
keeps the table is the one of ``serve``; the worker keeps its bytes in the browser between visits.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..table import socket
from ..table.access import TableLimits
from ..table.line import RuleSet, opening
from ..table.playing import play
from ..table.socket import Gone, Link
from ..table.store import Store
from ..table.table import Plan, Table, Tables
from ..table.view import languages, rulebook
from ..table.work import AtOnce
from .returned import laid_out, text_of

_FILE = Path("/home/kept.table")
_LIMITS = TableLimits(rate=1000.0, burst=10_000)
"""Only this page asks."""


class Pipe:
    """The channel of a page to the table behind it. ``tell``: takes a message to the page, or None when it ends."""

    def __init__(self, tell: Callable[[str | None], object]) -> None:
        self._tell = tell
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(self, text: str | None) -> None:
        """A message of the page; None: it has gone."""
        self._heard.put_nowait(text)

    async def receive(self) -> str:
        text = await self._heard.get()
        if text is None:
            raise Gone
        return text

    async def send(self, text: str) -> None:
        self._tell(text)

    async def close(self, code: int) -> None:
        self._tell(None)


class Home:
    """One table. ``plan``: what the file was made with, see ``bundle.build``; ``kept``: the bytes of an earlier visit;
    ``returned``: a game as a text, in place of both; ``file``: where the table is while it is open. Raises
    UnusableFile and UnusableText where these are no good any more, and what loading the rules raises."""

    def __init__(
        self, plan: str, kept: bytes | None = None, returned: str | None = None, file: Path = _FILE,
        limits: TableLimits = _LIMITS,
    ) -> None:  # fmt: skip
        self.plan: Mapping[str, Any] = json.loads(plan)
        rules = RuleSet.of(self.plan["rules"])
        self._file = file
        file.unlink(missing_ok=True)
        if kept is not None:
            file.write_bytes(bytes(kept))
        self._store = Store(file, at_once=True)
        tables = Tables(self._store, AtOnce(), limits)
        if returned is not None:
            laid_out(returned, self._store, rules)
            tables.restore()
        elif kept is not None:
            tables.restore()
        else:
            game = rules.load()
            bots = {int(seat): bot for seat, bot in self.plan["bots"].items()}
            laid = Plan(rules, None, bots, self.plan["pace"], branches=True, one_screen=True, lang=self.plan["lang"])
            opening(game, laid.begins())
            tables.lay(laid, game)
        self.table: Table = next(iter(tables))
        self._links = {token: Link(self.table, guest) for token, guest in self.table.guests.items()}
        self._limits = limits
        self._tasks: set[asyncio.Task[Any]] = set()
        self._run(play(self.table))

    def _run(self, doing: Any) -> None:
        task = asyncio.ensure_future(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def secret(self) -> bool:
        """Whether some may not see what others see."""
        return not self.table.line.game.blueprint.knowers.all_in_the_open

    def seats(self) -> str:
        """The seats that people take, as JSON: ``[[number, name, token], ...]``."""
        seats = self.table.seats
        people = [
            (guest.seat, seats[guest.seat], token)
            for token, guest in self.table.guests.items()
            if guest.role == "seat" and guest.seat is not None and guest.seat not in self.table.bots
        ]
        watching = [(None, "", token) for token, guest in self.table.guests.items() if guest.role == "watch"]
        return json.dumps(people or watching)

    def open(self, tell: Callable[[str | None], object]) -> Pipe:
        """A page is opened; it says first whose link it has."""
        pipe = Pipe(tell)
        self._run(self._serve(pipe))
        return pipe

    async def _serve(self, pipe: Pipe) -> None:
        page = None
        try:
            page = await socket.greet(pipe, self._limits, self._links.get)
            if page is not None:
                await page.run()
        except Gone:
            pass
        finally:
            if page is not None:
                self.table.leave(page)

    def rulebook(self, lang: str) -> str:
        """The rulebook beside the table, as JSON; ``null`` where there is none in a language."""
        game = self.table.line.game
        return json.dumps(rulebook(game, lang) if lang in languages(game) else None)

    def kept(self) -> bytes:
        """What the next visit is to begin with."""
        return self._file.read_bytes()

    def text(self) -> str:
        """The game as a text that can be sent."""
        return text_of(self.table)
