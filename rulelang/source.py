"""Source files, spans of their text, and what of a text may be shown to people."""

from __future__ import annotations

import json
import re
from typing import Any

import attrs

MARK = "·"
"""What stands for a character that must not be shown."""

_LINES = re.compile(r"\r\n|[\t-\r\x1c-\x1e\x85\u2028\u2029]")
_BLANKS = re.compile(r"[\x0b\x0c\x85\u2028\u2029]|\r(?!\n)")
_UNSEEN = (
    r"\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    r"\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
"""Characters that are not seen and change what is: control characters and escapes, marks of writing direction, those
without width, halves of characters."""
_STEERING = re.compile(f"[{_UNSEEN}]")
_UNSHOWN = re.compile(rf"[\u200c\u200d\u2028\u2029{_UNSEEN}]")
_SUSPECT = re.compile(rf"[\x0b-\r\u200c\u200d\u2028\u2029{_UNSEEN}]")
_JOINED = r"[\u0300-\u1fff\u2190-\ud7ff\uf900-\ufefe\U00010000-\U0010ffff]"
_JOINERS = re.compile(rf"(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED})")
"""Joiners elsewhere than within a word of a script that needs them, or between two emoji."""


def visible(text: str, *, lines: bool = False, mark: str = MARK) -> str:
    """The text as people may be shown it: nothing in it steers a terminal, fakes a line, turns or hides what is there.

    Whatever came from a file, a player or a save may hold anything; each such character becomes ``mark``, and each end
    of a line or tab a blank. ``lines``: a text of several lines keeps its ends of lines and its tabs.
    """
    if not _SUSPECT.search(text):
        return text if lines else _LINES.sub(" ", text)
    text = _BLANKS.sub(" ", text) if lines else _LINES.sub(" ", text)
    return _JOINERS.sub(mark, _STEERING.sub(mark, text))


def visible_json(data: Any, indent: int = 2) -> str:
    """JSON for programs that people may look at as well: what must not be shown is written as an escape."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return _UNSHOWN.sub(lambda found: json.dumps(found[0])[1:-1], text)


@attrs.frozen(order=True)
class Span:
    """A stretch of a file. Lines and columns count from 1; the end column is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of ``other`` (same file)."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0, 0, 0)


@attrs.frozen
class SourceFile:
    """A text file as read: ``name`` is the path shown to people, ``text`` has ``\\n`` line ends and no BOM.

    ``newline`` and ``bom`` record what the file had, so that the formatter can keep it.
    """

    name: str
    text: str = attrs.field(repr=False)
    newline: str = "\n"
    bom: bool = False

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")
