"""Where a server listens, and what it is called. It is loaded quickly: a link is told before all else is there."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; port 0: any that is free. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, _, _, address = found[0]
    listening = socket.socket(family, kind, socket.IPPROTO_TCP)  # asyncio sends at once only where it is told that
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
