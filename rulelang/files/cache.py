"""Cache between runs, to start faster: parsed files, machine code. It is safe to delete."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from pathlib import Path
from typing import Any

from . import guarded

_PARTS = (
    "syntax/grammar.lark",
    "syntax/tree/*.py",
    "syntax/automaton.py",
    "syntax/build.py",
    "syntax/makers.py",
    "syntax/parse.py",
    "syntax/rows.py",
    "syntax/layout.py",
    "structural.py",
    "source.py",
)

_MARK = b"rulelang parsed file 1\n"
_KEY = 32


@functools.cache
def folder() -> Path | None:
    """The cache folder; None if it is not writable."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    found = Path(base) / "rulelang"
    try:
        found.mkdir(parents=True, exist_ok=True)
        return found if os.access(found, os.W_OK) else None
    except (OSError, ValueError):
        return None


def room(name: str) -> Path | None:
    """A folder in the cache that only the user can write; None where there can be none."""
    base = folder()
    return None if base is None else guarded.folder(base, name)


@functools.cache
def version() -> str:
    """A hash of everything that a parsed file depends on besides its text."""
    digest = hashlib.sha256(repr(sys.version_info).encode())
    for pattern in _PARTS:
        for path in sorted(Path(__file__).parents[1].glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def get(name: str, text: str) -> Any:
    """The value stored for this file with this text, or None."""
    import pickle

    where = _file(name)
    body = None if where is None else guarded.read(where, _MARK)
    if body is None or body[:_KEY] != _key(text):
        return None
    try:
        return pickle.loads(body[_KEY:])
    except Exception:  # an entry that cannot be read counts as none, whatever the reason
        return None


def put(name: str, text: str, value: Any) -> None:
    """Stores a value for a file: one entry per file, so that the cache does not grow with edits."""
    import pickle

    where = _file(name)
    if where is not None:
        guarded.write(where, _MARK, _key(text) + pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))


def _key(text: str) -> bytes:
    return hashlib.sha256((version() + text).encode("utf-8", "surrogatepass")).digest()


def _file(name: str) -> Path | None:
    base = room("parsed")
    if base is None:
        return None
    full = f"{here()}\0{name}"
    return base / f"{hashlib.sha256(os.fsencode(full)).hexdigest()[:24]}.tree"


def here() -> str:
    """The working folder; empty when it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""
