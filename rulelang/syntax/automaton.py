"""The quick way through a text without mistakes: Lark's tables, walked by a loop that makes the nodes at once.

One scanner reads all words and signs, where Lark compiles one for each set of words that a state allows, and nothing is
made that the syntax tree does not keep. What cannot be read so is left to Lark, which finds and explains the mistake.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias, TypedDict

from ..source import Span
from . import tree
from .makers import MAKERS, MAX_DEPTH, Maker, code_of, end_of, value_of

NEWLINE, INDENT, DEDENT, END = "_NL", "_INDENT", "_DEDENT", "$END"
OPENING, CLOSING = ("LPAR", "LSQB", "LBRACE"), ("RPAR", "RSQB", "RBRACE")
GOES_ON = ("COMMA", "AND", "OR")
"""Terminals after which a deeper line goes on with the one above."""
TAB = 8
"""Spaces that a tab stands for."""
NAME = "NAME"


class Production(TypedDict):
    """A production of the grammar: the last ``size`` symbols become ``to``.

    ``parts`` are those kept: the place of a child, ``-1 - place`` of one whose own children take its place, None for
    one that is left out in the text. ``made`` names the maker of the node; without one the children are kept for the
    production around them. ``lone``: a single child stands for itself.
    """

    to: str
    size: int
    parts: list[int | None]
    made: str | None
    lone: bool


class AutomatonTables(TypedDict):
    """The automaton as plain data.

    In ``rows`` each state tells for a symbol the state that comes next, or ``-1 - index`` of a production that ends
    there. ``terminals`` are names and regular expressions, in the order of trial; ``words`` and ``signs`` have the
    terminals that are written in one way only.
    """

    rows: list[dict[str, int]]
    start: int
    end: int
    productions: list[Production]
    terminals: list[tuple[str, str]]
    words: dict[str, str]
    signs: dict[str, str]
    ignored: list[str]


Part: TypeAlias = tuple[Any, int, int, int, int, int]
"""What lies on the stack: a value; line, column, end line and end column of the text it takes up, with the brackets
around it; how deep its nodes are nested."""


class _Unread(Exception):
    """There is a mistake, or something that only Lark knows how to read."""


class Automaton:
    """Reads items by ``tables``."""

    def __init__(self, tables: AutomatonTables) -> None:
        self._rows = tables["rows"]
        self._start, self._end = tables["start"], tables["end"]
        self._words, self._signs = tables["words"], tables["signs"]
        self._ignored = frozenset(tables["ignored"])
        signs = "|".join(re.escape(sign) for sign in sorted(self._signs, key=len, reverse=True))
        terminals = [f"(?P<{name}>{pattern})" for name, pattern in tables["terminals"]]
        self._scanner = re.compile("|".join([*terminals, signs]))
        self._name = re.compile(dict(tables["terminals"])[NAME])
        self._productions = [_settled(production) for production in tables["productions"]]
        self._risen: dict[tuple[int, int, str], int] = {}

    def item(self, file: str, offset: int, text: str) -> tree.Item | None:
        """The item in ``text``, with ``offset`` added to line numbers; None if it cannot be read."""
        try:
            return self._read(file, offset, text)
        except _Unread:
            return None

    def _read(self, file: str, offset: int, text: str) -> tree.Item:
        run = _Run(self._rows, self._productions, self._risen, self._start, self._end, file, offset, text)
        feed, states, rows = run.feed, run.states, self._rows
        scan, ignored, signs = self._scanner.match, self._ignored, self._signs
        at, line, line_start, end = 0, 1, 0, len(text)
        levels, brackets, before = [0], 0, ""
        part: Part = ("", 1, 1, 1, 1, 0)
        while at < end:
            found = scan(text, at)
            if found is None:
                raise _Unread
            kind, stop = found.lastgroup, found.end()
            if kind in ignored:
                at = stop
                continue
            word, column = found.group(), at - line_start + 1
            at = stop
            if kind == NEWLINE:
                began, line = line, line + word.count("\n")
                last = word.rpartition("\n")[2]
                line_start = stop - len(last)
                part = (word, began, column, line, len(last) + 1, 0)
                if brackets or (before in GOES_ON and len(last) > levels[-1]):
                    continue
                feed(NEWLINE, part)
                indent = last.count(" ") + last.count("\t") * TAB
                if indent > levels[-1]:
                    levels.append(indent)
                    feed(INDENT, part)
                while indent < levels[-1]:
                    levels.pop()
                    feed(DEDENT, part)
                if indent != levels[-1]:
                    raise _Unread
                continue
            before = signs[word] if kind is None else self._kind(rows[states[-1]], found)
            part = (value_of(before, word), line, column, line, stop - line_start + 1, 0)
            feed(before, part)
            if before in OPENING:
                brackets += 1
            elif before in CLOSING:
                brackets -= 1
        for _ in levels[1:]:
            feed(DEDENT, part)
        feed(END, part)
        return run.result()

    def _kind(self, row: dict[str, int], found: re.Match[str]) -> str:
        """What the word just found is in a state: a terminal of its own if it may come here, a keyword, a name.

        Lark's scanners look in the same order. Where no name may come they would also read the beginning of a word as
        a keyword.
        """
        kind, word = found.lastgroup, found.group()
        if kind != NAME:
            if kind in row:
                return str(kind)
            name = self._name.match(found.string, found.start())
            if name is None or name.end() != found.end():
                raise _Unread
        keyword = self._words.get(word)
        if keyword is not None and keyword in row:
            return keyword
        if NAME in row:
            return NAME
        raise _Unread


_Settled: TypeAlias = tuple[str, int, "list[int | None]", "Maker | None", bool, bool]


def _settled(production: Production) -> _Settled:
    """The production as a tuple: ``to``, ``size``, ``parts``, its maker, ``lone``, whether it changes no value."""
    made, parts, lone = production["made"], production["parts"], production["lone"]
    same = lone and parts == [0] and production["size"] == 1
    return production["to"], production["size"], parts, None if made is None else MAKERS[made], lone, same


class _Run:
    """One item on its way through the automaton."""

    def __init__(
        self,
        rows: list[dict[str, int]],
        productions: list[_Settled],
        risen: dict[tuple[int, int, str], int],
        start: int,
        end: int,
        file: str,
        offset: int,
        text: str,
    ) -> None:
        self._rows, self._productions, self._risen, self._end = rows, productions, risen, end
        self._file, self._offset = file, offset
        self._code = code_of(text)
        self.states = [start]
        self._stack: list[Part] = []

    def feed(self, kind: str, part: Part) -> None:
        """Takes the next terminal, after the productions that end before it."""
        rows, states, stack = self._rows, self.states, self._stack
        while True:
            action = rows[states[-1]].get(kind)
            if action is None:
                raise _Unread
            if action >= 0:
                states.append(action)
                stack.append(part)
                return
            to, size, parts, maker, lone, same = self._productions[-1 - action]
            if same:
                key = states[-2], states[-1], kind
                known = self._risen.get(key)
                states[-1] = self._rise(*key) if known is None else known
                continue
            taken = stack[-size:]
            del stack[-size:]
            stack.append(self._made(taken, parts, maker, lone))
            del states[-size:]
            state = rows[states[-1]][to]
            states.append(state)
            if kind == END and state == self._end:
                return

    def _rise(self, below: int, state: int, kind: str) -> int:
        """The state on top of ``below``, before ``kind``, after all productions that change no value.

        An operand goes through one for each level of operators, always the same ones, so the way is kept.
        """
        first = state
        while True:
            action = self._rows[state].get(kind, 0)
            if action >= 0 or not self._productions[-1 - action][-1]:
                break
            state = self._rows[below][self._productions[-1 - action][0]]
        self._risen[below, first, kind] = state
        return state

    def _made(self, taken: list[Part], parts: list[int | None], maker: Maker | None, lone: bool) -> Part:
        _, line, column, _, _, _ = taken[0]
        _, _, _, end_line, end_column, _ = taken[-1]
        children: list[Any] = []
        depth = 0
        for at in parts:
            if at is None:
                children.append(None)
                continue
            if at >= 0:
                value, _, _, _, _, deep = taken[at]
                children.append(value)
            else:
                value, _, _, _, _, deep = taken[-1 - at]
                if children:
                    children += value
                else:
                    children = value  # nobody else has it
            if deep > depth:
                depth = deep
        if lone and len(children) == 1:
            return children[0], line, column, end_line, end_column, depth
        if maker is None:
            return children, line, column, end_line, end_column, depth
        shown, column_shown = end_line, end_column
        if line != end_line:
            shown, column_shown = end_of(self._code, line, end_line, end_column)
        span = Span(self._file, line + self._offset, column, shown + self._offset, column_shown)
        return maker(span, children), line, column, end_line, end_column, depth + 1

    def result(self) -> tree.Item:
        """The item, once all of it was taken. Raises _Unread if its parts are nested too deeply."""
        value, *_, depth = self._stack[-1]
        if depth > MAX_DEPTH:
            raise _Unread
        return value  # type: ignore[no-any-return]
