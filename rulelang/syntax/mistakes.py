"""Syntax errors in plain words: what was found, what could come there, and the likely remedy."""

from __future__ import annotations

import difflib
import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from ..diagnostics import Diagnostic, did_you_mean, finding, similar
from ..fixes import AtEnd, Below, Fix, Help, ReplaceText, leave_out, write
from ..source import Span
from ..words import FOLDS
from . import forms, slips
from .layout import Chunk, continued, without_comment

if TYPE_CHECKING:
    from lark import Token


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
    "A_STEP": "a step, such as `set ...`, `move ...` or `p chooses ...`",
    "ITEM": "an item, such as `enum`, `define` or `rule`",
    "EXAMPLE": "a step of an example, such as `given`, `run` or `then`",
    "VERB": "`chooses`, `may choose`, `pays`, `scores`, `loses` or `wins`",
}


VERBS = {"CHOOSES", "MAY", "PAYS", "SCORES", "LOSES", "WINS"}


STEPS = {"SET", "LET", "MOVE", "IF", "EACH"}


ITEMS = {"ENUM", "DEFINE", "RULE", "TABLE"}


EXAMPLE = {"GIVEN", "RUN", "FIRED"}


VALUE_START = {"IF", "NAME", "INT", "NONE", "YES", "NO", "LPAR", "LSQB", "LBRACE", "FOLD", "MINUS", "NOT", "PLAYERS"}


# A value can always be followed by these, so they are not worth listing.
_GOES_ON = {
    *("LPAR", "LSQB", "DOT", "__ANON_0", "PLUS", "MINUS", "TIMES", "SLASH", "MOD", "COMPARE"),
    *("IS", "COVERS", "HOLDS", "OTHERWISE", "AND", "OR", "AFTER"),
}


def words(expected: set[str]) -> list[str]:
    return [term.lower() for term in expected if term not in _NAMES and not term.startswith("_")]


def shown(expected: set[str]) -> set[str]:
    """The terms worth listing among all that could come here."""
    for group, name in ((ITEMS, "ITEM"), (STEPS, "A_STEP"), (EXAMPLE, "EXAMPLE"), (VERBS, "VERB")):
        if group <= expected:
            return {name}
    if len(expected & VALUE_START) >= 5:
        return (expected - VALUE_START) | {"VALUE"}
    if {"LSQB", "DOT"} <= expected and expected - _GOES_ON:
        return expected - _GOES_ON
    return expected


def listed(expected: set[str]) -> str:
    """The expected terms in plain words: at most six."""
    names = (_NAMES.get(t, f"`{t.lower().strip('_')}`") for t in shown(expected))
    named = list(dict.fromkeys(sorted(names)))
    if len(named) > 6:
        return ", ".join([*named[:5], "..."])
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


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
        return Mistake(
            int(line), _about_character(text, lines[0], Span(name, chunk.line + line, column, chunk.line + line, 1))
        )
    if not isinstance(problem, UnexpectedToken):
        span = Span(name, chunk.line, 1, chunk.line, 2)
        return Mistake(0, finding("R0202", "This item is not complete.", span, "Complete it, or delete it."))
    token: Token = problem.token
    expected = set(problem.accepts or problem.expected)
    line = (token.line or 1) - 1
    column = token.column or 1
    starts_line = token.type not in _LAYOUT and not lines[line][: column - 1].strip()
    if starts_line and "_INDENT" in expected:
        return _block_missing(name, chunk, lines, _code_above(lines, line - 1))
    if token.type in _LAYOUT:
        return _about_layout(name, chunk, lines, token, expected)
    where = Span(name, chunk.line + line, 1, chunk.line + line, 1)
    refused = _Refused(lines[line], column - 1, expected, lines[0], where, starts_line, _goes_on(lines, line))
    wrong_start = _wrong_start(refused)
    if wrong_start is not None:
        word, message, remedy = wrong_start
        span = Span(name, chunk.line + line, word.start() + 1, chunk.line + line, word.end() + 1)
        return Mistake(line, finding("R0201", message, span, remedy))
    begins = _sign_begins(lines[line], column)
    if begins is not None:
        return Mistake(line, _about_character(lines[line], lines[0], attrs.evolve(where, column=begins)))
    span = Span(name, chunk.line + line, column, chunk.line + line, column + len(token))
    message, hint = _about_token(token, refused)
    return Mistake(line, finding("R0201", message, span, hint), word=str(token))


