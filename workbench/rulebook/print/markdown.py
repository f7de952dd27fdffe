"""A rulebook as Markdown (CommonMark with footnotes and ~~struck~~ text): a paragraph a section."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from urllib.parse import quote

from ..languages.catalogue import say
from ..languages.locale import sentence_gap, set_type
from . import matter as m
from .document import HeadingPart, ListedChange, Rulebook, Sentence, StatementPart, plain

_SPECIAL = re.compile(r"([\\`*_\[\]<>&~|])")
_AT_START = re.compile(r"(#+(?=\s|$)|[-+=](?=\s|$|[-+=])|[0-9]+(?=[.)](\s|$)))")


def as_markdown(rulebook: Rulebook, matter: m.Matter | None = None, folder: str = "") -> str:
    """The whole rulebook; ``matter``: what it has besides the text, with pictures in files in ``folder``.

    Values that a variant changed have a footnote with the old one.
    """
    notes = {(where, c.name): c for c in rulebook.changes if c.kind == "value" for where in c.where}
    matter = matter or m.Matter()
    writer = MatterWriter(lambda text: _text(text, rulebook.language), folder)
    out = [*_front(rulebook)]
    for piece in m.in_order(rulebook, matter):
        match piece:
            case HeadingPart():
                out.append(_heading(piece, rulebook.language))
            case m.PrintedPassage():
                out += _passage(piece, rulebook.language, notes)
                out += [paragraph for figure in piece.figures for paragraph in writer.figure(figure)]
            case m.Chapter():
                out += writer.chapter(piece)
            case _:
                out += writer.block(piece)
    used = [c for c in rulebook.changes if c.kind == "value"]
    out += [f"[^{c.number}]: {say('instead', rulebook.language)} {_text(c.old or '', rulebook.language)}" for c in used]
    out += ["---", _text(rulebook.stamp.line, rulebook.language), f"<!-- {rulebook.stamp.packed} -->"]
    return "\n\n".join(out) + "\n"


def _passage(passage: m.PrintedPassage, language: str, notes: dict[tuple[str, str], ListedChange]) -> list[str]:
    """A paragraph of the statements, or a list; what does not hold is set apart."""
    out: list[str] = []
    for aside, told in groupby(passage.statements, lambda p: p.aside):
        if aside:
            out += [f"> {_statement(p, language, notes)}" for p in told]
            continue
        first, items = m.items_of(list(told))
        lines = [sentence_gap(language).join(_statement(p, language, notes) for p in one) for one in (first, *items)]
        out += [_start(lines[0])] if first else []
        out += ["\n".join(f"- {_start(line)}" for line in lines[1:])] if items else []
    doubt = m.doubt_line(passage.statements, language)
    return [*out, f"> ⚠ {_text(doubt, language)}"] if doubt else out


def _front(rulebook: Rulebook) -> list[str]:
    out = [
        f"# {_text(rulebook.title, rulebook.language)}",
    ]
    out += [_text(line, rulebook.language) for line in m.front_lines(rulebook)]
    if rulebook.changes:
        out.append(f"**{say('changes', rulebook.language)}**")
        out.append("\n".join(_entry(change, rulebook.language) for change in rulebook.changes))
    if rulebook.unworded:
        out.append(f"**{say('unworded', rulebook.language)}**")
        out.append("\n".join(f"- `{id_}`" for id_ in rulebook.unworded))
    return out


def _entry(change: ListedChange, language: str) -> str:
    old = f"~~{_text(change.old, language)}~~" if change.old is not None else None
    new = _text(change.new, language) if change.new is not None else None
    what = " → ".join(side for side in (old, new) if side is not None)
    name = f"`{change.name}`" if change.called is None else _text(change.called, language)
    return f"- {name} ({_text(m.label(change, language), language)}): {what}"


def _heading(part: HeadingPart, language: str) -> str:
    text = _text(part.text, part.borrowed or language)
    return "#" * part.level + " " + _borrowed(part) + (f"~~{text}~~" if part.mark == "removed" else text)


def _statement(part: StatementPart, language: str, notes: dict[tuple[str, str], ListedChange]) -> str:
    return _borrowed(part) + _told(part, part.borrowed or language, notes)


def _borrowed(part: HeadingPart | StatementPart) -> str:
    """A sign before words of another language."""
    sign = part.sign if isinstance(part, StatementPart) else part.borrowed
    return rf"\[{sign}\] " if sign is not None else ""


def _told(part: StatementPart, language: str, notes: dict[tuple[str, str], ListedChange]) -> str:
    match part.mark:
        case "removed":
            return f"~~{_text(part.text, language)}~~"
        case "added":
            return f"**{_text(part.text, language)}**"
        case "changed":
            return f"~~{_text(plain(part.old or ()), language)}~~ **{_text(part.text, language)}**"
        case "value":
            return _marked(part.sentence, part.id, language, notes)
    return _text(part.text, language)


def _marked(sentence: Sentence, id_: str, language: str, notes: dict[tuple[str, str], ListedChange]) -> str:
    out = []
    for piece in sentence:
        text = _text(piece.text, language)
        if piece.old is not None and piece.placeholder is not None:
            text = f"**{text}**[^{notes[id_, piece.placeholder[1:-1]].number}]"
        out.append(text)
    return "".join(out)


def _text(text: str, language: str) -> str:
    """Nothing in it is read as markup."""
    return _SPECIAL.sub(r"\\\1", set_type(text, language))


def _start(paragraph: str) -> str:
    """A paragraph whose first characters are not read as a heading or an item of a list."""
    found = _AT_START.match(paragraph)
    if found is None:
        return paragraph
    at = found.end() if found[0][0].isdigit() else 0
    return f"{paragraph[:at]}\\{paragraph[at:]}"


# ---------------------------------------------------------------- matter


class MatterWriter:
    """Writes chapters. ``text``: makes plain words safe; ``folder``: where the pictures are."""

    def __init__(self, text: Callable[[str], str], folder: str) -> None:
        self.text = text
        self.folder = folder

    def chapter(self, chapter: m.Chapter) -> list[str]:
        """The paragraphs of a chapter."""
        intro = [self.text(chapter.intro)] if chapter.intro else []
        return [f"## {self.text(chapter.title)}", *intro, *(p for block in chapter.blocks for p in self.block(block))]

    def block(self, block: m.Block) -> list[str]:
        """The paragraphs of what stands below a heading."""
        match block:
            case m.Figure():
                return self.figure(block)
            case m.MatterTable():
                return self._grid(block)
            case m.Listing():
                title = [f"### {self.text(block.title)}"] if block.title else []
                return [*title, "\n".join(self._list(block.entries, block.numbered, ""))]
            case m.TermIndex():
                return ["\n".join(self._term(term, found) for term, found in block.terms)]

    def figure(self, figure: m.Figure) -> list[str]:
        """The paragraphs of a figure."""
        pictures = [f"![{self.text(p.alt)}]({quote(f'{self.folder}/{p.name}.svg')})" for p in figure.pictures]
        counted = len(figure.steps) > 1  # one thing alone has no number
        steps = [f"{number}. {self.text(step)}" if counted else self.text(step)
                 for number, step in enumerate(figure.steps, 1)]  # fmt: skip
        parts = [f"{number}. {self.text(name)}" for number, (name, _) in enumerate(figure.parts, 1)]
        caption = f"*{self.text(figure.caption)}*" if figure.caption else ""
        told = (self.text(figure.lead), "\n".join(pictures), caption, "\n".join(steps), "\n".join(parts))
        return [paragraph for paragraph in told if paragraph]

    def _grid(self, grid: m.MatterTable) -> list[str]:
        head = grid.head or ("",) * grid.width  # Markdown knows no table without
        lines = [self._line(head), self._line(["---"] * grid.width, plain=True)]
        for row in grid.rows:
            label = self.text(row.label) if row.cells else f"**{self.text(row.label)}**"
            cells = [*map(self.text, row.cells)] or [""] * (grid.width - 1)
            lines.append(self._line([label, *cells], plain=True))
        return ["\n".join(lines)]

    def _line(self, cells: tuple[str, ...] | list[str], *, plain: bool = False) -> str:
        return "| " + " | ".join(cell if plain else self.text(cell) for cell in cells) + " |"

    def _list(self, entries: tuple[m.ListEntry, ...], numbered: bool, indent: str) -> list[str]:
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
