"""Plain data by the words that it is read from.

From one look to the next little changes: so what a cell holds is remembered by its words, and a list by its members.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from rulelang.program.values import plain
from rulelang.types import ListType, Type

from .layout.addresses import WORD
from .layout.memory import decode
from .layout.shapes import fixed_words

ROOM = 1 << 14
"""Words that are remembered of cells of one kind."""

FEWEST = 16
"""Contents that are remembered however many words they have."""

Content = int | bytes
"""A word, or several as bytes."""


class Contents(dict[Content, Any]):
    """Values of a type as plain data, by their words; ``size``: how many these are.

    What is given is shared, so not to be changed or handed out.
    """

    def __init__(self, type_: Type, size: int) -> None:
        super().__init__()
        self._type = type_
        self._size = size
        self._most = max(FEWEST, ROOM // size)
        item = fixed_words(type_.item) if isinstance(type_, ListType) else None
        self._members = None if item is None or not isinstance(type_, ListType) else Contents(type_.item, item)

    def __missing__(self, content: Content) -> Any:
        if len(self) >= self._most:
            self.clear()
        found = self[content] = self._read(content)
        return found

    def each(self, data: bytes) -> list[Any]:
        """The values that lie side by side."""
        return [self[content] for content in self._parted(data)]

    def _parted(self, data: bytes) -> Sequence[Content]:
        if self._size == 1:
            return _words(data)
        size = WORD * self._size
        return [data[at : at + size] for at in range(0, len(data), size)]

    def _read(self, content: Content) -> Any:
        if isinstance(content, bytes) and self._members is not None:
            number = int.from_bytes(content[:WORD], "little")
            return self._members.each(content[WORD : WORD * (1 + number * self._members._size)])
        words = (content,) if isinstance(content, int) else _words(content)
        return plain(decode(words, 0, self._type)[0], self._type)


def _words(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // WORD}i", data)
