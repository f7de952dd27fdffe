"""Syntax errors in plain words: what was found, what was expected, and the likely remedy."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from ..diagnostics import Diagnostic, did_you_mean
from ..source import Span
from .layout import Chunk

if TYPE_CHECKING:
    from lark import Token

_WORD = re.compile(r"[^\W\d]\w*")
_BLOCK_MISSING = "An indented block is missing below this line."
_BLOCK_HELP = "Indent the lines that belong to it. For a block that does nothing, write `do nothing`."


@attrs.frozen
class Mistake:
    """One mistake of an item. ``line`` counts from 0 in the item's text; ``word`` is what was not expected there.

    ``needs_block``: only lines below are missing.
    """

    line: int
    diagnostic: Diagnostic
    needs_block: bool = False
    word: str = ""


@functools.cache
def keywords() -> frozenset[str]:
    """All words the grammar gives a meaning to."""
    grammar = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    body = "\n".join(line for line in grammar.split("\n") if not line.startswith("//"))
    literal = re.findall(r'"([a-z_]+)"', body)
    patterns = re.findall(r"/\(([a-z|]+)\)", body)
    return frozenset(literal) | {w for p in patterns for w in p.split("|")}


def explain(name: str, chunk: Chunk, lines: list[str], problem: Any) -> Mistake:
    """The mistake behind a problem of the parser. ``lines``: the item's text as it was parsed."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(problem, UnexpectedCharacters):
        line, column = problem.line - 1, problem.column
        text = lines[line] if line < len(lines) else ""
        message, remedy, length = _about_character(text, column)
        span = Span(name, chunk.line + line, column, chunk.line + line, column + length)
        return Mistake(int(line), Diagnostic("R0203", message, span, help=remedy))
    if not isinstance(problem, UnexpectedToken):
        span = Span(name, chunk.line, 1, chunk.line, 2)
        return Mistake(0, Diagnostic("R0202", "This item is not complete.", span))
    token: Token = problem.token
    expected = set(problem.accepts or problem.expected)
    line = (token.line or 1) - 1
    column = token.column or 1
    starts_line = token.type not in _LAYOUT and not lines[line][: column - 1].strip()
    if starts_line and "_INDENT" in expected:
        return _block_missing(name, chunk, lines, _code_above(lines, line - 1))
    if token.type in _LAYOUT:
        return _about_layout(name, chunk, lines, token, expected)
    first = _WORD.search(lines[line])
    misspelt = _misspelt(lines[line])
    if first and misspelt and not lines[line][first.end() : column - 1].strip() and first.end() < column:
        span = Span(name, chunk.line + line, first.start() + 1, chunk.line + line, first.end() + 1)
        return Mistake(line, Diagnostic("R0201", f"No line can start with `{first.group()}`.", span, help=misspelt))
    if _symbol(lines[line][column - 1 :]):
        message, remedy, length = _about_character(lines[line], column)
        span = Span(name, chunk.line + line, column, chunk.line + line, column + length)
        return Mistake(line, Diagnostic("R0203", message, span, help=remedy))
    span = Span(name, chunk.line + line, column, chunk.line + line, column + len(token))
    message, hint = _about_token(token, lines[line], expected)
    return Mistake(line, Diagnostic("R0201", message, span, help=hint), word=str(token))


# ---------------------------------------------------------------- kinds of mistakes

_LAYOUT = {"$END", "_DEDENT", "_NL", "_INDENT"}
_SYMBOLS = {
    "==": "To compare, write `is`.",
    "!=": "To compare, write `is not`.",
    "<>": "To compare, write `is not`.",
    "+=": "Write `increase X by ...`.",
    "-=": "Write `decrease X by ...`.",
    "&&": "Write `and`.",
    "||": "Write `or`.",
    "//": "Write `X / Y rounded down`, or `#` for a comment.",
    "--": "A comment starts with `#`.",
    "%": "Write `X mod Y`.",
    "!": "Write `not`.",
    "=": "To compare, write `is`. To change a value, write `set X to ...`.",
    ";": "Write one statement per line, without `;`.",
    "'": 'Put text in double quotes, `"`.',
    "“": 'Put text in straight quotes, `"`.',
    "”": 'Put text in straight quotes, `"`.',
    "–": "Write a plain `-`.",
    "−": "Write a plain `-`.",
    "…": "Write `..`.",
    "≤": "Write `<=`.",
    "≥": "Write `>=`.",
    "≠": "Write `is not`.",
    "×": "Write `*`.",
}


