"""Desks in processes of their own, pages as programs, and saves as an editor makes them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from websockets.sync.client import connect

PATIENCE = 60


def save(folder: Path, before: str, after: str, name: str = "tic_tac_toe.rules") -> None:
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


@attrs.define
class Seen:
    """A page as a program; ``told``: the last of each kind."""

    socket: Any
    told: dict[str, Any] = attrs.field(factory=dict)
    number: int = 0

    def until(self, kind: str, wanted: Callable[[dict[str, Any]], object] = lambda message: True) -> dict[str, Any]:
        """The next message of a kind that is as it is wanted."""
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            self.told[message["kind"]] = message
            if message["kind"] == kind and wanted(message):
                return dict(message)

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"kind": kind, "id": str(self.number), **more}))
        return self.until("told", lambda message: message["id"] == str(self.number))

    def ready(self) -> Seen:
        """Once the first look is over."""
        self.until("examples", lambda message: not message["more"])
        return self


@contextmanager
def page(link: str, path: str = "desk", **more: Any) -> Iterator[Seen]:
    base, token = link.split("/#")
    with connect(f"{base.replace('http', 'ws')}/{path}") as socket:
        socket.send(json.dumps({"kind": "hello", "token": token, **more}))
        yield Seen(socket)


@contextmanager
def served(folder: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A desk in a process of its own, its link, and that to the texts alone."""
    command = [sys.executable, "-m", "workbench.entry", "desk", str(folder), "--no-browser", *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        link, texts = (process.stdout.readline().split()[1] for _ in range(2))
        yield process, link, texts
    finally:
        process.kill()
        process.communicate()


@contextmanager
def desk(folder: Path, *more: str) -> Iterator[str]:
    """The link of a desk in a process of its own."""
    with served(folder, *more) as (_, link, _):
        yield link
