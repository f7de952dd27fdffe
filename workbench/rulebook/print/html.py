"""A rulebook as one HTML page that needs nothing else: no script, no font, no other file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from ...web import page
from ..languages.catalogue import say
from ..languages.locale import sentence_gap, set_type
from . import matter as m
from .document import HeadingPart, ListedChange, Rulebook, StatementPart, plain

_STYLE = Path(__file__).parent / "assets" / "rulebook.css"
_SHORT_LIST = 15
"""A longer list of changes is folded away, so that the rulebook itself can be seen."""


def as_html(rulebook: Rulebook, matter: m.Matter | None = None) -> str:
    """The whole page; ``matter``: what it has besides the text.

    Each statement is an element with its id, so a link ``#income.gold.2`` leads to it.
    """
    matter = matter or m.Matter()
    contents = escape(say("contents", rulebook.language))
    listed = [
        (one.anchor, one.title if isinstance(one, m.Chapter) else one.text) for one in m.chapters(rulebook, matter)
    ]
    links = "\n".join(f'<li><a href="#{anchor}">{_text_in(title, rulebook)}</a></li>' for anchor, title in listed)
    front = "\n".join(f"<p>{_text_in(line, rulebook)}</p>" for line in m.front_lines(rulebook))
    title = set_type(rulebook.title, rulebook.language)
    body = f"""{symbols_html(matter.symbols, matter.credit)}<div class="page">
<header>
<h1>{escape(title)}</h1>
{front}
</header>
{_changes(rulebook)}{_unworded(rulebook)}<div class="columns">
<nav aria-label="{contents}">
<strong>{contents}</strong>
<ol>
{links}
</ol>
</nav>
<main>
{_body(rulebook, matter)}
</main>
</div>
<footer class="stamp" data-stamp="{rulebook.stamp.packed}">{escape(rulebook.stamp.line)}</footer>
</div>"""
    return page(title, rulebook.language, body, _STYLE)


def _body(rulebook: Rulebook, matter: m.Matter) -> str:
    writer = _Writer(rulebook)
    out: list[str] = []
    for piece in m.in_order(rulebook, matter):
        match piece:
            case HeadingPart():
                out.append(_heading(piece, rulebook))
            case m.PrintedPassage():
                out.append(writer.section(piece.section, piece.statements))
                out += [figure_html(figure, rulebook.language) for figure in piece.figures]
            case m.Chapter():
                out.append(chapter_html(piece, rulebook.language))
            case _:
                out.append(f'<div class="matter">{block_html(piece, rulebook.language)}</div>')
    return "\n".join(out)


def _heading(part: HeadingPart, rulebook: Rulebook) -> str:
    text = _borrowed(part, rulebook, _wrap(part.mark, _text_in(part.text, rulebook)))
    return f'<h{part.level} id="{part.anchor}"><a href="#{part.anchor}">{text}</a></h{part.level}>'


class _Writer:
    """Writes sections; knows which change a marked value or sentence belongs to."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.anchors: set[str] = set()
        self.values = {(where, c.name): c.number for c in rulebook.changes if c.kind == "value" for where in c.where}
        self.settings = {where: c.number for c in rulebook.changes if c.kind == "setting" for where in c.where}

    def section(self, id_: str, statements: Sequence[StatementPart]) -> str:
        """A block with a paragraph of its sentences; other readings follow below it."""
        attribute = f' id="{escape(id_)}"' if self._first(id_) else ""
        title = escape(f"{say('section', self.rulebook.language)}: {id_}")
        out = [f'<div class="section"{attribute}>']
        out.append(f'<a class="id" href="#{escape(id_)}" title="{title}" aria-label="{title}">¶</a>')
        for aside, group in groupby(statements, lambda s: s.aside):
            if aside:
                out += [f'<p class="aside">{self._statement(s)}</p>' for s in group]
                continue
            first, items = m.items_of(list(group))
            gap = sentence_gap(self.rulebook.language)
            out += [f"<p>{gap.join(map(self._statement, first))}</p>"] if first else []
            listed = "".join(f"<li>{gap.join(map(self._statement, item))}</li>" for item in items)
            out += [f"<ul>{listed}</ul>"] if items else []
        doubt = m.doubt_line(statements, self.rulebook.language)
        note = [f'<p class="doubt-note">⚠ {_text_in(doubt, self.rulebook)}</p>'] if doubt else []
        return "\n".join([*out, *note, "</div>"])

    def _first(self, anchor: str) -> bool:
        """Whether the anchor is free. What is gone leaves its anchor to what took its number."""
        if anchor in self.anchors:
            return False
        self.anchors.add(anchor)
        return True

    def _statement(self, part: StatementPart) -> str:
        text = _wrap(part.mark, self._sentence(part))
        if part.doubt:
            text = f'<span class="doubt">{text}</span>'
        if part.old is not None:
            text = f"<del>{_text_in(plain(part.old), self.rulebook)}</del> {text}"
        if part.id in self.settings and part.mark != "removed":
            text += _note(self.settings[part.id])
        text = _borrowed(part, self.rulebook, text)
        anchor = f' id="{escape(part.id)}"' if part.mark != "removed" and self._first(part.id) else ""
        return f"<span{anchor}>{text}</span>"

    def _sentence(self, part: StatementPart) -> str:
        out = []
        for piece in part.sentence:
            text = escape(set_type(piece.text, part.borrowed or self.rulebook.language))
            number = self.values.get((part.id, (piece.placeholder or "")[1:-1]))
            if piece.old is not None and number is not None:
                title = escape(f"{say('instead', self.rulebook.language)} {piece.old}")
                text = f'<mark title="{title}">{text}</mark>{_note(number)}'
            out.append(f"{symbol_html(piece.symbol)}{text}" if piece.symbol else text)
        return "".join(out)