def _symbol(rest: str) -> str | None:
    """The symbol of other languages that ``rest`` starts with."""
    return next((wrong for wrong in _SYMBOLS if rest.startswith(wrong)), None)


def _about_character(line: str, column: int) -> tuple[str, str, int]:
    """Message, remedy and how many characters are meant."""
    rest = line[column - 1 :]
    if rest.startswith('"'):
        return "This text has no closing quote on the same line.", 'Close it with `"`.', 1
    wrong = _symbol(rest)
    if wrong is not None:
        return f"`{wrong}` has no meaning here.", _SYMBOLS[wrong], len(wrong)
    return f"The character `{rest[:1]}` has no meaning here.", "Delete it, or start a comment with `#`.", 1


def _code_above(lines: list[str], line: int) -> int:
    """The nearest line at or above ``line`` that is neither blank nor a comment."""
    while line > 0 and not lines[line].split("#")[0].strip():
        line -= 1
    return max(0, line)


def _end_of(name: str, chunk: Chunk, lines: list[str], line: int) -> Span:
    text = lines[line].split("#")[0].rstrip()
    return Span(name, chunk.line + line, max(1, len(text)), chunk.line + line, len(text) + 1)


def _block_missing(name: str, chunk: Chunk, lines: list[str], line: int) -> Mistake:
    span = _end_of(name, chunk, lines, line)
    return Mistake(line, Diagnostic("R0202", _BLOCK_MISSING, span, help=_BLOCK_HELP), needs_block=True)


def _about_layout(name: str, chunk: Chunk, lines: list[str], token: Any, expected: set[str]) -> Mistake:
    """The line ends, or a block begins or ends, where it should not."""
    line = len(lines) - 1 if token.type == "$END" else max(0, (token.line or len(lines)) - 1)
    line = _code_above(lines, min(line, len(lines) - 1))
    text = lines[line].split("#")[0].rstrip()
    if token.type == "_INDENT":
        # The token is the line break before the block, so `line` is the line above it.
        word = text.strip().split(" ", 1)[0] if text.strip() else ""
        near = did_you_mean(word, keywords()) if word not in keywords() else None
        diagnostic = Diagnostic(
            "R0201",
            "This line cannot have an indented block below it.",
            Span(name, chunk.line + line, 1, chunk.line + line, len(text) + 1),
            help=near or "Align the block with this line, or add the line that should open it.",
        )
        return Mistake(line, diagnostic)
    if "_INDENT" in expected and token.type != "_NL":
        return _block_missing(name, chunk, lines, line)
    below = token.type != "_NL"  # the line is complete, and what must follow on further lines is not there
    message = f"{'Below this line' if below else 'The line breaks off here:'} {_list(expected)} is missing."
    help_ = _misspelt(text) or ("Add it on a line of its own." if below else "Complete the line.")
    diagnostic = Diagnostic("R0202", message, _end_of(name, chunk, lines, line), help=help_)
    return Mistake(line, diagnostic, needs_block=below)


def _about_token(token: Any, line: str, expected: set[str]) -> tuple[str, str | None]:
    word = str(token)
    help_ = "A line that opens a block does not end with a colon." if word == ":" else None
    if help_ is None:
        help_ = _idiom(token, line, expected)
    if help_ is None and _WORD.fullmatch(word):
        help_ = did_you_mean(word, _expected_words(expected))
    if help_ is None:
        help_ = _misspelt(line)
    if help_ is None and word in keywords() and "NAME" in expected and not _VALUE_START & {token.type}:
        help_ = f"`{word}` is a word of the language. Choose another name."
    shown = _shown(expected)
    if help_ is None and shown == {"_NL"}:
        help_ = f"Delete `{word}`, or write it on a line of its own."
    elif help_ is None and len(shown) == 1:
        help_ = f"Write {_list(expected)} before it."
    return f"`{word}` cannot be used here; expected {_list(expected)}.", help_


