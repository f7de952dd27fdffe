"""Formatting: the layout that ``rulelang fmt`` gives, line by line, so that the cursor stays where it is."""

from __future__ import annotations

import difflib

from lsprotocol import types

from rulelang.diagnostics import Sink
from rulelang.source import SourceFile
from rulelang.syntax.formatter import format_text
from rulelang.syntax.parse import parse_source

from ..pictures.looks.format import formatted
from ..pictures.looks.syntax import parse
from .session import Desk, Document


def format_document(
    desk: Desk, document: Document, params: types.DocumentFormattingParams
) -> list[types.TextEdit] | None:
    """The lines that change. None for a text with mistakes in its syntax, which stays as it is."""
    before = document.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    after = _formatted(document, before)
    if after is None:
        return None
    return list(_edits(document, before.split("\n"), after.split("\n")))


def _formatted(document: Document, text: str) -> str | None:
    source = SourceFile(document.uri, text)
    sink = Sink()
    if document.suffix == ".rules":
        tree = parse_source(source, sink)
        return None if sink.has_errors else format_text(source, tree)
    if document.suffix == ".look":
        parse(source, sink)
        return None if sink.has_errors else formatted(text)
    return None


def _edits(document: Document, before: list[str], after: list[str]) -> list[types.TextEdit]:
    newline = "\r\n" if "\r\n" in document.text else "\n"
    made = []
    for kind, first, last, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        text = "".join(line + newline for line in after[start:end])
        where = types.Range(types.Position(first, 0), types.Position(last, 0))
        if last == len(before):  # the last line has no end of its own, so what goes is the end of the one before
            above = document.lines.position(first, len(before[first - 1]) + 1) if first else types.Position(0, 0)
            where = types.Range(above, document.lines.whole.end)
            text = "".join(newline + line for line in after[start:end]).removeprefix("" if first else newline)
        made.append(types.TextEdit(where, text))
    return made
