"""A rulebook as text for Typst, which sets it as a PDF. Every word is a string of Typst's, so none is markup."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import attrs

from ...web import asset
from ..languages.catalogue import say
from ..languages.locale import sentence_gap, set_type
from . import matter as m
from .document import HeadingPart, ListedChange, Piece, Rulebook, StatementPart, plain

_PAGE = 257.0
"""The height of what a page holds, in mm."""
_SHEET = """\
#set page(paper: "a4", margin: (x: 16mm, y: 20mm), numbering: "1")
#set text(font: "Libertinus Serif", size: 10pt)
#set par(justify: true, leading: 0.62em, spacing: 0.85em)
#set figure(numbering: none)
#show figure: set align(left)
#show figure.caption: set text(size: 8.5pt, fill: luma(90))
#show heading.where(level: 1): set text(size: 26pt)
#show heading.where(level: 2): set text(size: 14pt, fill: rgb("#7a3e1d"))
#show strike: set text(fill: rgb("#8f2f25"))
"""
_COMPOSE = Path(__file__).parent / "assets" / "compose.typ"


_SHORT_LIST = 15
"""A longer list of changes comes at the end, so that the rulebook itself can be seen."""


def as_typst(rulebook: Rulebook, matter: m.Matter | None = None) -> str:
    """The whole rulebook; ``matter``: what it has besides the text. A picture is expected in the file ``NAME.svg``."""
    lang = rulebook.language
    stamp = rulebook.stamp
    about = f"title: {string(rulebook.title)}, description: {string(stamp.packed)}"
    foot = f"[#text(size: 7pt, fill: luma(110), {string(stamp.line)}) #h(1fr) #counter(page).display()]"
    head = f"#set text(lang: {string(lang)})\n#set document({about})\n#set page(footer: context {foot})"
    rules = asset(_COMPOSE)
    pieces = list(m.in_order(rulebook, matter or m.Matter()))
    front = _front(pieces)
    title = [*_title(rulebook, matter or m.Matter(), columns=2 if front else 1)]
    wide = [*title, *_parts(rulebook, pieces[:front], WIDTH)] if front else []
    narrow = [*([] if front else title), *_parts(rulebook, pieces[front:], COLUMN), *_long_changes(rulebook)]
    return f"{_SHEET}{PAGES}{rules}\n{head}\n{_composed(wide, WIDTH)}{_composed(narrow, COLUMN)}"


def _composed(parts: Sequence[BookPart], width: float) -> str:
    """Parts on pages of their own, in as many columns of a width in mm as there is room for."""
    columns = int((WIDTH + _GAP) / (width + _GAP))
    listed = "\n".join(f"  {part.typst()}," for part in parts)
    return (
        f"\n#compose({width:g}mm, {_PAGE:g}mm, columns: {columns}, gutter: {_GAP:g}mm, (\n{listed}\n))\n"
        if parts
        else ""
    )


def _front(pieces: Sequence[m.Placed]) -> int:
    """How many pieces take the width of the page: the chapters up to the last with a picture that needs it."""
    begins = [at for at, piece in enumerate(pieces) if isinstance(piece, m.Chapter) or getattr(piece, "level", 0) == 2]
    wide = [at for at, piece in enumerate(pieces) if any(map(_needs_width, getattr(piece, "blocks", (piece,))))]
    return next((at for at in [*begins, len(pieces)] if at > wide[-1]), 0) if wide else 0


def _needs_width(block: object) -> bool:
    return isinstance(block, m.Figure) and (block.wide or bool(block.parts))


def _title(rulebook: Rulebook, matter: m.Matter, columns: int) -> Iterator[BookPart]:
    lang = rulebook.language
    yield BookPart("title", f"#heading(level: 1, {_text(rulebook.title, lang)})")
    yield from (BookPart("line", f"#{_text(line, lang)}") for line in m.front_lines(rulebook))
    long = len(rulebook.changes) > _SHORT_LIST
    yield from () if long else _changes(rulebook)
    yield from _unworded(rulebook)
    listed = [one for one in m.chapters(rulebook, matter) if isinstance(one, m.Chapter) or one.level == 2]
    yield from _contents(len(listed) + long, lang, columns)


def _parts(rulebook: Rulebook, pieces: Sequence[m.Placed], room: float) -> Iterator[BookPart]:
    lang = rulebook.language
    sections = {part.section for part in rulebook.parts if isinstance(part, StatementPart)}
    writer = MatterWriter(lambda text: _text(text, lang), frozenset(sections), room)
    for piece in pieces:
        match piece:
            case HeadingPart():
                text = _borrowed(piece, _text(piece.text, piece.borrowed or lang))
                text = f"strike({text})" if piece.mark == "removed" else text
                yield BookPart("chapter", f"#heading(level: {piece.level}, {text})")
            case m.PrintedPassage():
                yield from _passage(piece, lang)
                yield from writer.examples(piece.figures)
            case m.Chapter():
                yield from writer.chapter(piece)
            case _:
                yield from writer.block(piece)


def _long_changes(rulebook: Rulebook) -> Iterator[BookPart]:
    if len(rulebook.changes) > _SHORT_LIST:
        title = _text(say("changes", rulebook.language), rulebook.language)
        yield BookPart("chapter", f"#heading(level: 2, {title})", fresh=True)
        yield from _changes(rulebook)


def _contents(chapters: int, lang: str, columns: int) -> Iterator[BookPart]:
    """The table of contents, in columns of the same length."""
    outline = "outline(title: none, indent: 0pt, target: heading.where(level: 2))"
    height = f"height: {-(-chapters // columns) * 1.35 + 0.5:.1f}em"
    yield BookPart("subtitle", f"#strong({_text(say('contents', lang), lang)})")
    yield BookPart("block", f"#text(size: 9pt, block({height}, columns({columns}, {outline})))")


def _passage(passage: m.PrintedPassage, lang: str) -> Iterator[BookPart]:
    """The statements of a section as a paragraph, or as a list; what does not hold is set apart."""
    mark = anchor(passage.section) if passage.first else ""
    figures = [figure.lead for figure in passage.figures if figure.lead]
    for aside, told in groupby(passage.statements, lambda part: part.aside):
        first, items = m.items_of(list(told))
        leads = () if aside else figures
        if first:
            paragraph = _paragraph(first, lang, leads if not items else ())
            inside = "inset: (left: 1em), stroke: (left: 1.5pt + luma(200))"
            yield BookPart("text", mark + (f"#block({inside})[{paragraph}]" if aside else paragraph))
            mark = ""
        for number, item in enumerate(items):
            words = _told(item, lang) + ([_named(leads, lang)] if leads and number == len(items) - 1 else [])
            yield BookPart("entry", f"{mark}#list({_joint(lang).join(words)})")
            mark = ""
    doubt = m.doubt_line(passage.statements, lang)
    if doubt:
        note = 'inset: (left: 1em), stroke: (left: 1.5pt + rgb("#b8860b"))'
        yield BookPart("entry", f"#block({note}, text(size: 9pt, {_text(f'! {doubt}', lang)}))")


def _paragraph(statements: Sequence[StatementPart], lang: str, figures: Sequence[str]) -> str:
    told = _told(statements, lang) + ([_named(figures, lang)] if figures else [])
    return f"#par({{{_joint(lang).join(told)}}})"


def _joint(lang: str) -> str:
    return f" + {string(sentence_gap(lang))} + "


def _told(statements: Sequence[StatementPart], lang: str) -> list[str]:
    return [_borrowed(part, _statement(part, part.borrowed or lang)) for part in statements]


def _named(figures: Sequence[str], lang: str) -> str:
    """The examples of a section, in small letters."""
    last = f"–{figures[-1].rpartition(' ')[2]}" if len(figures) > 1 else ""
    return f"box(text(size: 9pt, fill: luma(90), {_text(f'(→ {figures[0]}{last})', lang)}))"


def _borrowed(part: HeadingPart | StatementPart, text: str) -> str:
    """Words of another language, with a sign, in italics and hyphenated as that language is."""
    if part.borrowed is None:
        return text
    begins = not isinstance(part, StatementPart) or part.sign is not None
    sign = f"{string(f'[{part.borrowed}] ')} + " if begins else ""
    return f"text(lang: {string(part.borrowed)}, emph({sign}{text}))"


def _statement(part: StatementPart, lang: str) -> str:
    text = _text(part.text, lang)
    match part.mark:
        case "removed":
            return f"strike({text})"
        case "added":
            return f"strong({text})"
        case "changed":
            return f'strike({_text(plain(part.old or ()), lang)}) + " " + strong({text})'
    if part.doubt:
        return (
            'underline(stroke: (dash: "dotted"), ' + " + ".join(_piece(p, lang) for p in part.sentence if p.text) + ")"
        )
    pieces = [(p, _piece(p, lang)) for p in part.sentence if p.text]
    return " + ".join(f"strong({text})" if piece.old is not None else text for piece, text in pieces) or text


def _piece(piece: Piece, lang: str) -> str:
    text = _text(piece.text, lang)
    return f"{symbol(piece.symbol)} + {text}" if piece.symbol else text


def _changes(rulebook: Rulebook) -> Iterator[BookPart]:
    lang = rulebook.language
    if rulebook.changes and len(rulebook.changes) <= _SHORT_LIST:
        yield BookPart("subtitle", f"#strong({_text(say('changes', lang), lang)})")
    yield from (BookPart("entry", f"#list({_entry(change, lang)})") for change in rulebook.changes)


def _unworded(rulebook: Rulebook) -> Iterator[BookPart]:
    lang = rulebook.language
    if rulebook.unworded:
        yield BookPart("subtitle", f"#strong({_text(say('unworded', lang), lang)})")
        yield from (BookPart("entry", f"#list(raw({string(id_)}))") for id_ in rulebook.unworded)


def _entry(change: ListedChange, lang: str) -> str:
    sides = [f"strike({_text(change.old, lang)})"] if change.old is not None else []
    sides += [_text(change.new, lang)] if change.new is not None else []
    name = f"raw({string(change.name)})" if change.called is None else _text(change.called, lang)
    return f"{name} + {_text(f' ({m.label(change, lang)}): ', lang)} + " + ' + " → " + '.join(sides)


def _text(text: str, lang: str) -> str:
    return string(set_type(text, lang))


# ---------------------------------------------------------------- matter


WIDTH, COLUMN = 178.0, 85.0
"""Of the text on a page, and of each of its two columns, in mm."""
_GAP = 8.0
"""Between columns, in mm."""
_INSET = 3.0
"""Between the edge of an example and what it shows, in mm."""
_ALONE, _TOGETHER = 150.0, 165.0
"""The greatest height of a picture by itself, and of several in all, in mm."""
_NUMBERED = 100.0
"""The greatest height of a picture with numbered parts, in mm: most of it is to be seen with what stands around it."""
_LEGEND = 48.0
"""The least width of a list of parts beside their picture, in mm."""
_GUTTER = 8 * 0.3528
"""Between pictures, in mm."""
_BESIDE, _HIGH = 55.0, 80.0
"""The greatest width and height of each of two pictures with a text beside them, in mm."""
_BOX = f'inset: {_INSET}mm, fill: rgb("#faf7f0"), stroke: (left: 1.5pt + rgb("#c9b8a0"))'
"""The style of what is around an example."""
_ROWS = 30
"""Of a table on one page, at most."""
_INDEX = 96
"""Terms of the index that stay together, in two columns."""


@attrs.frozen
class BookPart:
    """A part of the book that stays on one page, as markup. ``kind``: one of those that ``compose.typ`` knows;
    ``fresh``: it begins a page; ``held``: it stays on the page of the next part.
    """

    kind: str
    markup: str
    fresh: bool = False
    held: bool = False

    def typst(self) -> str:
        flags = f"{', fresh: true' if self.fresh else ''}{', held: true' if self.held else ''}"
        return f"part({string(self.kind)}, [{self.markup}]{flags})"


def string(text: str) -> str:
    """A string as Typst writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def anchor(section: str) -> str:
    """A mark in the text that links and the index lead to."""
    return f"#[#metadata(none)#label({string(_label(section))})]"


