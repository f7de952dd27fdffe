"""The outline of a file, and names looked for in all games that are open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types

from rulelang.diagnostics import Sink
from rulelang.files.folder import shown
from rulelang.names.symbols import Symbols, Use
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
    ((tree.Variables, tree.Carry), types.SymbolKind.Object),
    (tree.Variable, types.SymbolKind.Variable),
    ((tree.Graph, tree.History), types.SymbolKind.Interface),
    (tree.Event, types.SymbolKind.Event),
    ((tree.Example, tree.Invariant), types.SymbolKind.Constant),
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
            owners = " and ".join(owner.name for owner in node.owners)
            return f"each {owners} has" if owners else "the game has", None
        case tree.Carry():
            return "carry", ", ".join(name.name for name in node.names)
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


# What is selected next when a selection grows.


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


# Semantic colours: each name by what it stands for, which a grammar of words cannot tell.


Kind = types.SemanticTokenTypes
Modifier = types.SemanticTokenModifiers

KINDS = (
    Kind.Variable,
    Kind.Parameter,
    Kind.Function,
    Kind.Method,
    Kind.Enum,
    Kind.EnumMember,
    Kind.Property,
    Kind.Event,
    Kind.Type,
    Kind.Namespace,
    Kind.Number,
)
MODIFIERS = (Modifier.Declaration, Modifier.Modification, Modifier.Readonly)
LEGEND = types.SemanticTokensLegend([kind.value for kind in KINDS], [modifier.value for modifier in MODIFIERS])

_THINGS: tuple[tuple[tuple[type[tree.Node], ...], types.SemanticTokenTypes], ...] = (
    ((tree.Enum, tree.Table, tree.Grid), Kind.Enum),
    ((tree.Range,), Kind.Type),
    ((tree.Define, tree.Graph, tree.History), Kind.Method),
    ((tree.Event,), Kind.Event),
    ((tree.Number, tree.Setting), Kind.Number),
    ((tree.Variable,), Kind.Property),
)
_GROUPS = {
    "local": Kind.Parameter,
    "rule": Kind.Function,
    "example": Kind.Function,
    "member": Kind.EnumMember,
    "column": Kind.Property,
    "game": Kind.Namespace,
    "variant": Kind.Namespace,
}


def colours(desk: Desk, document: Document, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """The colours of all names in a rules file, or in a file with rows of a table."""
    return types.SemanticTokens(_encoded(document, _uses(desk, document)))


def colours_in(desk: Desk, document: Document, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    """As ``colours``, for the lines of a range."""
    first, last = params.range.start.line + 1, params.range.end.line + 1
    uses = ((symbols, use) for symbols, use in _uses(desk, document) if first <= use.span.line <= last)
    return types.SemanticTokens(_encoded(document, uses))


def _uses(desk: Desk, document: Document) -> Iterator[tuple[Symbols, Use]]:
    root = desk.root(document)
    symbols = None if root is None else desk.symbols(root)
    if symbols is None or document.path is None:
        return
    name = shown(document.path)
    if name in symbols.file_names():
        for use in symbols.uses(name):
            yield symbols, use


def _encoded(document: Document, uses: Iterable[tuple[Symbols, Use]]) -> list[int]:
    """The tokens as the protocol wants them: each by its distance from the one before."""
    found: dict[Span, tuple[int, int]] = {}
    for symbols, use in uses:
        kind, modifiers = _token(symbols, use)
        known = found.get(use.span, (0, 0))
        found[use.span] = kind, modifiers | known[1]
    data: list[int] = []
    line = character = end = 0
    for span in sorted(found):
        where = document.lines.range(span)
        start = where.start
        if (start.line, start.character) < (line, end):  # inside the one before
            continue
        if start.line != line:
            character = 0
        kind, modifiers = found[span]
        length = where.end.character - start.character
        data += [start.line - line, start.character - character, length, kind, modifiers]
        line, character, end = start.line, start.character, where.end.character
    return data


def _token(symbols: Symbols, use: Use) -> tuple[int, int]:
    symbol, mention = use.symbol, use.mention
    kind = _GROUPS.get(symbol.group, Kind.Variable)
    if symbol.group == "thing":
        thing = symbols.things.get(symbol.name)
        kind = next((kind for classes, kind in _THINGS if isinstance(thing, classes)), Kind.Variable)
    elif symbol.group == "rule" and isinstance(symbols.rules.get(symbol.name), tree.MenuOption):
        kind = Kind.Event
    readonly = kind in (Kind.Number, Kind.EnumMember)
    return KINDS.index(kind), mention.declares * 1 | mention.changes * 2 | readonly * 4
