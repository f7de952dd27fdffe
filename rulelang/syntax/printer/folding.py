"""Lines of text, and how one that is too long is folded."""

from __future__ import annotations

import re

from ...structural import Structural, frozen

WIDTH = 120
INDENT = "  "
_CONTINUATION = "    "


@frozen
class Line(Structural):
    """One line of canonical text, before it is folded.

    ``indent`` counts levels. ``first`` and ``last`` are the source lines (from 1) the text stands for, of a block
    only those of its head; both are 0 for a line that has no node of its own, such as ``otherwise``.
    """

    indent: int
    text: str
    first: int = 0
    last: int = 0


_PIECE = re.compile(r'"[^"]*"|[()\[\]{}]|, | (?=(?:and|or|for|where|while|after) )|(?<= and) |(?<= or) ')


def fold(line: Line) -> list[str]:
    """The line as it is written: indented, and folded when it is over ``WIDTH`` columns.

    Brackets still open at the right margin are broken, the outermost first; where there are none, the line is broken
    after a comma, `and` or `or`. A line without a place to break stays long.
    """
    prefix = INDENT * line.indent
    text, breaks = line.text, _breaks(line.text)
    out: list[str] = []
    start = 0
    while len(prefix) + len(text) - start > WIDTH:
        at = _choose(breaks, start, start + WIDTH - len(prefix))
        if at is None:
            break
        out.append(prefix + text[start:at].rstrip())
        start = at
        prefix = INDENT * line.indent + _CONTINUATION
    return [*out, prefix + text[start:]]


@frozen
class _Break(Structural):
    """A place to fold: ``at`` is where the next line would begin, ``closes`` where the bracket round it ends.

    Outside all brackets ``depth`` is 0.
    """

    at: int
    depth: int
    closes: int


def _breaks(text: str) -> list[_Break]:
    found: list[tuple[int, int, int]] = []  # where, depth, which bracket
    opened: list[int] = []
    closes: dict[int, int] = {}
    for piece in _PIECE.finditer(text):
        if piece[0] in "([{":
            opened.append(piece.start())
        elif piece[0] in ")]}":
            closes[opened.pop()] = piece.end()
        elif not piece[0].startswith('"'):
            behind_word = text[: piece.start()].endswith((" and", " or"))
            if opened and not behind_word:
                found.append((piece.end(), len(opened), opened[-1]))
            elif not opened and (behind_word or piece[0] == ", "):
                found.append((piece.end(), 0, -1))
    return [_Break(at, depth, closes.get(bracket, 0)) for at, depth, bracket in found]


def _choose(breaks: list[_Break], start: int, limit: int) -> int | None:
    """The column to break the text at from ``start``, when it reaches past ``limit``; None when there is none."""
    inside = [b for b in breaks if b.depth and b.at > start]
    outside = [b for b in breaks if not b.depth and b.at > start]
    ahead = inside or outside
    fitting = [b for b in ahead if b.at - 1 <= limit]
    fitting = [b for b in fitting if b.closes > limit] or fitting
    if fitting:
        return min(fitting, key=lambda b: (b.depth, -b.at)).at
    if any(b.at - 1 <= limit for b in outside):
        return max(b.at for b in outside if b.at - 1 <= limit)
    return ahead[0].at if ahead else None