def _borrowed(part: HeadingPart | StatementPart, rulebook: Rulebook, text: str) -> str:
    """Words of another language, told so to eyes, readers and hyphenation."""
    if part.borrowed is None:
        return text
    title = escape(say("untranslated_mark", rulebook.language))
    code = escape(part.borrowed)
    begins = not isinstance(part, StatementPart) or part.sign is not None
    sign = f'<small title="{title}">[{code}]</small> ' if begins else ""
    return f'<span class="borrowed" lang="{code}">{sign}{text}</span>'


def _note(number: int) -> str:
    return f'<sup><a href="#change-{number}">{number}</a></sup>'


def _changes(rulebook: Rulebook) -> str:
    if not rulebook.changes:
        return ""
    items = "\n".join(_change(change, rulebook) for change in rulebook.changes)
    opened = " open" if len(rulebook.changes) <= _SHORT_LIST else ""
    summary = f"<summary>{escape(say('changes', rulebook.language))} ({len(rulebook.changes)})</summary>"
    return f'<details class="changes"{opened}>\n{summary}\n<ol>\n{items}\n</ol>\n</details>\n'


def _change(change: ListedChange, rulebook: Rulebook) -> str:
    sides = []
    if change.old is not None:
        sides.append(f"<del>{_text_in(change.old, rulebook)}</del>")
    if change.new is not None:
        sides.append(f"<ins>{_text_in(change.new, rulebook)}</ins>")
    name = f"<code>{escape(change.name)}</code>" if change.called is None else _text_in(change.called, rulebook)
    if change.where:
        name = f'<a href="#{escape(change.where[0])}">{name}</a>'
    kind = f'<span class="kind">{escape(m.label(change, rulebook.language))}</span>'
    number = f'<span class="number">{change.number}</span>'
    return f'<li id="change-{change.number}">{number}{name} {kind} {" → ".join(sides)}</li>'


def _unworded(rulebook: Rulebook) -> str:
    if not rulebook.unworded:
        return ""
    ids = "\n".join(f"<code>{escape(id_)}</code>" for id_ in rulebook.unworded)
    heading = f"<strong>{escape(say('unworded', rulebook.language))}</strong>"
    return f'<section class="unworded">\n{heading}\n{ids}\n</section>\n'


def _wrap(mark: str, text: str) -> str:
    match mark:
        case "added" | "changed":
            return f"<ins>{text}</ins>"
        case "removed":
            return f"<del>{text}</del>"
    return text


def _text_in(text: str, rulebook: Rulebook) -> str:
    return escape(set_type(text, rulebook.language))


# ---------------------------------------------------------------- matter


def chapter_html(chapter: m.Chapter, lang: str) -> str:
    """A chapter with its heading, which its anchor leads to."""
    title = f'<h2 id="{chapter.anchor}"><a href="#{chapter.anchor}">{_text(chapter.title, lang)}</a></h2>'
    intro = [f"<p>{_text(chapter.intro, lang)}</p>"] if chapter.intro else []
    blocks = [block_html(block, lang) for block in chapter.blocks]
    whole = " whole" if chapter.whole else ""
    return "\n".join([f'<section class="matter{whole}">', title, *intro, *blocks, "</section>"])


def symbols_html(symbols: Mapping[str, str], credit: str) -> str:
    """The symbols of a text, not to be seen where they stand."""
    if not symbols:
        return ""
    inner = "".join(f'<symbol id="{name}" viewBox="0 0 24 24">{svg}</symbol>' for name, svg in symbols.items())
    head = '<svg width="0" height="0" class="symbols" aria-hidden="true">'
    return f"{head}<metadata>{escape(credit)}</metadata><defs>{inner}</defs></svg>\n"


def symbol_html(name: str) -> str:
    """A symbol in a line. The word behind it says the same, so it is silent."""
    return f'<svg class="symbol" aria-hidden="true"><use href="#{name}"/></svg>\u2060'


