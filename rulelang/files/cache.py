"""Files kept between runs, to start faster: machine code. They are safe to delete.

Such a file is run as it is, so it counts only where the user alone can have put it: in an absolute folder that nobody
else may change, and under a seal made with a secret of that folder on that disk. A file that came with an archive, or
from another machine, is as good as none.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
from pathlib import Path

from . import unfinished

TEMPORARY = "writing-"
"""Prefix of the names of unfinished files."""

SECRET = "secret"
"""Name of the file in each folder that the seals are made with."""

_LENGTH = 32
"""Bytes of a secret, and of a seal."""


@functools.cache
def folder() -> Path | None:
    """The user's cache folder; None where there can be none.

    Paths that are not absolute do not count, as the XDG Base Directory Specification demands: they would lead into
    whatever folder the user happens to be in.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):
        return None
    try:
        os.makedirs(base, mode=0o700, exist_ok=True)
    except (OSError, ValueError):
        return None
    return _own_folder(Path(base) / "rulelang")


def room(name: str) -> Path | None:
    """A folder in the cache that only the user can look into; None where there can be none."""
    base = folder()
    return None if base is None else _own_folder(base / name)


def _own_folder(found: Path) -> Path | None:
    try:
        found.mkdir(mode=0o700, exist_ok=True)
        status = found.lstat()
        if not _is_own(status, stat.S_IFDIR):
            return None
        if os.name == "posix" and status.st_mode & 0o077:
            found.chmod(0o700)
        return found
    except OSError:
        return None


def _is_own(found: os.stat_result, sort: int) -> bool:
    """Whether a file or folder belongs to the user and nobody else can change it."""
    if stat.S_IFMT(found.st_mode) != sort:
        return False
    if not hasattr(os, "geteuid"):  # Windows keeps the folders of users apart
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read(file: Path, mark: bytes) -> memoryview | None:
    """What ``write`` was given for this file with the same ``mark``; None if there is nothing that can be trusted."""
    found = _content(file)
    secret = _secret(file.parent) if found is not None else None
    if found is None or secret is None:
        return None
    data, _ = found
    start = len(mark) + _LENGTH
    body = memoryview(data)[start:]
    return body if data[:start] == mark + _seal(secret, body) else None


def write(file: Path, mark: bytes, body: bytes) -> None:
    """Writes a file: all of it or nothing. A failure to write is ignored. Only the user may read and change it."""
    import tempfile

    secret = _secret(file.parent) or _new_secret(file.parent)
    if secret is None:
        return
    try:
        handle, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=file.parent)
    except OSError:
        return
    with unfinished.being_written(temporary):
        try:
            with os.fdopen(handle, "wb") as opened:
                opened.write(mark + _seal(secret, body) + body)
            os.replace(temporary, file)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _content(file: Path) -> tuple[bytes, os.stat_result] | None:
    """The contents of a file of the user's own."""
    try:
        # A link is not followed, and a pipe not waited for.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(file, flags), "rb") as opened:
            status = os.fstat(opened.fileno())
            return (opened.read(), status) if _is_own(status, stat.S_IFREG) else None
    except OSError:
        return None


def _seal(secret: bytes, body: bytes | memoryview) -> bytes:
    return hashlib.blake2b(body, digest_size=_LENGTH, key=secret).digest()


def _secret(within: Path) -> bytes | None:
    """What the seals of a folder are made with.

    The number of its file and the time at which it came to be are part of it. Neither can be brought along, so whoever
    packs a whole folder, secret included, cannot know the one that will count where it is unpacked.
    """
    found = _content(within / SECRET)
    if found is None or len(found[0]) != _LENGTH:
        return None
    random, status = found
    return random + status.st_ino.to_bytes(16, "little")[:16] + status.st_ctime_ns.to_bytes(16, "little")


def _new_secret(within: Path) -> bytes | None:
    file = within / SECRET
    try:
        if file.is_dir() and not file.is_symlink():
            file.rmdir()
        else:
            file.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(file, flags, 0o600), "wb") as opened:
            opened.write(os.urandom(_LENGTH))
    except OSError:
        return None
    return _secret(within)


def here() -> str:
    """The working folder; empty when it has been removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""
