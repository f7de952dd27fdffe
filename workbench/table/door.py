"""The door: how connections come in, and how many may stand there before they have shown a link.

Pages with a link have room of their own, which nobody else can take. All others are strangers. There are never more of
them than ``TableLimits`` allow, and when one more comes, the one goes that has stood there longest. They have little
time to say what they want, are read in small pieces, and are answered in turn, address by address, at a pace that
leaves most of the machine to those who play.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import attrs
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from .access import Bucket, TableLimits, WaitingTurns

LOG = logging.getLogger("rulelang.table")

_PIECE = 1024
"""Bytes that are read of a connection before it is somebody else's turn."""

_PIECES = 64
"""Pieces in which a stranger may send a request."""

_WORD = 256
"""Bytes of a piece in which it may say whose link it has: in one of the usual size, there is room for a hundred frames
that mean nothing."""

_STEADY, _BURST = 2, 4
"""Pieces from a page with a link for each message that it may send: a second, and at once. Who sends more sends what no
page does."""

_PINGS, _PINGS_BURST = 0.5, 20.0
"""The same for pings. Browsers send none; other programs do to see whether the server is there."""


@attrs.define(eq=False)
class Visitor:
    """A connection that has shown no link. ``address``: where it comes from; ``line``: itself; ``crowd``: those among
    whom it stands, None once it has shown a link (``known``) or has gone."""

    address: str
    line: asyncio.Transport
    lobby: Lobby
    crowd: _Crowd | None = None
    known: bool = False

    async def turn(self, address: str | None) -> bool:
        """Waits until it is to be answered; False when it has gone. ``address``: as a server in front tells it."""
        return await self.lobby.turn(self, self.address if address is None else network(address))

    def admit(self) -> None:
        """It has shown a link, and no longer stands at the door."""
        self.known = True
        self.go()

    def go(self) -> None:
        """It no longer stands at the door."""
        if self.crowd is not None:
            self.crowd.forget(self)


class _Crowd:
    """Strangers by address, in front those who have stood there longest. ``most``: how many; ``neighbours``: from one
    address. ``queues``: who has come first stays, and it is the last who has to go; else the other way round."""

    def __init__(self, most: int, neighbours: int, *, queues: bool = False) -> None:
        self._most, self._neighbours, self._queues = most, neighbours, queues
        self._here: dict[str, dict[Visitor, None]] = {}
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def add(self, visitor: Visitor) -> None:
        """One comes, from outside or from another crowd; one may have to go for it, perhaps itself."""
        visitor.go()
        self._here.setdefault(visitor.address, {})[visitor] = None
        self._number += 1
        visitor.crowd = self
        if len(self._here[visitor.address]) > self._neighbours and visitor.address not in _OURS:
            self._send_away(self._here[visitor.address])
        elif self._number > self._most:
            self.shed()

    def forget(self, visitor: Visitor) -> None:
        own = self._here[visitor.address]
        del own[visitor]
        self._number -= 1
        if not own:
            del self._here[visitor.address]
        visitor.crowd = None

    def shed(self) -> bool:
        """Sends one away, of those from the address with the most; False where nobody is."""
        most = max(self._here.values(), key=len, default=None)
        if most is None:
            return False
        self._send_away(most)
        return True

    def _send_away(self, some: dict[Visitor, None]) -> None:
        one = next(reversed(some) if self._queues else iter(some))
        one.go()
        one.line.abort()


