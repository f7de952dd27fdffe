"""Lark's parser of look files. ``python -m workbench.pictures.looks.grammar`` writes its tables after a change."""

from __future__ import annotations

import functools
from pathlib import Path

from lark import Lark
from lark.indenter import Indenter

from rulelang.syntax.parsers import Grammar


class Layout(Indenter):
    """Blocks by indentation."""

    NL_type = "_NL"
    OPEN_PAREN_types: list[str] = []
    CLOSE_PAREN_types: list[str] = []
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


LOOKS = Grammar(
    Path(__file__).with_name("look.lark"), Layout, {"parser": "lalr", "start": "item", "propagate_positions": True}
)
"""The grammar of look files."""


@functools.cache
def parser() -> Lark:
    """The parser for the items of a look file."""
    return LOOKS.parser()


if __name__ == "__main__":
    from . import grammar

    grammar.LOOKS.write()  # the tables refer to this module by its name
