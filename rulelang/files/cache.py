"""Cache between runs, to start faster: parsing tables, parsed files, machine code. It is safe to delete."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
from pathlib import Path
from typing import Any

_PARTS = (
    "syntax/grammar.lark",
    "syntax/tree.py",
    "syntax/build.py",
    "syntax/parse.py",
    "syntax/layout.py",
    "source.py",
)

TEMPORARY = "writing-"
"""Prefix of the names of unfinished files."""


@functools.cache
def folder() -> Path | None:
    """The cache folder; None if it is not writable."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    found = Path(base) / "rulelang"
    try:
        found.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return found if os.access(found, os.W_OK) else None


@functools.cache
def version() -> str:
    """A hash of everything that a parsed file depends on besides its text."""
    digest = hashlib.sha256(repr(sys.version_info).encode())
    for name in _PARTS:
        digest.update((Path(__file__).parents[1] / name).read_bytes())
    return digest.hexdigest()[:24]


def get(name: str, text: str) -> Any:
    """The value stored for this file with this text, or None."""
    import pickle

    where = _file(name)
    if where is None:
        return None
    try:
        with where.open("rb") as file:
            if file.readline().decode().strip() != _key(text):
                return None
            return pickle.load(file)
    except Exception:  # a damaged entry counts as none, whatever the damage
        return None


def put(name: str, text: str, value: Any) -> None:
    """Stores a value for a file: one entry per file, so that the cache does not grow with edits."""
    import pickle

    where = _file(name)
    if where is not None:
        write(where, _key(text).encode() + b"\n" + pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))


def write(where: Path, data: bytes) -> None:
    """Writes a file of the cache: all of it or nothing. A failure to write is ignored.

    Only the user may read and change it.
    """
    import tempfile

    try:
        handle, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=where.parent)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, where)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _key(text: str) -> str:
    return hashlib.sha256((version() + text).encode()).hexdigest()


def _file(name: str) -> Path | None:
    base = folder()
    if base is None:
        return None
    full = f"{os.getcwd()}\0{name}"
    return base / f"{hashlib.sha256(full.encode()).hexdigest()[:24]}.tree"
