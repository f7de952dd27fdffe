"""Strangers at the door: they hold connections, say half of what they want, or far too much, and keep nobody out."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import http.client
import json
import logging
import os
import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from browsing import PATIENCE
from paths import RULES
from serving import opened, run_apart, served, shown
from websockets.exceptions import ConnectionClosed

from workbench.table import address, server
from workbench.table.access import TableLimits, WaitingTurns
from workbench.table.door import Doorkeeper, Lobby, Visitor, network

House = Any
TIC = RULES / "classics" / "tic_tac_toe"
HALF = b"GET / HTTP/1.1\r\nX: y"
UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
GET = b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@contextlib.contextmanager
def besieged(address: str, words: bytes, number: int = 1) -> Iterator[list[socket.socket]]:
    """So many connections that have said something, and stay."""
    host, _, port = address.rpartition("//")[2].partition("/")[0].rpartition(":")
    held: list[socket.socket] = []
    try:
        for _ in range(number):
            held.append(socket.create_connection((host, int(port)), PATIENCE))
            with contextlib.suppress(OSError):  # it may have been sent away already
                held[-1].sendall(words)
        yield held
    finally:
        for each in held:
            each.close()


def answer(line: socket.socket) -> bytes:
    """All that is said until the connection is closed."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := line.recv(65536):
            found += piece
    return found


# ---------------------------------------------------------------- at a real server


@pytest.mark.skipif(os.name == "nt", reason="Windows does not bound the files of a process")
@pytest.mark.parametrize("words", [b"", HALF, UPGRADE, GET])
def test_more_connections_than_a_process_may_open_keep_nobody_out(words: bytes, tmp_path: Path) -> None:
    with served(TIC, "--db", tmp_path / "some.table", files=128) as (process, links), contextlib.ExitStack() as stack:
        x = stack.enter_context(opened(links["x"]))
        assert shown(x, 1)["turn"] == 1
        stack.enter_context(besieged(links["x"], words, 200))
        o = stack.enter_context(opened(links["o"]))
        shown(o, 1)
        x.send(json.dumps({"kind": "choose", "turn": 1, "option": 4}))
        assert shown(o, 2)["at"] == 1
        process.terminate()
        _, logged = process.communicate(timeout=PATIENCE)
        assert len(logged) < 2_000, logged


