"""Rulebook texts: ``text/<language>.md`` in a game's folder.

Headings of the first and second level are the rulebook's own. A third-level heading holds an id in backticks, the id
of what runs the statements below it; those are a numbered list, one statement an item. The third statement of the
section ``income.gold`` is ``income.gold.3``. Values stand in braces and come from the rules: ``{start_score}``,
``{cards_each@2}`` (the value for two players), ``{count(Metal)}`` (the number of members), ``{count(Metal)@2}``.
A line ``<!-- ignore NAME: reason -->`` below a statement says why a finding of the check NAME is all right there.
What the texts of variants add and replace is told in ``overlay_text``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.diagnostics import Sink, did_you_mean
from rulelang.files.folder import GameFiles, shown
from rulelang.link import Linked, ids_in
from rulelang.program import Program
from rulelang.source import Span
from rulelang.syntax import tree
from rulelang.syntax.layout import read

_HEADING = re.compile(r"(#{1,6})\s+(.*\S)\s*")
_ID = re.compile(r"`([^`]+)`")
_STATEMENT = re.compile(r"([0-9]+)\.\s+(.*\S)\s*")
_IGNORE = re.compile(r"\s*<!--\s*ignore\s+([a-z-]+)\s*:\s*(\S.*?)\s*-->\s*")
_BRACES = re.compile(r"\{([^{}]*)\}")
_NAME = r"[^\W\d]\w*"
_PLACEHOLDER = re.compile(rf"(?:(?P<name>{_NAME})|count\((?P<counted>{_NAME})\))(?:@(?P<players>[0-9]{{1,4}}))?")


NEEDED = (tree.Enum, tree.Table, tree.Number, tree.Setting)
"""The declarations that a rulebook must speak of, besides the rules and their options."""


@attrs.frozen
class Ignore:
    """Why a finding of the check ``check`` is all right for a statement."""

    check: str
    reason: str
    span: Span


@attrs.frozen
class Statement:
    """One atomic rule in the words of one language. ``id`` is the section's id with its number.

    ``origin``: the variant whose text it stands in, None for the game's own.
    """

    id: str
    section: str
    text: str
    span: Span
    origin: str | None = None
    ignores: tuple[Ignore, ...] = ()


@attrs.frozen
class Heading:
    """A heading of the rulebook. ``origin`` as of a statement."""

    level: int
    text: str
    span: Span
    origin: str | None = None


@attrs.frozen
class Book:
    """A rulebook in one language: headings and statements in reading order."""

    language: str
    file: str
    parts: tuple[Heading | Statement, ...]
    sections: Mapping[str, Span]

    @property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(p for p in self.parts if isinstance(p, Statement))

    def about(self, section: str) -> tuple[Statement, ...]:
        """The statements that belong to what has this id."""
        return tuple(s for s in self.statements if s.section == section)


def read_books(files: GameFiles, sink: Sink) -> list[Book]:
    """The rulebook texts of a game without its variants, by language."""
    paths = sorted((files.root / "text").glob("*.md"))
    found = (read_book(path, path.stem, None, files, sink) for path in paths if "." not in path.stem)
    return [book for book in found if book is not None]


def read_book(path: Path, language: str, origin: str | None, files: GameFiles, sink: Sink) -> Book | None:
    """One rulebook text, that of the variant ``origin`` or the game's own; None if it cannot be read."""
    name = shown(path)
    source = read(path, name, sink)
    if source is None:
        return None
    files.sources[name] = source
    return parse_book(language, name, source.lines, sink, origin)


def read_merged(files: GameFiles, variants: Sequence[str], sink: Sink) -> list[Book]:
    """The rulebook texts of a game with what its variants add, replace and remove, by language.

    ``variants``: names, in any order; those they stand on come by themselves. Parts name the variant they come from.
    """
    books = read_books(files, sink)
    if not variants:
        return books
    from .variants import merge_all

    return merge_all(books, files, variants, sink)


def parse_book(language: str, file: str, lines: Sequence[str], sink: Sink, origin: str | None = None) -> Book:
    """A rulebook text; what is neither heading nor statement is reported.

    In the text of a variant (``origin``) the first number of a section counts: it may add to another text's section.
    """
    parts: list[Heading | Statement] = []
    sections: dict[str, Span] = {}
    section: str | None = None
    count = 0
    for number, line in enumerate(lines, 1):
        span = Span(file, number, 1, number, len(line) + 1)
        if not line.strip():
            continue
        heading = _HEADING.fullmatch(line)
        item = _STATEMENT.fullmatch(line)
        ignore = _IGNORE.fullmatch(line)
        if ignore and parts and isinstance(parts[-1], Statement):
            parts[-1] = attrs.evolve(parts[-1], ignores=(*parts[-1].ignores, Ignore(ignore[1], ignore[2], span)))
        elif heading and len(heading[1]) <= 2:
            parts.append(Heading(len(heading[1]), heading[2], span, origin))
            section = None
        elif heading:
            section, count = _section(heading[2], span, sections, sink), 0
        elif item and section is not None:
            count = int(item[1]) if origin is not None and count == 0 else count + 1
            if int(item[1]) != count:
                sink.error(
                    "R0705",
                    span,
                    f"This is statement {count} of `{section}`, but it is numbered {item[1]}.",
                    help=f"Write `{count}.`.",
                )
            parts.append(Statement(f"{section}.{count}", section, item[2], span, origin))
        elif item is None or section is None:
            sink.error(
                "R0705",
                span,
                "This is neither a heading nor a numbered statement.",
                help="Write statements as `1. ...` below a heading with an id: ### `id`.",
            )
    return Book(language, file, tuple(parts), sections)


