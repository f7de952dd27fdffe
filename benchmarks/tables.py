"""Tables in the browser: how soon a choice is on every screen, and how many games one server carries.

``python -m benchmarks.tables``: a server in a process of its own, and pages that are programs in this one. The pages
read every message, as browsers do, but draw nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
_TICK = 100
"""Clock ticks of a second in /proc, as on every Linux of today."""


@attrs.frozen
class Served:
    """A running server: its process, and the links of each table by who is to get them."""

    process: subprocess.Popen[str]
    links: list[dict[str, str]]

    def cpu(self) -> float:
        """Seconds of processor time that the server has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    def memory(self) -> int:
        """Bytes that the server holds in memory."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


@contextmanager
def served(*arguments: object, tables: int = 1) -> Iterator[Served]:
    """A server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "workbench.entry", "serve", "--port", "0", "--tables", str(tables),
            "--db", f"{folder}/bench.table", *map(str, arguments),
        ]  # fmt: skip
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            links: list[dict[str, str]] = [{}]
            assert process.stdout is not None
            for line in process.stdout:
                who, link = line.split()[-2:]
                links[-1][who] = link
                if who == "spectator":
                    if len(links) == tables:
                        break
                    links.append({})
            yield Served(process, links)
        finally:
            process.terminate()
            process.wait()


@attrs.define
class Screen:
    """A page at a table. ``at``: when the newest position came, ``seen``: it."""

    socket: ClientConnection
    seen: dict[str, Any] = attrs.field(factory=dict)
    at: float = 0.0

    @classmethod
    async def open(cls, link: str, width: int = 1200) -> Screen:
        base, token = link.split("/#")
        socket = await connect(base.replace("http", "ws") + "/socket", max_size=None)
        await socket.send(json.dumps({"kind": "hello", "token": token, "lang": "en", "width": width}))
        return cls(socket)

    async def position(self, turn: int) -> dict[str, Any]:
        """The position with this number, or a later one."""
        while self.seen.get("turn", 0) < turn:
            text = await self.socket.recv()
            self.at = time.perf_counter()
            message = json.loads(text)
            if message["kind"] == "position":
                self.seen = message
        return self.seen


async def delays(game: str, players: int, choices: int) -> dict[str, float]:
    """Seconds from a choice to the last of all screens of a table, one for each seat; and the server's work for it."""
    with served(game, "--players", players, "--seed", 7) as server:
        seats = [link for who, link in server.links[0].items() if who != "spectator"]
        screens = [await Screen.open(link) for link in seats]
        chance, turn, found, used = random.Random(1), 1, [], 0.0
        for number in range(choices):
            shown = await asyncio.gather(*(screen.position(turn) for screen in screens))
            (seat,) = shown[0]["turn of"]
            turn = shown[0]["turn"]
            option = chance.choice(shown[seat]["options"])["index"]
            before, begun = server.cpu(), time.perf_counter()
            await screens[seat].socket.send(json.dumps({"kind": "choose", "turn": turn, "option": option}))
            await asyncio.gather(*(screen.position(turn + 1) for screen in screens))
            if number:  # the first draws what is remembered afterwards
                found.append(max(screen.at for screen in screens) - begun)
                used += server.cpu() - before
            turn = max(screen.seen["turn"] for screen in screens)
        for screen in screens:
            await screen.socket.close()
    ordered = sorted(found)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[int(0.95 * len(ordered))],
        "most": ordered[-1],
        "cpu": used / len(ordered),
    }


async def crowd(game: str, players: int, tables: int, pace: float, seconds: float) -> dict[str, float]:
    """Many games of random bots at once, each watched by a page: how many choices are shown a second, and how late."""
    bots = ",".join(f"{seat}=random" for seat in range(1, players + 1))
    with served(game, "--players", players, "--seed", 7, "--bots", bots, "--pace", pace, tables=tables) as server:
        memory = server.memory()
        screens = [await Screen.open(links["spectator"], 400) for links in server.links]
        gaps: list[float] = []
        lost = 0
        until = time.perf_counter() + seconds
        used = server.cpu()

        async def watch(screen: Screen) -> int:
            nonlocal lost
            seen = 0
            while time.perf_counter() < until and not screen.seen.get("over"):
                last, before = screen.seen.get("at"), screen.at
                try:
                    async with asyncio.timeout(max(0.1, until - time.perf_counter())):
                        found = await screen.position(screen.seen.get("turn", 0) + 1)
                except TimeoutError:
                    break
                if last is not None:
                    gaps.append(screen.at - before)
                    seen += found["at"] - last
                    lost += found["since"] is None
            return seen

        begun = time.perf_counter()
        shown = sum(await asyncio.gather(*map(watch, screens)))
        took = time.perf_counter() - begun
        used = server.cpu() - used
        peak = server.memory()
        for screen in screens:
            await screen.socket.close()
    ordered = sorted(gaps)
    return {
        "choices a second": shown / took,
        "lost": lost,
        "gap median": statistics.median(ordered),
        "gap p99": ordered[int(0.99 * len(ordered))],
        "gap most": ordered[-1],
        "cpu share": used / took,
        "kB a game at first": memory / tables / 1024,
        "kB a game": peak / tables / 1024,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=__doc__)
    parser.add_argument("--game", default="rules/meduris")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--choices", type=int, default=60, help="of one table, to see how soon they are shown")
    parser.add_argument("--tables", type=int, default=200, help="games of random bots at once")
    parser.add_argument("--pace", type=float, default=2.0, help="seconds that bots wait")
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args(arguments)
    for name, value in asyncio.run(delays(given.game, given.players, given.choices)).items():
        print(f"a choice on {given.players} screens, {name}: {1000 * value:.0f} ms")
    if given.tables:
        found = asyncio.run(crowd(given.game, given.players, given.tables, given.pace, given.seconds))
        for name, value in found.items():
            print(f"{given.tables} games at once, {name}: {value:.2f}")


if __name__ == "__main__":
    main()
