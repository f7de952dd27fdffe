"""The syntax of look files: grammar and tree, item by item, so that a mistake in one of them hides no other."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import lark
from lark import Lark
from lark.indenter import Indenter

from rulelang.diagnostics import Sink
from rulelang.source import SourceFile, Span
from rulelang.syntax.layout import Chunk, chunks
from rulelang.syntax.parsers import Grammar

HEADER_HELP = "Start the file with `look of NAME`, the name of the game or of one of its variants."


@attrs.frozen
class LookPhrase:
    """``words``: as written, strings with their quotation marks."""

    words: tuple[str, ...]
    span: Span


@attrs.frozen
class LookEntry:
    """Names with what is said of them; ``inner``: of members of the one name."""

    names: tuple[tuple[str, Span], ...]
    phrases: tuple[LookPhrase, ...]
    inner: tuple[LookEntry, ...]


@attrs.frozen
class LookFile:
    """``of``: the game or variant that the look is for, None when the header cannot be read."""

    of: str | None
    entries: tuple[LookEntry, ...]
    span: Span


def parse(source: SourceFile, sink: Sink) -> LookFile:
    """The tree of a look file; what cannot be read is reported and left out."""
    of: str | None = None
    entries: list[LookEntry] = []
    first = True
    for chunk in chunks(source, sink):
        made = _item(source.name, chunk, sink)
        if made is not None and made.data == "header":
            if first:
                of = str(made.children[0])
            else:
                place = _span(source.name, chunk.line, made)
                sink.error("R1001", place, "A look has only one header, in its first line.", help="Remove this line.")
        elif made is not None:
            entries.append(_entry(source.name, chunk.line, made.children[0]))
        if first and of is None and not sink.has_errors:
            place = Span(source.name, chunk.line, 1, chunk.line, 2)
            sink.error("R1001", place, "This file does not say whose look it is.", help=HEADER_HELP)
        first = False
    if first and not sink.has_errors:
        sink.error("R1001", Span(source.name, 1, 1, 1, 1), "The file is empty.", help=HEADER_HELP)
    return LookFile(of, tuple(entries), Span(source.name, 1, 1, 1, 1))


def _item(name: str, chunk: Chunk, sink: Sink) -> Any:

    try:
        return parser().parse(chunk.text)
    except lark.exceptions.UnexpectedInput as problem:
        at: tuple[int, ...] = tuple(max(getattr(problem, name) or 1, 1) for name in ("line", "column"))
        line, column = chunk.line - 1 + at[0], at[1]
        place = Span(name, line, column, line, column + 1)
        help_ = "Write `names: phrases`, for example `wood: brown, icon log`, and indent members below their domain."
        sink.error("R1001", place, "This line cannot be read.", help=help_)
        return None


def _span(name: str, line: int, node: Any) -> Span:
    """Where a tree or token of an item stands in the file."""
    at: Any = node if isinstance(node, lark.Token) else node.meta
    return Span(name, line + at.line - 1, at.column, line + at.end_line - 1, at.end_column)


def _entry(name: str, line: int, tree: Any) -> LookEntry:
    names, rest = tree.children[0], [child for child in tree.children[1:] if child is not None]
    phrases = [c for c in rest if c.data == "phrase"]
    inner = [c for c in rest if c.data == "entry"]
    return LookEntry(
        tuple((".".join(str(part) for part in n.children if part is not None), _span(name, line, n)) for n in
              names.children),
        tuple(LookPhrase(tuple(map(str, p.children)), _span(name, line, p)) for p in phrases),
        tuple(_entry(name, line, one) for one in inner),
    )  # fmt: skip


def walk(entries: tuple[LookEntry, ...]) -> Iterator[LookEntry]:
    """All entries, those inside others too."""
    for entry in entries:
        yield entry
        yield from walk(entry.inner)


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
    from workbench.pictures.looks import syntax

    syntax.LOOKS.write()  # the tables refer to this module by its name
