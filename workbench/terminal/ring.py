"""Rings of cells drawn as rectangles, clockwise from the top left corner, with room in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import attrs
from rich.text import Text

_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8


@attrs.frozen
class Shape:
    """The rectangle: columns of cells, the width inside a cell, and the height inside the cells of each row."""

    columns: int
    cell_width: int
    heights: tuple[int, ...]

    @property
    def rows(self) -> int:
        return len(self.heights)

    @property
    def tops(self) -> tuple[int, ...]:
        """The line of the upper edge of each row, and of the lower edge of the last."""
        return tuple(accumulate((height + 1 for height in self.heights), initial=0))

    @property
    def middle(self) -> tuple[int, int]:
        """Width and height of the room in the middle, less a margin of one column."""
        width = (self.columns - 2) * (self.cell_width + 1) - 3
        height = self.tops[-2] - self.tops[1] - 1
        return max(0, width), max(0, height)


def shape(cells: Sequence[Sequence[Text]], width: int, cell_width: int) -> Shape:
    """A rectangle for the cells within ``width`` characters: as wide as it can be, with room in the middle."""
    widest = max(2, (width - 1) // (cell_width + 1))
    half = (len(cells) + 1) // 2
    columns = max(2, min(widest, half - 2 if half >= 6 else half))
    rows = max(2, half - columns + 2)
    heights = [1] * rows
    for (_, row), lines in zip(places(len(cells), columns, rows), cells, strict=True):
        heights[row] = max(heights[row], len(lines))
    return Shape(columns, cell_width, tuple(heights))


def places(count: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """Column and row of each cell, clockwise from the top left."""
    last_column, last_row = columns - 1, rows - 1
    way = [(column, 0) for column in range(columns)]
    way += [(last_column, row) for row in range(1, rows)]
    way += [(column, last_row) for column in range(last_column - 1, -1, -1)]
    way += [(0, row) for row in range(last_row - 1, 0, -1)]
    return way[:count]


def draw(cells: Sequence[Sequence[Text]], form: Shape, middle: Sequence[Text] = ()) -> list[Text]:
    """The lines of the drawing. ``cells`` holds the lines of each cell; lines too wide for their cell are cut."""
    step, tops = form.cell_width + 1, form.tops
    width, height = form.columns * step + 1, tops[-1] + 1
    canvas: list[list[tuple[str, str]]] = [[(" ", "")] * width for _ in range(height)]
    edges = [[0] * width for _ in range(height)]
    for (column, row), lines in zip(places(len(cells), form.columns, form.rows), cells, strict=True):
        _frame(edges, column * step, (column + 1) * step, tops[row], tops[row + 1])
        for y, line in enumerate(lines, tops[row] + 1):
            _write(canvas, column * step + 1, y, line, form.cell_width)
    for y, edge_row in enumerate(edges):
        for x, edge in enumerate(edge_row):
            if edge:
                canvas[y][x] = (_CORNERS[edge], "grey42")
    middle_width, middle_height = form.middle
    for y, line in enumerate(middle[:middle_height], tops[1] + 1):
        _write(canvas, step + 2, y, line, middle_width)
    return [Text.assemble(*letters) for letters in canvas]


def _frame(edges: list[list[int]], left: int, right: int, top: int, bottom: int) -> None:
    for y in (top, bottom):
        for x in range(left, right + 1):
            edges[y][x] |= (_RIGHT if x < right else 0) | (_LEFT if x > left else 0)
    for x in (left, right):
        for y in range(top, bottom + 1):
            edges[y][x] |= (_DOWN if y < bottom else 0) | (_UP if y > top else 0)


def _write(canvas: list[list[tuple[str, str]]], left: int, top: int, text: Text, width: int) -> None:
    x = 0
    for piece, style in fragments(text):
        for letter in piece:
            if x >= width:
                return
            canvas[top][left + x] = (letter, style)
            x += 1


def fragments(text: Text) -> list[tuple[str, str]]:
    """The text in runs of one style each."""
    styles = [str(text.style)] * len(text.plain)
    for span in text.spans:
        for i in range(span.start, min(span.end, len(styles))):
            styles[i] = f"{styles[i]} {span.style}".strip()
    out: list[tuple[str, str]] = []
    for letter, style in zip(text.plain, styles, strict=True):
        if out and out[-1][1] == style:
            out[-1] = (out[-1][0] + letter, style)
        else:
            out.append((letter, style))
    return out
