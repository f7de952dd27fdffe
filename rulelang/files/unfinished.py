"""Files that are being written, so that none is left behind when the process has to end at once."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_open: set[str] = set()


def begin(path: str | Path) -> None:
    """The file is not finished; it is of no use to anybody until ``end``."""
    _open.add(os.fspath(path))


def end(path: str | Path) -> None:
    """The file is finished and has its name, or is gone."""
    _open.discard(os.fspath(path))


@contextlib.contextmanager
def being_written(path: str | Path) -> Iterator[None]:
    """The file is unfinished while the block runs."""
    begin(path)
    try:
        yield
    finally:
        end(path)


def remove_all() -> None:
    """Removes every unfinished file of this process, which is about to end."""
    for path in list(_open):
        with contextlib.suppress(OSError):
            os.unlink(path)