def test_who_is_gone_in_the_middle_of_an_answer_leaves_no_trace_of_an_error(tmp_path: Path) -> None:
    with served(TIC, "--db", tmp_path / "some.table") as (process, links):
        for _ in range(100):
            with besieged(links["x"], GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")) as (line,):
                assert line.recv(1) == b"H"
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closed by a reset
        with opened(links["x"]) as x:
            assert shown(x, 1)["turn"] == 1
        process.terminate()
        _, logged = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in logged, logged


def test_half_a_request_is_waited_for_a_while(house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(request=0.2))
    with besieged(home.address, HALF, 3) as held:
        assert all(answer(line).startswith(b"HTTP/1.1 408 ") for line in held)


def test_a_request_that_never_ends_is_not_waited_for(house: Callable[..., House]) -> None:
    home = house(TIC)
    with besieged(home.address, b"GET / HTTP/1.1\r\nHost: x\r\nX: ") as (line,):
        with contextlib.suppress(OSError):
            while True:
                line.sendall(b"y" * 1000)
        assert answer(line)[:12] in (b"HTTP/1.1 400", b"")


def test_who_asks_in_a_heap_is_answered_once(house: Callable[..., House]) -> None:
    with besieged(house(TIC).address, 20 * GET) as (line,):
        assert answer(line).count(b"HTTP/1.1 ") == 1


def test_one_request_after_another_is_answered(house: Callable[..., House]) -> None:
    line = http.client.HTTPConnection(house(TIC).address.rpartition("//")[2], timeout=PATIENCE)
    line.connect()
    own = line.sock
    for path, status in (("/", 200), ("/nothing", 404), ("/page/main.js", 200)):
        line.request("GET", path)
        answered = line.getresponse()
        assert answered.status == status and answered.read() and line.sock is own
    line.close()


@pytest.mark.parametrize("words", [HALF, UPGRADE, GET])
def test_strangers_make_room_for_those_with_a_link(words: bytes, house: Callable[..., House]) -> None:
    home = house(TIC, limits=TableLimits(strangers=8))
    first = home.tab(0)
    first.position(1)
    with besieged(home.address, words, 40):
        second = home.tab(1)
        second.position(1)
        first.send("choose", turn=1, option=0)
        assert second.position(2)["at"] == 1
        assert len(home.serving.lobby) <= 8


def test_what_no_page_sends_ends_the_connection_and_no_other(house: Callable[..., House]) -> None:
    home = house(TIC)
    watch = home.tab("watch")
    watch.position(1)
    with besieged(home.address, UPGRADE) as (stranger,):
        assert stranger.recv(4096).startswith(b"HTTP/1.1 101 ")
        stranger.sendall(struct.pack("!BB4x", 0x89, 0x80))
        assert answer(stranger) == b""
    rude = home.tab(0)
    rude.position(1)
    with pytest.raises(ConnectionClosed):
        while True:
            rude.socket.ping()
    watch.send("note", text="still here")
    assert watch.next("noted")["notes"]


# ---------------------------------------------------------------- who stands where


@attrs.define(eq=False)
class Line:
    """A connection that does nothing but note what is done with it."""

    is_gone: bool = False
    is_read: bool = True

    def abort(self) -> None:
        self.is_gone = True

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True


def come(lobby: Lobby, address: str, number: int = 1) -> list[Visitor]:
    visitors = [Visitor(network(address), Line(), lobby) for _ in range(number)]  # type: ignore[arg-type]
    for visitor in visitors:
        lobby.new.add(visitor)
    return visitors


def gone(visitors: list[Visitor]) -> list[bool]:
    return [visitor.line.is_gone for visitor in visitors]  # type: ignore[attr-defined]


def test_the_oldest_goes() -> None:
    lobby = Lobby(TableLimits(strangers=12))
    visitors = come(lobby, "127.0.0.1", 5)
    assert gone(visitors) == [True, True, False, False, False] and len(lobby) == 3


def test_a_crowd_from_one_address_takes_nobody_elses_place() -> None:
    lobby = Lobby(TableLimits(strangers=40))
    one, crowd = come(lobby, "192.0.2.1"), come(lobby, "192.0.2.2", 50)
    assert gone(one) == [False] and sum(gone(crowd)) == 41
    many = [come(lobby, f"2001:db8:0:{number:x}::1")[0] for number in range(8)]
    assert gone(one + many) == [False] * 9


def test_a_neighbourhood_has_less_room_than_all_but_this_machine_has_not() -> None:
    limits = TableLimits(strangers=400, neighbours=5)
    assert sum(gone(come(Lobby(limits), "192.0.2.1", 20))) == 15
    assert sum(gone(come(Lobby(limits), "127.0.0.1", 20))) == 0


def test_who_has_shown_a_link_is_no_stranger() -> None:
    lobby = Lobby(TableLimits(strangers=4))
    (known,) = come(lobby, "192.0.2.1")
    known.admit()
    assert sum(gone(come(lobby, "192.0.2.1", 9))) == 8 and gone([known]) == [False]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::1%eth1", True),
        ("", "no address", False),
        ("::1", "::2", False),
    ],
)
def test_what_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same


def test_those_who_wait_are_answered_in_turn_by_address_and_not_read_meanwhile() -> None:
    async def wait() -> None:
        lobby = Lobby(TableLimits(requests=0.001, rush=1))
        crowd, (one,) = come(lobby, "192.0.2.1", 4), come(lobby, "192.0.2.2")
        answered: list[str] = []

        async def asks(visitor: Visitor) -> None:
            if await visitor.turn(None):
                answered.append(visitor.address)

        tasks = [asyncio.create_task(asks(visitor)) for visitor in (*crowd, one)]
        while len(answered) < 1:
            await asyncio.sleep(0)
        assert len(lobby.waiting) == 4 and len(lobby.answered) == 1
        assert [visitor.line.is_read for visitor in (*crowd, one)].count(False) == 4  # type: ignore[attr-defined]
        lobby._bucket.rate = 1e9
        lobby._call()
        await asyncio.gather(*tasks)
        assert answered.index("192.0.2.2") == 2 and len(answered) == 5

    run_apart(wait())


