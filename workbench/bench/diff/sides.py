"""A rule set to be compared with another: its declarations, its Programs, its rulebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from rulelang import workspace
from rulelang.diagnostics import RulesError, Sink, UnusablePath
from rulelang.files.folder import GameFiles
from rulelang.files.opening import check_settings
from rulelang.link import Linked
from rulelang.program import Program

from ...rulebook.print import StatementPart, make_rulebook


@attrs.frozen(eq=False)
class RuleSide:
    """``programs``: one for each number of players. ``books``: by language and id, the rulebook's statements with their
    values filled in; ``sections``: of each statement, the name of what it is about."""

    name: str
    title: str
    linked: Linked
    programs: tuple[Program, ...]
    books: Mapping[str, Mapping[str, str]]
    sections: Mapping[str, str]


def variant_side(path: str | Path, variants: Sequence[str], settings: Mapping[str, str] | None = None) -> RuleSide:
    """The game at ``path`` with variants and settings. Raises UnusablePath and RulesError."""
    sink = Sink()
    games = workspace.default()
    files, names = games.open(path, list(variants), sink, notes=False)
    check_settings(files, settings or {})
    linked = games.linked(files, names, sink)
    if linked is None or sink.has_errors:
        raise RulesError(sink, files.sources)
    programs = tuple(games.programs(files, names, settings))
    books, sections = _books(files, names, settings or {}, linked.game.languages)
    title = "+".join([*names, *(f"{name}={value}" for name, value in (settings or {}).items())])
    return RuleSide(title or linked.game.name, programs[0].title, linked, programs, books, sections)


def folder_side(path: str | Path) -> RuleSide:
    """The game in a folder, or another version of it, as it is."""
    return attrs.evolve(variant_side(path, ()), name=str(path))


def _books(
    files: GameFiles, variants: Sequence[str], settings: Mapping[str, str], languages: Sequence[str]
) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """The statements by language, for languages that have a text, and the section of each."""
    books: dict[str, dict[str, str]] = {}
    sections: dict[str, str] = {}
    for language in languages:
        try:
            book = make_rulebook(files, language, variants, settings)
        except (UnusablePath, RulesError):  # not written yet, or with mistakes that `check` tells
            continue
        parts = [part for part in book.parts if isinstance(part, StatementPart) and part.mark != "removed"]
        books[language] = {part.id: part.text for part in parts}
        sections |= {part.id: part.section for part in parts}
    return books, sections
