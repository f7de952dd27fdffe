"""Tables for tests: laid in a file of their own, and a real server that is spoken to as pages do."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import attrs
import pytest
import uvicorn
from browsing import Person, person
from websockets.sync.client import ClientConnection, connect

from workbench.table import address, server
from workbench.table.access import Guest, TableLimits
from workbench.table.line import RuleSet
from workbench.table.server import TableServer
from workbench.table.store import Store
from workbench.table.table import Plan, Table, Tables
from workbench.table.work import Work

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PATIENCE = 60
"""Seconds until a test gives up on a message."""


@attrs.define
class Tab:
    """A page that is open in some browser."""

    socket: ClientConnection
    heard: list[dict[str, Any]] = attrs.field(factory=list)
    pieces: dict[str, str] = attrs.field(factory=dict)

    def send(self, kind: str, **data: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **data}))

    def next(self, kind: str | None = None) -> dict[str, Any]:
        """The next message, of a kind if one is given; those before it are passed over."""
        while True:
            message = self._pieced(dict(json.loads(self.socket.recv(PATIENCE))))
            self.heard.append(message)
            if kind in (None, message["kind"]):
                return message

    def _pieced(self, message: dict[str, Any]) -> dict[str, Any]:
        """Puts the pictures of a message together, as a page does."""
        if "pieces" in message:
            known = {**self.pieces, **message["pieces"]}
            names = [*message["svg"], *message["faces"].values(), *message["ghosts"].values()]
            message["svg"] = "".join(known[name] for name in message["svg"])
            if message["kind"] == "position":
                self.pieces = {name: known[name] for name in names}
        return message

    def position(self, turn: int) -> dict[str, Any]:
        """The position with this number."""
        found = self.next("position")
        while found["turn"] < turn:
            found = self.next("position")
        assert found["turn"] == turn
        return found


@attrs.define
class House:
    """A server with a table."""

    serving: uvicorn.Server
    thread: threading.Thread
    address: str
    tables: Tables
    tabs: list[Tab] = attrs.field(factory=list)

    @property
    def table(self) -> Table:
        return next(iter(self.tables))

    def token(self, role: str | int, table: int = 1) -> str:
        """Of the link of a seat, by number, or of another role."""
        wanted = Guest("seat", role) if isinstance(role, int) else Guest(role)  # type: ignore[arg-type]
        guests = self.tables.get(table).guests  # type: ignore[union-attr]
        return next(token for token, guest in guests.items() if guest == wanted)

    def knock(self, **options: Any) -> Tab:
        """A connection that has not said yet whose it is."""
        address = self.address.replace("http", "ws") + "/socket"
        tab = Tab(
            connect(address, max_queue=None, max_size=None, **options).__enter__()
        )  # else no goodbye is heard behind the rest
        self.tabs.append(tab)
        return tab

    def tab(self, role: str | int, table: int = 1, **hello: Any) -> Tab:
        """A page opened with somebody's link."""
        tab = self.knock()
        tab.send("hello", **{"token": self.token(role, table), "lang": "en", "width": 600, **hello})
        return tab

    def close(self) -> None:
        for tab in self.tabs:
            tab.socket.close()
        self.serving.should_exit = True
        self.thread.join(PATIENCE)
        self.tables.work.close()
        self.tables.store.close()


SOON = SimpleNamespace(**{**vars(asyncio), "sleep": lambda seconds: asyncio.sleep(seconds / 20)})
"""For uvicorn, which looks ten times a second whether it is to end."""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., House]]:
    """Makes a House: ``house(path, players=2, seed=7, ...)``; the rest is for the Plan. ``file``: where it is kept."""
    monkeypatch.setattr("uvicorn.server.asyncio", SOON)
    made: list[House] = []
    numbers = itertools.count()

    def make(
        path: Path, players: int = 2, seed: int = 7, limits: TableLimits | None = None, file: Path | None = None,
        variants: tuple[str, ...] = (), settings: Any = None, tables: int = 1, **plan: Any,
    ) -> House:  # fmt: skip
        limits = limits or TableLimits()
        store = Store(file or tmp_path / f"{next(numbers)}.table", limits.file)
        laid = Tables(store, Work(limits), limits)
        if any(store.tables()):
            laid.restore()
        else:
            rules = RuleSet(str(path), players, settings or {}, variants)
            game = rules.load()
            for _ in range(tables):
                laid.lay(Plan(rules, **{"start": {"seed": seed}, "pace": 0.0, **plan}), game)
        listening = address.bound("127.0.0.1", 0)
        app = TableServer(laid, limits, address.names_of("127.0.0.1", None)).app()
        serving = server.server_of(app, limits)
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not serving.started:
            time.sleep(0.01)
        made.append(House(serving, thread, address.address(listening, None), laid))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def people(chrome: Browser) -> Iterator[Callable[..., list[Person]]]:
    """Opens a window of its own for each link; at the end no page may have complained."""
    opened: list[Person] = []
    contexts = []

    def make(*links: str, **options: Any) -> list[Person]:
        for number, link in enumerate(links):
            contexts.append(chrome.new_context(**{"locale": "en-GB", "reduced_motion": "reduce", **options}))
            opened.append(person(contexts[-1], link, number))
        return opened[-len(links) :]

    yield make
    complaints = [complaint for one in opened for complaint in one.complaints]
    for context in contexts:
        context.close()
    assert not complaints
