"""Parsing of one rulebook text, ``text/<language>.md``.

Headings of the first and second level are the rulebook's own. A third-level heading holds an id in backticks, the id
of what runs the statements below it; those are a numbered list, one statement an item. The third statement of the
section ``income.gold`` is ``income.gold.3``. A line ``<!-- ignore NAME: reason -->`` below a statement says why a
finding of the check NAME is all right there.

A number or ``##`` with nothing behind it is a statement or heading that is not translated yet. A line ``<!-- fallback:
LANG -->`` says whose words stand in for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from rulelang.diagnostics import Sink
from rulelang.fixes import Fix, Help, Replace
from rulelang.source import Span

from .model import Fallback, Heading, Ignore, RulebookText, Statement

_HEADING = re.compile(r"(#{1,6})(?:\s+(.*\S))?\s*")
_ID = re.compile(r"`([^`]+)`")
_STATEMENT = re.compile(r"([0-9]+)\.(?:\s+(.*\S))?\s*")
_IGNORE = re.compile(r"\s*<!--\s*ignore\s+([a-z-]+)\s*:\s*(\S.*?)\s*-->\s*")
_FALLBACK = re.compile(r"\s*<!--\s*fallback\s*:\s*([a-z]{2,3})\s*-->\s*")


def parse_text(language: str, file: str, lines: Sequence[str], sink: Sink, origin: str | None = None) -> RulebookText:
    """One rulebook text; what is neither a heading nor a statement is reported (R0705).

    In the text of a variant (``origin``) the first number of a section counts: it may add to another text's section.
    """
    parts: list[Heading | Statement] = []
    sections: dict[str, Span] = {}
    section: str | None = None
    fallback: Fallback | None = None
    count = 0
    for number, line in enumerate(lines, 1):
        span = Span(file, number, 1, number, len(line) + 1)
        if not line.strip():
            continue
        heading = _HEADING.fullmatch(line)
        item = _STATEMENT.fullmatch(line)
        ignore = _IGNORE.fullmatch(line)
        if found := _FALLBACK.fullmatch(line):
            fallback = fallback or Fallback(found[1], span)
        elif ignore and parts and isinstance(parts[-1], Statement):
            parts[-1] = attrs.evolve(parts[-1], ignores=(*parts[-1].ignores, Ignore(ignore[1], ignore[2], span)))
        elif heading and len(heading[1]) <= 2:
            parts.append(Heading(len(heading[1]), heading[2] or "", span, origin))
            section = None
        elif heading:
            section, count = _section(heading[2] or "", span, sections, sink), 0
        elif item and section is not None:
            count = int(item[1]) if origin is not None and count == 0 else count + 1
            if int(item[1]) != count:
                renumber = Fix(f"Number it {count}", (Replace(str(count), word=item[1]),), preferred=True)
                sink.error(
                    "R0705",
                    span,
                    f"This is statement {count} of `{section}`, but it is numbered {item[1]}.",
                    help=Help(f"Write `{count}.`.", (renumber,)),
                )
            parts.append(Statement(f"{section}.{count}", section, item[2] or "", span, origin))
        elif item is None or section is None:
            sink.error(
                "R0705",
                span,
                "This is neither a heading nor a numbered statement.",
                help="Write statements as `1. ...` below a heading with an id: ### `id`.",
            )
    return RulebookText(language, file, tuple(parts), sections, fallback)


def _section(text: str, span: Span, sections: dict[str, Span], sink: Sink) -> str | None:
    found = _ID.fullmatch(text)
    if found is None:
        sink.error("R0705", span, "A third-level heading must be an id in backticks.", help="Write ### `id`.")
        return None
    if found[1] in sections:
        problem = f"The section `{found[1]}` appears twice; the first is at {sections[found[1]]}."
        sink.error("R0303", span, problem, help="Put the statements of both into one section.")
    sections[found[1]] = span
    return found[1]
