"""``rulelang check``: every mistake in a game's rules, examples and rulebook texts."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rulelang.diagnostics import Diagnostic, UnusablePath
from rulelang.render import as_json
from rulelang.words import from_to, several

from ..arguments import FormatOption, GamePaths, Settings, Variants
from ..arguments import settings as read_settings
from ..checking import Mended, check_game, mend_game
from ..output import FINDINGS, Format, emit, failing, findings, say, tell


def command(
    paths: GamePaths,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="First mends what is certain in the files, such as a misspelt word, and shows it."),
    ] = False,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Checks a game's rules, examples and rulebook texts. Every mistake is shown with its place and a way to fix it.

    A folder is checked as a whole: the game, and each of its variants by itself. With --variant, or the file of the
    game or of a variant as PATH, only that is checked; other variants get a note if their files have mistakes. The
    exit status is 1 if there are errors.

    \b
    Example:
      rulelang check rules/mygame --variant rules/mygame/variants/long.rules
      rulelang check rules/mygame --fix
    """
    mended: list[Mended] = []
    diagnostics: list[Diagnostic] = []
    games: list[dict[str, Any]] = []
    sources: dict[str, Any] = {}
    chosen = read_settings(option)
    for path in paths:
        with failing(UnusablePath):
            if fix:
                done, report = mend_game(str(path), chosen, list(variant or ()))
                mended += done
            else:
                report = check_game(str(path), settings=chosen, variants=list(variant or ()))
        diagnostics += report.diagnostics
        games += report.games
        sources |= report.sources
    errors = sum(d.severity == "error" for d in diagnostics)
    if format is Format.json:
        data: dict[str, Any] = {"diagnostics": [as_json(d, sources) for d in diagnostics], "games": games}
        if fix:
            data["fixed"] = [{"file": m.span.file, "line": m.span.line, "title": m.fix.title} for m in mended]
        emit(data)
    else:
        for one in mended:
            tell(f"{one.span.file}:{one.span.line}: {one.fix.title}")
        findings(diagnostics, sources, end="\n")
        for game in games:
            tell(_line(game))
    if diagnostics:
        say(_totals(diagnostics))
    raise typer.Exit(FINDINGS if errors else 0)


def _line(game: dict[str, Any]) -> str:
    low, high = game["players"]
    seats = from_to(low, high, "player")
    parts = [seats, several(game["rules"], "rule"), several(game["examples"], "example")]
    if game.get("state_bytes"):
        parts.append(f"a state of {several(game['state_bytes'], 'byte')}")
    if game.get("broken"):
        parts.append(f"variants with mistakes: {', '.join(game['broken'])}")
    return f"{game['name']}: {', '.join(parts)}"


def _totals(diagnostics: list[Any]) -> str:
    kinds = ("error", "warning", "note")
    numbers = {kind: sum(d.severity == kind for d in diagnostics) for kind in kinds}
    return ", ".join(several(n, kind) for kind, n in numbers.items() if n)
