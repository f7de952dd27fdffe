"""Checks as texts change: soon after an edit, a game at a time, and only what is new is sent to the editor."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from pathlib import Path

import attrs
from lsprotocol import types

from . import findings
from .desk import Desk
from .features import all_background
from .held import Findings, Held
from .worker import Worker

PAUSE = 0.015
"""Seconds without an edit before a check begins. A key that is held down repeats more slowly than this."""

QUIET = 0.2
"""Seconds without an edit before anything is done in the background."""

Game = Path | str
"""What is checked as one: the folder of a game, or the URI of a document that belongs to none."""


@attrs.define
class Checker:
    """Keeps the diagnostics in the editor true. Everything here happens in the protocol's thread."""

    desk: Desk
    worker: Worker
    settled: asyncio.Event = attrs.field(factory=asyncio.Event)
    """Whether nothing is due."""
    idle: asyncio.Event = attrs.field(factory=asyncio.Event)
    """Whether nothing is left to do in the background either."""
    _edited: dict[str, None] = attrs.field(factory=dict)
    """Documents that were edited and not looked at yet, the last one first."""
    _games: dict[str, Game] = attrs.field(factory=dict)
    """The game of each document that was looked at."""
    _due: dict[Game, None] = attrs.field(factory=dict)
    _held: dict[Game, Held] = attrs.field(factory=dict)
    _sent: dict[Game, Findings] = attrs.field(factory=dict)
    _wake: asyncio.Event = attrs.field(factory=asyncio.Event)

    def __attrs_post_init__(self) -> None:
        self.settled.set()
        self.idle.set()

    def edited(self, uri: str) -> None:
        """The document is another now: opened, changed, saved or closed."""
        self._edited = {uri: None, **self._edited}
        self._begin()

    def all_changed(self) -> None:
        """Anything may be another now."""
        for uri in self.desk.documents:
            self._edited.setdefault(uri)
        self._due |= dict.fromkeys(self._sent)
        self._begin()

    def look_again(self, root: Path) -> None:
        """What is told of the game is another now, though no text has changed."""
        self._due.setdefault(root)
        self._begin()

    def _begin(self) -> None:
        self.settled.clear()
        self.idle.clear()
        self._wake.set()

    async def run(self) -> None:
        """Checks whatever is due, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._pause()
            await self._look_up()
            while self._due and not self._wake.is_set():
                await self._next()
            if not self._wake.is_set():
                self.settled.set()
                await self._background()

    async def _background(self) -> None:
        """Does what can wait, a step at a time, until something is to be checked. Games whose findings it adds to are
        looked at again, which costs little."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), QUIET)
        for step in all_background():
            while not self._wake.is_set():
                done = await self.worker.check(functools.partial(step, self.desk))
                if done is None:  # broken off
                    await asyncio.sleep(0)
                elif not done.more:
                    break
                elif done.game is not None:
                    self._due[done.game] = None
                    await self._next()
        if not self._wake.is_set():
            self.idle.set()

    async def _pause(self) -> None:
        """Waits until nothing has been edited for a moment."""
        before = -1
        while before != self.desk.changes:
            before = self.desk.changes
            await asyncio.sleep(PAUSE)

    async def _look_up(self) -> None:
        """Finds the games of what was edited; those edited last come first."""
        alone = [uri for uri, game in self._games.items() if uri == game]  # their game may be there now
        edited, self._edited = dict.fromkeys([*self._edited, *alone]), {}
        games = await self.worker.answer(lambda: {uri: _game_of(self.desk, uri) for uri in edited})
        before = [self._games[uri] for uri in games if self._games.get(uri, games[uri]) != games[uri]]
        self._games |= games
        self._due = dict.fromkeys([*before, *games.values(), *self._due])

    async def _next(self) -> None:
        """Checks the first game that is due; it stays due when the check is broken off."""
        game = next(iter(self._due))
        held = self._held.setdefault(game, Held())
        moment = self.desk.changes
        if isinstance(game, Path):
            rules = await self.worker.check(lambda: findings.check_rules_alone(self.desk, game))
            if rules is not None and moment == self.desk.changes:
                self._send(game, held.with_rules(rules, self.desk.documents))
        found = await self.worker.check(lambda: _check(self.desk, game))
        if found is None or moment != self.desk.changes:
            await asyncio.sleep(0)
            self._wake.set()
            return
        self._due.pop(game, None)
        self._send(game, held.with_all(found[0], self.desk.documents, complete=found[1]))

    def _send(self, game: Game, found: Findings) -> None:
        """Sends the diagnostics of documents where they are others than before."""
        before = self._sent.get(game, {})
        self._sent[game] = {uri: diagnostics for uri, diagnostics in found.items() if diagnostics}
        for uri in sorted({*before, *found}):
            now = found.get(uri, [])
            if now != before.get(uri, []):
                document = self.desk.documents.get(uri)
                version = None if document is None else document.version
                params = types.PublishDiagnosticsParams(uri, now, version)
                self.desk.client.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)


def _game_of(desk: Desk, uri: str) -> Game:
    document = desk.document(uri)
    root = None if document is None else desk.root(document)
    return uri if root is None else root


def _check(desk: Desk, game: Game) -> tuple[Findings, bool]:
    if isinstance(game, Path):
        return findings.check(desk, game)
    document = desk.documents.get(game)
    alone = document is not None and desk.root(document) is None
    return findings.check_alone(document) if document is not None and alone else {}, True
