"""``rulelang fmt``: the canonical layout."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated

import typer

import rulelang
from rulelang.api import FormatResult
from rulelang.diagnostics import UnusablePath
from rulelang.render import as_json
from rulelang.words import several

from ..arguments import FormatOption, GamePaths
from ..output import FINDINGS, Format, answer, failing, findings, say
from ..pictures.looks.find import format_looks, joined


def command(
    paths: GamePaths,
    check: Annotated[
        bool, typer.Option("--check", help="Writes nothing; the exit status is 1 if a file would change.")
    ] = False,
    upgrade: Annotated[bool, typer.Option("--upgrade", help="Also rewrites words of earlier versions.")] = False,
    format: FormatOption = Format.text,
) -> None:
    """Formats rules files and looks. Comments stay where they are, and nothing but the layout changes.

    \b
    Example:
      rulelang fmt --check rules/mygame
    """
    with failing(UnusablePath):
        made = functools.reduce(joined, (_formatted(path, not check, upgrade) for path in paths))
    changed, diagnostics = list(dict.fromkeys(made.changed)), made.diagnostics
    shown = {"diagnostics": [as_json(d) for d in diagnostics]} if diagnostics else {}
    did = "would change" if check else "changed"
    answer(format, {"changed": changed} | shown, (f"{did} {name}" for name in changed))
    if format is Format.text:
        findings(diagnostics, made.sources, err=True, end="\n")
    if diagnostics:
        say("files with errors were left as they are")
    would = bool(check and changed)
    if format is Format.text and not changed and not diagnostics:
        say("every file is formatted already")
    elif would:
        say(f"{several(len(changed), 'file')} would change; run `rulelang fmt` without --check to format")
    raise typer.Exit(FINDINGS if diagnostics or would else 0)


def _formatted(path: Path, write: bool, upgrade: bool) -> FormatResult:
    looks = format_looks(path, write=write)
    return looks if path.suffix == ".look" else joined(rulelang.format_path(str(path), write, upgrade), looks)
