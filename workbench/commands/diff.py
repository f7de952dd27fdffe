"""``rulelang diff``: what a variant changes in the rules, as people read them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..arguments import FormatOption, GamePath, Settings, Variants
from ..arguments import settings as read_settings
from ..loading import loading_errors
from ..output import Format, console, emit, fail, say, tell, write_file


def command(
    path: GamePath,
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="Another folder: a version of the same game.")
    ] = None,
    variant: Variants = None,
    option: Settings = None,
    lang: Annotated[
        list[str] | None, typer.Option("--lang", help="Statements of the rulebook in this language (repeatable).")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Writes a page: a file *.html.")] = None,
    format: FormatOption = Format.text,
) -> None:
    """Shows the rules before and after: numbers, settings, tables, rules, what runs when, and the rulebook.

    \b
    Example:
      rulelang diff rules/mygame --variant two_for_one --lang en
      rulelang diff rules/mygame ../older/rules/mygame --to changes.html
    """
    from ..bench.diff import changes_between, folder_side, variant_side
    from ..bench.diff.shown import page, show

    settings = read_settings(option)
    if other is None and not variant and not settings and path.is_dir():
        fail("say what to compare with: --variant NAME, --option NAME=VALUE, or a second folder")
    if other is not None and (variant or settings):
        fail("two folders are compared as they are; leave out --variant and --option")
    if to is not None and to.suffix.lower() not in (".html", ".htm"):
        fail(f"--to {to}: the page is HTML; name a file such as {to.with_suffix('.html')}")
    with loading_errors(format):
        if other is None:
            new = variant_side(path, variant or (), settings)
            old = variant_side(_game_of(path), ())
        else:
            old, new = folder_side(path), folder_side(other)
    found = changes_between(old, new)
    languages = list(dict.fromkeys([*old.books, *new.books]))
    for language in lang or ():
        if language not in languages:
            fail(f"--lang {language}: there is no rulebook in it; there is {', '.join(languages) or 'none'}")
    if to is not None:
        write_file(to, page(found, f"{old.title}: {new.name}"))
        say(f"page written to {to}")
    if format is Format.json:
        emit({"before": old.name, "after": new.name, "changes": [change.as_json() for change in found]})
    elif found:
        show(console(), found, lang)
    else:
        tell("nothing differs")


def _game_of(path: Path) -> Path:
    """The game's folder, where the path is a variant's file."""
    from rulelang import workspace

    return path if path.is_dir() else workspace.default().open(path)[0].root