def test_who_waits_in_a_queue_keeps_its_place() -> None:
    async def wait() -> None:
        lobby = Lobby(TableLimits(strangers=8, requests=0.001, rush=0))
        early, late = come(lobby, "192.0.2.1"), come(lobby, "192.0.2.1")
        tasks = [asyncio.create_task(visitor.turn(None)) for visitor in (*early, *late)]
        await asyncio.sleep(0)
        last = come(lobby, "192.0.2.1")
        assert await last[0].turn(None) is False
        assert gone(early + late + last) == [False, False, True]
        for task in tasks:
            task.cancel()

    run_apart(wait())


def test_who_comes_through_another_server_is_told_apart() -> None:
    async def wait() -> None:
        lobby = Lobby(TableLimits(neighbours=2))
        for visitor in come(lobby, "127.0.0.1", 5):
            await visitor.turn("192.0.2.7")
        assert len(lobby.answered) == 2 and len(lobby.new) == 0

    run_apart(wait())


def test_turns_go_round() -> None:
    turns: WaitingTurns[str] = WaitingTurns()
    for name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        turns.put(name[0], name)
    assert [turns.take() for _ in range(7)] == ["a1", "b1", "c1", "a2", "b2", "a3", None]


# ---------------------------------------------------------------- the process


def test_a_stranger_has_to_go_when_no_more_files_can_be_opened(caplog: pytest.LogCaptureFixture) -> None:
    async def accept() -> None:
        door = Doorkeeper(server.server_of(None, TableLimits()).config, TableLimits())  # type: ignore[arg-type]
        visitors = come(door.lobby, "192.0.2.1", 3)
        loop, tried = asyncio.get_running_loop(), 0

        async def full(listening: socket.socket) -> Any:
            nonlocal tried
            tried += 1
            if tried > 2:
                await asyncio.Event().wait()
            raise OSError(errno.EMFILE, "Too many open files")

        loop.sock_accept = full  # type: ignore[method-assign]
        with socket.create_server(("127.0.0.1", 0)) as listening:
            task = asyncio.create_task(door._accept(listening, asyncio.Protocol))
            while tried < 3:
                await asyncio.sleep(0.001)
            task.cancel()
        assert gone(visitors) == [True, True, False]

    run_apart(accept())


def test_a_message_that_comes_again_and_again_is_logged_seldom() -> None:
    now = 0.0
    seldom = server.Seldom(most=2, period=60, clock=lambda: now)

    def logged(text: str, *values: object, line: int = 1) -> str | None:
        record = logging.LogRecord("a", logging.WARNING, "file", line, text, values, None)
        return record.getMessage() if seldom.filter(record) else None

    assert [logged("%s was here", number) for number in range(5)] == ["0 was here", "1 was here", None, None, None]
    assert logged("another", line=2) == "another"
    now = 61
    assert logged("%s was here", 5) == "5 was here (and 3 more in the last minutes)"
    assert logged("%s was here", 6) == "6 was here"
    assert logged("%s was here", 7) is None
    for number in range(1_000):
        logged(f"{number}", line=number)
    assert len(seldom._seen) <= 202


@pytest.mark.parametrize(
    ("soft", "hard", "connections", "strangers"),
    [(1024, 1 << 20, 2000, 400), (1 << 20, 1 << 20, 2000, 400), (1024, 1024, 720, 240), (128, 128, 48, 16)],
)
def test_limits_fit_the_files_that_may_be_opened(
    soft: int, hard: int, connections: int, strangers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource", reason="this system does not bound the files of a process")
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda which, both: asked.append(both))
    found = server.fitted(TableLimits())
    assert (found.connections, found.strangers) == (connections, strangers)
    assert asked in ([], [(min(2464, hard), hard)])


def test_what_is_sent_does_not_wait_for_more() -> None:
    """asyncio switches that off only for sockets that name their protocol."""
    with address.bound("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
