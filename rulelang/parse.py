"""Text to syntax tree. A mistake costs one item at most; all mistakes of a file are found in one run."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import cache, tree
from .diagnostics import Diagnostic, Sink, did_you_mean
from .layout import Chunk, chunks
from .source import SourceFile, Span

if TYPE_CHECKING:
    from lark import Lark, Token

_MAX_ERRORS = 12  # mistakes looked for in one item
_WORD = re.compile(r"[^\W\d]\w*")


def parse_text(name: str, text: str) -> tuple[tree.File, list[Diagnostic]]:
    """The syntax tree of ``text`` and its mistakes; ``name`` is the file name for messages.

    Items that cannot be parsed are left out of the tree; their words are in ``File.words``.
    """
    sink = Sink()
    file = parse_source(SourceFile(name, text.replace("\r\n", "\n").replace("\r", "\n")), sink)
    return file, list(sink)


def parse_source(source: SourceFile, sink: Sink) -> tree.File:
    """As ``parse_text``, for a file already read; mistakes go to ``sink``."""
    items: list[tree.Item] = []
    found = chunks(source, sink)
    kept = 0
    for chunk in found:
        kept += len(chunk.text)
        item = _parse_chunk(source.name, chunk, sink)
        if item is not None:
            items.append(item)
    words: frozenset[str] = frozenset()
    if len(items) < len(found) or sink.has_errors:
        words = frozenset(_WORD.findall(source.text))
    last = source.text.count("\n") + 1
    return tree.File(tuple(items), words, span=Span(source.name, 1, 1, last, 1))


def parse_remembered(source: SourceFile, sink: Sink) -> tree.File:
    """As ``parse_source``; a file without mistakes is parsed once and remembered between runs."""
    known = cache.get(source.name, source.text)
    if isinstance(known, tree.File):
        return known
    own = Sink()
    file = parse_source(source, own)
    sink.extend(own)
    if not len(own):
        cache.put(source.name, source.text, file)
    return file


def _parse_chunk(name: str, chunk: Chunk, sink: Sink) -> tree.Item | None:
    """The item, or None with at least one finding.

    After a mistake the line it stands in, with the lines indented below it, is blanked and the rest parsed again.
    """
    from lark.exceptions import LarkError, UnexpectedInput
    from lark.indenter import DedentError

    from .build import Builder, too_deep

    lines = chunk.text.split("\n")
    for _ in range(_MAX_ERRORS):
        try:
            parsed = _lark().parse("\n".join(lines))
        except UnexpectedInput as problem:
            line = _explain(name, chunk, lines, problem, sink)
            if line is None or not _blank(lines, line):
                return None
            continue
        except (DedentError, LarkError, AssertionError, IndexError):
            sink.error(
                "R0202",
                Span(name, chunk.line, 1, chunk.line, 2),
                "The brackets or blocks of this item do not close.",
                help="Look for a bracket that is opened and not closed.",
            )
            return None
        deep = too_deep(parsed)
        if deep is not None:
            span = Builder(name, chunk.line - 1).span(deep)
            sink.error("R0107", span, "This is nested too deep.", help="Give parts of it names with `define` or `let`.")
            return None
        item = Builder(name, chunk.line - 1).build(parsed)
        return item if lines == chunk.text.split("\n") else None
    return None


def _blank(lines: list[str], line: int) -> bool:
    """Blanks ``line`` (from 0) and the lines indented below it. False when nothing would be left."""
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


@functools.cache
def _lark() -> Lark:
    from lark import Lark
    from lark.indenter import Indenter

    class Layout(Indenter):
        NL_type = "_NL"
        OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]
        CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
        INDENT_type = "_INDENT"
        DEDENT_type = "_DEDENT"
        tab_len = 8

    grammar = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=str(folder / f"grammar-{cache.version()}.tables") if (folder := cache.folder()) else False,
    )


@functools.cache
def keywords() -> frozenset[str]:
    """All words the grammar gives a meaning to."""
    grammar = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    body = "\n".join(line for line in grammar.split("\n") if not line.startswith("//"))
    literal = re.findall(r'"([a-z_]+)"', body)
    patterns = re.findall(r"/\(([a-z|]+)\)", body)
    return frozenset(literal) | {w for p in patterns for w in p.split("|")}


# ---------------------------------------------------------------- messages

_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'a text in "quotes"',
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
    "PLACE": "`pool`, `bag`, `stack` or `slot`",
    "FOLD": "`count`, `sum`, ...",
    "DIRECTION": "`up` or `down`",
    "$END": "the end",
}
_VALUE_START = {"NAME", "INT", "NONE", "YES", "NO", "LPAR", "LSQB", "LBRACE", "FOLD", "MINUS", "NOT", "PLAYERS"}


def _explain(name: str, chunk: Chunk, lines: list[str], problem: Any, sink: Sink) -> int | None:
    """Reports the mistake; returns the line (from 0, in the chunk) it stands in."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(problem, UnexpectedCharacters):
        line, column = problem.line - 1, problem.column
        char = lines[line][column - 1 : column] if line < len(lines) else ""
        span = Span(name, chunk.line + line, column, chunk.line + line, column + 1)
        message, help_ = _about_character(char, lines[line] if line < len(lines) else "", column, problem)
        sink.error("R0203", span, message, help=help_)
        return int(line)
    if not isinstance(problem, UnexpectedToken):
        sink.error("R0202", Span(name, chunk.line, 1, chunk.line, 2), "This item breaks off.")
        return None
    token: Token = problem.token
    line = (token.line or 1) - 1
    column = token.column or 1
    if token.type in ("$END", "_DEDENT", "_NL", "_INDENT"):
        return _about_layout(name, chunk, lines, token, problem, sink)
    span = Span(name, chunk.line + line, column, chunk.line + line, column + len(token))
    expected = set(problem.accepts or problem.expected)
    message, help_ = _about_token(token, lines[line] if line < len(lines) else "", expected, column)
    sink.error("R0201", span, message, help=help_)
    return int(line)


