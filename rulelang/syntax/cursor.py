"""Places in an item that is being written: what can stand there, and the item with a hole at the place.

The parser itself is asked: it reads the item up to the place, and its state there knows what it accepts. Then it is fed
the hole and what is needed at the least to come to an end, so that the item so far has a tree.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

import attrs
from lark import Token
from lark.exceptions import LarkError, UnexpectedInput

from . import tree
from .build import Builder, too_deep
from .grammar import parser
from .layout import continued

HOLE = "__here__"
"""Stands for the name that is being written."""

_MISTAKES = 12
"""Lines above the place that may be wrong."""

_STEPS = 60
"""Words that may be missing at the end."""


@attrs.frozen
class CursorPlace:
    """``words``: the keywords that can stand at a place, in order. ``name``: whether a name can.

    ``item``: the item up to there with HOLE as that name, None where there can be none. ``text``: what it was made of.
    """

    words: tuple[str, ...]
    name: bool
    item: tree.Item | None
    text: str


def place_in(file: str, line: int, before: str) -> CursorPlace:
    """The place behind ``before``, the text of an item that begins in ``line``. Mistakes above it are passed over."""
    lines = before.split("\n")
    for _ in range(_MISTAKES):
        try:
            return _place(file, line, lines)
        except UnexpectedInput as problem:
            if not _blank(lines, (getattr(problem, "line", None) or 1) - 1):
                break
        except (LarkError, AssertionError, IndexError, ValueError):  # blocks or brackets that do not match
            break
    return CursorPlace((), False, None, before)


def _place(file: str, line: int, lines: list[str]) -> CursorPlace:
    text = "\n".join(lines) + HOLE
    here = len(lines), len(lines[-1]) + 1
    state = parser().parse_interactive(text + "\n")
    try:
        tokens: Iterable[Token] = state.lexer_thread.lex(state.parser_state)  # type: ignore[no-untyped-call]
        for token in tokens:
            if (token.line, token.column) >= here and token.type not in ("_NL", "_INDENT", "_DEDENT"):
                break
            state.feed_token(token)
    except UnexpectedInput as problem:
        if (getattr(problem, "line", 0) or 0, getattr(problem, "column", 0) or 0) < here:
            raise
    accepted: set[str] = state.accepts()  # type: ignore[no-untyped-call]
    if "NAME" not in accepted:
        return CursorPlace(_words(accepted), False, None, text)
    hole = Token("NAME", HOLE, 0, here[0], here[1], here[0], here[1] + len(HOLE), 0)
    state.feed_token(hole)
    parsed = _finished(state, hole, [_STEPS])
    item = None
    if parsed is not None and too_deep(parsed) is None:
        item = Builder(file, line - 1, text).build(parsed)
    return CursorPlace(_words(accepted), True, item, text)


# ---------------------------------------------------------------- the words of the grammar

_ALTERNATIVES = re.compile(r"\(([a-z_|]+)\)")


@functools.cache
def _words_of() -> dict[str, tuple[str, ...]]:
    """The words that each terminal of the grammar stands for."""
    found: dict[str, tuple[str, ...]] = {}
    for terminal in parser().terminals:
        pattern = terminal.pattern
        if pattern.type == "str" and pattern.value[:1].isalpha():
            found[terminal.name] = (pattern.value,)
        elif pattern.type == "re" and terminal.name not in ("NAME", "INT", "STRING"):
            match = _ALTERNATIVES.match(pattern.value)
            if match is not None:
                found[terminal.name] = tuple(match[1].split("|"))
    return found


def _words(terminals: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(word for terminal in terminals for word in _words_of().get(terminal, ())))


# ---------------------------------------------------------------- coming to an end

_FIRST = (
    *("$END", "_DEDENT", "_NL", "RPAR", "RSQB", "RBRACE"),
    *("STOP", "FINISHED", "NAME", "INT", "STRING", "COLON", "IN"),
)
"""What ends soonest."""

_LONGER = frozenset({
    *("LPAR", "LSQB", "LBRACE", "DOT", "__ANON_0", "PLUS", "MINUS", "TIMES", "SLASH", "MOD", "COMPARE", "COMMA"),
    *("IS", "COVERS", "HOLDS", "AND", "OR", "AFTER", "WHERE", "WHILE", "FOLD", "NOT", "IF"),
})  # fmt: skip
"""What only makes it longer, where anything else will do."""


def _finished(state: Any, last: Token, steps: list[int]) -> Any:
    """The tree once the shortest end is added; None when none is found."""
    accepted: set[str] = state.accepts()
    others = sorted(accepted - set(_FIRST) - _LONGER)
    for kind in [*(kind for kind in _FIRST if kind in accepted), *others]:
        steps[0] -= 1
        if steps[0] < 0:
            return None
        value = {"NAME": HOLE + "x", "INT": "1", "STRING": '""', "_NL": "\n"}.get(kind, "")
        token = Token(kind, value, 0, last.end_line, last.end_column, last.end_line, last.end_column, 0)
        copy = state.copy(deepcopy_values=False)
        try:
            result = copy.feed_token(token)
        except UnexpectedInput:
            continue
        found = result if kind == "$END" else _finished(copy, last, steps)
        if found is not None:
            return found
    return None


def _blank(lines: list[str], line: int) -> bool:
    """Blanks a line with a mistake and what is indented below it; False if it is the first or the last."""
    inside = continued(lines)
    while line in inside:
        line -= 1
    if not 0 < line < len(lines) - 1 or not lines[line].strip():
        return False
    indent = len(lines[line]) - len(lines[line].lstrip())
    lines[line] = ""
    for below in range(line + 1, len(lines) - 1):
        if lines[below].strip() and len(lines[below]) - len(lines[below].lstrip()) <= indent:
            break
        lines[below] = ""
    return True
