"""Semantic colours: each name by what it stands for, which a grammar of words cannot tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from rulelang.files.folder import shown
from rulelang.names.symbols import Symbols, Use
from rulelang.source import Span
from rulelang.syntax import tree

from .session import Desk, Document

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
