"""Source files and spans of their text."""

from __future__ import annotations

import attrs


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
