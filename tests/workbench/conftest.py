"""Small games on disk, and a command line that runs in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import browser
from small_games import PILE, SACK, SMALL, write_game

from workbench.cli import run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROKEN = PILE.replace("by n\n", "by m\n").replace("n <= left", "n <= lef")


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    return write_game(tmp_path / "pile", PILE, small=SMALL)


@pytest.fixture
def sack(tmp_path: Path) -> Path:
    return write_game(tmp_path / "sack", SACK)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return write_game(tmp_path / "broken", BROKEN)


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    yield from browser()


class Ran:
    """What a command line did: its exit status and what it wrote."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def data(self) -> Any:
        """What it wrote as JSON."""
        return json.loads(self.out)


@pytest.fixture
def rulelang(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Runs a command line in this process; ``typed`` are the lines for `input`, ``status`` is that of a test that
    wants no other."""

    def call(*arguments: object, typed: list[str] | None = None, status: int | None = None) -> Ran:
        lines = iter(typed or [])

        def read(prompt: str = "") -> str:
            print(prompt, end="")
            try:
                line = next(lines)
            except StopIteration:
                raise EOFError from None
            print(line)
            return line

        monkeypatch.setattr("builtins.input", read)
        capsys.readouterr()
        ended = run([str(a) for a in arguments])
        written = capsys.readouterr()
        assert status in (None, ended), written.err or written.out
        return Ran(ended, written.out, written.err)

    return call
