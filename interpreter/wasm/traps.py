"""What can go wrong with a module, whichever machine runs it."""

from __future__ import annotations


class Trap(Exception):
    """A module stopped. ``late``: its budget was spent (see ``wat.packed``); ``reason``: what the machine says."""

    def __init__(self, reason: str, *, late: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.late = late


class NotRunnable(Exception):
    """The input is not a module, or is machine code that this engine did not make."""
