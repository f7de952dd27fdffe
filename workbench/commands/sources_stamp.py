"""``rulelang sources stamp``: of which state printed rulebooks are, and what has changed since."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rulelang.diagnostics import RulesError, UnusablePath
from rulelang.files.contents import content
from rulelang.words import several

from ..arguments import FormatOption
from ..output import FINDINGS, Format, answer, fail, failing
from ..rulebook.print import Stamp, changed_since, read_stamp
from .rulebook import printed

_MAX_BYTES = 500_000_000
"""Of a printed rulebook with many pictures."""


def stamp(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Printed rulebooks: PDF, HTML or Markdown.")],
    rules: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The game's folder, if it is not found here or in `rules`.")
    ] = None,
    format: FormatOption = Format.text,
) -> None:
    """Says whether printed rulebooks are of one state of rules and texts, and which sentences have changed since.

    The exit status is 1 if they are of several states, if one is no longer up to date, or if one bears no stamp.

    \b
    Example:
      rulelang sources stamp mygame-nl.pdf mygame-fr.pdf
    """
    entries = [_compared(file, _stamp_in(file), rules) for file in files]
    states = {(entry["game"], entry["state"]) for entry in entries if entry["state"]}
    one = len(states) == len({game for game, _ in states}) and all(entry["state"] for entry in entries)
    lines: list[str] = []
    for entry in entries:
        lines.append(f"{entry['file']}: {entry['says']}")
        lines += [f"  {change['id']} {change['what']}" for change in entry["since"] or ()]
    answer(format, {"files": entries, "one_state": one}, [*lines, f"{'' if one else 'not '}all of one state"])
    raise typer.Exit(0 if one and not any(entry["since"] for entry in entries) else FINDINGS)


def _stamp_in(file: Path) -> Stamp | None:
    with failing(OSError, before=f"{file} cannot be read: "):
        return read_stamp(content(file, None, _MAX_BYTES))


def _compared(file: Path, borne: Stamp | None, rules: Path | None) -> dict[str, Any]:
    """What is told of a printed file. ``since``: what has changed, or None where nobody can know."""
    entry: dict[str, Any] = {"file": str(file), "game": None, "state": None, "since": None}
    if borne is None:
        return entry | {"says": "no stamp; print it again with `rulelang rulebook`"}
    about = {"game": borne.game, "variants": list(borne.variants), "settings": dict(borne.settings)}
    entry |= about | {"language": borne.language, "state": borne.state, "stamp": borne.line}
    folder = rules or _folder_of(borne.game, file)
    if folder is None:
        return entry | {"says": f"{borne.line}; give the game's folder with --rules to see what has changed since"}
    try:
        made, _ = printed(folder, [*borne.variants], dict(borne.settings), borne.language, borne.players)
    except (UnusablePath, RulesError):
        return entry | {"says": f"{borne.line}; {folder} cannot be printed so any more: run `rulelang check {folder}`"}
    if made.game != borne.game:
        fail(f"--rules {folder}: its game is {made.game}, and {file} is of {borne.game}")
    since = [{"id": id_, "what": what} for id_, what in changed_since(borne, made.stamp).items()]
    if since:
        says = f"{several(len(since), 'sentence')} changed since"
    else:
        says = "up to date" if borne.rules == made.stamp.rules else "the rules have changed since, no sentence has"
    return entry | {"now": made.stamp.state, "since": since, "says": f"{borne.line}; {says}"}


def _folder_of(game: str, file: Path) -> Path | None:
    """The folder of a game, here or beside a file."""
    near = (base / part for base in (Path(), file.parent) for part in ("", game, f"rules/{game}"))
    return next((path for path in near if path.resolve().name == game and any(path.glob("*.rules"))), None)
