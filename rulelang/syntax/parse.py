"""Parsing of text into a syntax tree. A mistake costs one item at most; one run finds all mistakes of a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..diagnostics import Diagnostic, Sink
from ..source import SourceFile, Span
from . import tree
from .layout import Chunk, chunks, continued
from .rows import automaton

if TYPE_CHECKING:
    from .errors import Mistake

_MAX_ERRORS = 12  # mistakes looked for in one item
WORD = re.compile(r"[^\W\d]\w*")


def parse_text(name: str, text: str) -> tuple[tree.File, list[Diagnostic]]:
    """The syntax tree of ``text`` and its mistakes; ``name`` is the file name for messages.

    Items that cannot be parsed are left out of the tree; their words are in ``File.words``.
    """
    sink = Sink()
    file = parse_source(SourceFile(name, text.replace("\r\n", "\n").replace("\r", "\n")), sink)
    return file, list(sink)


def parse_source(source: SourceFile, sink: Sink) -> tree.File:
    """As ``parse_text``, for a file already read; mistakes go to ``sink``."""
    return parse_chunks(source, sink, parse_item)


ParseItem = Callable[[str, int, str, Sink], "tree.Item | None"]
"""Parses one item: the file's name, the item's first line, its text, where mistakes go."""


def parse_chunks(source: SourceFile, sink: Sink, parse: ParseItem) -> tree.File:
    """As ``parse_source``, each item by ``parse``."""
    items: list[tree.Item] = []
    found = chunks(source, sink)
    for chunk in found:
        item = parse(source.name, chunk.line, chunk.text, sink)
        if item is not None:
            items.append(item)
    words: frozenset[str] = frozenset()
    if len(items) < len(found) or sink.has_errors:
        words = frozenset(WORD.findall(source.text))
    last = source.text.count("\n") + 1
    return tree.File(tuple(items), words, span=Span(source.name, 1, 1, last, 1))


def parse_item(name: str, line: int, text: str, sink: Sink) -> tree.Item | None:
    """The item that begins in ``line`` of the file ``name``, or None with at least one finding.

    After a mistake its line is blanked, with the lines indented below it, and the rest is parsed again.
    Mistakes that only the blanking made (a block that lost its only line) are not reported.
    """
    read = automaton().item(name, line - 1, text)
    return _parse_slowly(name, line, text, sink) if read is None else read


def _parse_slowly(name: str, line: int, text: str, sink: Sink) -> tree.Item | None:
    """As ``parse_item``, for an item with mistakes."""
    from lark.exceptions import LarkError, UnexpectedInput
    from lark.indenter import DedentError

    from .build import Builder, too_deep
    from .errors import explain
    from .grammar import parser

    chunk = Chunk(line, text)
    lines = text.split("\n")
    whole = list(lines)
    for _ in range(_MAX_ERRORS):
        try:
            parsed = parser().parse("\n".join(lines))
        except UnexpectedInput as problem:
            found = explain(name, chunk, lines, problem)
            if not _made_by_blanking(found, lines, whole):
                sink.add(found.diagnostic)
            if not _blank(lines, found.line):
                return None
            continue
        except (DedentError, LarkError, AssertionError, IndexError):
            sink.error(
                "R0202",
                Span(name, chunk.line, 1, chunk.line, 2),
                "The brackets or blocks of this item do not match.",
                help="Look for a bracket that is opened but not closed.",
            )
            return None
        deep = too_deep(parsed)
        if deep is not None:
            span = Builder(name, chunk.line - 1, chunk.text).span(deep)
            sink.error(
                "R0107", span, "This is nested too deeply.", help="Give parts of it names with `define` or `let`."
            )
            return None
        item = Builder(name, chunk.line - 1, chunk.text).build(parsed)
        return item if lines == whole else None
    return None


def _made_by_blanking(found: Mistake, lines: list[str], whole: list[str]) -> bool:
    """Whether the mistake is there only because lines beside it were blanked."""
    if found.needs_block:
        below = next((i for i in range(found.line + 1, len(whole)) if whole[i].strip()), found.line)
        return not lines[below].strip()
    if found.word == "otherwise":
        above = next((i for i in range(found.line - 1, -1, -1) if whole[i].strip()), found.line)
        return not lines[above].strip()
    return False


def _blank(lines: list[str], line: int) -> bool:
    """Blanks ``line`` (from 0) and the lines indented below it. False when nothing would be left.

    The lines above in which the same statement begins are blanked with it."""
    inside = continued(lines)
    while line in inside:
        line -= 1
    if line <= 0 or line >= len(lines) or not lines[line].strip():
        return False
    indent = len(lines[line]) - len(lines[line].lstrip())
    lines[line] = ""
    for below in range(line + 1, len(lines)):
        text = lines[below]
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        lines[below] = ""
    return any(text.strip() for text in lines)
