"""Positions in a text: the protocol counts lines and UTF-16 units from 0, the rules lines and characters from 1."""

from __future__ import annotations

import bisect
import itertools
import re

import attrs
from lsprotocol import types

from rulelang.source import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"


@attrs.frozen
class Lines:
    """A text by its lines. ``starts``: the offset of each line; the offsets of a text count its characters from 0."""

    text: str = attrs.field(repr=False)
    starts: tuple[int, ...] = attrs.field(repr=False)

    @staticmethod
    def of(text: str) -> Lines:
        return Lines(text, (0, *(found.end() for found in _LINE_END.finditer(text))))

    def line(self, number: int) -> str:
        """A line (from 0) without its end; empty behind the last one."""
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    @property
    def every_line(self) -> list[str]:
        """All lines with their ends."""
        return [self.text[a:b] for a, b in itertools.pairwise((*self.starts, len(self.text)))]

    # ------------------------------------------------------------ from the protocol

    def offset(self, position: types.Position) -> int:
        """The offset of a position; one outside the text counts as the nearest in it."""
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        return self.starts[position.line] + _characters(self.line(position.line), position.character)

    def place(self, position: types.Position) -> tuple[int, int]:
        """Line and column of a position as the rules count them."""
        line = min(max(position.line, 0), len(self.starts) - 1)
        text = self.line(line)
        return line + 1, len(_as_read(text[: _characters(text, position.character)], line)) + 1

    # ------------------------------------------------------------ to the protocol

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and column as the rules count them."""
        if line < 1:
            return types.Position(0, 0)
        if line > len(self.starts):
            return self.at(len(self.text))
        text = self.line(line - 1)
        return types.Position(line - 1, _units(text[: _as_typed(text, line - 1, max(column, 1) - 1)]))

    def at(self, offset: int) -> types.Position:
        """The position of an offset."""
        line = bisect.bisect_right(self.starts, offset) - 1
        return types.Position(line, _units(self.line(line)[: offset - self.starts[line]]))

    def range(self, span: Span) -> types.Range:
        """A span of the rules as a range."""
        return types.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    @property
    def whole(self) -> types.Range:
        """The range of the whole text."""
        return types.Range(types.Position(0, 0), self.at(len(self.text)))


def _units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _characters(text: str, units: int) -> int:
    """The number of characters that so many UTF-16 units at the start of a text make up, at most all of them."""
    if units <= 0:
        return 0
    if text.isascii():
        return min(units, len(text))
    head = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return len(head.decode("utf-16-le", "ignore" if _is_cut(head) else "surrogatepass"))


def _is_cut(head: bytes) -> bool:
    """Whether the last unit is the first half of a character."""
    return len(head) >= 2 and 0xD8 <= head[-1] <= 0xDB


# ---------------------------------------------------------------- what reading a file changes


def _as_read(text: str, line: int) -> str:
    """The start of a line as the rules read it: without a byte order mark, a tab of the indentation as two spaces."""
    if line == 0:
        text = text.removeprefix(_BOM)
    code = text.lstrip(" \t")
    return text[: len(text) - len(code)].replace("\t", "  ") + code


def _as_typed(text: str, line: int, column: int) -> int:
    """The number of characters of a line (from 0) before a column (from 0) of what the rules read of it."""
    typed = 1 if line == 0 and text.startswith(_BOM) else 0
    if "\t" not in text:
        return min(typed + column, len(text))
    while column > 0 and typed < len(text):
        column -= 2 if text[typed] == "\t" and not text[:typed].strip() else 1
        typed += 1
    return typed
