"""A rulebook as one HTML page that needs nothing else: no script, no font, no other file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from ..languages.catalogue import say
from ..languages.locale import set_type
from .enumeration import items_of
from .matter import Chapter, Matter
from .model import Change, HeadingPart, Rulebook, StatementPart, plain
from .order import Passage, chapters, in_order
from .page_matter import block_html, chapter_html, figure_html, symbol_html, symbols_html
from .style import STYLE
from .words import doubt_line, front_lines, label

_SHORT_LIST = 15
"""A longer list of changes is folded away, so that the rulebook itself can be seen."""


def as_html(rulebook: Rulebook, matter: Matter | None = None) -> str:
    """The whole page; ``matter``: what it has besides the text.

    Each statement is an element with its id, so a link ``#income.gold.2`` leads to it.
    """
    matter = matter or Matter()
    contents = escape(say("contents", rulebook.language))
    listed = [(one.anchor, one.title if isinstance(one, Chapter) else one.text) for one in chapters(rulebook, matter)]
    links = "\n".join(f'<li><a href="#{anchor}">{_text(title, rulebook)}</a></li>' for anchor, title in listed)
    front = "\n".join(f"<p>{_text(line, rulebook)}</p>" for line in front_lines(rulebook))
    return f"""<!DOCTYPE html>
<html lang="{escape(rulebook.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rulelang">
<title>{_text(rulebook.title, rulebook)}</title>
<style>
{STYLE}</style>
</head>
<body>
{symbols_html(matter.symbols, matter.credit)}<div class="page">
<header>
<h1>{_text(rulebook.title, rulebook)}</h1>
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
</div>
</body>
</html>
"""


def _body(rulebook: Rulebook, matter: Matter) -> str:
    writer = _Writer(rulebook)
    out: list[str] = []
    for piece in in_order(rulebook, matter):
        match piece:
            case HeadingPart():
                out.append(_heading(piece, rulebook))
            case Passage():
                out.append(writer.section(piece.section, piece.statements))
                out += [figure_html(figure, rulebook.language) for figure in piece.figures]
            case Chapter():
                out.append(chapter_html(piece, rulebook.language))
            case _:
                out.append(f'<div class="matter">{block_html(piece, rulebook.language)}</div>')
    return "\n".join(out)


def _heading(part: HeadingPart, rulebook: Rulebook) -> str:
    text = _borrowed(part, rulebook, _wrap(part.mark, _text(part.text, rulebook)))
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
            first, items = items_of(list(group))
            out += [f"<p>{' '.join(map(self._statement, first))}</p>"] if first else []
            listed = "".join(f"<li>{' '.join(map(self._statement, item))}</li>" for item in items)
            out += [f"<ul>{listed}</ul>"] if items else []
        doubt = doubt_line(statements, self.rulebook.language)
        note = [f'<p class="doubt-note">⚠ {_text(doubt, self.rulebook)}</p>'] if doubt else []
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
            text = f"<del>{_text(plain(part.old), self.rulebook)}</del> {text}"
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


def _change(change: Change, rulebook: Rulebook) -> str:
    sides = []
    if change.old is not None:
        sides.append(f"<del>{_text(change.old, rulebook)}</del>")
    if change.new is not None:
        sides.append(f"<ins>{_text(change.new, rulebook)}</ins>")
    name = f"<code>{escape(change.name)}</code>" if change.called is None else _text(change.called, rulebook)
    if change.where:
        name = f'<a href="#{escape(change.where[0])}">{name}</a>'
    kind = f'<span class="kind">{escape(label(change, rulebook.language))}</span>'
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


def _text(text: str, rulebook: Rulebook) -> str:
    return escape(set_type(text, rulebook.language))
