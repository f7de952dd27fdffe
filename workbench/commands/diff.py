"""``rulelang diff``: what a variant changes in the rules, as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rulelang import workspace

from ..arguments import FormatOption, GamePath, Settings, Variants, check_page
from ..arguments import settings as read_settings
from ..bench.diff import changes_between, folder_side, variant_side
from ..bench.diff.shown import page, show
from ..bench.diff.smallest_case import RulesSide
from ..loading import loading_errors
from ..output import INTERRUPTED, Format, console, emit, fail, say, tell, write_file


def command(
    path: GamePath,
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="Another folder: a version of the same game.")
    ] = None,
    variant: Variants = None,
    option: Settings = None,
    lang: Annotated[
        list[str] | None, typer.Option(help="Statements of the rulebook in this language (repeatable).")
    ] = None,
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="Writes a page: a file *.html.")] = None,
    play: Annotated[bool, typer.Option("--play", help="Shows the smallest case in which the two differ.")] = False,
    example: Annotated[bool, typer.Option("--example", help="With --play: only an example that shows it.")] = False,
    every: Annotated[bool, typer.Option("--all", help="With --play: a case of each kind that was found.")] = False,
    players: Annotated[int | None, typer.Option(help="With --play: for this number of players.")] = None,
    games: Annotated[int, typer.Option(min=1, help="With --play: random games to look at.")] = 64,
    seconds: Annotated[float, typer.Option(min=0.1, help="With --play: time for the search.")] = 20,
    format: FormatOption = Format.text,
) -> None:
    """Shows the rules before and after: numbers, settings, tables, rules, what runs when, and the rulebook.

    \b
    Example:
      rulelang diff rules/mygame --variant two_for_one --lang en
      rulelang diff rules/mygame ../older/rules/mygame --to changes.html
      rulelang diff rules/mygame --variant two_for_one --play
    """
    settings, variants = read_settings(option), tuple(variant or ())
    _make_sense(path, other, bool(variants or settings), to)
    with loading_errors(format):
        home = path
        if other is None:
            new, home = variant_side(path, variants, settings), _game_of(path)
            old = variant_side(home, ())
        else:
            old, new = folder_side(path), folder_side(other)
    if play or example or every:
        after = RulesSide(new, other or path, variants, settings)
        _play(RulesSide(old, home), after, games, seconds, players, example, every, lang or (), to, format)
        return
    found = changes_between(old, new)
    _known(lang or (), list(dict.fromkeys([*old.books, *new.books])))
    if to is not None:
        write_file(to, page(found, f"{old.title}: {new.name}"))
        say(f"page written to {to}")
    if format is Format.json:
        emit({"before": old.name, "after": new.name, "changes": [change.as_json() for change in found]})
    elif found:
        show(console(), found, lang)
    else:
        tell("nothing differs")


def _known(asked: Sequence[str], languages: Sequence[str]) -> None:
    """Refuses languages in which there is no rulebook."""
    for language in asked:
        if language not in languages:
            fail(f"--lang {language}: there is no rulebook in it; there is {', '.join(languages) or 'none'}")


def _make_sense(path: Path, other: Path | None, changes: bool, to: Path | None) -> None:
    """Refuses what cannot be meant."""
    if other is None and not changes and path.is_dir():
        fail("say what to compare with: --variant NAME, --option NAME=VALUE, or a second folder")
    if other is not None and changes:
        fail("two folders are compared as they are; leave out --variant and --option")
    check_page(to)


def _play(
    before: RulesSide, after: RulesSide, games: int, seconds: float, players: int | None, example: bool, every: bool,
    languages: Sequence[str], to: Path | None, format: Format,
) -> None:  # fmt: skip
    """Looks for the smallest case, and shows it."""
    from ..bench.diff.case_words import lines, page
    from ..bench.diff.smallest_case import as_json, find, show

    numbers = sorted({p.players for p in before.rules.programs} & {p.players for p in after.rules.programs})
    if not numbers:
        fail("there is no number of players that both are for")
    if players is not None and players not in numbers:
        fail(f"--players {players}: both are for {', '.join(map(str, numbers)) or 'no number in common'}")
    known = sorted({*before.rules.books, *after.rules.books})
    _known(languages, known)
    found = find(before, after, games, seconds, players)
    if to is not None:
        write_file(to, page(found, before, after, languages or known[:1] or ["en"]))
        say(f"page written to {to}")
    if format is Format.json:
        emit(as_json(found, before, after))
    else:
        show(
            console(),
            found,
            before,
            after,
            every,
            example,
            languages,
            partial(lines, sides=(before, after), languages=languages),
        )
    if found.stopped:
        say("stopped; this is what was found until then")
        raise typer.Exit(INTERRUPTED)


def _game_of(path: Path) -> Path:
    """The game's folder, where the path is a variant's file."""
    return path if path.is_dir() else workspace.default().open(path)[0].root
