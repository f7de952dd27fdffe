"""Running the server: the address, uvicorn, what is logged, and the links that people are given."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from rulelang.source import visible

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
