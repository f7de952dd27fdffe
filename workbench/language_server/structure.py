"""The structure of a rules file: what can be folded, and what is selected next when a selection grows."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.walk import children, walk

from .outline import document_symbols, items_of
from .session import Desk, Document


def folding(desk: Desk, document: Document, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """Items, blocks and runs of comments; the sections of a text."""
    if document.suffix == ".rules":
        spans = {(span.line, span.end_line) for item in items_of(document).items for span in _blocks(item)}
        found = [types.FoldingRange(first - 1, last - 1) for first, last in sorted(spans) if last > first]
        return [*found, *_comments(document)]
    made = document_symbols(desk, document, types.DocumentSymbolParams(types.TextDocumentIdentifier(document.uri)))
    ranges = [symbol.range for symbol in made]
    return [types.FoldingRange(r.start.line, r.end.line - 1) for r in ranges if r.end.line - 1 > r.start.line]


_BLOCKS = (tree.Rule, tree.MenuOption, tree.Menu, tree.If, tree.IfThere, tree.Each, tree.Together, tree.Repeat)
_MORE = (tree.TakeTurns, tree.Choose, tree.ChooseSome, tree.RowsInline, tree.ExampleCases)


def _blocks(item: tree.Item) -> Iterator[Span]:
    yield item.span
    for node in walk(item):
        if isinstance(node, _BLOCKS + _MORE):
            yield node.span


def _comments(document: Document) -> Iterator[types.FoldingRange]:
    first: int | None = None
    for number in range(len(document.lines.starts) + 1):
        is_comment = document.lines.line(number).lstrip().startswith("#")
        if is_comment and first is None:
            first = number
        elif not is_comment and first is not None:
            if number - first > 1:
                yield types.FoldingRange(first, number - 1, kind=types.FoldingRangeKind.Comment)
            first = None


def selection(desk: Desk, document: Document, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    """For each place, what is around it: a name, the expression, the statement, the block, the item, the file."""
    items = items_of(document).items if document.suffix == ".rules" else ()
    return [_around(document, items, position) for position in params.positions]


def _around(document: Document, items: tuple[tree.Item, ...], position: types.Position) -> types.SelectionRange:
    line, column = document.lines.place(position)
    spans: list[Span] = []
    for item in items:
        node: tree.Node | None = item if _holds(item.span, line, column) else None
        while node is not None:
            if not spans or spans[-1] != node.span:
                spans.append(node.span)
            node = next((part for part in children(node) if _holds(part.span, line, column)), None)
    found = types.SelectionRange(document.lines.whole)
    for span in spans:
        found = types.SelectionRange(document.lines.range(span), found)
    word, place = document.word(position)
    if word and place != found.range and _inside(place, found.range):
        found = types.SelectionRange(place, found)
    return found


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _inside(inner: types.Range, outer: types.Range) -> bool:
    def pair(position: types.Position) -> tuple[int, int]:
        return position.line, position.character

    return pair(outer.start) <= pair(inner.start) and pair(inner.end) <= pair(outer.end)
