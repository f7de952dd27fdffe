"""The server: static files, one socket for the pages of all tables, and how it is run and guarded."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import attrs
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.source import visible

from .access import Link, Refused, TableLimits, digest
from .playing import play
from .socket import Channel, Gone, greet
from .work import BY_ITSELF

if TYPE_CHECKING:
    import uvicorn

    from .page import Asset
    from .table import Table, Tables


class Talking(Protocol):
    """A page that is open."""

    async def run(self) -> None:
        """Until the page goes, or has to."""

    def leave(self) -> None:
        """It has gone."""


class TableServer:
    """Serves tables. ``hosts``: names under which the server may be spoken to; empty for any."""

    def __init__(self, tables: Tables, limits: TableLimits, hosts: frozenset[str] = frozenset()) -> None:
        self.tables, self.limits, self.hosts = tables, limits, hosts
        self._open = 0
        self._readers = tables.work.of("readers of rulebooks")

    def files(self) -> Mapping[str, Asset]:
        """The files of the page, by their path."""
        from .page import assets

        return assets()

    def routes(self) -> list[BaseRoute]:
        """What is served besides files."""
        return [
            Route("/rulebook/{table}/{lang}", self._rulebook),
            Route("/rulebook/{lang}", self._rulebook),
            WebSocketRoute("/socket", partial(self.talk, lambda channel: greet(channel, self.limits, self._link))),
        ]

    def app(self) -> Starlette:
        """The application, for uvicorn."""
        files = self.files()

        async def static(request: Request) -> Response:
            asset = files.get(request.path_params["path"])
            if asset is None:
                return PlainTextResponse("There is nothing here.", 404)
            return Response(asset.content, media_type=asset.type)

        return Starlette(
            routes=[*self.routes(), Route("/{path:path}", static)],
            middleware=[Middleware(Guard, hosts=self.hosts)],
            lifespan=self._lifespan,
        )

    def doing(self) -> list[Coroutine[Any, Any, None]]:
        """What goes on as long as the server runs."""
        return [play(table) for table in self.tables]

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        playing = [asyncio.create_task(each) for each in self.doing()]
        try:
            yield
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def talk(self, welcome: Callable[[Channel], Awaitable[Talking | None]], socket: WebSocket) -> None:
        """Talks to a page that has shown its link; ``welcome`` gives None for one that has not."""
        page = None
        try:
            await socket.accept()
            page = await welcome(_Socket(socket))
            if page is not None:
                self._open += 1
                visitor = socket.scope.get("state", {}).get("visitor")
                if visitor is not None:
                    visitor.admit()
                await page.run()
        except (Gone, WebSocketDisconnect):
            pass
        finally:
            if page is not None:
                self._open -= 1
                page.leave()

    def _link(self, token: str) -> Link | None:
        """What a token opens. Refused where no more pages can be open."""
        link = self.tables.links.get(digest(token))
        if link is not None and self._open >= self.limits.connections:
            raise Refused("full")
        return link

    async def _rulebook(self, request: Request) -> Response:
        from .view import languages, rulebook

        number, lang = request.path_params.get("table", "1"), request.path_params["lang"]
        table = self.tables.get(int(number)) if number.isascii() and number.isdigit() and len(number) < 10 else None
        if table is None or lang not in languages(table.line.game):
            return PlainTextResponse("There is no such rulebook.", 404)
        BY_ITSELF.set(True)  # strangers may ask for it, so that it waits for those who play
        return JSONResponse(await self._readers.quick(rulebook, table.line.game, lang, table.line.rules))


@attrs.frozen
class _Socket:
    """A browser's socket, as the ``Channel`` of its page."""

    socket: WebSocket

    async def receive(self) -> str:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        return message.get("text") or ""

    async def send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except WebSocketDisconnect:
            raise Gone from None

    async def close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError):  # it is closed already
            await self.socket.close(code)


def links(table: Table, base: str) -> list[tuple[str, str]]:
    """Who is to get which link: the seats' names, spectator, everybody, designer. Seats that bots play need none, nor
    do people who have sat down by themselves."""
    first = {guest: token for token, guest in reversed(list(table.guests.items()))}
    return [
        (guest.name(table.seats), f"{base}/#{token}")
        for token, guest in table.guests.items()
        if first[guest] == token and guest.seat not in table.bots
    ]


