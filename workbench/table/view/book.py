"""The rulebook beside the table: its text with the values in force, or the rules themselves where there is none."""

from __future__ import annotations

import functools
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang import workspace
from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.files.contents import content, home_of, root_of
from rulelang.program import Program

from ...rulebook.languages.catalogue import catalogues
from ...rulebook.print import as_data, make_rulebook

if TYPE_CHECKING:
    from interpreter.game import Game

    from ..line import RuleSet


def languages(game: Game) -> list[str]:
    """The languages that a page may be shown in, whatever those of the game: those that have a catalogue."""
    return list(catalogues())


def rulebook(game: Game, lang: str, rules: RuleSet | None = None) -> dict[str, Any]:
    """The rulebook in a language, or else in English: ``title language parts[]``. ``rules``: those of the game, where
    numbers may have been changed at the table.

    A part is of kind ``heading`` (``level text``), ``statement`` (``id section text``) or, in a game without a
    rulebook, ``rules`` (``section text``: a rule as it is written). Everybody may read all of it.
    """
    program = game.program
    settings = tuple((name, setting.value) for name, setting in program.settings.items())
    with nullcontext((program.variants, settings)) if rules is None else rules.arguments() as (variants, _):
        for language in dict.fromkeys((lang, "en")):
            known = root(program), tuple(variants), settings, program.players, language, program.version
            found = _printed(*known)
            if found is not None:
                return found
    return {"title": game.title, "language": None, "parts": _written(program)}


@functools.lru_cache(maxsize=32)
def _printed(
    folder: Path | None, variants: tuple[str, ...], settings: tuple[tuple[str, str], ...], players: int, lang: str,
    version: str,
) -> dict[str, Any] | None:  # fmt: skip
    if folder is None or not (folder / "text").is_dir():
        return None
    try:
        files, names = workspace.default().open(folder, variants)
        data = as_data(make_rulebook(files, lang, names, dict(settings), players))
    except (OSError, RulesError, UnusablePath):
        return None
    return {"title": data["title"], "language": lang, "parts": data["parts"]}


def _written(program: Program) -> list[dict[str, Any]]:
    """The rules as they are written, each with its id."""
    found = []
    for rule in program.rules.values():
        if rule.kind == "rule" and rule.span.file:
            lines = _lines(rule.span.file)
            text = "\n".join(lines[rule.span.line - 1 : rule.span.end_line])
            found.append({"kind": "rules", "section": rule.id, "text": text})
    return found


@functools.lru_cache(maxsize=32)
def _lines(file: str) -> list[str]:
    try:
        return content(Path(file), home_of(Path(file))).decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def root(program: Program) -> Path | None:
    """The folder of a game, from where its rules stand."""
    rule = program.rules.get(program.start)
    try:
        return root_of(Path(rule.span.file)) if rule is not None and rule.span.file else None
    except OSError:
        return None
