"""Rulebook texts: ``text/<language>.md`` in a game's folder.

Headings of the first and second level are the rulebook's own. A third-level heading holds an id in backticks, the id
of what runs the statements below it; those are a numbered list, one statement an item. The third statement of the
section ``income.gold`` is ``income.gold.3``. Values stand in braces and come from the rules: ``{start_score}``,
``{cards_each@2}`` (the value for two players), ``{count(Metal)}`` (the number of members).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import attrs

from . import tree
from .diagnostics import Sink, did_you_mean
from .folder import GameFiles, shown
from .layout import read
from .program import Program
from .source import Span

_HEADING = re.compile(r"(#{1,6})\s+(.*\S)\s*")
_ID = re.compile(r"`([^`]+)`")
_STATEMENT = re.compile(r"([0-9]+)\.\s+(.*\S)\s*")
_BRACES = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDER = re.compile(r"(?P<name>[^\W\d]\w*)(?:@(?P<players>[0-9]+))?|count\((?P<counted>[^\W\d]\w*)\)")


@attrs.frozen
class Statement:
    """One atomic rule in the words of one language. ``id`` is the section's id with its number."""

    id: str
    section: str
    text: str
    span: Span


@attrs.frozen
class Heading:
    level: int
    text: str
    span: Span


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
    """The rulebook texts of a game, by language."""
    books = []
    for path in sorted((files.root / "text").glob("*.md")):
        name = shown(path)
        source = read(path, name, sink)
        if source is not None:
            files.sources[name] = source
            books.append(parse_book(path.stem, name, source.lines, sink))
    return books


def parse_book(language: str, file: str, lines: Sequence[str], sink: Sink) -> Book:
    """A rulebook text; what is neither heading nor statement is reported."""
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
        if heading and len(heading[1]) <= 2:
            parts.append(Heading(len(heading[1]), heading[2], span))
            section = None
        elif heading:
            section, count = _section(heading[2], span, sections, sink), 0
        elif item and section is not None:
            count += 1
            if int(item[1]) != count:
                sink.error(
                    "R0705",
                    span,
                    f"This is statement {count} of `{section}`, but it is numbered {item[1]}.",
                    help=f"Write `{count}.`.",
                )
            parts.append(Statement(f"{section}.{count}", section, item[2], span))
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


def check_books(files: GameFiles, programs: Sequence[Program], variants: Iterable[str], sink: Sink) -> None:
    """Each id that runs has a statement, each statement an id, each placeholder a value."""
    books = read_books(files, sink)
    base = programs[-1]
    needed = _needed(files, base)
    allowed = {
        *needed,
        *base.definitions,
        *base.graphs,
        *base.events,
        *base.variables,
        *(i.id for i in base.invariants),
        "winner",
    }
    game = files.game
    for book in books:
        if game is not None and book.language not in game.languages:
            sink.error(
                "R0705",
                Span(book.file, 1, 1, 1, 2),
                f"`{book.language}` is not among the languages of the game.",
                help=f"Add it: `languages {', '.join([*game.languages, book.language])}`.",
            )
        for id_, span in book.sections.items():
            if id_ not in allowed:
                sink.error(
                    "R0702",
                    span,
                    f"Nothing has the id `{id_}`.",
                    help=did_you_mean(id_, allowed) or "Remove the section, or name what runs.",
                )
            elif not book.about(id_):
                sink.error("R0701", span, f"The section `{id_}` has no statement.", help="Write `1. ...` below it.")
        if not tuple(variants):
            for id_, span in needed.items():
                if id_ not in book.sections:
                    sink.error(
                        "R0701",
                        span,
                        f"`{id_}` has no statement in {book.file}.",
                        help=f"Add a section: ### `{id_}`.",
                        rule=id_ if id_ in base.rules else None,
                    )
        for statement in book.statements:
            fill(statement.text, programs, statement.span, sink)


def _needed(files: GameFiles, program: Program) -> dict[str, Span]:
    """The ids that a rulebook must speak of, in the order of the texts."""
    found: dict[str, Span] = {}
    for file in files.parts:
        for item in file.items:
            if isinstance(item, (tree.Enum, tree.Table, tree.Number, tree.Setting)):
                found[item.name] = item.span
    return found | {id_: rule.span for id_, rule in program.rules.items()}


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
                help="Write {name}, {name@2} (for two players) or {count(Name)}.",
            )
            return match[0]
        if found["counted"]:
            return _count(found["counted"], programs, place, sink)
        return _number(found["name"], found["players"], programs, players, place, sink)

    filled = _BRACES.sub(value, text)
    if "{" in _BRACES.sub("", text) or "}" in _BRACES.sub("", text):
        sink.error("R0703", span, "A brace is opened or closed alone.", help="Values stand in braces: {name}.")
    return filled


def _count(name: str, programs: Sequence[Program], span: Span, sink: Sink) -> str:
    sizes = {len(p.domains[name]) for p in programs if name in p.domains}
    if not sizes:
        known = [n for p in programs for n in p.domains]
        sink.error("R0703", span, f"There is no enum or table `{name}`.", help=did_you_mean(name, known))
        return "?"
    if len(sizes) > 1:
        sink.error("R0704", span, f"How many `{name}` has depends on the number of players.")
    return str(sizes.pop())


def _number(name: str, at: str | None, programs: Sequence[Program], players: int | None, span: Span, sink: Sink) -> str:
    if name not in programs[-1].numbers:
        known = list(programs[-1].numbers)
        sink.error("R0703", span, f"There is no number `{name}`.", help=did_you_mean(name, known))
        return "?"
    wanted = int(at) if at is not None else players
    values = {p.players: p.numbers[name] for p in programs if name in p.numbers}
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
            help=f"Write {{{name}@{first}}} for {first} players.",
        )
    return str(values[max(values)])