def symbol(name: str) -> str:
    """A symbol in a line, silent as the word behind it says the same. It is expected in the file ``NAME.svg``."""
    return f'box(image("{name}.svg", height: 0.85em), baseline: 12%) + h(0.15em) + sym.wj'


def _label(section: str) -> str:
    return f"section {section}"


@attrs.frozen
class MatterWriter:
    """Writes chapters. ``text``: makes a string of words; ``sections``: those that have an anchor; ``room``: the width
    of the page or of a column, in mm."""

    text: Callable[[str], str]
    sections: Collection[str]
    room: float

    def chapter(self, chapter: m.Chapter) -> Iterator[BookPart]:
        """The parts of a chapter."""
        parts = [BookPart("chapter", f"#heading(level: 2, {self.text(chapter.title)})")]
        if chapter.intro:
            parts.append(BookPart("intro", f"#{self.text(chapter.intro)}"))
        for block in chapter.blocks:
            parts += self.block(block)
        if chapter.whole:
            yield from (attrs.evolve(part, held=True) for part in parts[:-1])
            yield parts[-1]
        else:
            yield from parts

    def block(self, block: m.Block) -> Iterator[BookPart]:
        """The parts of what stands below a heading."""
        match block:
            case m.Figure():
                shown = f"#{self._box(block, self.room)}" if block.lead else self._figure(block, self.room)
                yield BookPart("picture", shown)
            case m.MatterTable():
                yield from self._grid(block)
            case m.Listing():
                if block.title:
                    yield BookPart("subtitle", f"#heading(level: 3, outlined: false, {self.text(block.title)})")
                for number, entry in enumerate(block.entries, 1):
                    item = self._entry(entry)
                    yield BookPart("entry", f"#enum(start: {number}, {item})" if block.numbered else f"#list({item})")
            case m.TermIndex():
                terms = [self._term(term, [section for section, _ in found]) for term, found in block.terms]
                for at in range(0, len(terms), _INDEX):
                    some = terms[at : at + _INDEX]
                    halves = some[: -(-len(some) // 2)], some[-(-len(some) // 2) :]
                    stacks = ", ".join(f"stack(spacing: 0.55em, {', '.join(half)})" for half in halves)
                    yield BookPart("entry", f"#text(size: 9pt, grid(columns: 2 * (1fr,), gutter: 4mm, {stacks}))")

    # ------------------------------------------------------------ figures

    def examples(self, figures: Sequence[m.Figure]) -> Iterator[BookPart]:
        """Examples in boxes of their own; those of one picture two by two."""
        waiting: list[m.Figure] = []
        for figure in figures:
            if len(figure.pictures) == 1:
                waiting.append(figure)
            if waiting and (len(figure.pictures) != 1 or len(waiting) == 2):
                yield self._side_by_side(waiting)
                waiting = []
            if len(figure.pictures) != 1:
                yield BookPart("example", f"#{self._box(figure, self.room)}")
        if waiting:
            yield self._side_by_side(waiting)

    def _side_by_side(self, figures: Sequence[m.Figure]) -> BookPart:
        if len(figures) == 1:
            return BookPart("example", f"#{self._box(figures[0], self.room)}")
        width = (self.room - _GUTTER) / 2
        boxes = ", ".join(f"grid.cell({_BOX}, {self._box(figure, width, plain=True)})" for figure in figures)
        return BookPart("example", f"#grid(columns: (1fr, 1fr), column-gutter: {_GUTTER:.2f}mm, {boxes})")

    def _box(self, figure: m.Figure, width: float, *, plain: bool = False) -> str:
        """``plain``: without a box around it, and with what happens below its picture."""
        lead = f"#block(below: 0.8em, text(size: 9pt, strong({self.text(figure.lead)})))" if figure.lead else ""
        shown = f"[{lead}{self._figure(figure, width - 2 * _INSET, below=plain)}]"
        return shown if plain else f"block(width: 100%, {_BOX}){shown}"

    def _figure(self, figure: m.Figure, room: float, *, below: bool = False) -> str:
        """Pictures, with what happens in them and the names of their parts. Narrow pictures leave room for text, which
        stands ``below`` them only where it should.
        """
        told = self._steps(figure.steps)
        beside = bool(told) and len(figure.pictures) <= 2 and not below and self.room == WIDTH
        widths = _widths(figure, beside, room)
        if figure.parts and len(widths) == 1:
            return self._numbered(figure)
        out = []
        if widths:
            out.append(self._pictures(figure, widths, told if beside else "", room))
        if told and not beside:
            out.append(f"#block(above: 0.8em, {told})")
        return "\n".join(out)

    def _steps(self, steps: Sequence[str]) -> str:
        """What happens, in order; nothing is counted where only one thing does."""
        if not steps:
            return ""
        said = [self.text(step) for step in steps]
        inside = f"enum({', '.join(said)})" if len(said) > 1 else said[0]
        return f"text(size: 9pt, {{ set par(justify: false); {inside} }})"

    def _numbered(self, figure: m.Figure) -> str:
        """A picture with the names of its numbered parts, beside it where there is room, else below it."""
        picture = figure.pictures[0]
        width = min(self.room, _NUMBERED / picture.ratio)
        names = [self._linked(self.text(name), link) for name, link in figure.parts]
        image, size = _image(picture, width), "8.5pt"
        if width + _GUTTER + _LEGEND <= self.room:
            listed = f"align(left, text(size: {size}, enum(spacing: 0.8em, {', '.join(names)})))"
            body = f"grid(columns: ({width:.0f}mm, 1fr), gutter: 8pt, align: top, {image}, {listed})"
        else:
            parts = [f"align(left, enum(start: {at + 1}, {', '.join(part)}))" for at, part in _thirds(names)]
            columns = f"text(size: {size}, grid(columns: (1fr, 1fr, 1fr), gutter: 8pt, {', '.join(parts)}))"
            body = f"stack(spacing: 8pt, {image}, {columns})"
        return self._captioned(body, figure.caption)

    def _captioned(self, body: str, caption: str) -> str:
        below = f", caption: {self.text(caption)}" if caption else ""
        return f"#figure({body}{below})"

    def _pictures(self, figure: m.Figure, widths: list[float], told: str, room: float) -> str:
        """Pictures side by side, as many as fit into a row, or two with a text beside them."""
        images = [_image(picture, width) for picture, width in zip(figure.pictures, widths, strict=True)]
        fit = 2 if told else max(1, int((room + _GUTTER) / (max(widths) + _GUTTER) + 0.01))
        columns = [f"{width:.1f}mm" for width in widths[:fit]] + ["1fr"] * bool(told)
        cells = ", ".join([*images, f"align(left, {told})"] if told else images)
        whole = f"grid(columns: ({', '.join(columns)},), gutter: 8pt, align: top, {cells})"
        return self._captioned(whole, figure.caption)

    # ------------------------------------------------------------ tables and lists

    def _grid(self, grid: m.MatterTable) -> Iterator[BookPart]:
        """A table; a long one goes on as another, below the same head."""
        titles = ", ".join(f"strong({self.text(title)})" for title in grid.head)
        head = f"table.header({titles}), " if titles else ""
        style = "stroke: (x, y) => (bottom: 0.4pt + luma(190)), inset: (x: 4pt, y: 3.2pt), align: left"
        for at in range(0, len(grid.rows), _ROWS):
            rows = ", ".join(self._row(row, grid.width) for row in grid.rows[at : at + _ROWS])
            yield BookPart("block", f"#text(size: 9pt, table(columns: {grid.width}, {style}, {head}{rows}))")

    def _row(self, row: m.TableRow, width: int) -> str:
        label = self._linked(self.text(row.label), row.link)
        if not row.cells:
            return f"table.cell(colspan: {width}, strong({label}))"
        return ", ".join([label, *map(self.text, row.cells)])

    def _list(self, entries: tuple[m.ListEntry, ...]) -> str:
        return f"list({''.join(f'{self._entry(entry)}, ' for entry in entries)})"

    def _entry(self, entry: m.ListEntry) -> str:
        lead = f'strong({self._linked(self.text(entry.lead), entry.link)}) + " " + ' if entry.lead else ""
        text = self.text(entry.text) if entry.lead else self._linked(self.text(entry.text), entry.link)
        style = "above: 0.5em, inset: (left: 0.8em), stroke: (left: 1.5pt + luma(200))"
        other = "".join(f" + block({style}, {self.text(one)})" for one in entry.other)
        return f"{lead}{text}{other}" + (f" + {self._list(entry.inner)}" if entry.inner else "")

    def _term(self, term: str, sections: list[str]) -> str:
        marks = "".join(f"label({string(_label(section))}), " for section in sections if section in self.sections)
        if not marks:
            return f"par({self.text(term)})"
        return f'par({self.text(term)} + "  " + pages(({marks})))'

    def _linked(self, text: str, link: str | None) -> str:
        return f"link(label({string(_label(link))}), {text})" if link in self.sections and link else text


PAGES = """\
#let pages(marks) = context {
  let found = marks.map(mark => (counter(page).at(mark).first(), mark))
  let seen = ()
  let parts = ()
  for (number, mark) in found {
    if number not in seen {
      seen.push(number)
      parts.push(link(mark, str(number)))
    }
  }
  text(fill: luma(90), parts.join(", "))
}
"""
"""The numbers of the pages that marks are on, each once."""


def _widths(figure: m.Figure, beside: bool, room: float) -> list[float]:
    """The widths of the pictures of a figure in mm, on one scale; ``beside``: with a text beside them."""
    pictures = figure.pictures
    highest = max(((p.narrow_ratio if figure.narrow_on_paper else p.ratio) for p in pictures), default=1.0)
    if beside:
        return [min(_BESIDE, _HIGH / highest)] * len(pictures)
    if figure.steps and len(pictures) == 2:
        return [min((room - _GUTTER) / 2, _HIGH / highest)] * 2
    if len(pictures) == 1:
        return [min(room, _BESIDE, _HIGH / highest) if figure.steps else min(room, _ALONE / highest)]
    return [max(_fitting(len(pictures), highest, room))] * len(pictures)


def _fitting(number: int, highest: float, room: float) -> Iterator[float]:
    """The widths that pictures can have with 1, 2, ... of them in a row, so that all rows fit on a page."""
    for columns in range(1, number + 1):
        rows = -(-number // columns)
        across = (room - (columns - 1) * _GUTTER) / columns
        yield min(across, (_TOGETHER - (rows - 1) * _GUTTER) / rows / highest)


def _image(picture: m.Picture, width: float) -> str:
    return f'image("{picture.name}.svg", alt: {string(picture.alt)}, width: {width:.1f}mm)'


def _thirds(items: Sequence[str]) -> list[tuple[int, Sequence[str]]]:
    """The items in three parts, each with the position of its first."""
    size = -(-len(items) // 3)
    return [(at, items[at : at + size]) for at in range(0, len(items), size)]
