"""Bounds on what people at a table can ask of the server, whoever they are."""

from __future__ import annotations

import time
from collections.abc import Callable

import attrs


@attrs.frozen(kw_only=True)
class TableLimits:
    """What one server allows; ``docs/limits.md`` says what happens beyond each."""

    tables: int = 1_000
    """Tables in one file."""
    lines: int = 200
    """Lines of play at one table: games, and branches of them."""
    connections: int = 2_000
    """Pages that are open at a time."""
    pages: int = 12
    """Pages that are open with one link at a time."""
    message: int = 16_384
    """Bytes of one message from a page."""
    rate: float = 15.0
    """Messages a second from one page, after the first ``burst``."""
    burst: int = 40
    notes: int = 300
    """Notes at one table."""
    note: int = 1_000
    """Characters of a note."""
    greeting: float = 10.0
    """Seconds that a page has to say who it is."""
    patience: float = 30.0
    """Seconds that a page may take to receive one message."""
    file: int = 1 << 31
    """Bytes that the file may grow to."""
    searches: int = 2
    """Hints and bots' decisions that are worked out at the same time."""


@attrs.define
class Bucket:
    """A bound on how often something is done: ``rate`` times a second, after the first ``burst``."""

    rate: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: float = attrs.field(init=False)
    _at: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left, self._at = self.burst, self.clock()

    def take(self) -> bool:
        """Whether it may be done once more now."""
        now = self.clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
