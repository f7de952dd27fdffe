"""``rulelang evening``: the games that ``serve`` has kept, as files."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import attrs
import typer

from rulelang.files.contents import content
from rulelang.words import several

from ..arguments import FormatOption
from ..loading import loading_errors
from ..output import FINDINGS, Format, answer, fail, failing, say
from ..share.returned import UnusableText, laid_out
from ..table.evening_files import Exported, export
from ..table.line import RuleSet
from ..table.store import Store, UnusableFile


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `serve --db` wrote.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to; by default beside FILE, with its name.")
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT", help="First adds a game that was sent from a shared page: its text, or a file of it."
        ),
    ] = None,
    game: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="With --add: the rules of that game; else those of FILE's games."),
    ] = None,
    format: FormatOption = Format.text,
) -> None:
    """Exports the games of an evening at the table: a save of each game and branch, with its notes, and tables of all
    games and choices, as CSV and as Parquet (`pip install 'rulelang[parquet]'`).

    The saves are those of `rulelang play`: `explain`, `play --resume`, `draw` and `serve --from` read them.

    \b
    Example:
      rulelang evening mygame-20260704-201500.table --out evening
      rulelang evening testers.table --add RL1.eNq... --game rules/mygame
    """
    if not add and (not file.is_file() or file.stat().st_size == 0):
        fail(f"{file} does not exist, or is empty; name the file that `serve` told of")
    if game is not None and not add:
        fail("--game: it says what rules the text of --add is played by; give both")
    with failing(UnusableFile):
        found = _exported(file, out or file.with_suffix(""), add or (), game)
    data = attrs.asdict(found) | {"files": [str(written) for written in found.files]}
    games = f"{several(found.games, 'game')}, {several(found.choices, 'choice')}"
    answer(format, data, [games, *(f"  {written}" for written in found.files)])
    for line in found.unread:
        say(f"not exported: {line}")
    raise typer.Exit(FINDINGS if found.unread else 0)


def _exported(file: Path, out: Path, texts: Iterable[str], game: Path | None) -> Exported:
    """Adds the games of texts, and exports all; no empty file is left behind. Raises UnusableFile."""
    is_new = not file.exists()
    store = Store(file)
    try:
        for text in texts:
            _add(text, store, game)
        return export(store, out)
    finally:
        is_empty = next(store.tables(), None) is None
        store.close()
        if is_new and is_empty:
            file.unlink()


def _add(text: str, store: Store, game: Path | None) -> None:
    """Files a game that came as a text beside those of a store; ends the command where it does not fit."""
    kept = (line.rules.path for table in store.tables() for line in store.lines(table.number))
    path = next(kept, None) if game is None else str(game.resolve())
    if path is None:
        fail("--add needs the game's rules the first time: --game PATH")
    with suppress(OSError, ValueError):  # most texts are no names of files
        text = content(Path(text), None).decode()
    with failing(UnusableText, before="--add: "), loading_errors(Format.text):
        number, new = laid_out(text, store, RuleSet(path, 1))
    say(f"table {number}: {several(new, 'choice')} added" if new else f"table {number} has this game already")
