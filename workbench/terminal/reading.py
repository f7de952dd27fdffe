"""Lines from the keyboard, with editing and history where the system has them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

from rulelang.source import visible


def reader() -> Callable[[str], str]:
    """Shows a prompt and reads a line. At a terminal the arrow keys move in the line and through earlier ones."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):  # not on every system
            import readline

            readline.set_history_length(500)
    return lambda prompt: input(visible(prompt))
