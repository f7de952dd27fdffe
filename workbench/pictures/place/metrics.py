"""Widths of texts in the font of the pictures, from a table; texts in other scripts are reckoned wide."""

from __future__ import annotations

import functools
import json
import unicodedata
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"


@functools.cache
def _widths() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads((DATA / "widths.json").read_text(encoding="utf-8"))
    return found


@functools.lru_cache(maxsize=8192)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in pixels."""
    table = _widths()["bold" if bold else "regular"]
    return sum(table.get(c) or _other(c) for c in text) * size / 1000


def _other(char: str) -> int:
    return 0 if unicodedata.combining(char) else 1000 if unicodedata.east_asian_width(char) in "WF" else 750


def shortened(text: str, size: float, width: float, bold: bool = False) -> str:
    """The text, or as much of it as fits into a width, with an ellipsis."""
    if width_of(text, size, bold) <= width:
        return text
    while text and width_of(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def lines_of(text: str, size: float, width: float, bold: bool = False, most: int = 3) -> list[str]:
    """The text in lines of at most this width, broken between words; what does not fit in ``most`` lines is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [shortened(line, size, width, bold) for line in lines]


def longest(text: str, *, bold: bool = True) -> float:
    """The width of the longest word at size 1: in a size that it fits in, no word is cut."""
    return max(width_of(word, 1, bold) for word in text.split() or ["?"])
