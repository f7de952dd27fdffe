"""Files between runs that only the user can have written, and that a hash shows to be whole.

What is kept in the cache is run or unpickled as it is, so a file counts only when its folder and itself belong to the
user, nobody else may change them, and the hash of the contents agrees. Anything else is as good as no file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path

from . import unfinished

TEMPORARY = "writing-"
"""Prefix of the names of unfinished files."""

_HASH = 32


def folder(within: Path, name: str) -> Path | None:
    """A folder for such files, made if there is none; None where nothing can be kept in safety."""
    found = within / name
    try:
        found.mkdir(mode=0o700, exist_ok=True)
        return found if is_own(found.lstat(), stat.S_IFDIR) else None
    except OSError:
        return None


def is_own(found: os.stat_result, sort: int) -> bool:
    """Whether a file or folder belongs to the user and nobody else can change it."""
    if stat.S_IFMT(found.st_mode) != sort:
        return False
    if not hasattr(os, "geteuid"):  # Windows keeps the folders of users apart
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read(file: Path, mark: bytes) -> memoryview | None:
    """What ``write`` was given for this file with the same ``mark``; None if there is nothing that can be trusted."""
    try:
        # A link is not followed, and a pipe not waited for.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(file, flags), "rb") as opened:
            if not is_own(os.fstat(opened.fileno()), stat.S_IFREG):
                return None
            data = opened.read()
    except OSError:
        return None
    start = len(mark) + _HASH
    body = memoryview(data)[start:]
    return body if data[:start] == mark + hashlib.sha256(body).digest() else None


def write(file: Path, mark: bytes, body: bytes) -> None:
    """Writes a file: all of it or nothing. A failure to write is ignored. Only the user may read and change it."""
    import tempfile

    try:
        handle, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=file.parent)
    except OSError:
        return
    with unfinished.being_written(temporary):
        try:
            with os.fdopen(handle, "wb") as opened:
                opened.write(mark + hashlib.sha256(body).digest() + body)
            os.replace(temporary, file)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
