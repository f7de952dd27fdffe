"""File formats of translators' tools: PO, XLIFF, CSV and TMX for texts, TBX for the glossary.

A file that came back is read from disk only if it is not too large, not packed, and in a known encoding.
"""

from __future__ import annotations

from pathlib import Path

from rulelang.files.contents import TooLarge, content

from ..units import Delivery, ExchangeError
from .csv import CSV
from .po import PO
from .tmx import TMX
from .xliff import XLIFF, XLIFF1

MAX_BYTES = 8_000_000

_PACKED = ((b"PK\x03\x04", "a zip archive"), (b"\x1f\x8b", "packed with gzip"), (b"BZh", "packed with bzip2"),
           (b"\xfd7zXZ", "packed with xz"), (b"7z\xbc\xaf", "a 7z archive"), (b"\x28\xb5\x2f\xfd", "packed with zstd"),
           (b"Rar!", "a rar archive"), (b"\xd0\xcf\x11\xe0", "an old Office file"))  # fmt: skip

FORMATS = (PO, XLIFF, XLIFF1, CSV, TMX)
"""Those of sentences. To add one: a module here that ends with its Format, and the Format in this list."""

TERMS = ".tbx"
"""How the name of a file with the glossary ends."""


def read_delivery(path: Path, language: str | None) -> Delivery:
    """The file in the format that its name says. ``language``: which one, where it holds several.

    Raises ExchangeError with the place in the file where it is known.
    """
    text = read_file(path)
    for format in FORMATS:
        if path.suffix.lower() in format.suffixes:
            return format.read(text, language)
    raise ExchangeError(f"The file's name does not say what it is; it must end in one of {', '.join(suffixes())}.")


def suffixes() -> tuple[str, ...]:
    """How the names of files end that can be read."""
    return (*dict.fromkeys(suffix for format in FORMATS for suffix in format.suffixes), TERMS)


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
