"""Files of a language: ``catalogue/LANG.toml`` and ``lexicons/LANG.toml``, here or in a folder of one's own.

The setting ``RULELANG_LANGUAGES`` names a folder with the same two folders in it; its files come before ours.
"""

from __future__ import annotations

import functools
import os
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rulelang.diagnostics import UnusablePath
from rulelang.files.contents import MAX_BYTES, TooLarge, content

SETTING = "RULELANG_LANGUAGES"

Kind: TypeAlias = Literal["catalogue", "lexicons"]

_HERE = Path(__file__).parent


def own_folder() -> Path | None:
    """The folder of one's own; None when the setting names none."""
    value = os.environ.get(SETTING, "").strip()
    return _folder(value) if value else None


@functools.cache
def _folder(value: str) -> Path:
    return Path(value).expanduser()


def path_of(kind: Kind, name: str) -> Path | None:
    """The file of a language, one's own before ours; None where there is neither."""
    return _path_of(kind, name, own_folder())


@functools.cache
def _path_of(kind: Kind, name: str, own: Path | None) -> Path | None:
    folders = [folder for folder in (own, _HERE) if folder is not None]
    return next((path for folder in folders if (path := folder / kind / f"{name}.toml").is_file()), None)


def languages_with(kind: Kind) -> tuple[str, ...]:
    """The languages that have such a file, in order."""
    return _languages_with(kind, own_folder())


@functools.cache
def _languages_with(kind: Kind, own: Path | None) -> tuple[str, ...]:
    folders = [folder / kind for folder in (own, _HERE) if folder is not None]
    return tuple(sorted({path.stem for folder in folders for path in folder.glob("*.toml") if path.stem != "classes"}))


def read(kind: Kind, name: str) -> dict[str, Any]:
    """What the file says; empty where there is none. Raises UnusablePath with the place of a mistake."""
    path = path_of(kind, name)
    if path is None:
        return {}
    try:
        return tomllib.loads(content(path, None).decode("utf-8-sig"))
    except TooLarge:
        raise UnusablePath(f"{path} has more than {MAX_BYTES:,} bytes; words of a language need far less.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise UnusablePath(f"{path} is not TOML in UTF-8: {problem}.") from None
    except OSError as problem:
        raise UnusablePath(f"{path} cannot be read: {(problem.strerror or 'unknown reason').lower()}.") from None
