"""Findings as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .diagnostics import Diagnostic
from .fixes import Fix
from .fixing import TextChange, changes
from .source import MARK, SourceFile, Span, visible
from .syntax.layout import without_tabs

_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_BOLD, _BLUE, _RESET = "\x1b[1m", "\x1b[1;34m", "\x1b[0m"
_WIDTH = 140


def render_text(diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile], color: bool = False) -> str:
    """Each finding with its place, the line with a mark below it, related places and the help."""
    return "\n".join(_one(d, sources, color) for d in diagnostics)


def as_json(diagnostic: Diagnostic, sources: Mapping[str, SourceFile] | None = None) -> dict[str, Any]:
    """The finding as plain data, as listed in the ``diagnostics`` of ``rulelang check --format json``.

    ``sources``: the texts, so that its fixes can say what they change.
    """
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "help": diagnostic.help,
        "rule": diagnostic.rule,
        "labels": [
            {"file": label.span.file, "line": label.span.line, "column": label.span.column, "text": label.text}
            for label in diagnostic.labels
        ],
        "fixes": [_fix(fix, made) for fix in diagnostic.fixes if (made := changes(fix, sources or {}))],
    }


def _fix(fix: Fix, made: Iterable[TextChange]) -> dict[str, Any]:
    edits = [
        {
            "file": change.span.file,
            "line": change.span.line,
            "column": change.span.column,
            "end_line": change.span.end_line,
            "end_column": change.span.end_column,
            "text": change.text,
        }
        for change in made
    ]
    return {"title": fix.title, "preferred": fix.preferred, "edits": edits}


def _one(d: Diagnostic, sources: Mapping[str, SourceFile], color: bool) -> str:
    def paint(style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if color else text

    head = paint(_COLOURS[d.severity], f"{d.severity}[{d.code}]") + ": " + paint(_BOLD, visible(d.message))
    out = [head]
    places = [(d.span, "", "^")] + [(label.span, label.text, "-") for label in d.labels]
    width = max((len(str(span.line)) for span, _, _ in places if span.line), default=1)
    bar = paint(_BLUE, " " * width + " |")
    for span, text, mark in places:
        if not span.file:
            continue
        where = visible(f"{span.file}:{span.line}:{span.column}" if span.line else span.file)
        text = visible(text)
        out.append(paint(_BLUE, " " * width + "--> ") + where)
        shown = _line(sources, span)
        if shown is None:
            if text:
                out.append(f"{bar} {text}")
            continue
        line, column, length = shown
        out.append(bar)
        out.append(paint(_BLUE, f"{span.line:>{width}} |") + " " + line)
        marks = " " * (column - 1) + mark * length
        style = _COLOURS[d.severity] if mark == "^" else _BLUE
        out.append(f"{bar} " + paint(style, marks + (f" {text}" if text else "")))
    if d.help:
        out.append(paint(_BLUE, " " * width + " = ") + paint(_BOLD, "help") + ": " + visible(d.help))
    return "\n".join(out) + "\n"


def _line(sources: Mapping[str, SourceFile], span: Span) -> tuple[str, int, int] | None:
    """The line to show, cut to a window around the mark, and the mark's column and length."""
    source = sources.get(span.file)
    if source is None or not span.line:
        return None
    lines = source.lines
    if span.line > len(lines):
        return None
    line = without_tabs(lines[span.line - 1])
    column = min(max(span.column, 1), len(line) + 1)
    end = span.end_column if span.end_line == span.line else len(line) + 1
    length = max(1, min(end, len(line) + 1) - column)
    if len(line) > _WIDTH:
        start = max(0, column - 1 - _WIDTH // 3)
        line = ("…" if start else "") + line[start : start + _WIDTH] + "…"
        column = column - start + (1 if start else 0)
        length = min(length, _WIDTH)
    return "".join(c if c.isprintable() else MARK for c in line), column, length