def _about_character(char: str, line: str, column: int, problem: Any) -> tuple[str, str | None]:
    rest = line[column - 1 :]
    if char == '"':
        return "This text has no closing quote on its line.", 'Close it with `"`.'
    for wrong, help_ in _SYMBOLS.items():
        if rest.startswith(wrong):
            return f"`{wrong}` means nothing here.", help_
    return f"The character `{char}` means nothing here.", None


_SYMBOLS = {
    "==": "To compare, write `is`.",
    "!=": "To compare, write `is not`.",
    "<>": "To compare, write `is not`.",
    "+=": "Write `increase X by ...`.",
    "-=": "Write `decrease X by ...`.",
    "&&": "Write `and`.",
    "||": "Write `or`.",
    "//": "Write `X / Y rounded down`. A comment starts with `#`.",
    "%": "Write `mod`.",
    "!": "Write `not`.",
    "=": "To compare, write `is`. To store a value, write `set X to ...`.",
    ";": "One statement a line, without `;`.",
    "'": 'Texts stand in double quotes, `"`.',
}


def _about_layout(name: str, chunk: Chunk, lines: list[str], token: Any, problem: Any, sink: Sink) -> int | None:
    """The line ends, or a block begins or ends, where it should not."""
    expected = set(problem.accepts or problem.expected)
    line = max(0, (token.line or len(lines)) - 1)
    if token.type in ("$END", "_DEDENT"):
        line = max(i for i, text in enumerate(lines) if text.strip()) if token.type == "$END" else line
    while line > 0 and (line >= len(lines) or not lines[line].strip()):
        line -= 1
    text = lines[line].split("#")[0].rstrip()
    span = Span(name, chunk.line + line, max(1, len(text)), chunk.line + line, len(text) + 1)
    if token.type == "_INDENT":
        word = text.strip().split(" ", 1)[0] if text.strip() else ""
        sink.error(
            "R0201",
            Span(name, chunk.line + line, 1, chunk.line + line, len(text) + 1),
            "A block is indented below a line that opens none.",
            help=did_you_mean(word, keywords())
            or "Indent it like the line above, or write the line that opens the block.",
        )
        return line
    if "_INDENT" in expected and token.type != "_NL":
        message = "After this line an indented block is missing."
        help_: str | None = "Indent the lines that belong to it; a block that does nothing is `do nothing`."
    else:
        message = f"The line breaks off here: {_list(expected)} is missing."
        help_ = _misspelt(text, expected)
    sink.error("R0202", span, message, help=help_)
    return line


def _about_token(token: Any, line: str, expected: set[str], column: int) -> tuple[str, str | None]:
    word = str(token)
    rest = line[column - 1 :]
    help_: str | None = None
    for wrong, text in _SYMBOLS.items():
        if rest.startswith(wrong):
            help_ = text
            break
    if help_ is None and word == ":":
        help_ = "A line that opens a block has no colon at its end."
    words = _expected_words(expected)
    if help_ is None and _WORD.fullmatch(word):
        help_ = did_you_mean(word, words)
    if help_ is None:
        help_ = _misspelt(line, expected)
    if help_ is None and word in keywords() and "NAME" in expected and not _VALUE_START & {token.type}:
        help_ = f"`{word}` is a word of the language; choose another name."
    return f"`{word}` does not fit here; expected {_list(expected)}.", help_


def _misspelt(line: str, expected: set[str]) -> str | None:
    """A suggestion for the first word of the line, when it is nearly a word that starts a statement."""
    match = _WORD.search(line)
    if match is None or match.group() in keywords():
        return None
    near = did_you_mean(match.group(), keywords())
    return near if near and line[: match.start()].strip() == "" else None


def _expected_words(expected: set[str]) -> list[str]:
    return [term.lower() for term in expected if term not in _WORDS and not term.startswith("_")]


def _list(expected: set[str]) -> str:
    """What could stand here, in words: at most six things."""
    if len(expected & _VALUE_START) >= 5:
        expected = (expected - _VALUE_START) | {"VALUE"}
    named = sorted(_WORDS.get(t, "a value" if t == "VALUE" else f"`{t.lower().strip('_')}`") for t in expected)
    named = list(dict.fromkeys(named))
    if len(named) > 6:
        named = [*named[:5], "..."]
        return ", ".join(named)
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
