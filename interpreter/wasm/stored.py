"""Machine code kept between runs, and the little that must be known to run it, in the user's cache folder.

An entry belongs to what was asked for: the contents of a game's files, variants, players and settings, and the code of
this project. Machine code is run as it is, so an entry counts only when nobody but the user can have written it and a
hash shows that it is whole; any other is made again. This module imports nothing heavy: with an entry at hand a
playout needs neither the rules nor the compiler.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rulelang import cache
from rulelang.contents import fingerprint

from .places import Places

if TYPE_CHECKING:
    from rulelang.program import Program

MOST_ENTRIES = 64
MOST_BYTES = 200 * 1024 * 1024
"""What is kept at most; the entries that were not used for the longest time go first."""

_MARK = b"rulelang machine code 1\n"
_HASH = 32
_LEFT_OVER = 3600.0
"""Seconds after which a file that is not finished will never be."""


class Facts(NamedTuple):
    """What is known of a game without its program. ``version``: the program's."""

    name: str
    title: str
    players: int
    rules: tuple[str, ...]
    version: str

    @classmethod
    def of(cls, program: Program) -> Facts:
        return cls(program.name, program.title, program.players, tuple(program.rules), program.version)


class Entry(NamedTuple):
    """Machine code of a module, as wasmtime serializes it, and where things lie in its memory."""

    facts: Facts
    places: Places
    code: bytes


class Origin:
    """Where a game comes from and what was asked for; what there is to it between runs.

    ``path``, ``players``, ``settings`` and ``variants`` as for ``rulelang.load``.
    """

    def __init__(
        self, path: str | Path, players: int | None, settings: Mapping[str, Any], variants: Sequence[str | Path]
    ) -> None:
        here = os.getcwd()
        # A variant that is no file is a name.
        files = [os.fspath(v) for v in variants]
        self._files = [Path(v) for v in files if os.path.isfile(v)]
        self._path = Path(path)
        self._asked = players, dict(settings), [os.path.join(here, v) if os.path.isfile(v) else v for v in files]
        self._place = os.path.join(here, self._path)
        self._question = repr((here, os.fspath(path), players, sorted(settings.items()), files))
        self._contents = fingerprint(self._path, self._files)

    def program(self) -> Program:
        """The checked program; raises what ``rulelang.load`` does."""
        import rulelang

        players, settings, variants = self._asked
        return rulelang.load(self._place, players=players, settings=settings, variants=variants)

    def get(self, *, steps: bool) -> Entry | None:
        """The entry for playouts or for steps, if there is one that can be trusted."""
        key = self._key(steps)
        file = _file(key)
        return None if key is None or file is None else _read(file, key)

    def put(self, entry: Entry, *, steps: bool) -> None:
        """Keeps an entry, unless the files have changed since the game was asked for."""
        key = self._key(steps)
        file = _file(key)
        if key is None or file is None or newest_code() >= _imported() or not self._unchanged():
            return
        record = {"key": key, "facts": entry.facts, "places": entry.places}
        head = json.dumps(record).encode()
        body = len(head).to_bytes(4, "little") + head + entry.code
        cache.write(file, _MARK + hashlib.sha256(body).digest() + body)
        _prune(file.parent)

    def _unchanged(self) -> bool:
        try:
            here = os.path.join(os.getcwd(), self._path)
        except OSError:
            return False
        return here == self._place and fingerprint(self._path, self._files) == self._contents

    def _key(self, steps: bool) -> str | None:
        if self._contents is None:
            return None
        whole = "\n".join((version(), self._question, self._contents, "steps" if steps else "playouts"))
        return hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()


# ---------------------------------------------------------------- the version of what makes machine code


@functools.cache
def version() -> str:
    """Tells one state of the code that makes modules and runs them from another: this project's, Python's, wasmtime's.

    Files are told apart by size and times, not by contents, which would take longer than all the rest.
    """
    digest = hashlib.sha256(repr((sys.version, os.name, sys.platform)).encode())
    for entry in _code():
        found = entry.stat()
        digest.update(repr((entry.path, found.st_size, found.st_mtime_ns, found.st_ctime_ns)).encode())
    return digest.hexdigest()
