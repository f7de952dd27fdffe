"""Differences of two rule sets in the terminal and as HTML."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from html import escape

from rich.console import Console
from rich.text import Text

from .rule_changes import RuleChange, StatementChange

CALLED = {
    "number": "number", "option": "option", "reading": "reading", "table": "table", "rule": "rule",
    "definition": "definition", "variable": "variable", "declaration": "declaration", "winner": "who wins",
    "invariant": "invariant", "order": "order", "statement": "rulebook only",
}  # fmt: skip
"""What each kind of change is called."""


def show(out: Console, changes: Sequence[RuleChange], languages: Sequence[str] | None = None) -> None:
    """Prints the changes; ``languages``: of the rulebook's statements, None for all."""
    for change in changes:
        out.print(heading(change))
        for sign, line in lines(change):
            out.print(Text(f"  {sign} {line}", style={"-": "red", "+": "green"}.get(sign, "dim")), soft_wrap=True)
        for language, told in change.statements.items():
            if languages is None or language in languages:
                for one in told:
                    out.print(_statement(language, one), soft_wrap=True)


def heading(change: RuleChange) -> Text:
    """What changes and how, on one line."""
    line = Text.assemble((CALLED.get(change.kind, change.kind), "dim"), " ", (change.name, "bold"))
    if is_brief(change):
        line.append(f": {change.before} → {change.after}")
    elif change.before is None and change.after is not None:
        line.append(" is new", style="green")
    elif change.after is None and change.before is not None:
        line.append(" is gone", style="red")
    return line.append(f" ({change.where})", style="dim") if change.where else line


def is_brief(change: RuleChange) -> bool:
    """Whether both sides fit on the line that names the change."""
    return change.before is not None and change.after is not None and "\n" not in change.before + change.after


def lines(change: RuleChange) -> Iterator[tuple[str, str]]:
    """The lines that go (-), come (+) and stay (a blank)."""
    if is_brief(change):
        return
    before, after = ((text or "").splitlines() for text in (change.before, change.after))
    for line in difflib.ndiff(before, after):
        if not line.startswith("?"):
            yield line[0], line[2:]


def _statement(language: str, one: StatementChange) -> Text:
    line = Text(f"    {language} {one.id}: ", style="dim")
    for kind, text in words(one):
        open_, close, style = {"-": ("[-", "-]", "red"), "+": ("{+", "+}", "green")}.get(kind, ("", "", "default"))
        line.append(f"{open_}{text}{close}", style=f"{style} not dim")
    line.rstrip()
    return line


def words(one: StatementChange) -> list[tuple[str, str]]:
    """A statement word by word: what goes (-), what comes (+), what stays (a blank)."""
    before, after = ((text or "").split() for text in (one.before, one.after))
    found: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            found.append((" ", " ".join(before[a:b]) + " "))
            continue
        found += [("-", " ".join(before[a:b])), (" ", " ")] if b > a else []
        found += [("+", " ".join(after[c:d])), (" ", " ")] if d > c else []
    return found


# ---------------------------------------------------------------- HTML


def as_html(changes: Sequence[RuleChange], title: str) -> str:
    """The changes as a part of a page: a list, the rulebook's statements folded away by language."""
    if not changes:
        return f"<h3>{escape(title)}</h3><p>Nothing differs.</p>"
    return f"<h3>{escape(title)}</h3><ul class='changes'>{''.join(_entry(change) for change in changes)}</ul>"


def _entry(change: RuleChange) -> str:
    text = f"<span class='soft'>{CALLED.get(change.kind, change.kind)}</span> <b>{escape(change.name)}</b>"
    if is_brief(change):
        text += f": <del>{escape(change.before or '')}</del> → <ins>{escape(change.after or '')}</ins>"
    elif change.kind != "statement":
        text += " is new" if change.before is None else " is gone" if change.after is None else ""
    if change.where:
        text += f" <span class='soft'>({escape(change.where)})</span>"
    shown = "".join(_marked(sign, escape(line)) + "\n" for sign, line in lines(change))
    if shown:
        text += f"<pre>{shown}</pre>"
    books = ""
    for language, told in change.statements.items():
        said = "".join(
            f"<p lang='{escape(language)}'>"
            + "".join(_marked(kind, escape(piece)) for kind, piece in words(one))
            + "</p>"
            for one in told
        )
        books += f"<details><summary>rulebook, {escape(language)}</summary>{said}</details>"
    text += f"<div>{books}</div>" if books else ""
    return f"<li>{text}</li>"


def _marked(sign: str, text: str) -> str:
    tag = {"-": "del", "+": "ins"}.get(sign)
    return f"<{tag}>{text}</{tag}>" if tag else text


def page(changes: Sequence[RuleChange], title: str) -> str:
    """The changes as a page of their own, without script."""
    from ... import web
    from .. import STYLE

    return web.page(title, "en", f"<h1>{escape(title)}</h1>{as_html(changes, 'What changes')}", STYLE)
