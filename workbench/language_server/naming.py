"""Names under the cursor, and everywhere in a game's files where the same thing is named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
from lsprotocol import types

from rulelang.diagnostics import Sink
from rulelang.files.folder import shown
from rulelang.names.rules import Mention
from rulelang.names.symbols import Symbol, Symbols, Use
from rulelang.source import SourceFile, Span

from ..pictures.looks.syntax import parse as parse_look
from .desk import Desk
from .documents import Document

_SECTION = re.compile(r"###\s+`([^`]+)`")
_VALUE = re.compile(r"\{(?:count\()?([^\W\d]\w*)")
_LOOK = re.compile(r"look\s+of\s+(\w+)")
_CONCEPT = re.compile(r'\s*id\s*=\s*"(\w+)"')


@attrs.frozen
class Named:
    """The name at a place, with the names of its game. ``root``: the game's folder."""

    use: Use
    symbols: Symbols
    root: Path


def name_at(desk: Desk, document: Document, position: types.Position) -> Named | None:
    """What is named at a place of any file of a game; None if nothing is, or nothing known."""
    root = desk.root(document)
    symbols = None if root is None else desk.symbols(root)
    if root is None or symbols is None or document.path is None:
        return None
    line, column = document.lines.place(position)
    name = shown(document.path)
    if document.suffix in (".rules", ".csv"):
        use = symbols.at(name, line, column)
    else:
        uses = mentions_beside(document, symbols)
        use = next((u for u in uses if u.span.line == line and u.span.column <= column <= u.span.end_column), None)
    return None if use is None else Named(use, symbols, root)


def everywhere(desk: Desk, named: Named) -> list[tuple[Document, Use]]:
    """Each place in the game's files where the same thing is named, rules first."""
    found = []
    for use in named.symbols.of(named.use.symbol):
        document = desk.document_at(Path(use.span.file))
        if document is not None:
            found.append((document, use))
    if named.use.symbol.group != "local":
        for path in desk.other_files(named.root):
            document = desk.document_at(path)
            if document is not None:
                uses = mentions_beside(document, named.symbols)
                found += [(document, use) for use in uses if use.symbol == named.use.symbol]
    return found


def location(desk: Desk, span: Span) -> types.Location | None:
    """The location of a span; None if its file cannot be read."""
    document = desk.document_at(Path(span.file)) if span.file else None
    return None if document is None else types.Location(document.uri, document.lines.range(span))


# ---------------------------------------------------------------- names in files that are not rules


def mentions_beside(document: Document, symbols: Symbols) -> list[Use]:
    """The names of the rules in a rulebook text, a glossary or a look."""
    found = []
    for mention in _mentions(document):
        symbol = _symbol(mention, symbols)
        if symbol is not None:
            found.append(Use(symbol, mention))
    return found


def _mentions(document: Document) -> Iterator[Mention]:
    assert document.path is not None
    file = document.path.as_posix()
    if document.suffix == ".look":
        yield from _in_look(document, file)
        return
    patterns = {".md": (_SECTION, _VALUE), ".toml": (_CONCEPT,)}.get(document.suffix, ())
    for number in range(len(document.lines.starts)):
        line = document.lines.line(number)
        for pattern in patterns:
            for match in pattern.finditer(line):
                span = Span(file, number + 1, match.start(1) + 1, number + 1, match.end(1) + 1)
                yield Mention("thing" if pattern is not _CONCEPT else "value", match[1], span)


def _in_look(document: Document, file: str) -> Iterator[Mention]:
    for number in range(len(document.lines.starts)):
        match = _LOOK.match(document.lines.line(number))
        if match is not None:
            span = Span(file, number + 1, match.start(1) + 1, number + 1, match.end(1) + 1)
            yield Mention("variant", match[1], span)
    look = parse_look(SourceFile(file, document.text.replace("\r\n", "\n")), Sink())
    for entry in look.entries:
        for name, span in entry.names:
            thing, _, column = name.partition(".")
            yield Mention("thing", thing, attrs.evolve(span, end_column=span.column + len(thing)))
            if column:
                place = attrs.evolve(span, column=span.end_column - len(column))
                yield Mention("column", column, place, of=thing)
        for inner in entry.inner:
            for name, span in inner.names:
                yield Mention("member", name, span, of=entry.names[0][0])


def _symbol(mention: Mention, symbols: Symbols) -> Symbol | None:
    name = mention.name
    match mention.role:
        case "variant":
            game = symbols.files.game
            return Symbol("game" if game is not None and name == game.name else "variant", name)
        case "column":
            return Symbol("column", name, mention.of) if mention.of in symbols.tables.get(name, ()) else None
        case "member":
            return Symbol("member", name, mention.of) if mention.of in symbols.domains.get(name, ()) else None
        case "value" if name in symbols.domains and name not in symbols.things:
            return Symbol("member", name, symbols.domains[name][0])
    if name in symbols.things:
        return Symbol("thing", name)
    return Symbol("rule", name) if name in symbols.rules else None