@attrs.frozen
class _Refused:
    """Where the grammar refused a line: its ``text``, the place ``at`` (from 0), what could have come there, the first
    line of the ``item``, where the ``line`` begins, and whether it ``starts`` there. ``after``: the word or sign after
    which it goes on with the line above, if it does."""

    text: str
    at: int
    expected: set[str]
    item: str
    line: Span
    starts: bool = False
    after: str = ""

    @property
    def code(self) -> str:
        return without_comment(self.text)

    @property
    def first(self) -> re.Match[str] | None:
        """The first word of the line, if the line begins with one and does not go on with the one above."""
        if self.after:
            return None
        match = _WORD.search(self.text)
        return match if match is not None and not self.text[: match.start()].strip() else None


def _stretch(line: Span, start: int, end: int) -> Span:
    """Columns (from 0) of a line, given where it begins."""
    return attrs.evolve(line, column=start + 1, end_column=end + 1)


def _advice(found: slips.Found, line: Span) -> Help:
    """The help of a phrase, for the place where it stands."""
    return found.help.at(_stretch(line, found.start, found.end))


def _wrong_start(refused: _Refused) -> tuple[re.Match[str], str, Help] | None:
    """The first word of a line where it is what is wrong: the word, the message and the remedy."""
    first = refused.first
    if first is None or first.end() > refused.at or refused.starts:
        return None
    found = slips.phrase(refused.code, refused.at, refused.item)
    if found is not None and found.phrase.starts and (refused.expected >= VERBS or "DECLINES" in refused.expected):
        return first, f"No step can start with `{first.group()}`.", _advice(found, refused.line)
    misspelt = None if refused.text[first.end() : refused.at].strip() else _misspelt(refused.text)
    return None if misspelt is None else (first, f"No line can start with `{first.group()}`.", misspelt)


# ---------------------------------------------------------------- kinds of mistakes

_LAYOUT = {"$END", "_DEDENT", "_NL", "_INDENT"}


def _symbol(rest: str) -> str | None:
    """The symbol of other languages that ``rest`` starts with."""
    return next((wrong for wrong in slips.SYMBOLS if rest.startswith(wrong)), None)


def _sign_begins(line: str, column: int) -> int | None:
    """The column where a sign of other languages begins, of which the parser refused the part at ``column``."""
    for sign, back in (("...", 2), ("//", 1), ("**", 1), ("++", 1)):
        if column > back and line.startswith(sign, column - 1 - back):
            return column - back
    return column if _symbol(line[column - 1 :]) else None


def _about_character(line: str, item: str, place: Span) -> Diagnostic:
    """The finding about the sign at a place of a line; ``item``: the first line of its item."""
    at = place.column - 1
    rest, length = line[at:], 1
    wrong = _symbol(rest)
    message, remedy = f"`{wrong}` has no meaning here.", Help("")
    if wrong == "=":
        found = slips.phrase(line, at, item) if line.startswith("define") else None
        remedy = _about_equals(line, item) if found is None else _advice(found, place)
    elif rest.startswith('"'):
        message = "This text has no closing quote on the same line."
        remedy = Help('Close it with `"`.', (Fix('Close the text with `"`', (AtEnd('"'),)),))
    elif wrong is not None:
        remedy, length = _advice(slips.sign(wrong, line, at), place), len(wrong)
    else:
        message = f"The character `{rest[:1]}` has no meaning here."
        remedy = leave_out(f"`{rest[:1]}`", "Delete it, or start a comment with `#`.")
    return finding("R0203", message, attrs.evolve(place, end_column=at + 1 + length), remedy)


_TESTED = {"if", "needs", "otherwise", "take", "invariant", "rule", "then", "given", "when", "unless"}


def _about_equals(line: str, item: str) -> Help:
    """What to write instead of ``=``: it depends on what the line does."""
    first = _WORD.match(line.lstrip())
    word = first.group() if first is not None else ""
    if word in _TESTED:
        return write("is", "To compare, write `is`.")
    if item.startswith(("the", "each")) and "," in line.split("=")[0]:
        return Help("Say what it starts with before the first comma: `NAME: TYPE = VALUE, at most 9`.")
    if word in forms.STARTS or not item.startswith(("rule", "example", "before", "after", "replace", "extend")):
        form = slips.form(line, item)
        if form is not None:
            return write("to", f"Write {form}.") if word in ("set", "change") else Help(f"Write {form}.")
    return slips.SYMBOLS["="].help


def _code_above(lines: list[str], line: int) -> int:
    """The nearest line at or above ``line`` that is neither blank nor a comment."""
    while line > 0 and not lines[line].split("#")[0].strip():
        line -= 1
    return max(0, line)


