"""Renaming: all places at once, and not at all where the game would come to mean something else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rulelang.diagnostics import Diagnostic, Sink, UnusablePath
from rulelang.files.folder import shown
from rulelang.names.rule_mentions import Mention
from rulelang.names.symbols import Symbol, Symbols, Use
from rulelang.source import SourceFile, Span
from rulelang.words import RESERVED, WORDS

from ..checking import check_game
from ..pictures.looks.syntax import parse as parse_look
from .session import Desk, Document, uri_of

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


_NAME = re.compile(r"[^\W\d]\w*")
_ID = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_SPECIAL = {("rule", "play"): "The game starts with the rule `play`.", ("thing", "score"): "`scores` changes `score`."}


class Refusal(JsonRpcException):
    """The name cannot be changed; the message says why."""

    CODE = -32803


def prepare(desk: Desk, document: Document, params: types.PrepareRenameParams) -> types.Range | None:
    """The range of the name under the cursor, if it can be changed."""
    named = name_at(desk, document, params.position)
    if named is None:
        return None
    _check_symbol(named)
    return document.lines.range(named.use.span)


def rename(desk: Desk, document: Document, params: types.RenameParams) -> types.WorkspaceEdit:
    """The edits that give the thing under the cursor another name, in all files of its game. Raises Refusal."""
    named = name_at(desk, document, params.position)
    if named is None:
        raise Refusal("There is nothing here that has a name of its own.")
    new = params.new_name.strip()
    symbol = named.use.symbol
    if new == symbol.name:
        return types.WorkspaceEdit({})
    _check_symbol(named)
    _check_name(new, named)
    edits: dict[Path, list[types.TextEdit]] = {}
    for found, use in everywhere(desk, named):
        assert found.path is not None
        if not named.symbols.is_certain(use.mention):
            where = f"in {found.path.name}, line {use.span.line}, it is unclear which is meant"
            raise Refusal(f"`{symbol.name}` is the name of several things, and {where}.")
        edits.setdefault(found.path, []).append(types.TextEdit(found.lines.range(use.span), new))
    _check_result(desk, named, new, edits)
    open_ = {path: desk.open_at(path) for path in edits}
    uris = {path: uri_of(path) if document is None else document.uri for path, document in open_.items()}
    return types.WorkspaceEdit({uris[path]: made for path, made in edits.items()})


# ---------------------------------------------------------------- what is refused


def _check_symbol(named: Named) -> None:
    symbol = named.use.symbol
    special = _SPECIAL.get((symbol.group, symbol.name))
    if special is not None:
        raise Refusal(f"{special} It needs this name.")
    if symbol.group != "local" and not any(use.mention.declares for use in named.symbols.of(symbol)):
        raise Refusal(f"`{symbol.name}` gets its name from something else, so it cannot be changed here.")


def _check_name(new: str, named: Named) -> None:
    symbol = named.use.symbol
    pattern, what = (_ID, "an id, such as `income.gold`") if symbol.group in ("rule", "example") else (_NAME, "a name")
    if not pattern.fullmatch(new):
        raise Refusal(f"`{new}` is not {what}: letters, digits and `_`, and no digit first.")
    if new in WORDS or (symbol.group != "member" and new in RESERVED):
        raise Refusal(f"`{new}` is a word of the language. Choose another name.")
    taken = _taken(new, named)
    if taken is not None:
        raise Refusal(f"`{new}` is the name of {taken} already.")


def _taken(new: str, named: Named) -> str | None:
    symbols, symbol = named.symbols, named.use.symbol
    match symbol.group:
        case "thing" if new in symbols.things or new in symbols.domains:
            return "something in this game"
        case "rule" if new in symbols.rules:
            return "a rule or an option"
        case "member" if symbol.of in symbols.domains.get(new, ()) or new in symbols.things:
            return "something in this game"
        case "column" if symbol.of in symbols.tables.get(new, ()):
            return "a column of this table"
    return None


def _check_result(desk: Desk, named: Named, new: str, edits: dict[Path, list[types.TextEdit]]) -> None:
    """Refuses if with the new name the game has more mistakes, or the name stands for something else anywhere."""
    texts = {path: edited(document, made) for path, made in edits.items() if (document := desk.document_at(path))}
    old = named.symbols.of(named.use.symbol)

    def tried() -> tuple[list[Diagnostic], int]:
        symbols = desk.symbols(named.root)
        moved = 0 if symbols is None else len(symbols.of(_renamed(named.use.symbol, new, [use.span for use in old])))
        return _errors(desk, named.root), moved

    before = _errors(desk, named.root)
    after, places = desk.supposing(texts, tried)
    if places != len(old):
        raise Refusal(f"`{new}` already means something in a place where `{named.use.symbol.name}` is used.")
    if len(after) > len(before):
        known = {(finding.code, finding.message) for finding in before}
        first = next((finding for finding in after if (finding.code, finding.message) not in known), after[0])
        raise Refusal(f"With this name the game would have a mistake, {first.span}: {first.message}")


def _errors(desk: Desk, root: Path) -> list[Diagnostic]:
    try:
        report = check_game(root, games=desk.games)
    except UnusablePath as problem:
        raise Refusal(str(problem)) from None
    return [finding for finding in report.diagnostics if finding.severity == "error"]


def _renamed(symbol: Symbol, new: str, places: list[Span]) -> Symbol:
    """The symbol as it is once it has another name in all its places."""
    given = symbol.given
    if given is None:
        return attrs.evolve(symbol, name=new)
    longer = len(new) - len(symbol.name)
    start = given.column + longer * sum(p.line == given.line and p.column < given.column for p in places)
    return attrs.evolve(symbol, name=new, given=attrs.evolve(given, column=start, end_column=start + len(new)))


def edited(document: Document, edits: list[types.TextEdit]) -> str:
    """The text of a document after edits that do not touch one another."""
    text = document.text
    for edit in sorted(edits, key=lambda e: document.lines.offset(e.range.start), reverse=True):
        start, end = document.lines.offset(edit.range.start), document.lines.offset(edit.range.end)
        text = f"{text[:start]}{edit.new_text}{text[end:]}"
    return text


# Going from a name to where it gets its meaning, and to everywhere it is used.


def definition(desk: Desk, document: Document, params: types.DefinitionParams) -> types.Location | None:
    """Where the name under the cursor gets its meaning."""
    named = name_at(desk, document, params.position)
    span = None if named is None else named.symbols.declaration(named.use.symbol)
    return None if span is None else location(desk, span)


def references(desk: Desk, document: Document, params: types.ReferenceParams) -> list[types.Location]:
    """Everywhere in the game's files where the name under the cursor is used."""
    named = name_at(desk, document, params.position)
    if named is None:
        return []
    return [
        types.Location(found.uri, found.lines.range(use.span))
        for found, use in everywhere(desk, named)
        if params.context.include_declaration or not use.mention.declares
    ]


def highlights(
    desk: Desk, document: Document, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """The places in this document where the name under the cursor is used; those that change it stand out."""
    named = name_at(desk, document, params.position)
    if named is None:
        return None
    return [
        types.DocumentHighlight(
            found.lines.range(use.span),
            types.DocumentHighlightKind.Write if use.mention.changes else types.DocumentHighlightKind.Read,
        )
        for found, use in everywhere(desk, named)
        if found.path == document.path
    ]
