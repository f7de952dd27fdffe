"""The server: static files, and one socket for the pages of all tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from .guests import digest
from .limits import TableLimits
from .playing import play
from .refusals import Refused
from .security import Guard
from .socket import Link, greet
from .work import BY_ITSELF

if TYPE_CHECKING:
    from .tables import Tables


class Server:
    """Serves tables. ``hosts``: names under which the server may be spoken to; empty for any."""

    def __init__(self, tables: Tables, limits: TableLimits, hosts: frozenset[str] = frozenset()) -> None:
        self.tables, self.limits, self.hosts = tables, limits, hosts
        self._open = 0
        self._readers = tables.work.of("readers of rulebooks")
        self._links: Mapping[bytes, Link] = {
            digest(token): Link(table, guest) for table in tables for token, guest in table.guests.items()
        }

    def app(self) -> Starlette:
        """The application, for uvicorn."""
        from .page import assets

        files = assets()

        async def static(request: Request) -> Response:
            asset = files.get(request.path_params["path"])
            if asset is None:
                return PlainTextResponse("There is nothing here.", 404)
            return Response(asset.content, media_type=asset.type)

        return Starlette(
            routes=[
                Route("/rulebook/{table}/{lang}", self._rulebook),
                Route("/rulebook/{lang}", self._rulebook),
                WebSocketRoute("/socket", self._socket),
                Route("/{path:path}", static),
            ],
            middleware=[Middleware(Guard, hosts=self.hosts)],
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        playing = [asyncio.create_task(play(table)) for table in self.tables]
        try:
            yield
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def _socket(self, socket: WebSocket) -> None:
        page = None
        try:
            await socket.accept()
            page = await greet(socket, self.limits, self._link)
            if page is not None:
                self._open += 1
                visitor = socket.scope.get("state", {}).get("visitor")
                if visitor is not None:
                    visitor.admit()
                await page.run()
        except WebSocketDisconnect:
            pass
        finally:
            if page is not None:
                self._open -= 1
                page.table.leave(page)

    def _link(self, token: str) -> Link | None:
        """What a token opens. Refused where no more pages can be open."""
        link = self._links.get(digest(token))
        if link is not None and self._open >= self.limits.connections:
            raise Refused("full")
        return link

    async def _rulebook(self, request: Request) -> Response:
        from .shown import languages, rulebook

        number, lang = request.path_params.get("table", "1"), request.path_params["lang"]
        table = self.tables.get(int(number)) if number.isascii() and number.isdigit() and len(number) < 10 else None
        if table is None or lang not in languages(table.line.game):
            return PlainTextResponse("There is no such rulebook.", 404)
        BY_ITSELF.set(True)  # strangers may ask for it, so that it waits for those who play
        return JSONResponse(await self._readers.quick(rulebook, table.line.game, lang))