def _goes_on(lines: list[str], line: int) -> str:
    """`,`, `and` or `or`, when the line above ends in it outside all brackets and this line goes on with it."""
    inside = continued(lines)
    first = line
    while first in inside:
        first -= 1
    before = "".join(without_comment(text) for text in lines[first:line])
    if first == line or sum(map(before.count, "([{")) > sum(map(before.count, ")]}")):
        return ""
    code = without_comment(lines[_code_above(lines, line - 1)]).rstrip()
    return "," if code.endswith(",") else code.split()[-1]


def _end_of(name: str, chunk: Chunk, lines: list[str], line: int) -> Span:
    text = lines[line].split("#")[0].rstrip()
    return Span(name, chunk.line + line, max(1, len(text)), chunk.line + line, len(text) + 1)


def _block_missing(name: str, chunk: Chunk, lines: list[str], line: int) -> Mistake:
    span = _end_of(name, chunk, lines, line)
    form = forms.ITEMS.get(lines[line].split(" ", 1)[0].rstrip(":")) if not lines[line].startswith("rule") else None
    nothing = Fix("Add `do nothing`", (Below("do nothing", deeper=1),))
    help_ = Help(_BLOCK_HELP, (nothing,)) if form is None else Help(f"Write {form}.")
    return Mistake(line, finding("R0202", _BLOCK_MISSING, span, help_), needs_block=True)


def _about_layout(name: str, chunk: Chunk, lines: list[str], token: Any, expected: set[str]) -> Mistake:
    """The line ends, or a block begins or ends, where it should not."""
    line = len(lines) - 1 if token.type == "$END" else max(0, (token.line or len(lines)) - 1)
    line = _code_above(lines, min(line, len(lines) - 1))
    text = lines[line].split("#")[0].rstrip()
    if token.type == "_INDENT":
        # The token is the line break before the block, so `line` is the line above it.
        word = text.strip().split(" ", 1)[0] if text.strip() else ""
        near = did_you_mean(word, keywords()) if word not in keywords() else None
        diagnostic = finding(
            "R0201",
            "This line cannot have an indented block below it.",
            Span(name, chunk.line + line, 1, chunk.line + line, len(text) + 1),
            near or "Align the block with this line, or add the line that should open it.",
        )
        return Mistake(line, diagnostic)
    if "_INDENT" in expected and token.type != "_NL":
        return _block_missing(name, chunk, lines, line)
    where = Span(name, chunk.line + line, 1, chunk.line + line, 1)
    refused = _Refused(lines[line], len(text), expected, lines[0], where)
    wrong_start = _wrong_start(refused)
    if wrong_start is not None:
        word_, message, remedy = wrong_start
        span = Span(name, chunk.line + line, word_.start() + 1, chunk.line + line, word_.end() + 1)
        return Mistake(line, finding("R0201", message, span, remedy))
    below = token.type != "_NL"  # the line is complete, and what must follow on further lines is not there
    message = f"{'Below this line' if below else 'The line breaks off here:'} {listed(expected)} is missing."
    found = None if below else slips.phrase(text, len(text), lines[0])
    if "ROUNDED" in expected and found is None:
        message = "The line breaks off here: it does not say how to round."
        return Mistake(line, finding("R0202", message, _end_of(name, chunk, lines, line), _ROUND))
    form = slips.form(text, lines[0]) if found is None else None
    words = f"Write {form}." if form else "Complete the line."
    help_ = _advice(found, where) if found else _misspelt(text) or Help(words)
    if below and form is None:
        help_ = Help("Add it on a line of its own.")
    diagnostic = finding("R0202", message, _end_of(name, chunk, lines, line), help_)
    return Mistake(line, diagnostic, needs_block=below)


def _about_token(token: Any, refused: _Refused) -> tuple[str, str | Help]:
    """Message and remedy for a word that cannot stand where it does."""
    word = str(token)
    expected = refused.expected
    message = f"`{word}` cannot be used here; expected {listed(expected)}."
    if refused.starts and (expected >= STEPS or expected >= ITEMS):
        message = f"No {'step' if expected >= STEPS else 'item'} can start with `{word}`."
    return message, _remedy(token, word, refused)


def _remedy(token: Any, word: str, refused: _Refused) -> str | Help:
    expected, code = refused.expected, refused.code
    if word == ":" and not code[refused.at + 1 :].strip():
        return leave_out("the colon", "A line that opens a block does not end with a colon.")
    phrase = slips.phrase(code, refused.at, refused.item)
    found = _idiom(token, refused.text, expected) or (_advice(phrase, refused.line) if phrase is not None else None)
    return found or _about_word(token, word, refused) or _about_place(word, refused)


