"""Browsers for tests: real Chromium, people who only click or only type, and what a page must never do."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from workbench.table.access import Guest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PATIENCE = 60.0
"""Seconds until a test gives up."""
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def chromium() -> str | None:
    """The browser of this machine."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def browser() -> Iterator[Browser]:
    """A browser without a window; the test is skipped where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'rulelang[dev]'")
    path = chromium()
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with api.sync_playwright() as playing:
        opened = playing.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@attrs.define
class Person:
    """Somebody with a page open. ``complaints``: errors of its scripts, and what its security policy forbade;
    ``heard``: the kinds of the messages that the page was sent; ``turn``: the number of the last position of those."""

    page: Page
    complaints: list[str] = attrs.field(factory=list)
    chance: random.Random = attrs.field(factory=lambda: random.Random(1))
    heard: list[str] = attrs.field(factory=list)
    turn: int = 0

    def open(self, link: str) -> None:
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self._complained(said.type, said.text))
        self.page.on("websocket", lambda socket: socket.on("framereceived", lambda text: self._sent(text)))
        self.page.goto(link)
        self.page.wait_for_selector("#picture svg")

    def _complained(self, kind: str, text: str) -> None:
        if kind == "error" and "WebSocket" not in text and "ERR_CONNECTION" not in text:
            self.complaints.append(text)

    def _sent(self, text: str | bytes) -> None:
        message = json.loads(text)
        self.heard.append(message["kind"])
        if message["kind"] == "position":
            self.turn = message["turn"]

    @property
    def over(self) -> bool:
        return self.page.locator("#results").is_visible()

    @property
    def asked(self) -> bool:
        return self.page.locator("#dock.mine").count() > 0

    def click(self) -> bool:
        """Clicks on something that can be clicked now, with a pointer; nothing while others decide."""
        spot = self.page.evaluate(_SPOT, self.chance.random())
        if spot is None:
            return False
        self.page.mouse.click(spot["x"], spot["y"])
        return True


def person(context: BrowserContext, link: str, seed: int = 1) -> Person:
    """A page opened with a link."""
    found = Person(context.new_page(), chance=random.Random(seed))
    found.open(link)
    return found


@attrs.define
class Relay:
    """A way to a server that can go bad without a word: what is sent over it then arrives nowhere, and nobody is told.

    A connection of that time stays bad for ever. ``to``: the port of the server.
    """

    to: int
    port: int = 0
    _bad: bool = False
    _dead: set[socket.socket] = attrs.field(factory=set)
    _open: list[socket.socket] = attrs.field(factory=list)
    _servers: set[socket.socket] = attrs.field(factory=set)

    def __attrs_post_init__(self) -> None:
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        self._open.append(listening)
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                page, _ = listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.to))
            self._open += [page, server]
            self._servers.add(server)
            if self._bad:
                self._dead |= {page, server}
            for one, other in ((page, server), (server, page)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if source not in self._dead:
                    sink.sendall(data)
            for each in (source, sink):
                each.shutdown(socket.SHUT_RDWR)

    def break_off(self, swallows: bool = True) -> None:
        """From now on nothing arrives at pages, nor, if it ``swallows``, at the server."""
        self._bad = True
        self._dead |= set(self._open[1:]) if swallows else self._servers

    def mend(self) -> None:
        """New connections are good again."""
        self._bad = False

    def close(self) -> None:
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def links(home: Any, *roles: int | str) -> list[str]:
    """The links of seats, by number, and of other roles at a House."""
    return [f"{home.address}/#{home.token(role)}" for role in roles]


def play(people: list[Person], clicks: int = 10_000) -> int:
    """Lets people click in turn until all see that the game is over, or for so many clicks. Returns their number."""
    done, until = 0, time.monotonic() + PATIENCE
    while done < clicks and not all(one.over for one in people):
        for one in people:
            if done < clicks and one.click():
                done, until = done + 1, time.monotonic() + PATIENCE
        assert time.monotonic() < until, f"nothing can be clicked: {people[0].page.inner_text('#dock')}"
        people[0].page.wait_for_timeout(5)
    return done


def logged(page: Page, number: int) -> None:
    """Waits until the log of a page has so many choices."""
    page.wait_for_function("n => document.querySelectorAll('.log .choice').length === n", arg=number)


def eventually(page: Page, holds: Callable[[], bool]) -> None:
    """Waits for what a server does after a page was told so, or before it is; the page goes on meanwhile."""
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "it never came to be"
        page.wait_for_timeout(5)


def play_until(home: Any, one: Person, rule: str) -> None:
    """Lets the first seat click, the others being bots, until a rule asks it at the table of a House and it is told."""
    table, guest = home.table, Guest("seat", 0)
    until = time.monotonic() + PATIENCE
    while True:
        decision, shown = table.line.state.decision, one.turn == table.turn_of(guest)
        if shown and decision is not None and decision.player == 0:
            one.page.wait_for_selector("#dock.mine")
            if decision.rule == rule:
                return
            play([one], 1)
            until = time.monotonic() + PATIENCE
        assert not table.line.state.over and time.monotonic() < until, f"{rule} never asked"
        one.page.wait_for_timeout(5)


def faults(page: Page) -> list[str]:
    """What axe-core finds wrong with a page for those who cannot see it, or not well."""
    package = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")
    from pathlib import Path

    page.evaluate((Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run()")
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


_SPOT = """
(luck) => {
  const shown = (one) => one.getClientRects().length > 0 && !one.disabled;
  const buttons = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const some = (list) => list[Math.floor(luck * list.length)];
  const middle = (one) => {
    one.scrollIntoView({ block: "nearest" });
    const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const popup = buttons("#popup button:not([data-key=leave])");
  if (popup.length) return middle(some(popup));
  if (!document.querySelector("#dock.mine")) return null;
  const dock = buttons("#controls :is(.options, .line) button").filter(
    (one) => !one.closest(".all") && one.getAttribute("aria-pressed") !== "true",
  );
  const lit = [...document.querySelectorAll("#picture .lit")];
  if (dock.length && (luck < 0.3 || !lit.length || document.querySelector(".count"))) return middle(some(dock));
  const start = Math.floor(luck * lit.length);
  for (const one of [...lit.slice(start), ...lit.slice(0, start)]) {
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const box = one.getBoundingClientRect();
    for (const [u, v] of [[0.5, 0.5], [0.25, 0.25], [0.75, 0.75], [0.25, 0.75], [0.75, 0.25], [0.5, 0.1], [0.1, 0.5]]) {
      const spot = { x: box.x + u * box.width, y: box.y + v * box.height };
      if (document.elementFromPoint(spot.x, spot.y)?.closest(".lit") === one) return spot;
    }
  }
  return dock.length ? middle(some(dock)) : null;
}
"""