class Lobby:
    """All strangers: those who are ``new``, those who have asked for something and are ``waiting`` for their turn, and
    those who have been ``answered``. None can take the room of the others: who only holds connections keeps nobody from
    loading the page or from saying whose link it has."""

    def __init__(self, limits: TableLimits) -> None:
        self.limits = limits
        few, near = max(1, limits.strangers // 4), limits.neighbours
        self.new, self.answered = _Crowd(few, near), _Crowd(2 * few, near)
        self.waiting = _Crowd(few, near, queues=True)
        self._bucket = Bucket(limits.requests, limits.rush)
        self._pause = 2 / limits.requests
        self._turns: WaitingTurns[tuple[Visitor, asyncio.Future[None]]] = WaitingTurns()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self.new) + len(self.waiting) + len(self.answered)

    def shed(self) -> None:
        """Somebody has to go."""
        any(crowd.shed() for crowd in (self.new, self.answered, self.waiting))

    async def turn(self, visitor: Visitor, address: str) -> bool:
        """Waits until a visitor may be answered; False when it has gone meanwhile."""
        if visitor.crowd is None:
            return visitor.known
        visitor.go()
        visitor.address = address
        self.waiting.add(visitor)
        if visitor.crowd is not None:
            visitor.line.pause_reading()
            done = asyncio.get_running_loop().create_future()
            self._turns.put(address, (visitor, done))
            if self._timer is None:
                self._call()
            await done
        return visitor.crowd is not None

    def _call(self) -> None:
        """Calls those whose turn it is, as far as the pace allows."""
        self._timer = None
        while self._bucket.ready() and (turn := self._turns.take()) is not None:
            visitor, done = turn
            if visitor.crowd is self.waiting:
                self._bucket.take()
                self.answered.add(visitor)
                visitor.line.resume_reading()
            if not done.done():
                done.set_result(None)
        if self._turns:
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._call)


_OURS = ("127.0.0.1", "::1")
"""Addresses of this machine: everybody who comes through a server in front of this one seems to come from here, until
it tells otherwise. For them, the bound on all strangers has to do."""


