"""``rulelang rulebook``: the rulebook with its values filled in, to read or to print."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..arguments import FormatOption, GamePath, Players, Settings, Variants
from ..arguments import settings as read_settings
from ..loading import show_findings
from ..output import FINDINGS, Format, emit, fail, say, write_file


class Form(StrEnum):
    """The format of a printed rulebook."""

    md = "md"
    html = "html"


def command(
    path: GamePath,
    lang: Annotated[
        str, typer.Option("--lang", metavar="LANGUAGE", help="The language, for example nl, en, fr or de.")
    ],
    to: Annotated[
        Form | None,
        typer.Option("--to", help="Markdown or one HTML page; by default as FILE of --out ends, else Markdown."),
    ] = None,
    players: Players = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Writes to this file instead of standard output.")
    ] = None,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Prints the rulebook with its values filled in from the rules. What a variant changes is marked and listed.

    \b
    Example:
      rulelang rulebook rules/mygame --lang en
      rulelang rulebook rules/mygame --lang fr --variant long --out mygame-fr.html
    """
    from rulelang import workspace
    from rulelang.diagnostics import RulesError, Sink, UnusablePath
    from rulelang.files.opening import check_settings

    from ..rulebook.print import as_data, as_html, as_markdown, make_rulebook

    sink = Sink()
    try:
        files, names = workspace.default().open(path, list(variant or ()), sink)
        if sink.has_errors:
            raise RulesError(sink, files.sources)
        settings = read_settings(option)
        check_settings(files, settings)
        made = make_rulebook(files, lang, names, settings, players)
    except UnusablePath as error:
        fail(str(error))
    except RulesError as error:
        show_findings(error.diagnostics, error.sources, format)
        raise typer.Exit(FINDINGS) from None
    if to is None:
        to = Form.html if out is not None and out.suffix.lower() in (".html", ".htm") else Form.md
    if format is Format.json and out is None:
        emit(as_data(made))
    else:
        text = as_html(made) if to is Form.html else as_markdown(made)
        if out is None:
            typer.echo(text, nl=False)
        else:
            write_file(out, text)
            if format is Format.json:
                emit(as_data(made) | {"file": str(out)})
            else:
                say(f"written to {out}")
    if made.unworded:
        say(f"the variant's text does not mention {', '.join(made.unworded)}")
