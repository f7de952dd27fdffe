"""The files a game consists of: found without parsing and with light imports, read by one function, hashed.

A game may come from a stranger. So whatever reads one of its files does so by ``content``, which stays inside the
game's folder, whatever links, paths and devices lie in it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

KINDS = (".rules", ".look", ".md", ".toml", ".csv", ".json", ".txt")
"""Files of a game's folder that go with it wherever it is copied to."""

MAX_BYTES = 1_000_000
"""Size of the largest file that is read, in bytes."""

MAX_LINE = 2_000
"""Length of the longest line, in characters."""

_LEVELS = 5
"""Number of folders above a file in which its game is looked for."""

_DEEPEST = 16
"""Number of folders inside one another in which a game's files are looked for."""

_HEAD = 64_000
"""Bytes at the beginning of a file that hold its header, behind comments."""

_NAMED = re.compile(rb'from\s*"([^"\n]*)"')
"""The name of a csv file in rules."""


class Unreadable(OSError):
    """A file that is not read.

    ``strerror`` says why, in words that may follow "it cannot be read:"; ``remedy``: what to do.
    """

    def __init__(self, why: str, file: Path, remedy: str = "Rename it, or move it elsewhere.") -> None:
        super().__init__(errno.EINVAL, why, os.fspath(file))
        self.remedy = remedy


class TooLarge(Unreadable):
    """A file that is larger than any that is read."""

    def __init__(self, size: int, most: int, file: Path) -> None:
        super().__init__(f"it has {size:,} bytes, and at most {most:,} are read", file)
        self.size = size


def content(file: Path, within: Path | None, most: int = MAX_BYTES) -> bytes:
    """The contents of a file of a game.

    ``within``: the folder that must hold it, also after all links are followed; None for a file that somebody named
    and that belongs to no folder. Raises OSError: for what is not an ordinary file of at most ``most`` bytes, too.
    """
    with _opened(file, within, most) as opened:
        data = opened.read(most + 1)
    if len(data) > most:  # it grew, or its size is told wrongly
        raise TooLarge(len(data), most, file)
    return data


def _opened(file: Path, within: Path | None, most: int) -> BinaryIO:
    place = file if within is None else inside(file, within)
    _ordinary(os.stat(place), file, most)  # before it is opened, which can be enough to change a device
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if within is not None:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    opened = os.fdopen(os.open(place, flags), "rb")
    try:
        _ordinary(os.fstat(opened.fileno()), file, most)
    except OSError:
        opened.close()
        raise
    return opened


def inside(file: Path, within: Path) -> Path:
    """Where a file really is; it need not be there. Raises OSError where that is outside the folder."""
    try:
        base, place = within.resolve(), file.resolve()
    except RuntimeError:
        raise Unreadable("it is a link that leads to itself", file, "Remove it.") from None
    except ValueError as problem:
        raise Unreadable(f"{problem}", file) from None
    if base not in place.parents:
        why = "is a link that leads out of" if is_below(file, within) else "lies outside"
        remedy = "Copy what is meant into the game's folder, and take away the link."
        raise Unreadable(f"it {why} the game's folder", file, remedy)
    if not all(part.isprintable() for part in (file.name, *place.relative_to(base).parts)):
        raise Unreadable("its name has an invisible character in it", file, "Rename it in letters that can be seen.")
    return place


def leads_into(file: Path, within: Path) -> bool:
    """Whether a file lies in a folder, also after all links are followed; it need not be there."""
    try:
        inside(file, within)
    except OSError:
        return False
    return True


def is_below(file: Path, folder: Path) -> bool:
    """Whether a file's name stands in a folder or in one inside it, wherever links lead."""
    return Path(os.path.abspath(folder)) in Path(os.path.abspath(file)).parents


def _ordinary(found: os.stat_result, file: Path, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise Unreadable("it is a folder", file)
    if not stat.S_ISREG(found.st_mode):  # reading a pipe would wait for ever
        raise Unreadable("it is not an ordinary file", file)
    if found.st_size > most:
        raise TooLarge(found.st_size, most, file)


def home_of(file: Path) -> Path | None:
    """The folder that a file somebody named must not lead out of: its game's, by where the file's name stands.

    None where that is no game's; then a link is somebody's own.
    """
    try:
        return root_of(file.parent.resolve() / file.name, follow=False)
    except (OSError, RuntimeError, ValueError):
        return None


def files_below(root: Path, suffix: str) -> list[Path]:
    """The files in a game's folder whose names end so, in order: no hidden ones, and none behind a link to a folder."""
    found: list[Path] = []
    folders = [(root, 0)]
    while folders:
        folder, depth = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            if folder == root:
                raise
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.name.endswith(suffix):
                found.append(folder / entry.name)
            if depth < _DEEPEST and entry.is_dir(follow_symlinks=False):
                folders.append((folder / entry.name, depth + 1))
    return sorted(found)


def root_of(path: Path, unsaved: Mapping[Path, str] | None = None, *, follow: bool = True) -> Path | None:
    """The nearest folder above a file with a file that has a ``game`` header.

    ``unsaved``: texts that count instead of what is on disk, by resolved path. ``follow``: from where a link leads.
    """
    unsaved = unsaved or {}
    for folder in (path.resolve() if follow else path).parents[:_LEVELS]:
        new = [file for file in unsaved if file.parent == folder and file.suffix == ".rules"]
        for candidate in sorted({*folder.glob("*.rules"), *new}):
            text = unsaved.get(candidate)
            if (game_in(candidate, folder) if text is None else _header(text.split("\n", 200))) is not None:
                return folder
        if (folder / "pyproject.toml").exists():
            return None
    return None


def game_in(file: Path, within: Path) -> str | None:
    """The name of the game whose header a file begins with; None for any other file."""
    try:
        with _opened(file, within, MAX_BYTES) as opened:
            text = opened.read(_HEAD).decode("utf-8-sig", "replace")
    except OSError:
        return None
    return _header(text.split("\n", 200))


def _header(lines: Iterable[str]) -> str | None:
    """The name in the first line that is neither blank nor a comment, if that begins a game."""
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return first.removeprefix("game ").strip() if first.startswith("game ") else None


def fingerprint(path: Path, variants: Iterable[Path] = ()) -> str | None:
    """A hash of the names and contents of all files that make up a game and its variants.

    ``path``: the game's folder or one of its rules files. None if something cannot be read; loading the game then says
    what is wrong.
    """
    digest = hashlib.sha256()
    try:
        root = path if path.is_dir() else root_of(path)
        if root is None:
            return None
        for file in [*files_below(root, ".rules"), path, *variants]:
            if file.is_dir():
                continue
            for name, found in _with_tables(file, root):
                digest.update(b"%d %d " % (len(name), len(found)))
                digest.update(name)
                digest.update(found)
    except (OSError, ValueError, RuntimeError):
        return None
    return digest.hexdigest()


def _with_tables(file: Path, root: Path) -> Iterator[tuple[bytes, bytes]]:
    """The name and content of a rules file and of each csv file it names. Raises OSError or ValueError."""
    text = content(file, root if is_below(file, root) else None)
    yield os.fsencode(file), text
    for named in dict.fromkeys(_NAMED.findall(text)):
        table = file.parent / named.decode("utf-8")
        yield os.fsencode(table), content(table, root) if table.is_file() else b""
