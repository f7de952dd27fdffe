"""Carry out fixes: where in the texts an edit goes, and the texts after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

import attrs

from .diagnostics import Diagnostic
from .fixes import Append, AtEnd, Below, Edit, Fix, Prefix, ReplaceText, Wrap
from .source import SourceFile, Span
from .syntax.layout import without_comment

_LEVEL = "  "


@attrs.frozen
class TextChange:
    """``text`` takes the place of exactly this span."""

    span: Span
    text: str


def changes(fix: Fix, sources: Mapping[str, SourceFile]) -> tuple[TextChange, ...] | None:
    """What the fix changes in the texts; None when they are no longer as the finding says."""
    found: list[TextChange] = []
    for edit in fix.edits:
        source = sources.get(edit.file if isinstance(edit, Append) else edit.span.file)
        if source is None:
            return None
        made = _changes(edit, source)
        if not made:
            return None
        found += made
    return tuple(found)


def applied(source: SourceFile, made: Iterable[TextChange]) -> SourceFile:
    """The file after the changes that are about it, all of them given in terms of the text as it is."""
    lines = source.lines
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    text = source.text
    own = [change for change in made if change.span.file == source.name]
    for change in sorted(own, key=lambda change: change.span, reverse=True):
        span = change.span
        start = starts[span.line - 1] + span.column - 1
        end = starts[span.end_line - 1] + span.end_column - 1
        text = text[:start] + change.text + text[end:]
    return attrs.evolve(source, text=text)


def mended(diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> tuple[list[Fix], list[SourceFile]]:
    """The preferred fixes that do not touch the same lines, and the files after all of them."""
    fixes: list[Fix] = []
    made: list[TextChange] = []
    taken: set[tuple[str, int]] = set()
    for diagnostic in diagnostics:
        for fix in diagnostic.fixes:
            own = changes(fix, sources) if fix.preferred else None
            if not own:
                continue
            lines = {(c.span.file, line) for c in own for line in range(c.span.line, c.span.end_line + 1)}
            if not lines & taken:
                taken |= lines
                fixes.append(fix)
                made += own
            break
    files = dict.fromkeys(change.span.file for change in made)
    return fixes, [applied(sources[file], made) for file in files]


# ---------------------------------------------------------------- single edits


def _changes(edit: Edit, source: SourceFile) -> list[TextChange]:
    lines = source.lines
    if isinstance(edit, Append):
        return [_appended(edit.text, source, lines)]
    span = edit.span
    if not 1 <= span.line <= span.end_line <= len(lines):
        return []
    match edit:
        case ReplaceText():
            there = span if edit.word is None else _word(edit.word, span, lines)
            return [] if there is None else [TextChange(there, _apart(edit.text, there, lines))]
        case Prefix():
            there = _word(edit.past, span, lines) if edit.past else None
            first = there is not None and (there.line, there.column) == (span.line, span.column)
            column = there.end_column + 1 if there is not None and first else span.column
            return [TextChange(_at(span.file, span.line, column), edit.text)]
        case AtEnd():
            code = without_comment(lines[span.line - 1]).rstrip()
            return [TextChange(_at(span.file, span.line, len(code) + 1), edit.text)]
        case Below():
            return [_below(edit, span, lines)]
        case Wrap():
            return _wrapped(edit, span, lines)
    assert_never(edit)


def _at(file: str, line: int, column: int) -> Span:
    return Span(file, line, column, line, column)


def _word(word: str, span: Span, lines: Sequence[str]) -> Span | None:
    """Where a word stands first in a span; in its line, if the span is empty."""
    pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    for number in range(span.line, span.end_line + 1):
        line = lines[number - 1]
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line and span.column != span.end_column else len(line)
        match = pattern.search(line, start, end)
        if match is not None:
            return Span(span.file, number, match.start() + 1, number, match.end() + 1)
    return None


def _apart(text: str, span: Span, lines: Sequence[str]) -> str:
    """The text, with a space where it would run into a word beside it."""
    before = lines[span.line - 1][: span.column - 1][-1:]
    after = lines[span.end_line - 1][span.end_column - 1 :][:1]
    first = " " if _is_word(text[:1]) and _is_word(before) else ""
    last = " " if _is_word(text[-1:]) and _is_word(after) else ""
    return first + text + last


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _last_of(span: Span, lines: Sequence[str], past: str) -> int:
    """The number of the last line of a line, of its block, or of its item."""
    depth = 0 if past == "item" else _depth(lines[span.line - 1])
    last = span.line
    for number in range(span.line + 1, len(lines) + 1):
        line = lines[number - 1]
        if not line.strip() or (line.lstrip().startswith("#") and _depth(line) <= depth):
            continue
        if _depth(line) <= depth:
            break
        last = number
    return last if past else max(span.line, min(span.end_line, last))


def _below(edit: Below, span: Span, lines: Sequence[str]) -> TextChange:
    last = _last_of(span, lines, edit.past)
    indent = "" if edit.past == "item" else lines[span.line - 1][: _depth(lines[span.line - 1])]
    indent += _LEVEL * edit.deeper
    blank = "\n" if edit.past == "item" else ""
    text = "".join(f"\n{indent}{line}" if line else "\n" for line in edit.text.split("\n"))
    return TextChange(_at(span.file, last, len(lines[last - 1]) + 1), blank + text)


def _wrapped(edit: Wrap, span: Span, lines: Sequence[str]) -> list[TextChange]:
    line = lines[span.line - 1]
    indent = line[: _depth(line)]
    last = _last_of(span, lines, "block")
    found: list[TextChange] = []
    first = span.line + 1
    if edit.rest:
        first, last = last + 1, _end_of_block(last, _depth(line), lines)
    else:
        found.append(TextChange(_at(span.file, span.line, 1), f"{indent}{edit.head}\n{_LEVEL}"))
    below = [number for number in range(first, last + 1) if lines[number - 1].strip()]
    return found + [TextChange(_at(span.file, number, 1), _LEVEL) for number in below]


def _end_of_block(line: int, depth: int, lines: Sequence[str]) -> int:
    last = line
    for number in range(line + 1, len(lines) + 1):
        text = lines[number - 1]
        if text.strip() and _depth(text) < depth:
            break
        if text.strip():
            last = number
    return last


def _appended(text: str, source: SourceFile, lines: Sequence[str]) -> TextChange:
    bare = len(source.text.rstrip())
    kept = source.text[:bare].split("\n")
    end = Span(source.name, len(kept), len(kept[-1]) + 1, len(lines), len(lines[-1]) + 1)
    return TextChange(end, f"\n\n{text}\n" if bare else f"{text}\n")
