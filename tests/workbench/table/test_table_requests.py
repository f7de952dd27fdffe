"""Requests that make no sense, byte by byte: each gets an answer that says so, and none a mistake of ours."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Any

import pytest
from browsing import PATIENCE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import RULES

from workbench.table.access import TableLimits

House = Any
TIC = RULES / "classics" / "tic_tac_toe"

PATHS = [
    "/",
    "/socket",
    "/rulebook/en",
    "/rulebook/1/en",
    "/page/main.js",
    "*",
    "foo",
    "http://x/",
    "//",
    "/%",
    "/%ff%00",
]
NAMES = ["Host", "Origin", "Upgrade", "Connection", "Content-Length", "Transfer-Encoding", "Expect", "X-Forwarded-For"]
NAMES += ["Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Cookie"]
VALUES = [b"127.0.0.1", b"http://[", b"http://\xff", b"//\xe2\x84\x80", b"websocket", b"Upgrade", b"13", b"0", b"5"]
VALUES += [
    b"-1",
    b"chunked",
    b"100-continue",
    b"permessage-deflate; x=y",
    b"AAAAAAAAAAAAAAAAAAAAAA==",
    b"http://127.0.0.1",
]

text = st.binary(max_size=40)
values = st.sampled_from(VALUES) | text
headers = st.lists(st.tuples(st.sampled_from([name.encode() for name in NAMES]) | text, values), max_size=6)
targets = st.sampled_from([path.encode() for path in PATHS]) | text.map(lambda tail: b"/rulebook/" + tail) | text
methods = st.sampled_from([b"GET", b"HEAD", b"POST", b"CONNECT", b"OPTIONS", b"PRI"]) | text
versions = st.sampled_from([b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9"]) | text
HANDSHAKE = [
    (b"Host", b"127.0.0.1"), (b"Upgrade", b"websocket"), (b"Connection", b"Upgrade"),
    (b"Sec-WebSocket-Version", b"13"), (b"Sec-WebSocket-Key", b"AAAAAAAAAAAAAAAAAAAAAA=="),
]  # fmt: skip


def request(method: bytes, target: bytes, version: bytes, lines: list[tuple[bytes, bytes]], body: bytes) -> bytes:
    first = b"%s %s %s\r\n" % (method, target, version)
    return first + b"".join(b"%s: %s\r\n" % line for line in lines) + b"\r\n" + body


requests = st.builds(request, methods, targets, versions, headers, text)
well_formed = st.builds(
    request, st.just(b"GET"), st.sampled_from([path.encode() for path in PATHS]), st.just(b"HTTP/1.1"),
    headers.map(lambda more: [*HANDSHAKE[:1], *more]), st.just(b""),
)  # fmt: skip
handshakes = st.builds(
    request, st.just(b"GET"), st.just(b"/socket"), st.just(b"HTTP/1.1"),
    headers.map(lambda more: [*HANDSHAKE, *more]), text,
)  # fmt: skip


def asked(address: str, words: bytes) -> bytes:
    """What a server answers to raw bytes."""
    host, port = address.rpartition("//")[2].split(":")
    with socket.create_connection((host, int(port)), PATIENCE) as line:
        found = b""
        with contextlib.suppress(ConnectionError):
            line.sendall(words)
            if b"\r\n\r\n" in words:  # who has nothing more to say hears the answer first
                found += line.recv(65536)
            with contextlib.suppress(OSError):  # it has been closed
                line.shutdown(socket.SHUT_WR)
            while piece := line.recv(65536):
                found += piece
        return found


EASY = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
FAST = TableLimits(requests=1e6, rush=1_000_000, arrivals=1e6, request=1.0)


@pytest.mark.parametrize("kind", [st.binary(max_size=300), requests, well_formed, handshakes])
def test_no_request_is_answered_with_a_mistake_of_ours(
    kind: st.SearchStrategy[bytes], house: Callable[..., House], caplog: pytest.LogCaptureFixture
) -> None:
    home = house(TIC, limits=FAST)

    @EASY
    @given(kind)
    def check(words: bytes) -> None:
        found = asked(home.address, words)
        status = found[9:12]
        assert found[:9] in (b"", b"HTTP/1.1 ") and not status.startswith(b"5"), (words, found)
        assert status or b"\r\n\r\n" not in words, "what has been said in full is answered"

    check()
    assert not [record for record in caplog.records if record.exc_info]
    assert home.tab(0).position(1)["at"] == 0


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (request(b"GET", b"/socket", b"HTTP/1.1", [*HANDSHAKE, (b"Origin", b"http://[")], b""), 403),
        (request(b"GET", b"/socket", b"HTTP/1.1", [*HANDSHAKE, (b"Origin", b"http://\xe2\x84\x80")], b""), 403),
        (request(b"GET", b"/socket", b"HTTP/1.1", [*HANDSHAKE, *2 * [(b"Origin", b"http://127.0.0.1")]], b""), 400),
        (request(b"GET", b"/socket", b"HTTP/1.1", [(b"Host", b"[::1"), *HANDSHAKE[1:]], b""), 421),
        (request(b"GET", b"/", b"HTTP/1.1", 2 * HANDSHAKE[:1], b""), 400),
        (request(b"GET", b"/", b"HTTP/1.1", [], b""), 400),
        (request(b"GET", b"/%ff%fe%zz", b"HTTP/1.1", HANDSHAKE[:1], b""), 404),
        (request(b"GET", b"/?%ff&&&=" + 500 * b"x", b"HTTP/1.1", HANDSHAKE[:1], b""), 200),
        (request(b"GET", b"/" + 20_000 * b"x", b"HTTP/1.1", HANDSHAKE[:1], b""), 400),
        (request(b"GET", b"/caf\xe9", b"HTTP/1.1", HANDSHAKE[:1], b""), 400),
        (request(b"GET", b"elsewhere", b"HTTP/1.1", HANDSHAKE[:1], b""), 400),
        (request(b"POST", b"/", b"HTTP/1.1", HANDSHAKE[:1], b""), 405),
        (request(b"GET", b"/", b"HTTP/1.1", [*HANDSHAKE[:1], (b"Content-Length", b"5")], b"hello"), 413),
        (request(b"GET", b"/", b"HTTP/1.1", [*HANDSHAKE[:1], (b"Transfer-Encoding", b"chunked")], b"0\r\n\r\n"), 413),
        (request(b"PUT", b"/", b"HTTP/1.1", [*HANDSHAKE[:1], (b"Content-Length", b"1000000")], 1_000_000 * b"x"), 405),
        (request(b"GET", b"/rulebook/" + 5_000 * b"9" + b"/en", b"HTTP/1.1", HANDSHAKE[:1], b""), 404),
        (request(b"GET", b"/rulebook/%d9%a1/en", b"HTTP/1.1", HANDSHAKE[:1], b""), 404),
        (request(b"GET", b"/rulebook/-1/en", b"HTTP/1.1", HANDSHAKE[:1], b""), 404),
        (request(b"GET", b"/rulebook/1/" + 3_000 * b"%00", b"HTTP/1.1", HANDSHAKE[:1], b""), 404),
        (request(b"GET", b"/rulebook/1/en", b"HTTP/1.1", HANDSHAKE[:1], b""), 200),
    ],
)
def test_what_is_wrong_is_said(words: bytes, status: int, house: Callable[..., House]) -> None:
    found = asked(house(TIC).address, words)
    assert found.startswith(b"HTTP/1.1 %d " % status), found
    assert found.partition(b"\r\n\r\n")[2], "it has words"