def fitted(limits: TableLimits) -> TableLimits:
    """Limits for which this process may open enough files; as many as the system allows it are asked for."""
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return limits
    wanted = limits.connections + limits.strangers + _FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits
    try:
        more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        soft = more
    except (OSError, ValueError):
        pass
    room = max(2, soft - _FILES)
    strangers = min(limits.strangers, max(1, room // 4))
    return attrs.evolve(limits, strangers=strangers, connections=min(limits.connections, max(1, room - strangers)))


_FILES = 64
"""Files that the process needs beside its connections."""


@attrs.define(eq=False)
class Seldom(logging.Filter):
    """Lets the first messages of a kind through, and then says how many more there were: what strangers can bring about
    at will must not fill the disk. ``most``: how many, in a ``period`` of seconds."""

    most: int = 5
    period: float = 60.0
    clock: Callable[[], float] = time.monotonic
    _seen: dict[str, tuple[float, int]] = attrs.field(factory=dict)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is logged."""
        kind, now = f"{record.name} {record.pathname}:{record.lineno} {str(record.msg)[:100]}", self.clock()
        if len(self._seen) >= _KINDS and kind not in self._seen:
            kind = record.name
        begun, number = self._seen.get(kind, (now, 0))
        if now - begun >= self.period:
            if number > self.most:
                record.msg = f"{record.getMessage()} (and {number - self.most:,} more in the last minutes)"
                record.args = ()
            begun, number = now, 0
        self._seen[kind] = begun, number + 1
        _show(record)
        return number < self.most


def _show(record: logging.LogRecord) -> None:
    """Takes from a message, and from the mistake behind it, whatever could steer a terminal: strangers sent it."""
    record.msg, record.args = visible(record.getMessage()), ()
    if record.exc_info and not record.exc_text:
        record.exc_text = visible(logging.Formatter().formatException(record.exc_info), lines=True)


_KINDS = 200
"""Kinds of messages that are told apart; further ones count as one."""


def server_of(app: Starlette, limits: TableLimits) -> uvicorn.Server:
    """What serves an application: ``run(sockets=[...])``, until the process is told to stop.

    Nothing that somebody asks for is logged.
    """
    import uvicorn

    from .door import Doorkeeper, PageSocket

    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws=PageSocket,
        access_log=False,
        log_level="warning",
        ws_max_size=limits.message,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=1,
        server_header=False,
        lifespan="on",
    )
    seldom = Seldom()
    for name in ("uvicorn.error", "asyncio", "rulelang.table"):
        logger = logging.getLogger(name)
        for old in [one for one in logger.filters if isinstance(one, Seldom)]:
            logger.removeFilter(old)
        logger.addFilter(seldom)
    return Doorkeeper(config, limits)


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy: nothing but our own files, and no script or style inside a page."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}


class Guard:
    """Puts the headers on every answer, lets strangers wait for their turn, and turns away what makes no sense: what is
    behind it can trust what it is asked.

    Who speaks to another host than this is turned away, too. That keeps a page of a stranger's from reaching a server
    on this machine under a name of the stranger's.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        visitor, client = scope.get("state", {}).get("visitor"), scope.get("client")
        if visitor is not None and not await visitor.turn(client[0] if client else None):
            refusal: Response | None = _refused(503, "Too many others are asking; try again in a moment.")
        else:
            refusal = self._refusal(scope)
        if refusal is not None and scope["type"] == "websocket":
            refusal.raw_headers = []  # whoever shakes hands adds them
        await (refusal or self.app)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to what is not heard; None where there is nothing to be said against it."""
        headers = Headers(scope=scope)
        if any(len(headers.getlist(name)) > 1 for name in ("host", "origin")):
            return _refused(400, "A request names one host, and one origin at most.")
        if self.hosts and host(headers.get("host", "")) not in self.hosts:
            return _refused(421, "This server does not go by that name.")
        if not scope["path"].startswith("/"):
            return _refused(400, "A request names a path that begins with a slash.")
        if scope["type"] == "websocket":
            return None if allows(headers) else _refused(403, "Only pages of this server may open a socket.")
        if scope["method"] not in ("GET", "HEAD"):
            return _refused(405, "Things can be looked at here, and nothing else.", allow="GET, HEAD")
        if headers.get("content-length", "0").strip("0") or "transfer-encoding" in headers:
            return _refused(413, "Nothing can be sent here.")
        return None


def _refused(status: int, text: str, **more: str) -> Response:
    return PlainTextResponse(text, status, {"Connection": "close", **more})


def host(text: str) -> str:
    """The name in a Host header, without the port."""
    try:
        return urlsplit(f"//{text}").hostname or ""
    except ValueError:
        return ""


def allows(headers: Headers) -> bool:
    """Whether a socket may be opened: by a page that this server gave, or by a program, which has no origin to name."""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:
        return False
