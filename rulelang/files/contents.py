"""The files a game consists of and a hash of their contents, found without parsing and with light imports."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

MAX_BYTES = 1_000_000
"""Size of the largest file that is read, in bytes."""

MAX_LINE = 2_000
"""Length of the longest line, in characters."""

_LEVELS = 5
"""Number of folders above a file in which its game is looked for."""

_NAMED = re.compile(rb'from\s*"([^"\n]*)"')
"""The name of a csv file in rules."""


def rules_below(root: Path) -> list[Path]:
    """The rules files in a game's folder, in order, without hidden ones."""
    return sorted(
        p for p in root.rglob("*.rules") if not any(part.startswith(".") for part in p.parts[len(root.parts) :])
    )


def root_of(path: Path, unsaved: Mapping[Path, str] | None = None) -> Path | None:
    """The nearest folder above a file with a file that has a ``game`` header.

    ``unsaved``: texts that count instead of what is on disk, by resolved path.
    """
    unsaved = unsaved or {}
    for folder in path.resolve().parents[:_LEVELS]:
        new = [file for file in unsaved if file.parent == folder and file.suffix == ".rules"]
        for candidate in sorted({*folder.glob("*.rules"), *new}):
            text = unsaved.get(candidate)
            if _starts_with_game(candidate) if text is None else _is_game(text.split("\n", 200)):
                return folder
        if (folder / "pyproject.toml").exists():
            return None
    return None


def _starts_with_game(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            return _is_game(file.readline(MAX_LINE) for _ in range(200))
    except OSError:
        return False


def _is_game(lines: Iterable[str]) -> bool:
    """Whether the first line that is neither blank nor a comment begins a game."""
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return first.startswith("game ")


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
        for file in [*rules_below(root), path, *variants]:
            if file.is_dir():
                continue
            for name, content in _with_tables(file):
                digest.update(b"%d %d " % (len(name), len(content)))
                digest.update(name)
                digest.update(content)
    except (OSError, ValueError, RuntimeError):
        return None
    return digest.hexdigest()


def _with_tables(file: Path) -> Iterator[tuple[bytes, bytes]]:
    """The name and content of a rules file and of each csv file it names. Raises OSError or ValueError."""
    text = _content(file)
    yield os.fsencode(file), text
    for named in dict.fromkeys(_NAMED.findall(text)):
        table = file.parent / named.decode("utf-8")
        yield os.fsencode(table), _content(table) if table.is_file() else b""


def _content(file: Path) -> bytes:
    found = file.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_BYTES:
        raise OSError(f"{file} is not a file of a game")
    return file.read_bytes()
