"""The symbols that looks may name: the drawings of game-icons.net, one path each on a square of 512 units.

They are by Lorc, Delapouite and contributors, under the licence CC BY 3.0; see ``data/CREDITS.md``.
"""

from __future__ import annotations

import functools
import re
import zipfile
from pathlib import Path

_FILE = Path(__file__).parent.parent / "data" / "symbols.zip"
_PATH = re.compile(r"[-+0-9eE.,\sMmLlHhVvCcSsQqTtAaZz]*")
SIZE = 512


@functools.cache
def _archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(_FILE)


@functools.cache
def names() -> frozenset[str]:
    """The names of all symbols."""
    return frozenset(_archive().namelist())


@functools.lru_cache(maxsize=512)
def path_of(name: str) -> str | None:
    """The path of a symbol, as the ``d`` of SVG; None when there is none of this name."""
    if name not in names():
        return None
    return safe(_archive().read(name).decode("ascii"))


def safe(path: str) -> str | None:
    """A path that holds nothing but drawing commands and numbers; None for anything else."""
    return path if _PATH.fullmatch(path) and path.strip() else None
