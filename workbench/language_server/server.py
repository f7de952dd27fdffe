"""The server: the Language Server Protocol over standard input and output."""

from __future__ import annotations

import asyncio
import functools
import logging
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer

from rulelang import workspace
from rulelang.version import PACKAGE
from rulelang.workspace import Workspace

from . import watching
from .checker import Checker
from .desk import Desk
from .features import Command, Feature, Request, all_features
from .messages import Messages, Reader
from .worker import Worker

_SWITCH = 0.001
"""Seconds that the worker may keep the protocol's thread waiting."""

SETTLED = "rulelang/settled"
"""A request of our own: answered once everything that was edited before it has been checked."""

IDLE = "rulelang/idle"
"""The same, answered once what is done in the background is done too: examples have run."""


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

        async def settled(params: Any) -> None:
            await self.checker.settled.wait()

        async def idle(params: Any) -> None:
            await self.checker.idle.wait()

        self.feature(SETTLED)(settled)
        self.feature(IDLE)(idle)
        watching.add(self)

    # ------------------------------------------------------------ features

    def _add(self, feature: Feature | Request | Command) -> None:
        match feature:
            case Feature():
                self.feature(feature.method, feature.options)(self._about_document(feature))
            case Request():
                self.feature(feature.method, feature.options)(self._about_nothing(feature))
            case Command():
                self.command(feature.name)(self._carried_out(feature))

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

    def _about_nothing(self, feature: Request) -> Callable[[Any], Coroutine[Any, Any, Any]]:
        async def answer(params: Any) -> Any:
            return await self.worker.answer(lambda: feature.answer(self.desk, params))

        return answer

    def _carried_out(self, command: Command) -> Callable[..., Coroutine[Any, Any, Any]]:
        async def run(*arguments: Any) -> Any:
            return await self.worker.answer(lambda: command.run(self.desk, *arguments))

        return run

    def _version(self, uri: str) -> int | None:
        """The version of an open document; None when it is not open."""
        document = self.desk.documents.get(uri)
        return None if document is None else document.version

    # ------------------------------------------------------------ beginning and end

    def _begin(self, params: types.InitializedParams) -> None:
        self.loop = asyncio.get_running_loop()
        self.desk.look_again = self._look_again
        self._start(self.checker.run())
        watching.begin(self)

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
        """Errors are in the log; people are not interrupted with them while they write."""


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
    Server(games).start_io(Reader(stdin), stdout)  # type: ignore[arg-type]


def main() -> None:
    """Serves the editor that started this process. Whatever is printed meanwhile goes to standard error."""
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    sys.setswitchinterval(_SWITCH)
    games = Workspace(edits=True)
    workspace.share(games)
    serve(games, stdin, stdout)
