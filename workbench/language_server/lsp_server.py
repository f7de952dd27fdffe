"""The server: the Language Server Protocol over standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import sys
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from rulelang import workspace
from rulelang.version import PACKAGE
from rulelang.workspace import Workspace

from . import document_diagnostics as findings
from .document_diagnostics import Findings, Held
from .example_verdicts import failures, run_next
from .features import Command, Feature, all_background, all_features
from .session import Desk, Document, path_of

PATTERN = "**/*.{rules,look,csv,md,toml,expected}"
"""The files that games are made of."""


def add(server: Server) -> None:
    """Adds what the editor tells of files."""

    def changed(params: Any) -> None:  # pygls hands the server over first where the annotation has room for it
        server.desk.changes += 1
        server.checker.all_changed()

    def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        new = [path for folder in params.event.added if (path := path_of(folder.uri)) is not None]
        server.desk.folders = (*(folder for folder in server.desk.folders if folder not in gone), *new)
        changed(params)

    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(changed)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(folders)


def begin(server: Server) -> None:
    """Asks the editor to tell of files that change, if it can."""
    about = server.client_capabilities.workspace
    files = about.did_change_watched_files if about is not None else None
    if files is None or not files.dynamic_registration:
        return
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(PATTERN)])
    registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    server.desk.client.request(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))


T = TypeVar("T")


class BrokenOff(Exception):
    """A check gives way to something else."""


@attrs.define
class Worker:
    """Does the work of ``desk``. ``waiting``: requests that have come and are not answered yet."""

    desk: Desk
    waiting: int = 0
    _checking_at: int | None = None
    _thread: ThreadPoolExecutor = attrs.field(
        factory=lambda: ThreadPoolExecutor(max_workers=1, thread_name_prefix="games"), init=False
    )

    def __attrs_post_init__(self) -> None:
        self.desk.games.before_work = self._give_way
        self.desk.pressed = self._is_pressed

    async def answer(self, job: Callable[[], T]) -> T:
        """The result of a request's job. A request that is cancelled before its turn is never begun."""
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, job)
        finally:
            self.waiting -= 1

    async def check(self, job: Callable[[], T]) -> T | None:
        """The result of a check; None when it was broken off."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._check, job)
        except BrokenOff:
            return None

    def close(self) -> None:
        """Ends the thread as soon as it has finished what it is doing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _run(self, job: Callable[[], T]) -> T:
        self.desk.catch_up()
        return job()

    def _check(self, job: Callable[[], T]) -> T:
        self.desk.catch_up()
        self._checking_at = self.desk.changes
        try:
            return job()
        finally:
            self._checking_at = None

    def _is_pressed(self) -> bool:
        return bool(self.waiting) or self._checking_at != self.desk.changes

    def _give_way(self) -> None:
        if self._checking_at is not None and self._is_pressed():
            raise BrokenOff


PAUSE = 0.015
"""Seconds without an edit before a check begins. A key that is held down repeats more slowly than this."""

SOON = 0.3
"""Seconds of examples that are run before the rest of a game is checked."""

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
            try:
                await self._round()
            except Exception:  # a fault of ours in one game: the others go on, and the next edit tries again
                traceback.print_exc()
                self._due.pop(next(iter(self._due), ""), None)
                (self._wake if self._due else self.settled).set()

    async def _round(self) -> None:
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
            for job in (findings.check_rules_alone, _run_soon):
                rules = await self.worker.check(functools.partial(job, self.desk, game))
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


def _run_soon(desk: Desk, root: Path) -> Findings | None:
    """The findings about the rules with the first examples that fail; None where none does."""
    if desk.knows(("report", root)) or not run_next(desk, root, SOON):
        return None
    return findings.check_rules_alone(desk, root, failures(desk, root))


MOST = 64_000_000
"""Bytes of the longest message."""


class LineReader:
    """Standard input, where lines that are no header and lengths that cannot be are passed over."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        line = self._stream.readline(MOST)
        name, _, length = line.partition(b":")
        if name.strip().lower() != b"content-length":
            return line
        number = length.strip()
        return b"Content-Length: %d\r\n" % int(number) if number.isdigit() and len(number) < 20 else b"-\r\n"

    def read(self, size: int) -> bytes:
        """A message; one that is too long is read and left out."""
        if size <= MOST:
            return self._stream.read(size)
        while size > 0:
            part = self._stream.read(min(size, MOST))
            if not part:
                return b""
            size -= len(part)
        return b"null"


def _folders(params: types.InitializeParams) -> tuple[Path, ...]:
    """The folders open in the editor."""
    given = [folder.uri for folder in params.workspace_folders or []]
    if not given and params.root_uri is not None:
        given = [params.root_uri]
    found = [path_of(uri) for uri in given]
    return tuple(path for path in found if path is not None)


class Messages(LanguageServerProtocol):
    """Answers messages that are none, keeps documents on the desk, and counts positions in UTF-16 for every editor."""

    _server: Server

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "method" in data and isinstance(data.get("id"), int | str):
                problem = JsonRpcInvalidParams(f"The parameters of {data['method']!r} are not as they should be.")
                self._send_response(data["id"], error=problem.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        if hasattr(message, "jsonrpc"):
            super().handle_message(message)

    # ------------------------------------------------------------ the start

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        self._server.desk.folders = _folders(params)
        self._server.desk.language = params.locale
        return (yield from super().lsp_initialize(params))

    # ------------------------------------------------------------ documents

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        opened = params.text_document
        self._put(Document.of(opened.uri, opened.text, opened.version))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        uri, version = params.text_document.uri, params.text_document.version
        document = self._server.desk.documents.get(uri) or Document.of(uri, "")
        self._put(document.edited(params.content_changes, version))

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.desk.documents.pop(params.text_document.uri, None)
        self._changed(params.text_document.uri)

    def _put(self, document: Document) -> None:
        self._server.desk.documents[document.uri] = document
        self._changed(document.uri)

    def _changed(self, uri: str) -> None:
        self._server.desk.changes += 1
        self._server.checker.edited(uri)


_SWITCH = 0.001
"""Seconds that the worker may keep the protocol's thread waiting."""

