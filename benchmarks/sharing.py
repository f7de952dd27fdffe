"""Shared pages in Chromium: ``python -m benchmarks.sharing rules/babel:2 rules/meduris:3 [--width 390]``.

Each game is put into one page and opened from its file, with bots that do not wait. Printed are the size of the file,
the processor time of all of the browser's processes until the table is ready and how long that takes, the median time
from a click to the next picture, and the memory of the page's own process, once it is ready and at most during 25
choices. The page is asked over the debugging protocol for nothing but the values of expressions: what else an inspector
keeps would count, too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import attrs
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
_TICK = 100
"""Clock ticks of a second in /proc, as on every Linux of today."""
_CHOICES = 25
_PATIENCE = 120

_READY = (
    "document.readyState === 'complete' && !document.body.classList.contains('preparing')"
    " && document.querySelector('#dock.mine') !== null"
)
_WATCH = """
window.times = [];
new MutationObserver(() => {
  const from = window.from;
  window.from = undefined;
  if (from) requestAnimationFrame(() => requestAnimationFrame(() => times.push(performance.now() - from)));
}).observe(document.getElementById("picture"), { childList: true, subtree: true, attributes: true });
"""
_CHOOSE = """(() => {
  const cover = document.querySelector("#cover[open] button");
  if (cover) return cover.click(), 0;
  const all = document.querySelector("#dock details");
  if (all) all.open = true;
  const found = [...document.querySelectorAll("#dock button.option, #dock .options button, #dock .line button")];
  const able = found.filter((one) => !one.disabled);
  const one = document.querySelector("#dock button.main:enabled") ?? able[Math.floor(Math.random() * able.length)];
  if (!one || !document.querySelector("#dock.mine")) return 0;
  window.from = performance.now();
  one.click();
  return 1;
})()"""


@attrs.define
class Opened:
    """A page in a browser of its own."""

    process: subprocess.Popen[str]
    socket: ClientConnection
    asked: int = 0

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """Calls a method of the debugging protocol."""
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": given}))
        while (told := json.loads(self.socket.recv())).get("id") != self.asked:
            pass
        return dict(told["result"])

    def value(self, expression: str) -> Any:
        """The value of an expression in the page; None for one that fails."""
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def processes(self) -> list[int]:
        """The browser's processes."""
        children: dict[int, list[int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                children.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(
                    int(stat.parent.name)
                )
        found = [self.process.pid]
        for one in found:
            found += children.get(one, [])
        return found

    def cpu(self) -> float:
        """Seconds of processor time that all of them have used."""
        total = 0
        for one in self.processes():
            with suppress(OSError):
                fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
                total += int(fields[11]) + int(fields[12])
        return total / _TICK

    def memory(self) -> float:
        """Megabytes that the largest process of pages has for itself."""
        most = 0
        for one in self.processes():
            with suppress(OSError):
                if "type=renderer" in Path(f"/proc/{one}/cmdline").read_text():
                    lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
                    most = max(most, sum(int(line.split()[1]) for line in lines if line.startswith("Private_")))
        return most / 1024


@contextmanager
def opened(page: Path, width: int) -> Iterator[Opened]:
    """A page, opened by a browser that has just been started."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("this needs Chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            f"--user-data-dir={profile}", f"--window-size={width},800", "--remote-debugging-port=0", "about:blank",
        ]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            assert process.stderr is not None
            port = next(line for line in process.stderr if "ws://" in line).split("127.0.0.1:")[1].split("/")[0]
            tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
            link = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
            with connect(link, max_size=None) as socket:
                found = Opened(process, socket)
                time.sleep(1)
                yield found
        finally:
            process.terminate()
            process.wait()


def measured(page: Path, width: int) -> str:
    """A row of the table."""
    with opened(page, width) as seen:
        before, begun = seen.cpu(), time.monotonic()
        end = begun + _PATIENCE
        seen.call("Page.navigate", url=page.as_uri())
        while not seen.value(_READY) and time.monotonic() < end:
            time.sleep(0.1)
        cpu, wall, first = seen.cpu() - before, time.monotonic() - begun, seen.memory()
        seen.value(_WATCH)
        most, made = first, 0
        while made < _CHOICES and time.monotonic() < end:
            made += seen.value(_CHOOSE) or 0
            time.sleep(0.35)
            most = max(most, seen.memory())
        painted = statistics.median(seen.value("times") or [float("nan")])
        size = page.stat().st_size / 1e6
        return f"{size:.1f} MB | {cpu:.1f} s in {wall:.1f} s | {painted:.0f} ms | {first:.0f}, {most:.0f} MB"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints a row for each game."""
    parser = argparse.ArgumentParser("python -m benchmarks.sharing")
    parser.add_argument("games", nargs="+", metavar="PATH:PLAYERS")
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--runtime", help="where Pyodide and wabt are, as for `rulelang share`")
    given = parser.parse_args(arguments)
    for game in given.games:
        path, _, players = game.rpartition(":")
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "game.html"
            command = [
                sys.executable,
                "-m",
                "workbench.entry",
                "share",
                str(Path(path).resolve()),
                "--players",
                players,
            ]
            command += ["--pace", "0", "--out", str(page), *(["--runtime", given.runtime] if given.runtime else [])]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            print(f"| {Path(path).name}, {players} | {measured(page, given.width)} |", flush=True)


if __name__ == "__main__":
    main()
