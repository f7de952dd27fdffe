"""A rulebook as text for Typst, which sets it as a PDF. Every word is a string of Typst's, so none is markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ..languages.catalogue import say
from ..languages.locale import set_type
from .enumeration import items_of
from .matter import Chapter, Matter
from .model import Change, HeadingPart, Piece, Rulebook, StatementPart, plain
from .order import Passage, chapters, in_order
from .typeset_matter import PAGES, WIDTH, MatterWriter, Part, anchor, string, symbol
from .words import doubt_line, front_lines, label

_PAGE = 257.0
"""The height of what a page holds, in mm."""
_SHEET = """\
#set page(paper: "a4", margin: (x: 22mm, y: 20mm), numbering: "1")
#set text(font: "Libertinus Serif", size: 10.5pt)
#set par(justify: true, leading: 0.62em, spacing: 0.85em)
#set figure(numbering: none)
#show figure: set align(left)
#show figure.caption: set text(size: 8.5pt, fill: luma(90))
#show heading.where(level: 1): set text(size: 26pt)
#show heading.where(level: 2): set text(size: 14pt, fill: rgb("#7a3e1d"))
#show strike: set text(fill: rgb("#8f2f25"))
"""
_COMPOSE = Path(__file__).parent / "assets" / "compose.typ"


_JOINT = ' + " " + '
_SHORT_LIST = 15
"""A longer list of changes comes at the end, so that the rulebook itself can be seen."""


def as_typst(rulebook: Rulebook, matter: Matter | None = None) -> str:
    """The whole rulebook; ``matter``: what it has besides the text. A picture is expected in the file ``NAME.svg``."""
    lang = rulebook.language
    head = f"#set text(lang: {string(lang)})\n#set document(title: {string(rulebook.title)})"
    parts = "\n".join(f"  {part.typst()}," for part in _parts(rulebook, matter or Matter()))
    rules = _COMPOSE.read_text(encoding="utf-8")
    return f"{_SHEET}{PAGES}{rules}\n{head}\n\n#compose({WIDTH:g}mm, {_PAGE:g}mm, (\n{parts}\n))\n"


def _parts(rulebook: Rulebook, matter: Matter) -> Iterator[Part]:
    lang = rulebook.language
    sections = {part.section for part in rulebook.parts if isinstance(part, StatementPart)}
    writer = MatterWriter(lambda text: _text(text, lang), frozenset(sections))
    yield Part("title", f"#heading(level: 1, {_text(rulebook.title, lang)})")
    yield from (Part("line", f"#{_text(line, lang)}") for line in front_lines(rulebook))
    long = len(rulebook.changes) > _SHORT_LIST
    yield from () if long else _changes(rulebook)
    yield from _unworded(rulebook)
    listed = [one for one in chapters(rulebook, matter) if isinstance(one, Chapter) or one.level == 2]
    yield from _contents(len(listed) + long, lang)
    for piece in in_order(rulebook, matter):
        match piece:
            case HeadingPart():
                text = _borrowed(piece, _text(piece.text, piece.borrowed or lang))
                text = f"strike({text})" if piece.mark == "removed" else text
                yield Part("chapter", f"#heading(level: {piece.level}, {text})")
            case Passage():
                yield from _passage(piece, lang)
                yield from writer.examples(piece.figures)
            case Chapter():
                yield from writer.chapter(piece)
            case _:
                yield from writer.block(piece)
    if long:
        yield Part("chapter", f"#heading(level: 2, {_text(say('changes', lang), lang)})", fresh=True)
        yield from _changes(rulebook)


def _contents(chapters: int, lang: str) -> Iterator[Part]:
    """The table of contents in two columns of the same length."""
    outline = "outline(title: none, indent: 0pt, target: heading.where(level: 2))"
    height = f"height: {(chapters + 1) // 2 * 1.35 + 0.5:.1f}em"
    yield Part("subtitle", f"#strong({_text(say('contents', lang), lang)})")
    yield Part("block", f"#text(size: 9pt, block({height}, columns(2, {outline})))")


def _passage(passage: Passage, lang: str) -> Iterator[Part]:
    """The statements of a section as a paragraph, or as a list; what does not hold is set apart."""
    mark = anchor(passage.section) if passage.first else ""
    figures = [figure.lead for figure in passage.figures if figure.lead]
    for aside, told in groupby(passage.statements, lambda part: part.aside):
        first, items = items_of(list(told))
        leads = () if aside else figures
        if first:
            paragraph = _paragraph(first, lang, leads if not items else ())
            inside = "inset: (left: 1em), stroke: (left: 1.5pt + luma(200))"
            yield Part("text", mark + (f"#block({inside})[{paragraph}]" if aside else paragraph))
            mark = ""
        for number, item in enumerate(items):
            words = _told(item, lang) + ([_named(leads, lang)] if leads and number == len(items) - 1 else [])
            yield Part("entry", f"{mark}#list({_JOINT.join(words)})")
            mark = ""
    doubt = doubt_line(passage.statements, lang)
    if doubt:
        note = 'inset: (left: 1em), stroke: (left: 1.5pt + rgb("#b8860b"))'
        yield Part("entry", f"#block({note}, text(size: 9pt, {_text(f'! {doubt}', lang)}))")


def _paragraph(statements: Sequence[StatementPart], lang: str, figures: Sequence[str]) -> str:
    told = _told(statements, lang) + ([_named(figures, lang)] if figures else [])
    return f"#par({{{_JOINT.join(told)}}})"


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


def _changes(rulebook: Rulebook) -> Iterator[Part]:
    lang = rulebook.language
    if rulebook.changes and len(rulebook.changes) <= _SHORT_LIST:
        yield Part("subtitle", f"#strong({_text(say('changes', lang), lang)})")
    yield from (Part("entry", f"#list({_entry(change, lang)})") for change in rulebook.changes)


def _unworded(rulebook: Rulebook) -> Iterator[Part]:
    lang = rulebook.language
    if rulebook.unworded:
        yield Part("subtitle", f"#strong({_text(say('unworded', lang), lang)})")
        yield from (Part("entry", f"#list(raw({string(id_)}))") for id_ in rulebook.unworded)


def _entry(change: Change, lang: str) -> str:
    sides = [f"strike({_text(change.old, lang)})"] if change.old is not None else []
    sides += [_text(change.new, lang)] if change.new is not None else []
    name = f"raw({string(change.name)})" if change.called is None else _text(change.called, lang)
    return f"{name} + {_text(f' ({label(change, lang)}): ', lang)} + " + ' + " → " + '.join(sides)


def _text(text: str, lang: str) -> str:
    return string(set_type(text, lang))