SETTLED = "rulelang/settled"
"""A request of our own: answered once everything that was edited before it has been checked."""

IDLE = "rulelang/idle"
"""The same, answered once what is done in the background is done too: examples have run."""


async def _wait(event: asyncio.Event, params: Any) -> None:
    await event.wait()


class Server(LanguageServer):
    """A language server for rules. ``desk``: what it knows."""

    def __init__(self, games: Workspace) -> None:
        super().__init__("rulelang", PACKAGE, protocol_cls=Messages)
        self.desk = Desk(games, _Editor(self))
        self.worker = Worker(self.desk)
        self.checker = Checker(self.desk, self.worker)
        self._tasks: set[asyncio.Task[None]] = set()
        self.loop: asyncio.AbstractEventLoop | None = None
        for feature in all_features():
            self._add(feature)
        for method, handler in ((types.INITIALIZED, self._begin), (types.SHUTDOWN, self._end)):
            self.feature(method)(functools.partial(handler))
        for method, event in ((SETTLED, self.checker.settled), (IDLE, self.checker.idle)):
            self.feature(method)(functools.partial(_wait, event))
        add(self)

    # ------------------------------------------------------------ features

    def _add(self, feature: Feature | Command) -> None:
        if isinstance(feature, Command):
            self.command(feature.name)(self._answered(feature.run))
        else:
            answer = self._answered(feature.answer) if feature.anywhere else self._about_document(feature)
            self.feature(feature.method, feature.options)(answer)

    def _about_document(self, feature: Feature) -> Callable[[Any], Coroutine[Any, Any, Any]]:
        async def answer(params: Any) -> Any:
            uri = params.text_document.uri
            version = self._version(uri)

            def job() -> Any:
                if version != self._version(uri):
                    raise JsonRpcContentModified
                document = self.desk.document(uri)
                return None if document is None else feature.answer(self.desk, document, params)

            return await self.worker.answer(job)

        return answer

    def _answered(self, run: Callable[..., object]) -> Callable[..., Coroutine[Any, Any, Any]]:
        async def answer(*arguments: Any) -> Any:
            return await self.worker.answer(lambda: run(self.desk, *arguments))

        return answer

    def _version(self, uri: str) -> int | None:
        """The version of an open document; None when it is not open."""
        document = self.desk.documents.get(uri)
        return None if document is None else document.version

    # ------------------------------------------------------------ beginning and end

    def _begin(self, params: types.InitializedParams) -> None:
        self.loop = asyncio.get_running_loop()
        self.desk.look_again = self._look_again
        self._start(self.checker.run())
        begin(self)

    def _look_again(self, root: Path) -> None:
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.checker.look_again, root)

    def _start(self, job: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _end(self, params: None) -> None:
        for task in self._tasks:
            task.cancel()
        self.worker.close()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Faults of ours go to the editor's log; people are not interrupted with them while they write."""
        if isinstance(error, JsonRpcInternalError):
            print(error, file=sys.stderr)


class _Editor:
    """The client of the desk: what is sent goes through the protocol's thread, whichever thread it comes from."""

    def __init__(self, server: Server) -> None:
        self._server = server

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return self._server.client_capabilities

    def notify(self, method: str, params: Any) -> None:
        self._later(lambda: self._server.protocol.notify(method, params))

    def request(self, method: str, params: Any) -> None:
        self._later(lambda: self._server.protocol.send_request(method, params))

    def _later(self, send: Callable[[], object]) -> None:
        if self._server.loop is not None and not self._server.loop.is_closed():
            self._server.loop.call_soon_threadsafe(send)


def serve(games: Workspace, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Answers until the editor says goodbye or goes away."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    Server(games).start_io(LineReader(stdin), stdout)  # type: ignore[arg-type]


def main() -> None:
    """Serves the editor that started this process. Whatever is printed meanwhile goes to standard error."""
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    sys.setswitchinterval(_SWITCH)
    games = Workspace(edits=True)
    workspace.share(games)
    serve(games, stdin, stdout)
