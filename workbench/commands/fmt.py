"""``rulelang fmt``: the canonical layout."""

from __future__ import annotations

from typing import Annotated

import typer

import rulelang
from rulelang.diagnostics import Diagnostic, UnusablePath
from rulelang.render import as_json
from rulelang.source import SourceFile
from rulelang.words import several

from ..arguments import FormatOption, GamePaths
from ..output import FINDINGS, Format, emit, failing, findings, say, tell
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
    changed: list[str] = []
    diagnostics: list[Diagnostic] = []
    sources: dict[str, SourceFile] = {}
    for path in paths:
        with failing(UnusablePath):
            result = format_looks(path, write=not check)
            if path.suffix != ".look":
                result = joined(rulelang.format_path(str(path), write=not check, upgrade=upgrade), result)
        changed += [name for name in result.changed if name not in changed]
        diagnostics += result.diagnostics
        sources |= result.sources
    if format is Format.json:
        emit({"changed": changed, **({"diagnostics": [as_json(d) for d in diagnostics]} if diagnostics else {})})
    else:
        for name in changed:
            tell(f"{'would change' if check else 'changed'} {name}")
        if diagnostics:
            findings(diagnostics, sources, err=True, end="\n")
    if diagnostics:
        say("files with errors were left as they are")
    if format is Format.text and not changed and not diagnostics:
        say("every file is formatted already")
    elif check and changed:
        say(f"{several(len(changed), 'file')} would change; run `rulelang fmt` without --check to format")
    raise typer.Exit(FINDINGS if diagnostics or (check and changed) else 0)
