"""Corpora that a command of ``sources`` works on, and the names in its arguments."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..loading import show_findings
from ..output import FINDINGS, Format, fail

if TYPE_CHECKING:
    from rulelang.source import SourceFile

    from ..rulebook.corpus import Corpus

Languages = Annotated[list[str] | None, typer.Option("--lang", metavar="LANG", help="Only this language (repeatable).")]
Ids = Annotated[
    list[str] | None, typer.Argument(metavar="[ID...]", help="Ids of sections or statements (default: all).")
]


def corpora_at(path: Path, variant: list[str] | None) -> list[Corpus]:
    """The texts of a game and of its variants. Malformed files are shown and end the command."""
    from rulelang.diagnostics import Sink, UnusablePath

    from ..rulebook.crosscheck.review import folder_at_hand, load

    sink = Sink()
    sources: dict[str, SourceFile] = {}
    try:
        _, corpora = load(path, list(variant or ()), folder_at_hand(), sink, sources)
    except UnusablePath as error:
        fail(str(error))
    if sink.has_errors or not corpora:
        show_findings(sink, sources, Format.text)
        raise typer.Exit(FINDINGS)
    return corpora


def check_names(what: str, given: Iterable[str] | None, known: list[str]) -> None:
    """Ends the command when one of ``given`` is not ``known``; ``what`` they are is for the message."""
    from rulelang.diagnostics import did_you_mean

    for name in given or ():
        if name not in known:
            near = str(did_you_mean(name, known) or f"Choose one of {', '.join(dict.fromkeys(known))}.")
            fail(f"there is no {what} `{name}`. {near if len(near) < 400 else ''}".rstrip())
