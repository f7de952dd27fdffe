"""The rulebook beside the table: its text with the values in force, or what is made from the rules."""

from __future__ import annotations

import functools
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang import workspace
from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.files.contents import root_of
from rulelang.program import Program

from ...rulebook.languages.catalogue import catalogues
from ...rulebook.print import as_data, make_rulebook
from ...rulebook.texts import Heading, Statement
from .window import worded

if TYPE_CHECKING:
    from interpreter.game import Game

    from ..line import RuleSet


def languages(game: Game) -> list[str]:
    """The languages that a page may be shown in, whatever those of the game: those that have a catalogue."""
    return list(catalogues())


def rulebook(game: Game, lang: str, rules: RuleSet | None = None) -> dict[str, Any]:
    """The rulebook in a language, or else in English: ``title language parts[]``. ``rules``: those of the game, where
    numbers may have been changed at the table.

    A part is of kind ``heading`` (``level text``) or ``statement`` (``id section text``); where nobody has written
    any, they are made from the rules. Everybody may read all of it.
    """
    program = game.program
    settings = tuple((name, setting.value) for name, setting in program.settings.items())
    with nullcontext((program.variants, settings)) if rules is None else rules.arguments() as (variants, _):
        for language in dict.fromkeys((lang, "en")):
            known = root(program), tuple(variants), settings, program.players, language, program.version
            found = _printed(*known)
            if found is not None:
                return found
    told = worded(program, lang).book
    parts = [_part(part) for part in told.parts] if told is not None else []
    return {"title": game.title, "language": lang, "parts": parts}


def _part(part: Heading | Statement) -> dict[str, Any]:
    if isinstance(part, Heading):
        return {"kind": "heading", "level": part.level, "text": part.text}
    return {"kind": "statement", "id": part.id, "section": part.section, "text": part.text, "mark": "same"}


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


def root(program: Program) -> Path | None:
    """The folder of a game, from where its rules stand."""
    rule = program.rules.get(program.start)
    try:
        return root_of(Path(rule.span.file)) if rule is not None and rule.span.file else None
    except OSError:
        return None
