"""Translators' files read from disk: not too large, not packed, and in an encoding that can be recognised."""

from __future__ import annotations

from pathlib import Path

from rulelang.files.contents import TooLarge, content

from .po import read_po
from .sheet import read_csv
from .tmx import read_tmx
from .units import Delivery, ExchangeError
from .xliff import read_xliff

MAX_BYTES = 8_000_000

_PACKED = ((b"PK\x03\x04", "a zip archive"), (b"\x1f\x8b", "packed with gzip"), (b"BZh", "packed with bzip2"),
           (b"\xfd7zXZ", "packed with xz"), (b"7z\xbc\xaf", "a 7z archive"), (b"\x28\xb5\x2f\xfd", "packed with zstd"),
           (b"Rar!", "a rar archive"), (b"\xd0\xcf\x11\xe0", "an old Office file"))  # fmt: skip

SUFFIXES = {".po": "po", ".xlf": "xliff", ".xliff": "xliff", ".csv": "csv", ".tsv": "csv", ".tmx": "tmx"}


def read_delivery(path: Path, language: str | None) -> Delivery:
    """The file as its name ends: .po, .xlf, .xliff, .csv, .tsv, .tmx. ``language``: which one, where it holds several.

    Raises ExchangeError with the place in the file where it is known.
    """
    text = read_file(path)
    kind = SUFFIXES.get(path.suffix.lower())
    match kind:
        case "po":
            return read_po(text)
        case "xliff":
            return read_xliff(text)
        case "csv":
            return read_csv(text)
        case "tmx":
            return read_tmx(text, language)
    known = ", ".join([*SUFFIXES, ".tbx"])
    raise ExchangeError(f"The file's name does not say what it is; it must end in one of {known}.")


def read_file(path: Path) -> str:
    """The text of a translator's file. Raises ExchangeError."""
    return _decoded(_bytes(path))


def _bytes(path: Path) -> bytes:
    try:
        data = content(path, None, MAX_BYTES)
    except TooLarge as problem:
        raise ExchangeError(
            f"The file has {problem.size:,} bytes; {MAX_BYTES:,} are the most that is read. "
            "Import only what was exported here, unpacked."
        ) from None
    except OSError as problem:
        raise ExchangeError(f"The file cannot be read: {(problem.strerror or 'unknown reason').lower()}.") from None
    for magic, what in _PACKED:
        if data.startswith(magic):
            if path.suffix.lower() in (".csv", ".tsv", ".xlsx", ".ods"):
                raise ExchangeError(f"This is {what}, as spreadsheets are. Save the sheet as CSV (UTF-8).")
            raise ExchangeError(f"This is {what}. Unpack it, and import the file that is in it.")
    return data


def _decoded(data: bytes) -> str:
    """UTF-8, or UTF-16 with its mark, as spreadsheets save it."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise ExchangeError(
            f"line {line}: this is not UTF-8 (byte 0x{data[problem.start]:02x}). Save the file as UTF-8; it may be in "
            "an old encoding such as Latin-1."
        ) from None
    if "\0" in text:
        raise ExchangeError("The file is binary, not text.")
    return text