def _idiom(token: Any, line: str, expected: set[str]) -> str | None:
    """What to write instead of a phrase that people often try."""
    word = str(token)
    before = line[: (token.column or 1) - 1].split()
    if "openly" in (word, *before[:2]):
        return _misplaced_openly(word, before)
    if word == "in":
        return "To test whether a value is in a list, set or range, write `x is in ...`."
    if word == "where" and "FOR" in expected:
        return "Say what the condition is about first: `for x in ... where ...`."
    if word == "if" and before:
        return "Write `if ...` on a line of its own, and indent this line below it."
    if token.type == "NAME" and "OF" in expected and before and before[-1].isdecimal():
        return f"Write `{before[-1]} of {word}`."
    return None


def _misplaced_openly(word: str, before: list[str]) -> str | None:
    match before:
        case ["surely", "openly", *_]:
            return "Put `openly` first: `openly surely ...`."
        case ["openly", "rule"]:
            return f"Put `openly` before the condition: `rule {word} openly when ...`."
        case ["openly", "option"]:
            return "Put `openly` before a condition of the option: `openly needs ...`."
        case ["openly", "otherwise"]:
            return "Put `openly` before the condition: `otherwise openly if ...`."
        case ["openly", "openly"]:
            return "Write `openly` once."
        case [_, *_] if word == "openly":
            return "Put `openly` at the beginning of the line, or in the head of a rule before `when`."
    return None


def _misspelt(line: str) -> str | None:
    """A suggestion for the first word of the line, when it is nearly a word that starts a line."""
    match = _WORD.search(line)
    if match is None or match.group() in keywords() or line[: match.start()].strip():
        return None
    return did_you_mean(match.group(), keywords())


# ---------------------------------------------------------------- what was expected

_NAMES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'text in "quotes"',
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "DOT": "`.`",
    "__ANON_0": "`..`",
    "EQUAL": "`=`",
    "SLASH": "`/`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "TIMES": "`*`",
    "COMPARE": "a comparison",
    "PLACE": "`pool`, `bag`, `stack`, `slot` or `grid`",
    "FOLD": "`count`, `sum`, ...",
    "DIRECTION": "`up` or `down`",
    "$END": "the end",
    "VALUE": "a value",
}
_VALUE_START = {"IF", "NAME", "INT", "NONE", "YES", "NO", "LPAR", "LSQB", "LBRACE", "FOLD", "MINUS", "NOT", "PLAYERS"}
# A value can always be followed by these, so they are not worth listing.
_GOES_ON = {
    *("LPAR", "LSQB", "DOT", "__ANON_0", "PLUS", "MINUS", "TIMES", "SLASH", "MOD", "COMPARE"),
    *("IS", "COVERS", "HOLDS", "OTHERWISE", "AND", "OR"),
}


def _expected_words(expected: set[str]) -> list[str]:
    return [term.lower() for term in expected if term not in _NAMES and not term.startswith("_")]


def _shown(expected: set[str]) -> set[str]:
    """The terms worth listing among all that could come here."""
    if len(expected & _VALUE_START) >= 5:
        return (expected - _VALUE_START) | {"VALUE"}
    if {"LSQB", "DOT"} <= expected and expected - _GOES_ON:
        return expected - _GOES_ON
    return expected


def _list(expected: set[str]) -> str:
    """The expected terms in plain words: at most six."""
    names = (_NAMES.get(t, f"`{t.lower().strip('_')}`") for t in _shown(expected))
    named = list(dict.fromkeys(sorted(names)))
    if len(named) > 6:
        return ", ".join([*named[:5], "..."])
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
