"""Security of the server: headers that browsers obey, and the checks of Host and Origin."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """Puts the headers on every answer, and turns away who speaks to another host than this.

    The latter keeps a page of a stranger's from reaching a server on this machine under a name of the stranger's.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if self.hosts and host(Headers(scope=scope).get("host", "")) not in self.hosts:
            if scope["type"] == "http":
                await PlainTextResponse("This server does not go by that name.", 421)(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 4421})
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, with_headers)


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
    return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
