"""Running the server: the address, uvicorn, and the links that people are given."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from .limits import TableLimits
from .security import LOOPBACK

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from .table import Table


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; port 0: any that is free. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(512)
    except OSError:
        listening.close()
        raise
    return listening


def names_of(host: str, public: str | None) -> frozenset[str]:
    """The names under which a server is spoken to; empty for any: one that is open to other machines has many."""
    from urllib.parse import urlsplit

    if host not in LOOPBACK:
        return frozenset()
    named = urlsplit(public).hostname if public else None
    return LOOPBACK | ({named} if named else set())


def address(listening: socket.socket, public: str | None) -> str:
    """Where browsers find the server, as a link without a path."""
    if public:
        return public.rstrip("/")
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _own_name()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_name() -> str:
    """This machine as others on its network may call it: the address it would use to go out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def links(table: Table, base: str) -> list[tuple[str, str]]:
    """Who is to get which link: the seats' names, spectator, designer. Seats that bots play need none."""
    return [
        (guest.name(table.seats), f"{base}/#{token}")
        for token, guest in table.guests.items()
        if guest.role != "seat" or guest.seat not in table.bots
    ]


def server_of(app: Starlette, limits: TableLimits) -> uvicorn.Server:
    """What serves an application: ``run(sockets=[...])``, until the process is told to stop.

    Nothing that somebody asks for is logged.
    """
    import uvicorn

    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        ws_max_size=limits.message,
        ws_max_queue=8,
        ws_ping_interval=20,
        ws_ping_timeout=30,
        timeout_graceful_shutdown=1,
        limit_concurrency=limits.connections + 200,
        server_header=False,
        lifespan="on",
    )
    return uvicorn.Server(config)
