"""``rulelang look``: help for writing look files."""

from __future__ import annotations

from typing import Annotated

import typer

from rulelang import workspace
from rulelang.diagnostics import Sink

from ..arguments import FormatOption, GamePath
from ..loading import loading_errors
from ..output import Format, emit, fail, say, tell, write
from ..pictures.looks.look_checks import Suggestion, suggestions, text_of
from ..pictures.scene.look import names

app = typer.Typer(
    help="Helps to write a look: the file that says how the pieces of a game are drawn and called.\n\n"
    "Example: rulelang look suggest rules/mygame",
    rich_markup_mode=None,
    no_args_is_help=False,
)


@app.command("suggest", short_help="Writes a first look for a game.")
def suggest(path: GamePath, format: FormatOption = Format.text) -> None:
    """Writes a look to begin with: each enum with the symbols and colours that its members' names suggest, and places
    for labels. Read it, change it, and save it beside the rules.

    \b
    Example:
      rulelang look suggest rules/mygame > rules/mygame/mygame.look
    """
    with loading_errors(format):
        files, variants = workspace.default().open(path, (), Sink(), examples=False)
        programs = workspace.default().programs(files, variants)
    found: list[Suggestion] = suggestions(programs)
    if format is Format.json:
        emit({"game": programs[0].name, "names": [s.plain() for s in found]})
    else:
        write(text_of(programs[0], found))


@app.command("symbols", short_help="Lists symbols by a word.")
def symbols(
    word: Annotated[str, typer.Argument(metavar="WORD", help="A part of the symbol's name.")],
    format: FormatOption = Format.text,
) -> None:
    """Lists the symbols whose name has a word, or, if there are none, contains it.

    \b
    Example:
      rulelang look symbols horse
    """
    exact = [name for name in names() if word.lower() in name.split("-")]
    found = sorted(exact or [name for name in names() if word.lower() in name])
    if format is Format.json:
        emit({"symbols": found})
        return
    if not found:
        fail(f"no symbol has `{word}` in its name; try another word", 1)
    for name in found:
        tell(name)
    say(f"{len(found)} symbols; write `icon {found[0]}` in a look")