def _about_word(token: Any, word: str, refused: _Refused) -> str | Help | None:
    """A remedy if the word, or the first of its line, is nearly one that can stand there, or is no name."""
    near = did_you_mean(word, words(refused.expected)) if _WORD.fullmatch(word) else None
    if near is None and not refused.after:
        near = _misspelt(refused.text)
    if near is None and word in keywords() and "NAME" in refused.expected and not VALUE_START & {token.type}:
        return f"`{word}` is a word of the language. Choose another name."
    return near


def _about_place(word: str, refused: _Refused) -> str | Help:
    """What can stand there, in the form that fits best."""
    if shown(refused.expected) == {"_DEDENT"} and not refused.code[: refused.at].strip():
        move = Fix("Move it to the start of the line", (ReplaceText("", _stretch(refused.line, 0, refused.at)),), True)
        return Help(f"Move `{word}` to the start of the line: it does not belong to the block above.", (move,))
    if refused.after:
        return f"The line above ends in `{refused.after}`, so this one belongs to it. Complete that line first."
    form = slips.form(refused.code, refused.item, refused.starts)
    if form is not None:
        return f"Write {form}."
    for starts, summary in _SUMMARIES:
        if refused.expected >= starts:
            return summary
    if shown(refused.expected) == {"_NL"}:
        return f"Delete `{word}`, or write it on a line of its own."
    return f"Write {listed(refused.expected)} before it, or delete it."


_SUMMARIES = (
    (ITEMS, forms.ITEM),
    (STEPS, forms.STEP),
    (VERBS, forms.STEP),
    (EXAMPLE, forms.EXAMPLE_STEP),
    ({"DECLINES"}, forms.EXAMPLE_STEP),
)
"""Words that can all stand where a kind of line begins, and what such lines are."""

_ROUND = "Write `X / Y rounded down` or `X / Y rounded up`."
_AMOUNTS = {"all": "all", "one": "1", "two": "2", "three": "3"}


_IDIOMS: tuple[tuple[str, set[str], str, str | Help | None], ...] = (
    ("if with when having such unless", {"WHERE"}, "", write("where")),
    ("unless", {"WHEN", "_NL"}, r"^\s*adjust\s", write("when not")),
    ("if where for", {"WHEN", "_NL"}, r"^\s*adjust\s", write("when")),
    ("", {"ROUNDED"}, "", _ROUND),
    (
        "in",
        {"RPAR"},
        r"\w\(\s*\w+\s*$",
        f"In front of the brackets comes one of {', '.join(f'`{word}`' for word in FOLDS)}.",
    ),
    ("where", {"IN"}, "", "Say where they come from: `x in ... where ...`."),
    ("in", {"TO"}, r"^\s*(step|edge)\s", None),
    ("in", {"FOR"}, r"^\s*(step|edge)\s", "Say where they come from behind it: `... to x for x in ...`."),
    (
        "in",
        set(),
        r"^\s*take\s+turns\s",
        "One after another from a list is `each p in LIST`; for rounds, put it below `repeat at most N`.",
    ),
    ("in", set(), "", "To test whether a value is in a list, set or range, write `x is in ...`."),
    ("where", {"FOR"}, "", "Say what the condition is about first: `for x in ... where ...`."),
    (
        "if",
        {"_NL"},
        r"^\s*(?!(rule|else)\s)\S",
        "Write `if ...` on a line of its own, and indent this line below it.",
    ),
)
"""Words that people often try (empty: any), what could stand there instead, what the line before looks like, and what
to write."""


def _idiom(token: Any, line: str, expected: set[str]) -> str | Help | None:
    """What to write instead of a phrase that people often try."""
    word, start = str(token), line[: (token.column or 1) - 1]
    before = start.split()
    if "openly" in (word, *before[:2]):
        return _misplaced_openly(word, before)
    for tried, possible, shape, help_ in _IDIOMS:
        if (not tried or word in tried.split()) and possible <= expected and re.search(shape, start):
            return help_
    if token.type == "NAME" and "OF" in expected and before and (before[-1].isdecimal() or before[-1] in _AMOUNTS):
        return write(f"of {word}", f"Write `{_AMOUNTS.get(before[-1], before[-1])} of {word}`.")
    return None


_NEARLY = 0.76  # how alike a word must be to one that starts a line; a player's name often is somewhat


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


def _misspelt(line: str) -> Help | None:
    """A suggestion for the first word of the line, when it is nearly a word that starts a line."""
    match = _WORD.search(line)
    if match is None or match.group() in keywords() or line[: match.start()].strip():
        return None
    if line[match.end() :].lstrip().startswith(":"):
        return None  # the name of something that is declared
    near = similar(match.group(), forms.STARTS)
    alike = near is not None and difflib.SequenceMatcher(None, match.group(), near).ratio() > _NEARLY
    return did_you_mean(match.group(), forms.STARTS) if alike else None
