"""Originals: the documents themselves, in the folder that the setting ``RULELANG_SOURCES`` names.

Their sentences belong to their publishers and stay outside the project. Everything that can work without them does.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from rulelang.files.contents import content

from .model import Document

SETTING = "RULELANG_SOURCES"

MAX_BYTES = 5_000_000
"""A document larger than this is not a rulebook."""

_HYPHEN = re.compile(r"(?<=\w)[-‐][ \t]*\n(?=[a-zà-ÿ])")


def documents_folder() -> Path | None:
    """The folder with the documents themselves: the setting ``RULELANG_SOURCES``; None when it is not set."""
    value = os.environ.get(SETTING, "").strip()
    return Path(value).expanduser() if value else None


def text_of(document: Document, folder: Path | None) -> tuple[str, ...] | None:
    """The lines of the document, or None when it is not in ``folder``."""
    data = bytes_of(document, folder)
    return None if data is None else split(data)


def bytes_of(document: Document, folder: Path | None) -> bytes | None:
    """The document's bytes, or None when there is no readable file of that name and of a sensible size."""
    if folder is None:
        return None
    try:
        return content(folder / document.file, None, MAX_BYTES)  # a name without folders; links in there are one's own
    except OSError:
        return None


def split(data: bytes) -> tuple[str, ...]:
    """The lines of a text, without line ends; a line end at the very end starts no further line."""
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return tuple(text.removesuffix("\n").split("\n"))


def digest(lines: Iterable[str]) -> str:
    """The hash of a passage: SHA-256 of its lines joined by line feeds, in UTF-8."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def joined(lines: Sequence[str]) -> str:
    """The lines as one text; words cut at the end of a line are whole again."""
    return _HYPHEN.sub("", "\n".join(lines))
