"""The outline of a file, and names looked for in all games that are open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from rulelang.diagnostics import Sink
from rulelang.source import SourceFile, Span
from rulelang.syntax import tree
from rulelang.syntax.parse import parse_source
from rulelang.syntax.walk import children

from ..rulebook.texts import Heading, parse_text
from .session import Desk, Document, Lines, uri_of

_MOST = 500
"""Names that a search in all games gives."""

_KINDS: tuple[tuple[type[tree.Node] | tuple[type[tree.Node], ...], types.SymbolKind], ...] = (
    ((tree.Rule, tree.Insert, tree.ExtendRule), types.SymbolKind.Function),
    (tree.MenuOption, types.SymbolKind.Event),
    ((tree.Define, tree.Adjust, tree.ExtendDefine), types.SymbolKind.Method),
    ((tree.Enum, tree.ExtendEnum, tree.Range, tree.Grid), types.SymbolKind.Enum),
    ((tree.Table, tree.ExtendTable), types.SymbolKind.Struct),
    (tree.Column, types.SymbolKind.Field),
    ((tree.Number, tree.ChangeNumber), types.SymbolKind.Number),
    ((tree.Setting, tree.ChangeSetting), types.SymbolKind.Boolean),
    (tree.Variables, types.SymbolKind.Object),
    (tree.Variable, types.SymbolKind.Variable),
    ((tree.Graph, tree.History), types.SymbolKind.Interface),
    (tree.Event, types.SymbolKind.Event),
    (tree.Example, types.SymbolKind.Constant),
)


def document_symbols(desk: Desk, document: Document, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """What a file declares: items, the rules and options in them, columns, variables; the sections of a text."""
    if document.suffix == ".md":
        return _sections(document)
    if document.suffix != ".rules":
        return []
    return [symbol for item in items_of(document).items for symbol in _symbols(item, document.lines)]


def items_of(document: Document) -> tree.File:
    """The items of a rules file, as far as they can be parsed."""
    text = document.text.replace("\r\n", "\n").replace("\r", "\n")
    return parse_source(SourceFile(document.uri, text), Sink())


def _symbols(node: tree.Node, lines: Lines) -> Iterator[types.DocumentSymbol]:
    """The outline of a node, or of what is in it if it has no name of its own."""
    inner = [symbol for part in children(node) for symbol in _symbols(part, lines)]
    kind = next((kind for classes, kind in _KINDS if isinstance(node, classes)), None)
    if kind is None:
        yield from inner
        return
    name, detail = _name(node)
    span = node.span
    head = Span(span.file, span.line, span.column, span.line, len(lines.line(span.line - 1)) + 1)
    if span.end_line == span.line:
        head = span
    yield types.DocumentSymbol(
        name=name,
        detail=detail,
        kind=kind,
        range=lines.range(span),
        selection_range=lines.range(head),
        children=inner or None,
    )


def _name(node: tree.Node) -> tuple[str, str | None]:
    """What a node is called, and what it is where that does not show."""
    match node:
        case tree.Variables():
            return ("the game has" if not node.owners else f"each {' and '.join(node.owners)} has"), None
        case tree.Insert():
            return node.id, f"{node.where} {node.kind}"
        case tree.ExtendRule() | tree.ExtendDefine() | tree.ExtendEnum() | tree.ExtendTable():
            return str(getattr(node, "name", getattr(node, "id", ""))), "extended"
        case tree.ChangeNumber() | tree.ChangeSetting() | tree.Adjust():
            return node.name, "changed"
        case tree.Setting():
            return node.name, node.kind
    return str(getattr(node, "name", getattr(node, "id", ""))), None


def _sections(document: Document) -> list[types.DocumentSymbol]:
    found: list[types.DocumentSymbol] = []
    text = parse_text("", document.uri, document.text.replace("\r\n", "\n").split("\n"), Sink(), "any")
    headings = [(part.text, part.span) for part in text.parts if isinstance(part, Heading)]
    starts = sorted([*headings, *((id_, span) for id_, span in text.sections.items())], key=lambda s: s[1].line)
    last = len(document.lines.starts)
    for position, (name, span) in enumerate(starts):
        end = starts[position + 1][1].line if position + 1 < len(starts) else last + 1
        whole = Span(span.file, span.line, 1, end, 1)
        kind = types.SymbolKind.Namespace if (name, span) in headings else types.SymbolKind.String
        found.append(types.DocumentSymbol(name, kind, document.lines.range(whole), document.lines.range(span)))
    return found


def workspace_symbols(desk: Desk, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """The names in all games whose letters hold those of the query in order."""
    found: list[types.SymbolInformation] = []
    for root in desk.roots():
        files = desk.files(root)
        for file in () if files is None else (*files.parts, *files.variants.values(), *files.examples):
            document = desk.document_at(Path(file.span.file))
            lines = document.lines if document is not None else Lines.of("")
            uri = document.uri if document is not None else uri_of(Path(file.span.file))
            for item in file.items:
                for symbol in _flat(_symbols(item, lines)):
                    if _fits(params.query, symbol.name):
                        place = types.Location(uri, symbol.selection_range)
                        found.append(types.SymbolInformation(place, symbol.name, symbol.kind, container_name=root.name))
                        if len(found) >= _MOST:
                            return found
    return found


def _flat(symbols: Iterator[types.DocumentSymbol]) -> Iterator[types.DocumentSymbol]:
    for symbol in symbols:
        if symbol.kind is not types.SymbolKind.Object:
            yield symbol
        yield from _flat(iter(symbol.children or ()))


def _fits(query: str, name: str) -> bool:
    letters = iter(name.lower())
    return all(letter in letters for letter in query.lower())
