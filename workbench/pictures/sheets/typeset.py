"""Sheets as text for Typst, which makes a PDF: pages of fronts, each with its backs behind it, then the boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...rulebook.languages.catalogue import say
from .make import Sheets, Sort
from .paper import MARGIN, PAPERS, Cells, pages

_NAMES = {"a4": "a4", "letter": "us-letter"}


def as_typst(sheets: Sheets, paper: str, lang: str | None = None) -> str:
    """The whole text; a picture is expected in the file ``NAME.svg``. ``paper``: of PAPERS."""
    size = PAPERS[paper]
    head = f'#set page(paper: "{_NAMES[paper]}", margin: 0pt)\n#set text(font: "DejaVu Sans", size: 7pt)'
    by_size: dict[tuple[float, float], list[Sort]] = {}
    for sort in sheets.sorts:
        by_size.setdefault(sort.size, []).append(sort)
    made = [page for sorts in by_size.values() for page in _pieces(sheets, sorts, size, lang)]
    made += [_board(name, ratio, size) for name, _, ratio in sheets.boards]
    return head + "\n" + "\n#pagebreak()\n".join(made) + "\n"


def _pieces(sheets: Sheets, sorts: Sequence[Sort], paper: tuple[float, float], lang: str | None) -> Iterator[str]:
    """Pages of pieces of one size."""
    cells = Cells.on(paper, sorts[0].size)
    sides = [[face for sort in sorts for face in sort.fronts], [face for sort in sorts for face in sort.backs]]
    labels = ", ".join(sort.label for sort in sorts)
    for number, (fronts, backs) in enumerate(zip(*(pages(side, cells) for side in sides), strict=True), 1):
        for side, faces in (("front", fronts), ("back", backs)):
            words = f"{sheets.title} · {labels} · {number} · {say(f'sheet_{side}', lang)}"
            yield _page(faces, cells, paper, words, mirrored=side == "back")


def _page(faces: Sequence[str], cells: Cells, paper: tuple[float, float], words: str, *, mirrored: bool) -> str:
    lines = [_line(*ends) for ends in cells.marks(paper)]
    for index, face in enumerate(faces):
        x, y = cells.at(index, mirrored=mirrored)
        image = f'image("{face}.svg", width: {cells.width}mm, height: {cells.height}mm)'
        lines.append(f"#place(dx: {x:.2f}mm, dy: {y:.2f}mm, {image})")
    lines.append(f"#place(dx: {MARGIN}mm, dy: {paper[1] - 4.5:.2f}mm, {_string(words)})")
    return "\n".join(lines)


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    ends = f"start: ({x:.2f}mm, {y:.2f}mm), end: ({to_x:.2f}mm, {to_y:.2f}mm)"
    return f"#place(line({ends}, stroke: 0.3pt))"


def _board(name: str, ratio: float, paper: tuple[float, float]) -> str:
    """A board as large as the page allows, turned where that makes it larger."""
    wide, high = paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN
    turned = ratio < 1
    room, across = (high, wide) if turned else (wide, high)
    width = min(room, across / ratio)
    image = f'image("{name}.svg", width: {width:.2f}mm)'
    shown = f"rotate(90deg, reflow: true, {image})" if turned else image
    return f"#place(center + horizon, {shown})"


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
