"""Lark's parser of the grammar, for texts that the automaton cannot read.

``python -m rulelang.syntax.grammar`` writes its tables and those of the automaton again after a change of the grammar.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from lark import Lark, Token
from lark.indenter import Indenter

from . import parse_tables
from .automaton import CLOSING, DEDENT, GOES_ON, INDENT, NEWLINE, OPENING, TAB
from .parsers import Grammar


class Layout(Indenter):
    """Blocks by indentation; a line may end inside brackets, and after a word or sign by which a deeper one goes on.

    ``layout.continued`` says the same of a text that may be broken.
    """

    NL_type = NEWLINE
    OPEN_PAREN_types = list(OPENING)
    CLOSE_PAREN_types = list(CLOSING)
    INDENT_type = INDENT
    DEDENT_type = DEDENT
    tab_len = TAB

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return super().process(self._joined(stream))  # type: ignore[no-any-return, no-untyped-call]

    def _joined(self, stream: Iterator[Token]) -> Iterator[Token]:
        before = ""
        for token in stream:
            if token.type != self.NL_type:
                before = token.type
            elif before in GOES_ON and len(token.rpartition("\n")[2]) > self.indent_level[-1]:
                continue
            yield token


RULES = Grammar(
    parse_tables.GRAMMAR,
    Layout,
    {"parser": "lalr", "lexer": "contextual", "propagate_positions": True, "maybe_placeholders": True},
)
"""The grammar of rules files."""


@functools.cache
def parser() -> Lark:
    """The parser for the items of a file."""
    return RULES.parser()


def write() -> None:
    """Writes the tables beside the grammar, and those of the automaton, unless those there fit."""
    RULES.write()
    if parse_tables.read() is None:
        parse_tables.write(parser())


if __name__ == "__main__":
    from . import grammar

    grammar.write()  # the tables refer to this module by its name
