"""Chapters and figures around the text of a rulebook, as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from .matter import Block, Chapter, Entry, Figure, Grid, Index, Listing


class MatterWriter:
    """Writes chapters. ``text``: makes plain words safe; ``folder``: where the pictures are."""

    def __init__(self, text: Callable[[str], str], folder: str) -> None:
        self.text = text
        self.folder = folder

    def chapter(self, chapter: Chapter) -> list[str]:
        """The paragraphs of a chapter."""
        intro = [self.text(chapter.intro)] if chapter.intro else []
        return [f"## {self.text(chapter.title)}", *intro, *(p for block in chapter.blocks for p in self.block(block))]

    def block(self, block: Block) -> list[str]:
        """The paragraphs of what stands below a heading."""
        match block:
            case Figure():
                return self.figure(block)
            case Grid():
                return self._grid(block)
            case Listing():
                title = [f"### {self.text(block.title)}"] if block.title else []
                return [*title, "\n".join(self._list(block.entries, block.numbered, ""))]
            case Index():
                return ["\n".join(self._term(term, found) for term, found in block.terms)]

    def figure(self, figure: Figure) -> list[str]:
        """The paragraphs of a figure."""
        pictures = [f"![{self.text(p.alt)}]({quote(f'{self.folder}/{p.name}.svg')})" for p in figure.pictures]
        counted = len(figure.steps) > 1  # one thing alone has no number
        steps = [f"{number}. {self.text(step)}" if counted else self.text(step)
                 for number, step in enumerate(figure.steps, 1)]  # fmt: skip
        parts = [f"{number}. {self.text(name)}" for number, (name, _) in enumerate(figure.parts, 1)]
        caption = f"*{self.text(figure.caption)}*" if figure.caption else ""
        told = (self.text(figure.lead), "\n".join(pictures), caption, "\n".join(steps), "\n".join(parts))
        return [paragraph for paragraph in told if paragraph]

    def _grid(self, grid: Grid) -> list[str]:
        head = grid.head or ("",) * grid.width  # Markdown knows no table without
        lines = [self._line(head), self._line(["---"] * grid.width, plain=True)]
        for row in grid.rows:
            label = self.text(row.label) if row.cells else f"**{self.text(row.label)}**"
            cells = [*map(self.text, row.cells)] or [""] * (grid.width - 1)
            lines.append(self._line([label, *cells], plain=True))
        return ["\n".join(lines)]

    def _line(self, cells: tuple[str, ...] | list[str], *, plain: bool = False) -> str:
        return "| " + " | ".join(cell if plain else self.text(cell) for cell in cells) + " |"

    def _list(self, entries: tuple[Entry, ...], numbered: bool, indent: str) -> list[str]:
        lines = []
        for number, entry in enumerate(entries, 1):
            mark = f"{number}." if numbered else "-"
            lead = f"**{self.text(entry.lead)}** " if entry.lead else ""
            lines.append(f"{indent}{mark} {lead}{self.text(entry.text)}")
            inside = indent + " " * (len(mark) + 1)
            lines += [f"{inside}- {self.text(other)}" for other in entry.other]
            lines += self._list(entry.inner, False, inside)
        return lines

    def _term(self, term: str, found: tuple[tuple[str, str], ...]) -> str:
        chapters = ", ".join(dict.fromkeys(self.text(chapter) for _, chapter in found))
        return f"- **{self.text(term)}**: {chapters}"