def network(address: str) -> str:
    """What counts as one address: of IPv6 a network, since everybody has millions in theirs."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(found) if found.is_loopback else str(ipaddress.ip_network((found, 64), strict=False))


# ---------------------------------------------------------------- connections


_UNREADABLE = b"400 Bad Request", b"This request cannot be read."


class _Gentle:
    """A connection that is closed so that its last words arrive: what still comes in is passed over for a while. Closed
    at once, a system takes back what it has sent to somebody who is still sending."""

    def __init__(self, line: asyncio.Transport) -> None:
        self._line, self._closing = line, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._line, name)

    def is_closing(self) -> bool:
        return self._closing or self._line.is_closing()

    def close(self) -> None:
        if self.is_closing():
            return
        self._closing = True
        self._line.resume_reading()
        with contextlib.suppress(OSError):  # whoever is gone already needs no last words
            self._line.write_eof()
        asyncio.get_running_loop().call_later(_FAREWELL, self._line.abort)


_FAREWELL = 1.0
"""Seconds that somebody has to take the last words, and to close the connection."""


class _InPieces(asyncio.BufferedProtocol):
    """Reads a connection in small pieces, so that none keeps the others waiting, whatever it sends.

    ``visitor``: who it is as long as nobody knows. Whatever goes wrong in reading ends this connection only.
    """

    visitor: Visitor
    transport: asyncio.Transport
    size = _PIECE

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._room = memoryview(bytearray(_PIECE))
        self._pieces = 0
        self._steady: Bucket | None = None

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._room[: _PIECE if self.visitor.known else self.size]

    def buffer_updated(self, nbytes: int) -> None:
        if self.transport.is_closing():
            return
        if not self._may_go_on():
            self.transport.abort()
            return
        try:
            self.data_received(bytes(self._room[:nbytes]))
        except Exception:
            LOG.exception("what a connection sent could not be read")
            self._misread()

    def _may_go_on(self) -> bool:
        """Whether one more piece is no more than somebody may send."""
        if not self.visitor.known:
            self._pieces += 1
            return self._pieces <= _PIECES
        if self._steady is None:
            limits = self.visitor.lobby.limits
            self._steady = Bucket(_STEADY * limits.rate, _BURST * limits.burst)
        return self._steady.take()

    def shutdown(self) -> None:
        """The server ends."""
        if self.transport.is_closing():
            self.transport.abort()
        else:
            self._end()

    if TYPE_CHECKING:

        def data_received(self, data: bytes) -> None: ...

    def _end(self) -> None:
        raise NotImplementedError

    def _misread(self) -> None:
        self.transport.abort()

    def _answer(self, status: bytes, text: bytes) -> None:
        """The last words to a connection, past everything that may be waiting to be sent."""
        if self.transport.is_closing():  # it has had its last words
            return
        if self.transport.get_write_buffer_size() > 0:
            self.transport.abort()
            return
        head = b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(text)
        self.transport.write(b"HTTP/1.1 " + status + b"\r\n" + head + text)
        self.transport.close()


class PageSocket(_InPieces, WebSocketsSansIOProtocol):  # type: ignore[misc]
    """A WebSocket: a stranger until it has shown a link."""

    size = _WORD
    _end = WebSocketsSansIOProtocol.shutdown

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._pings = Bucket(_PINGS, _PINGS_BURST)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated:  # the first is a whole request, but not one that can open a socket
            self._answer(*_UNREADABLE)

    def handle_ping(self) -> None:
        if self._may_send(self._pings):
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._may_send():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._may_send():
            super().handle_cont(event)

    def _may_send(self, bucket: Bucket | None = None) -> bool:
        """Whether it may send what is no message; of a stranger, one message is all that is expected."""
        if self.visitor.known and (bucket is None or bucket.take()):
            return True
        self.transport.abort()
        return False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.visitor = self.app_state["visitor"]
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.visitor.go()
        super().connection_lost(exc)


class _Door(_InPieces, H11Protocol):  # type: ignore[misc]
    """A connection as it comes in: requests one after another, the last of which may open a socket."""

    _end = H11Protocol.shutdown

    def __init__(self, lobby: Lobby, limits: TableLimits, **named: Any) -> None:
        super().__init__(**named)
        self._lobby, self._patience = lobby, limits.request
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        self.visitor = Visitor(network(peer[0]) if peer else "", transport, self._lobby)
        self.app_state = {**self.app_state, "visitor": self.visitor}
        super().connection_made(cast("asyncio.Transport", _Gentle(transport)))
        self._lobby.new.add(self.visitor)
        self._wait()

    def _wait(self) -> None:
        """From now on, a request has so long to arrive, and its answer to be taken."""
        self._pieces = 0
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(self._patience, self._late)

    def _late(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._answer(b"408 Request Timeout", b"Your request took too long to arrive.")
        else:
            self.transport.abort()

    def _misread(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._answer(*_UNREADABLE)
        else:
            self.transport.abort()

    def handle_websocket_upgrade(self, event: Any) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._wait()
        if self.conn.trailing_data[0] and not self.transport.is_closing():
            self.transport.close()  # who asks for more before it has been answered is no browser
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self.visitor.go()
        super().connection_lost(exc)


# ---------------------------------------------------------------- the server


class Doorkeeper(uvicorn.Server):
    """Lets connections in one by one, so that a crowd at the door never keeps those inside waiting."""

    def __init__(self, config: uvicorn.Config, limits: TableLimits) -> None:
        super().__init__(config)
        self.lobby = Lobby(limits)
        self._limits = limits
        self._accepting: list[asyncio.Task[None]] = []

    async def startup(self, sockets: Sequence[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        make = partial(
            _Door, self.lobby, self._limits, config=self.config, server_state=self.server_state,
            app_state=self.lifespan.state,
        )  # fmt: skip
        self._accepting = [asyncio.create_task(self._accept(listening, make)) for listening in sockets or ()]

    async def shutdown(self, sockets: Sequence[socket.socket] | None = None) -> None:
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        while len(self.lobby):
            self.lobby.shed()
        await super().shutdown(sockets=list(sockets or ()))

    async def _accept(self, listening: socket.socket, make: Callable[[], asyncio.Protocol]) -> None:
        loop, pace = asyncio.get_running_loop(), Bucket(self._limits.arrivals, self._limits.rush)
        listening.setblocking(False)
        while True:
            while not pace.take():  # the others wait outside, where they cost nothing
                await asyncio.sleep(_BREATH)
            try:
                found, _ = await loop.sock_accept(listening)
                try:
                    await loop.connect_accepted_socket(make, found)
                except Exception:
                    found.close()
                    raise
            except OSError as problem:
                if problem.errno in _FULL:
                    LOG.warning("no more connections can be opened (%s); a stranger has to go", problem.strerror)
                    self.lobby.shed()
                await asyncio.sleep(_BREATH)
            except Exception:
                LOG.exception("a connection could not be let in")
                await asyncio.sleep(_BREATH)


_FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

_BREATH = 0.02
"""Seconds until the next connection is let in, where that is not at once."""
