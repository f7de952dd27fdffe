"""The text files of a game and its variants, as units with ids."""

from __future__ import annotations

from pathlib import Path

import attrs

from rulelang.diagnostics import RulesError, Sink
from rulelang.files.folder import GameFiles
from rulelang.source import Span

from ..texts import Book, Heading, Statement, parse_book, read_book


@attrs.frozen
class Text:
    """One text: its place on disk, what is in it, and its parts by unit id in reading order."""

    path: Path
    book: Book
    parts: dict[str, Heading | Statement]


def path_of(files: GameFiles, variant: str | None, language: str) -> Path:
    """Where the text of the game, or of one of its variants, stands in a language."""
    if variant is None:
        return files.root / "text" / f"{language}.md"
    rules = files.paths[files.variants[variant].span.file]
    return rules.parent / "text" / f"{rules.stem}.{language}.md"


def read_text(files: GameFiles, variant: str | None, language: str, like: Text | None = None) -> Text | None:
    """The text, None where there is none. ``like``: the text it translates. Raises RulesError when it has mistakes."""
    path = path_of(files, variant, language)
    if not path.exists():
        return None
    sink = Sink()
    book = read_book(path, language, variant, files, sink)
    if book is None or sink.has_errors:
        raise RulesError(sink, files.sources)
    return Text(path, book, by_id(book, like))


def parse_text(path: Path, language: str, variant: str | None, lines: list[str], like: Text | None = None) -> Text:
    """As ``read_text``, from lines. Raises RulesError."""
    sink = Sink()
    book = parse_book(language, str(path), lines, sink, variant)
    if sink.has_errors:
        raise RulesError(sink)
    return Text(path, book, by_id(book, like))


def by_id(book: Book, like: Text | None = None) -> dict[str, Heading | Statement]:
    """The parts of a book under the ids that translators' files use.

    A statement has its own id. A heading is named after the section that follows: ``heading:income.gold``, the title
    ``title:income.gold``; further ones of its kind above the same section get ``+2``, ``+3``, the farthest last. At
    the end of a text no section follows, and the name is ``end``. A book with the same headings as ``like`` takes
    their ids, even if a section is missing in it.
    """
    headings = _headings(book)
    if like is not None:
        theirs = _headings(like.book)
        if [h.level for h in theirs.values()] == [h.level for h in headings.values()]:
            headings = dict(zip(theirs, headings.values(), strict=True))
    names = {heading.span: id_ for id_, heading in headings.items()}
    return {part.id if isinstance(part, Statement) else names[part.span]: part for part in book.parts}


def _headings(book: Book) -> dict[str, Heading]:
    """The headings by their ids, in order."""
    found: dict[str, Heading] = {}
    following = "end"
    sections = sorted(book.sections.items(), key=lambda item: item[1].line)
    for heading in reversed([part for part in book.parts if isinstance(part, Heading)]):
        while sections and sections[-1][1].line > heading.span.line:
            following = sections.pop()[0]
        name = f"{'title' if heading.level == 1 else 'heading'}:{following}"
        count = sum(id_.partition("+")[0] == name for id_ in found)
        found[f"{name}+{count + 1}" if count else name] = heading
    return dict(reversed(found.items()))


def heading_section(id_: str) -> str:
    """The section that a heading's id names."""
    return id_.partition(":")[2].partition("+")[0]


def order_of(text: Text) -> list[tuple[str, Span]]:
    """The keys of everything that begins a line of its own, in the order of the text: unit ids, and ``§`` sections."""
    keys = [(id_, part.span) for id_, part in text.parts.items()]
    keys += [(f"§{id_}", span) for id_, span in text.book.sections.items()]
    return sorted(keys, key=lambda item: item[1].line)