def block_html(block: m.Block, lang: str) -> str:
    """What stands below a heading."""
    match block:
        case m.Figure():
            return figure_html(block, lang)
        case m.MatterTable():
            return _grid(block, lang)
        case m.Listing():
            return _subtitle(block.title, lang) + _list(block.entries, block.numbered, lang)
        case m.TermIndex():
            return _index(block, lang)


def figure_html(figure: m.Figure, lang: str) -> str:
    """The pictures, with what happens, and the name of each numbered part, which leads to the section about it."""
    pictures = "".join(_picture(picture, lang) for picture in figure.pictures)
    several = " several" if len(figure.pictures) > 1 and not figure.wide else ""
    shown = f'<div class="pictures{several}">{pictures}</div>' if pictures else ""
    lead = f'<p class="lead">{_text(figure.lead, lang)}</p>' if figure.lead else ""
    told = _steps(figure.steps, lang)
    names = "".join(f"<li>{_linked(_text(name, lang), link)}</li>" for name, link in figure.parts)
    parts = f'<ol class="parts">{names}</ol>' if names else ""
    caption = f"<figcaption>{_text(figure.caption, lang)}</figcaption>" if figure.caption else ""
    kind = ' class="example"' if figure.lead else ""
    return f"<figure{kind}>{lead}{shown}{caption}{told}{parts}</figure>"


def _steps(steps: Sequence[str], lang: str) -> str:
    """What happens, in order; nothing is counted where only one thing does."""
    if len(steps) == 1:
        return f'<p class="steps">{_text(steps[0], lang)}</p>'
    items = "".join(f"<li>{_text(step, lang)}</li>" for step in steps)
    return f'<ol class="steps">{items}</ol>' if items else ""


def _picture(picture: m.Picture, lang: str) -> str:
    image = f'<img src="{_data(picture.wide)}" alt="{_text(picture.alt, lang)}">'
    if picture.narrow == picture.wide:
        return image
    narrow = f'<source media="screen and (max-width: 44rem)" srcset="{_data(picture.narrow, "")}">'
    return f"<picture>{narrow}{image}</picture>"


def _data(svg: str, plain: str = " ,") -> str:
    """The picture as an address. ``plain``: characters that need no escape; a ``srcset`` would end at either."""
    return "data:image/svg+xml," + quote(svg, safe=f"=:/;-_.!~*(){{}}@+$?{plain}")


def _grid(grid: m.MatterTable, lang: str) -> str:
    titles = "".join(f'<th scope="col">{_text(title, lang)}</th>' for title in grid.head)
    head = f"<thead><tr>{titles}</tr></thead>" if titles else ""
    rows = []
    for row in grid.rows:
        if not row.cells:
            rows.append(
                f'<tr><th colspan="{grid.width}" scope="rowgroup" class="group">{_text(row.label, lang)}</th></tr>'
            )
            continue
        cells = "".join(f"<td>{_text(cell, lang)}</td>" for cell in row.cells)
        rows.append(f'<tr><th scope="row">{_linked(_text(row.label, lang), row.link)}</th>{cells}</tr>')
    body = "\n".join(rows)
    return f'<div class="table"><table>{head}\n<tbody>{body}</tbody></table></div>'


def _list(entries: tuple[m.ListEntry, ...], numbered: bool, lang: str) -> str:
    tag = "ol" if numbered else "ul"
    items = "\n".join(_entry(entry, numbered, lang) for entry in entries)
    return f"<{tag}>\n{items}\n</{tag}>"


def _entry(entry: m.ListEntry, numbered: bool, lang: str) -> str:
    lead = f"<strong>{_linked(_text(entry.lead, lang), entry.link)}</strong> " if entry.lead else ""
    text = _text(entry.text, lang)
    text = text if entry.lead else _linked(text, entry.link)
    other = "".join(f'<p class="aside">{_text(one, lang)}</p>' for one in entry.other)
    return f"<li>{lead}{text}{other}{_list(entry.inner, False, lang) if entry.inner else ''}</li>"


def _index(index: m.TermIndex, lang: str) -> str:
    items = []
    for term, found in index.terms:
        chapters: dict[str, str] = {}
        for section, chapter in found:
            chapters.setdefault(chapter, section)
        links = ", ".join(_linked(_text(chapter, lang), section) for chapter, section in chapters.items())
        items.append(f"<dt>{_text(term, lang)}</dt><dd>{links}</dd>")
    return f'<dl class="index">{"".join(items)}</dl>'


def _subtitle(title: str, lang: str) -> str:
    return f"<h3>{_text(title, lang)}</h3>\n" if title else ""


def _linked(text: str, link: str | None) -> str:
    return f'<a href="#{escape(link)}">{text}</a>' if link else text


def _text(text: str, lang: str) -> str:
    return escape(set_type(text, lang))
