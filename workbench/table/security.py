"""Security of the server: headers that browsers obey, and the checks of Host and Origin."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
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
