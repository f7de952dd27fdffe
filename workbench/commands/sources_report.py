"""``rulelang sources report``: the texts of a game side by side, with all findings, as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..arguments import FormatOption, GamePath, Variants
from ..loading import count
from ..output import Format, emit, fail, say, write_file


def command(
    path: GamePath,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The page to write, for example report.html.")],
    with_passages: Annotated[
        bool,
        typer.Option(
            "--with-passages", help="Also shows the sentences of the source documents. Do not publish such a page."
        ),
    ] = False,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Writes one HTML page: every statement in every language, the rule it belongs to, and what the checks found.

    The page is a single file without scripts. It contains no sentence of the source documents unless you give
    --with-passages and RULELANG_SOURCES names their folder. The exit status is 0 once the page is written, whatever
    was found; for a verdict, run `rulelang sources check`.

    \b
    Example:
      rulelang sources report rules/mygame --to report.html
    """
    from rulelang.diagnostics import UnusablePath

    from ..rulebook.crosscheck.review import review
    from ..rulebook.report.content import collect
    from ..rulebook.report.html import as_html

    if to.is_dir():
        fail(f"--to {to}: this is a folder; name a file, for example {to / 'report.html'}")
    try:
        found = review([path], list(variant or ()))
    except UnusablePath as error:
        fail(str(error))
    page = collect(found, with_passages)
    if with_passages and not any(document.text is not None for document in found.documents):
        say("no source document was found, so the page quotes none; set RULELANG_SOURCES to their folder")
    write_file(to, as_html(page))
    if format is Format.json:
        emit(
            {
                "file": str(to),
                "languages": list(page.languages),
                "statements": dict(page.summary.statements),
                "states": {state: dict(by) for state, by in page.summary.states.items()},
                "findings": {check: dict(by) for check, by in page.summary.checks.items()},
                "silenced": page.silenced,
            }
        )
    say(f"{to} written: {count(len(page.findings), 'finding')}")
