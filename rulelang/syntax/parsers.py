"""Parsers that Lark makes of grammars, and their tables, which take longer to make than most texts to read.

The tables lie beside the grammar, as a part of the program. Those that are missing or do not fit are made.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs
import lark
from lark import Lark
from lark.lark import PostLex


@attrs.frozen
class Grammar:
    """A grammar in a file. ``layout``: makes what stands between lexer and parser; ``options``: more for Lark.

    The tables name ``layout`` by its module, so it must not be one that runs as ``__main__``.
    """

    file: Path
    layout: Callable[[], PostLex]
    options: Mapping[str, Any]

    @property
    def tables(self) -> Path:
        """The file beside the grammar that has its tables."""
        return self.file.with_suffix(".tables")

    def parser(self) -> Lark:
        """The parser, from tables if there are some that fit. Raises OSError if the grammar cannot be read."""
        found = self._read(self.key())
        return self.build() if found is None else found

    def build(self) -> Lark:
        """The parser, its tables made anew."""
        return Lark(self._text(), postlex=self.layout(), **self.options)

    def key(self) -> str:
        """Tells tables from those of another grammar, or of another version of Lark."""
        return hashlib.sha256(repr((lark.__version__, dict(self.options), self._text())).encode()).hexdigest()

    def write(self) -> None:
        """Writes the tables beside the grammar, unless those there fit."""
        key = self.key()
        if self._read(key) is None:
            self.tables.write_bytes(_packed(self.build(), key))

    def _text(self) -> str:
        return self.file.read_text(encoding="utf-8")

    def _read(self, key: str) -> Lark | None:
        try:
            return _unpacked(self.tables.read_bytes(), key)
        except OSError:
            return None


def _unpacked(content: bytes, key: str) -> Lark | None:
    head, _, packed = content.partition(b"\n")
    try:
        return Lark.load(io.BytesIO(zlib.decompress(packed))) if head.decode() == key else None
    except Exception:  # damaged tables count as none, whatever the damage
        return None


def _packed(made: Lark, key: str) -> bytes:
    tables = io.BytesIO()
    made.save(tables)
    return key.encode() + b"\n" + zlib.compress(tables.getvalue(), 9)
