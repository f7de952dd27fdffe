"""Strangers at the table's door: how much longer players wait for a choice while others besiege the server.

``python -m benchmarks.strangers``: a server in a process of its own, two pages that play in this one, and besiegers in
a third. Every figure is a ratio to the same server at rest in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

from websockets.exceptions import WebSocketException

from .tables import Screen, served

GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
UPGRADE = (
    b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"
HELLO = b"\x81\xa4\0\0\0\0" + b'{"kind": "hello", "token": "' + b"xxxxxx" + b'"}'


async def _hold(port: int, words: bytes) -> None:
    """Opens a connection, says something, and waits until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(words)
        while await reader.read(65536):
            pass
    finally:
        writer.transport.abort()


async def _repeat(port: int, words: bytes) -> None:
    """Asks again and again over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while True:
            writer.write(words)
            if not await reader.read(65536):
                return
    finally:
        writer.transport.abort()


async def _pour(port: int, first: bytes, words: bytes) -> None:
    """Sends without end, and listens to nothing."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(first)
        while True:
            writer.write(words)
            await writer.drain()
            await asyncio.sleep(0)
    finally:
        writer.transport.abort()


async def _compute(port: int) -> None:
    """Besieges nobody, and is as busy as those who do."""
    while True:
        sum(range(100_000))
        await asyncio.sleep(0)


SIEGES: dict[str, tuple[int, Callable[[int], Awaitable[None]]]] = {
    "process that only computes": (1, _compute),
    "half a request": (1500, lambda port: _hold(port, b"GET / HTTP/1.1\r\nX: y")),
    "nothing at all": (1500, lambda port: _hold(port, b"")),
    "sockets without a hello": (1500, lambda port: _hold(port, UPGRADE)),
    "garbage": (300, lambda port: _hold(port, os.urandom(4000))),
    "one request after another": (300, lambda port: _repeat(port, GET)),
    "requests in a heap": (100, lambda port: _pour(port, GET, 100 * GET)),
    "pings without end": (100, lambda port: _pour(port, UPGRADE, 1000 * PING)),
    "wrong links": (300, lambda port: _hold(port, UPGRADE + HELLO)),
}
"""Ways to besiege a server: how many at a time, and what each of them does; when it is sent away it comes again."""


def _besiege(port: int, name: str) -> None:
    number, act = SIEGES[name]

    async def one() -> None:
        while True:
            try:
                await act(port)
            except OSError:
                await asyncio.sleep(0.05)

    async def all_of_them() -> None:
        await asyncio.gather(*(one() for _ in range(number)))

    asyncio.run(all_of_them())


async def _choices(screens: Sequence[Screen], number: int) -> list[float]:
    """Seconds from a choice to when it is on both screens."""
    found: list[float] = []
    while len(found) < number:
        turn = max(screen.seen.get("turn", 1) for screen in screens)
        shown = await asyncio.gather(*(screen.position(turn) for screen in screens))
        begun = time.perf_counter()
        if shown[0]["over"]:
            await screens[0].socket.send(json.dumps({"kind": "again"}))
        else:
            choice = {"kind": "choose", "turn": turn, "option": 0}
            await screens[shown[0]["turn of"][0]].socket.send(json.dumps(choice))
        await asyncio.gather(*(screen.position(turn + 1) for screen in screens))
        found.append(max(screen.at for screen in screens) - begun)
    return found


async def _entered(link: str) -> float:
    """Seconds until somebody with a link is shown the table, who tries again as pages do."""
    begun = time.perf_counter()
    while (waited := time.perf_counter() - begun) < _MOST:
        try:
            async with asyncio.timeout(_MOST - waited):
                screen = await Screen.open(link)
                await screen.position(1)
                await screen.socket.close()
                return time.perf_counter() - begun
        except (OSError, EOFError, WebSocketException):
            await asyncio.sleep(0.1)
        except TimeoutError:
            break
    return math.inf


_MOST = 20.0
"""Seconds after which nobody tries any more."""


async def measured(game: str, choices: int, names: Sequence[str]) -> Iterator[tuple[str, float, float, float]]:
    """For each siege, and none: the median and the most seconds of a choice, and seconds until one more is let in."""
    found = []
    with served(game, "--players", 2, "--seed", 7, "--pace", 0) as server:
        *seats, watching = server.links[0].values()
        port = int(watching.rpartition("/")[0].rpartition(":")[2])
        screens = [await Screen.open(link, 400) for link in seats]
        await _choices(screens, 5)
        for name in ("", *names):
            siege = multiprocessing.get_context("spawn").Process(target=_besiege, args=(port, name), daemon=True)
            if name:
                siege.start()
                await asyncio.sleep(4)
            times = await _choices(screens, choices)
            found.append((name, statistics.median(times), max(times), await _entered(watching)))
            if name:
                siege.kill()
                siege.join()
                await asyncio.sleep(2)
        for screen in screens:
            await screen.socket.close()
    return iter(found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strangers", description=__doc__)
    parser.add_argument("--game", default="rules/classics/reversi")
    parser.add_argument("--choices", type=int, default=40)
    parser.add_argument("--siege", choices=list(SIEGES), action="append", help="only these")
    given = parser.parse_args(arguments)
    names = given.siege or list(SIEGES)
    (_, median, slowest, entering), *besieged = asyncio.run(measured(given.game, given.choices, names))
    print(
        f"at rest: a choice is on both screens after {1000 * median:.0f} ms (the slowest {1000 * slowest:.0f}),"
        f" one more page after {entering:.2f} s"
    )
    for name, usual, most, entered in besieged:
        print(
            f"{SIEGES[name][0]} x {name}: choices x {usual / median:.1f} (the slowest {1000 * most:.0f} ms),"
            f" one more page x {entered / entering:.1f}"
        )


if __name__ == "__main__":
    main()