def _section(text: str, span: Span, sections: dict[str, Span], sink: Sink) -> str | None:
    found = _ID.fullmatch(text)
    if found is None:
        sink.error("R0705", span, "A third-level heading holds the id of what runs.", help="Write ### `id`.")
        return None
    if found[1] in sections:
        sink.error("R0303", span, f"The section `{found[1]}` stands twice ({sections[found[1]]}).")
    sections[found[1]] = span
    return found[1]


# ---------------------------------------------------------------- checks


def check_books(files: GameFiles, programs: Sequence[Program], variants: Sequence[str], sink: Sink) -> None:
    """Each id that runs has a statement, each statement an id, each placeholder a value."""
    from .variants import check_overlays

    check_overlays(files, variants, sink)
    linked = workspace.default().linked(files, variants)
    assert linked is not None and files.game is not None
    known = ids_of(linked)
    needed = {} if variants else _needed(linked)
    for book in read_merged(files, variants, sink):
        check_language(book, files.game, sink)
        check_sections(book, known, sink)
        for id_, span in needed.items():
            if id_ not in book.sections:
                sink.error(
                    "R0701",
                    span,
                    f"`{id_}` has no statement in {book.file}.",
                    help=f"Add a section: ### `{id_}`.",
                    rule=id_ if id_ in programs[-1].rules else None,
                )
        for statement in book.statements:
            fill(statement.text, programs, statement.span, sink)


def check_language(book: Book, game: tree.Game, sink: Sink) -> None:
    """Whether the game declares the language of this text."""
    if book.language not in game.languages:
        sink.error(
            "R0705",
            Span(book.file, 1, 1, 1, 2),
            f"`{book.language}` is not among the languages of the game.",
            help=f"Add it: `languages {', '.join([*game.languages, book.language])}`.",
        )


def check_sections(book: Book, known: Collection[str], sink: Sink) -> None:
    """Whether each section has the id of something, and a statement."""
    for id_, span in book.sections.items():
        if id_ not in known:
            sink.error(
                "R0702",
                span,
                f"Nothing has the id `{id_}`.",
                help=did_you_mean(id_, known) or "Remove the section, or name what runs.",
            )
        elif not book.about(id_):
            sink.error("R0701", span, f"The section `{id_}` has no statement.", help="Write `1. ...` below it.")


def ids_of(linked: Linked) -> dict[str, Span]:
    """Everything that a section can be about, and where it stands."""
    found = {name: item.span for name, item in linked.names.items() if not isinstance(item, (tree.Range, tree.Grid))}
    for rule in linked.rules.values():
        found |= dict(ids_in(rule))
    found |= {invariant.id: invariant.span for invariant in linked.invariants.values()}
    return found | {"winner": linked.winner.span if linked.winner else linked.game.span}


def _needed(linked: Linked) -> dict[str, Span]:
    """The ids that a rulebook must speak of, in the order of the texts."""
    found = {name: item.span for name, item in linked.names.items() if isinstance(item, NEEDED)}
    for rule in linked.rules.values():
        found |= dict(ids_in(rule))
    return found


def fill(text: str, programs: Sequence[Program], span: Span, sink: Sink, players: int | None = None) -> str:
    """The text with its values. ``programs``: one per number of players; ``players``: whose values to take."""

    def value(match: re.Match[str]) -> str:
        inner = match[1].strip()
        found = _PLACEHOLDER.fullmatch(inner)
        place = Span(span.file, span.line, span.column, span.line, span.end_column)
        if found is None:
            sink.error(
                "R0703",
                place,
                f"`{{{inner}}}` is no value of the rules.",
                help="Write {name}, {name@2} (for two players), {count(Name)} or {count(Name)@2}.",
            )
            return match[0]
        wanted = int(found["players"]) if found["players"] else players
        if found["counted"]:
            return _of("enum or table", found["counted"], _sizes(programs), wanted, place, inner, sink)
        return _of("number", found["name"], {p.players: p.numbers for p in programs}, wanted, place, inner, sink)

    filled = _BRACES.sub(value, text)
    if "{" in _BRACES.sub("", text) or "}" in _BRACES.sub("", text):
        sink.error("R0703", span, "A brace is opened or closed alone.", help="Values stand in braces: {name}.")
    return filled


def _sizes(programs: Sequence[Program]) -> dict[int, dict[str, int]]:
    return {p.players: {name: len(domain) for name, domain in p.domains.items()} for p in programs}


def _of(
    kind: str, name: str, known: Mapping[int, Mapping[str, int]], wanted: int | None, span: Span, inner: str, sink: Sink
) -> str:
    """The value of ``name``. ``known``: by number of players, as ``wanted``; ``inner``: what the braces hold."""
    values = {players: numbers[name] for players, numbers in known.items() if name in numbers}
    if not values:
        names = dict.fromkeys(n for numbers in known.values() for n in numbers)
        sink.error("R0703", span, f"There is no {kind} `{name}`.", help=did_you_mean(name, names))
        return "?"
    if wanted is not None:
        if wanted not in values:
            sink.error("R0703", span, f"The game is not for {wanted} players.")
            return "?"
        return str(values[wanted])
    if len(set(values.values())) > 1:
        first = min(values)
        sink.error(
            "R0704",
            span,
            f"`{name}` depends on the number of players.",
            help=f"Write {{{inner}@{first}}} for {first} players.",
        )
    return str(values[max(values)])
