"""Servers in processes of their own, and pages that are programs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import connect


def run_apart(main: Coroutine[Any, Any, None]) -> None:
    """Runs something in an event loop of its own, on another thread: browsers have one on this."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, main).result()


@contextmanager
def served(
    *arguments: object, files: int | None = None
) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:  # fmt: skip
    """A server in a process of its own, and its links by who is to get them. ``files``: how many it may open."""
    command = [sys.executable, "-m", "workbench.entry", "serve", "--port", "0", *map(str, arguments)]
    if files is not None:
        command = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stderr is not None
        links = {}
        for line in process.stdout:
            who, link = line.split()
            links[who] = link
            if who == "spectator":
                break
        yield process, links
    finally:
        process.kill()
        process.communicate()


@contextmanager
def opened(link: str) -> Iterator[Any]:
    """A page with a link."""
    base, token = link.split("/#")
    with connect(base.replace("http", "ws") + "/socket") as socket:
        socket.send(json.dumps({"kind": "hello", "token": token}))
        yield socket


def shown(socket: Any, turn: int) -> dict[str, Any]:
    """The position with this number, or a later one."""
    while True:
        message = json.loads(socket.recv(60))
        if message["kind"] == "position" and message["turn"] >= turn:
            return dict(message)
