"""``rulelang new``: a folder with a small game that checks, tests and plays, to be turned into another one."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..output import Format, emit, fail

STARTER = Path(__file__).parents[1] / "starter"
"""The game that every new one begins as, called ``starter``."""

_NAME = re.compile(r"[^\W\d]\w*")
_CALLED = re.compile(rf"\b({STARTER.name}|{STARTER.name.capitalize()})\b")


def command(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="The new folder; its last part is the name of the game.")
    ],
    title: Annotated[
        str | None, typer.Option("--title", help="The title people see; by default made from the name.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="Text for people, or JSON for programs.")] = Format.text,
) -> None:
    """Starts a game: rules, an example, a variant and a rulebook text, all working, for you to change.

    \b
    Example:
      rulelang new rules/mygame
    """
    name = path.name
    if not name:
        fail(f"{path} has no name for a game in it; write for example {path / 'mygame'}")
    _usable(name)
    shown = name.replace("_", " ").capitalize() if title is None else title.strip()
    if not shown or not shown.isprintable() or '"' in shown:
        fail("--title: write a line without quotation marks")
    if os.path.lexists(path):
        fail(f"{path} is there already; choose another name, or remove it first")
    try:
        made = sorted(_make(path, name, shown))
    except OSError as problem:
        fail(f"{path} cannot be made: {(problem.strerror or 'unknown reason').lower()}")
    if format is Format.json:
        emit({"game": name, "title": shown, "files": [str(file) for file in made]})
        return
    for file in made:
        typer.echo(f"made {file}")
    typer.echo(f"\nTry:  rulelang tour {path}\n      rulelang play {path} --bots 2=random")
    typer.echo(f"\nThen change a line of {path / f'{name}.rules'}, and see what it does.")


def _usable(name: str) -> None:
    from rulelang.words import RESERVED

    if _NAME.fullmatch(name) and name not in RESERVED:
        return
    other = re.sub(r"\W+", "_", name).strip("_").lower()
    other = other if _NAME.fullmatch(other) and other not in RESERVED else f"game_{other}".rstrip("_")
    fail(f"`{name}` cannot be the name of a game: use letters, digits and underscores, for example `{other}`")


def _make(folder: Path, name: str, title: str) -> Iterator[Path]:
    """Writes the starter under its new name: all of it or nothing. Raises OSError."""
    from rulelang.api import replace_file

    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir()
    try:
        for file in sorted(file for file in STARTER.rglob("*") if file.suffix in (".rules", ".md")):
            target = folder / file.relative_to(STARTER).with_name(file.name.replace(STARTER.name, name))
            target.parent.mkdir(exist_ok=True, parents=True)
            text = file.read_text(encoding="utf-8")
            replace_file(target, _CALLED.sub(lambda found: name if found[0].islower() else title, text))
            yield target
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
