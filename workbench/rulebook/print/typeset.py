"""A rulebook as text for Typst, which sets it as a PDF. Every word is a string of Typst's, so none is markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ..languages.catalogue import say
from .enumeration import items_of
from .matter import Matter
from .model import Change, HeadingPart, Piece, Rulebook, StatementPart, plain
from .typeset_matter import PAGES, MatterWriter, anchor, string, symbol
from .typography import set_type
from .words import doubt_line, front_lines, label

_SHEET = """\
#set page(paper: "a4", margin: (x: 22mm, y: 20mm), numbering: "1")
#set text(font: "Libertinus Serif", size: 10.5pt)
#set par(justify: true, leading: 0.62em, spacing: 0.85em)
#set figure(numbering: none)
#show figure.caption: set text(size: 8.5pt, fill: luma(90))
#show heading: set block(above: 1.5em, below: 0.7em, sticky: true)
#show heading.where(level: 1): set text(size: 26pt)
#show heading.where(level: 2): set text(size: 14pt, fill: rgb("#7a3e1d"))
#show strike: set text(fill: rgb("#8f2f25"))
"""


_SHORT_LIST = 15
"""A longer list of changes comes at the end, so that the rulebook itself can be seen."""


def as_typst(rulebook: Rulebook, matter: Matter | None = None) -> str:
    """The whole rulebook; ``matter``: what it has besides the text. A picture is expected in the file ``NAME.svg``."""
    return "\n\n".join(_lines(rulebook, matter or Matter())) + "\n"


def _lines(rulebook: Rulebook, matter: Matter) -> Iterator[str]:
    lang = rulebook.language
    sections = {part.section for part in rulebook.parts if isinstance(part, StatementPart)}
    writer = MatterWriter(lambda text: _text(text, lang), frozenset(sections))
    yield f"{_SHEET}{PAGES}#set text(lang: {string(lang)})\n#set document(title: {string(rulebook.title)})"
    yield f"#heading(level: 1, {_text(rulebook.title, lang)})"
    yield from (f"#{_text(line, lang)}" for line in front_lines(rulebook))
    long = len(rulebook.changes) > _SHORT_LIST
    yield from () if long else _changes(rulebook)
    yield from _unworded(rulebook)
    chapters = sum(isinstance(p, HeadingPart) and p.level == 2 for p in rulebook.parts)
    yield _contents(chapters + len(matter.front) + len(matter.back) + long, lang)
    for chapter in matter.front:
        yield from writer.chapter(chapter)
    parts = [part for part in rulebook.parts if not (isinstance(part, HeadingPart) and part.level == 1)]
    for section, group in groupby(parts, lambda p: p.section if isinstance(p, StatementPart) else None):
        if section in sections:
            sections.remove(section)  # what is gone may stand apart from what took its place
            yield anchor(section)
        listed = list(group)
        figures = matter.after(section)
        for aside, told in groupby(listed, lambda p: isinstance(p, StatementPart) and p.aside):
            leads = () if aside else [figure.lead for figure in figures if figure.lead]
            yield from _block(list(told), aside, lang, leads)
        doubt = doubt_line((part for part in listed if isinstance(part, StatementPart)), lang)
        if doubt:
            note = 'inset: (left: 1em), stroke: (left: 1.5pt + rgb("#b8860b"))'
            yield f"#block({note}, text(size: 9pt, {_text(f'! {doubt}', lang)}))"
        yield from map(writer.figure, figures)
    yield "#place.flush()"
    for chapter in matter.back:
        yield from writer.chapter(chapter)
    if long:
        yield f"#pagebreak(weak: true)\n#heading(level: 2, {_text(say('changes', lang), lang)})"
        yield from _changes(rulebook)


def _contents(chapters: int, lang: str) -> str:
    """The table of contents in two columns of the same length."""
    outline = "outline(title: none, indent: 0pt, target: heading.where(level: 2))"
    height = f"height: {(chapters + 1) // 2 * 1.35 + 0.5:.1f}em"
    title = f"#block(above: 1.5em, strong({_text(say('contents', lang), lang)}))"
    return f"{title}\n#text(size: 9pt, block({height}, columns(2, {outline})))"


def _block(parts: list[HeadingPart | StatementPart], aside: bool, lang: str, figures: Sequence[str]) -> Iterator[str]:
    """Headings, or the statements of a section as a paragraph; what does not hold is set apart.

    ``figures``: the names of those that belong to the section; they may stand elsewhere on the page, or on the next.
    """
    for part in parts:
        if isinstance(part, HeadingPart):
            text = _borrowed(part, _text(part.text, part.borrowed or lang))
            yield "#place.flush()"  # the examples of a chapter come before the next
            yield f"#heading(level: {part.level}, {f'strike({text})' if part.mark == 'removed' else text})"
    first, items = items_of([part for part in parts if isinstance(part, StatementPart)])
    if first:
        paragraph = _paragraph(first, lang, figures if not items else ())
        yield f"#block(inset: (left: 1em), stroke: (left: 1.5pt + luma(200)))[{paragraph}]" if aside else paragraph
    if items:
        told = [_told(item, lang) for item in items]
        told[-1] += [_named(figures, lang)] if figures else []
        yield "#list(" + ", ".join(' + " " + '.join(item) for item in told) + ")"


def _paragraph(statements: Sequence[StatementPart], lang: str, figures: Sequence[str]) -> str:
    told = _told(statements, lang) + ([_named(figures, lang)] if figures else [])
    return "#par({" + ' + " " + '.join(told) + "})"


def _told(statements: Sequence[StatementPart], lang: str) -> list[str]:
    return [_borrowed(part, _statement(part, part.borrowed or lang)) for part in statements]


def _named(figures: Sequence[str], lang: str) -> str:
    """Where the figures of a section are, in small letters."""
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


def _changes(rulebook: Rulebook) -> Iterator[str]:
    lang = rulebook.language
    if rulebook.changes:
        if len(rulebook.changes) <= _SHORT_LIST:
            yield f"#strong({_text(say('changes', lang), lang)})"
        yield "#list(" + ", ".join(_entry(change, lang) for change in rulebook.changes) + ")"


def _unworded(rulebook: Rulebook) -> Iterator[str]:
    lang = rulebook.language
    if rulebook.unworded:
        yield f"#strong({_text(say('unworded', lang), lang)})"
        yield "#list(" + ", ".join(f"raw({string(id_)})" for id_ in rulebook.unworded) + ",)"


def _entry(change: Change, lang: str) -> str:
    sides = [f"strike({_text(change.old, lang)})"] if change.old is not None else []
    sides += [_text(change.new, lang)] if change.new is not None else []
    return f"raw({string(change.name)}) + {_text(f' ({label(change, lang)}): ', lang)} + " + ' + " → " + '.join(sides)


def _text(text: str, lang: str) -> str:
    return string(set_type(text, lang))
