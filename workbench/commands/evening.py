"""``rulelang evening``: the games that ``serve`` has kept, as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..arguments import FormatOption
from ..loading import count
from ..output import FINDINGS, Format, emit, fail, say, tell


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `serve --db` wrote.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where to; by default beside FILE, with its name.")
    ] = None,
    format: FormatOption = Format.text,
) -> None:
    """Exports the games of an evening at the table: a save of each game and branch, with its notes, and tables of all
    games and choices, as CSV and as Parquet (`pip install 'rulelang[parquet]'`).

    The saves are those of `rulelang play`: `explain`, `play --resume`, `draw` and `serve --from` read them.

    \b
    Example:
      rulelang evening mygame-20260704-201500.table --out evening
    """
    from ..table.evening import export
    from ..table.store import Store, UnusableFile

    if not file.is_file() or file.stat().st_size == 0:
        fail(f"{file} does not exist, or is empty; name the file that `serve` told of")
    try:
        store = Store(file)
        try:
            found = export(store, out or file.with_suffix(""))
        finally:
            store.close()
    except UnusableFile as problem:
        fail(str(problem))
    if format is Format.json:
        emit(
            {
                "games": found.games,
                "choices": found.choices,
                "files": [str(written) for written in found.files],
                "unread": list(found.unread),
            }
        )
    else:
        tell(f"{count(found.games, 'game')}, {count(found.choices, 'choice')}")
        for written in found.files:
            tell(f"  {written}")
    for line in found.unread:
        say(f"not exported: {line}")
    raise typer.Exit(FINDINGS if found.unread else 0)
