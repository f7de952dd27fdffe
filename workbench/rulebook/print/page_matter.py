"""Chapters and figures around the text of a rulebook, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

from ..languages.locale import set_type
from .matter import Block, Chapter, Entry, Figure, Grid, Index, Listing, Picture


def chapter_html(chapter: Chapter, lang: str) -> str:
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


def block_html(block: Block, lang: str) -> str:
    """What stands below a heading."""
    match block:
        case Figure():
            return figure_html(block, lang)
        case Grid():
            return _grid(block, lang)
        case Listing():
            return _subtitle(block.title, lang) + _list(block.entries, block.numbered, lang)
        case Index():
            return _index(block, lang)


def figure_html(figure: Figure, lang: str) -> str:
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


def _picture(picture: Picture, lang: str) -> str:
    image = f'<img src="{_data(picture.wide)}" alt="{_text(picture.alt, lang)}">'
    if picture.narrow == picture.wide:
        return image
    narrow = f'<source media="screen and (max-width: 44rem)" srcset="{_data(picture.narrow, "")}">'
    return f"<picture>{narrow}{image}</picture>"


def _data(svg: str, plain: str = " ,") -> str:
    """The picture as an address. ``plain``: characters that need no escape; a ``srcset`` would end at either."""
    return "data:image/svg+xml," + quote(svg, safe=f"=:/;-_.!~*(){{}}@+$?{plain}")


def _grid(grid: Grid, lang: str) -> str:
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


def _list(entries: tuple[Entry, ...], numbered: bool, lang: str) -> str:
    tag = "ol" if numbered else "ul"
    items = "\n".join(_entry(entry, numbered, lang) for entry in entries)
    return f"<{tag}>\n{items}\n</{tag}>"


def _entry(entry: Entry, numbered: bool, lang: str) -> str:
    lead = f"<strong>{_linked(_text(entry.lead, lang), entry.link)}</strong> " if entry.lead else ""
    text = _text(entry.text, lang)
    text = text if entry.lead else _linked(text, entry.link)
    other = "".join(f'<p class="aside">{_text(one, lang)}</p>' for one in entry.other)
    return f"<li>{lead}{text}{other}{_list(entry.inner, False, lang) if entry.inner else ''}</li>"


def _index(index: Index, lang: str) -> str:
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
