"""Files of games that are not finished: each is locked by the process that writes it, and removed once that is dead."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from types import ModuleType

from rulelang.files import unfinished

locks: ModuleType | None
try:
    import fcntl as locks
except ImportError:  # Windows: nobody can remove a file that is open there, so no lock is needed
    locks = None

_ENDING = ".part"


def begin(target: Path) -> tuple[Path, int]:
    """A new file beside ``target`` and the descriptor that keeps it locked. Raises OSError."""
    while True:
        path = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_ENDING}")
        # Not a temporary file of the library's, so that it gets the usual permissions of a new file.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        unfinished.begin(path)
        try:
            if _lock(descriptor) and _is_still(path, descriptor):
                return path, descriptor
        except OSError:  # a file system without locks: nobody removes the file either
            return path, descriptor
        end(path, descriptor)  # another process took it for left over before it was locked


def end(path: Path, descriptor: int) -> None:
    """The file is finished and has its name, or is gone."""
    unfinished.end(path)
    with contextlib.suppress(OSError):
        os.close(descriptor)


def remove(target: Path) -> None:
    """Removes what killed processes have left of files that were to become ``target``."""
    for path in target.parent.glob(f".{_escaped(target.name)}.*{_ENDING}"):
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            try:
                if _lock(descriptor):
                    path.unlink()
            finally:
                os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Whether the file is locked for this process now, so that no other one writes it. Raises OSError."""
    if locks is None:
        return True
    try:
        locks.flock(descriptor, locks.LOCK_EX | locks.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "[?*" else c for c in name)
