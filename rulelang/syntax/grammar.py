"""Lark's parser of the grammar, for texts that the automaton cannot read.

Making its tables takes longer than all else that a game needs to be loaded, so they lie beside the grammar, and so do
those of the automaton: ``python -m rulelang.syntax.grammar`` writes them again after a change of the grammar. Tables
that are missing or do not fit are made and kept in the user's cache.
"""

from __future__ import annotations

import functools
import hashlib
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token
from lark.indenter import Indenter

from ..files import cache, guarded
from . import rows
from .automaton import CLOSING, DEDENT, GOES_ON, INDENT, NEWLINE, OPENING, TAB
from .rows import GRAMMAR

_MARK = b"rulelang grammar tables 1\n"

TABLES = Path(__file__).with_name("grammar.tables")


class Layout(Indenter):
    """Blocks by indentation; a line may end inside brackets, and after a word or sign by which a deeper one goes on.

    ``layout.continued`` says the same of a text that may be broken.
    """

    NL_type = NEWLINE
    OPEN_PAREN_types = list(OPENING)
    CLOSE_PAREN_types = list(CLOSING)
    INDENT_type = INDENT
    DEDENT_type = DEDENT
    tab_len = TAB

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return super().process(self._joined(stream))  # type: ignore[no-any-return, no-untyped-call]

    def _joined(self, stream: Iterator[Token]) -> Iterator[Token]:
        before = ""
        for token in stream:
            if token.type != self.NL_type:
                before = token.type
            elif before in GOES_ON and len(token.rpartition("\n")[2]) > self.indent_level[-1]:
                continue
            yield token


_OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "contextual",
    "propagate_positions": True,
    "maybe_placeholders": True,
}


@functools.cache
def parser() -> Lark:
    """The parser for the items of a file."""
    text = GRAMMAR.read_text(encoding="utf-8")
    key = key_of(text)
    found = _read(TABLES, key)
    if found is not None:
        return found
    folder = cache.room("tables")
    if folder is None:
        return build(text)
    kept = folder / f"grammar-{key[:24]}.tables"
    body = guarded.read(kept, _MARK)
    found = None if body is None else _unpacked(bytes(body), key)
    if found is None:
        found = build(text)
        guarded.write(kept, _MARK, _packed(found, key))
    return found


def build(text: str) -> Lark:
    """The parser of a grammar, its tables made anew."""
    return Lark(text, postlex=Layout(), **_OPTIONS)


def key_of(text: str) -> str:
    """Tells tables from those of another grammar, or of another version of Lark."""
    return hashlib.sha256(repr((lark.__version__, _OPTIONS, text)).encode()).hexdigest()


def _read(file: Path, key: str) -> Lark | None:
    try:
        return _unpacked(file.read_bytes(), key)
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


def write() -> None:
    """Writes the tables beside the grammar, and those of the automaton, unless those there fit."""
    text = GRAMMAR.read_text(encoding="utf-8")
    if _read(TABLES, key_of(text)) is None:
        TABLES.write_bytes(_packed(build(text), key_of(text)))
    if rows.read() is None:
        rows.write(parser())


if __name__ == "__main__":
    from . import grammar

    grammar.write()  # the tables refer to this module by its name
