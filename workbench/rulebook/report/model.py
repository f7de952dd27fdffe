"""Content of the report as plain data: built by ``collect``, drawn by ``page``."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen
class Piece:
    """A stretch of a sentence. ``value``: the placeholder that gave it, None for words."""

    text: str
    value: str | None = None


@attrs.frozen
class Finding:
    """One finding where it belongs. ``check`` is its short name; ``reason``: why it is all right, if silenced."""

    check: str
    severity: str
    message: str
    help: str | None
    place: str
    reason: str | None = None


@attrs.frozen
class Cell:
    """A statement in one language. ``comments``: of translators, with who made them."""

    pieces: tuple[Piece, ...]
    findings: tuple[Finding, ...]
    comments: tuple[str, ...] = ()


@attrs.frozen
class Place:
    """Lines of a document that state a statement. ``anchor`` leads to the passage on the page."""

    document: str
    language: str
    lines: str
    anchor: str
    findings: int
    text: str | None


@attrs.frozen
class Row:
    """A statement side by side: by language its cell; a language without it is missing."""

    id: str
    anchor: str
    cells: Mapping[str, Cell]
    places: tuple[Place, ...]


@attrs.frozen
class Section:
    """What belongs to one id: the text that runs, the values it shows, and per language its state."""

    id: str
    anchor: str
    runs: str
    values: tuple[tuple[str, str], ...]
    states: Mapping[str, str]
    rows: tuple[Row, ...]


@attrs.frozen
class Chapter:
    """Sections below one heading of the rulebook; ``titles`` by language."""

    anchor: str
    titles: Mapping[str, str]
    sections: tuple[Section, ...]


@attrs.frozen
class Part:
    """The game itself (``title`` None), or what a variant adds to it."""

    title: str | None
    chapters: tuple[Chapter, ...]


@attrs.frozen
class PassageRow:
    """A passage of a source document. ``text`` only where it was asked for and is available."""

    anchor: str
    lines: str
    kind: str
    states: tuple[str, ...]
    numbers: tuple[int, ...]
    remarks: tuple[str, ...]
    findings: tuple[Finding, ...]
    text: str | None


@attrs.frozen
class DocumentPart:
    """A source document with its passages. ``facts`` are short labels with values."""

    id: str
    anchor: str
    language: str
    title: str
    facts: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    passages: tuple[PassageRow, ...]


@attrs.frozen
class Summary:
    """Numbers for the table at the top.

    ``statements`` by language; ``states``: state to language to number of statements; ``severities`` and
    ``checks``: to number of findings by column, which are the languages, ``sources`` and ``other``; ``silent``: the
    checks that found nothing.
    """

    statements: Mapping[str, int]
    states: Mapping[str, Mapping[str, int]]
    severities: Mapping[str, Mapping[str, int]]
    checks: Mapping[str, Mapping[str, int]]
    silent: tuple[str, ...]


@attrs.frozen
class Listed:
    """A finding in the list of all, with the anchor of where it is shown (None: only in the list)."""

    finding: Finding
    anchor: str | None


@attrs.frozen
class Page:
    title: str
    languages: tuple[str, ...]
    parts: tuple[Part, ...]
    documents: tuple[DocumentPart, ...]
    summary: Summary
    findings: tuple[Listed, ...]
    silenced: int
    with_passages: bool
