"""Places of pieces on paper: rows and columns in the middle of a page, so that the backs lie behind the fronts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in mm, by the names that Typst has for them too (``letter`` is ``us-letter``)."""
MARGIN = 10.0
"""What printers leave blank, in mm; the cutting marks lie in it."""


@attrs.frozen
class Cells:
    """The grid of a page: pieces of one size, ``columns`` by ``rows``, from ``left`` and ``top``; all in mm."""

    width: float
    height: float
    columns: int
    rows: int
    left: float
    top: float

    @classmethod
    def on(cls, paper: tuple[float, float], size: tuple[float, float]) -> Cells:
        """As many as there is room for; at least one."""
        wide, high = paper
        columns = max(1, int((wide - 2 * MARGIN) // size[0]))
        rows = max(1, int((high - 2 * MARGIN) // size[1]))
        return cls(*size, columns, rows, (wide - columns * size[0]) / 2, (high - rows * size[1]) / 2)

    @property
    def number(self) -> int:
        return self.columns * self.rows

    def at(self, index: int, *, mirrored: bool = False) -> tuple[float, float]:
        """The upper left corner of a cell, row by row; ``mirrored``: seen from behind, turned over its long edge."""
        row, column = divmod(index, self.columns)
        column = self.columns - 1 - column if mirrored else column
        return self.left + column * self.width, self.top + row * self.height

    def marks(self, paper: tuple[float, float]) -> Iterator[tuple[float, float, float, float]]:
        """The ends of the cutting marks, at every edge of a piece, outside of all pieces."""
        wide, high = paper
        right, low = self.left + self.columns * self.width, self.top + self.rows * self.height
        for column in range(self.columns + 1):
            x = self.left + column * self.width
            yield x, max(2.0, self.top - 6), x, self.top - 1
            yield x, low + 1, x, min(high - 2, low + 6)
        for row in range(self.rows + 1):
            y = self.top + row * self.height
            yield max(2.0, self.left - 6), y, self.left - 1, y
            yield right + 1, y, min(wide - 2, right + 6), y


def pages(faces: Sequence[str], cells: Cells) -> Iterator[Sequence[str]]:
    """The faces page by page."""
    for at in range(0, len(faces), cells.number):
        yield faces[at : at + cells.number]
