"""``rulelang tune``: which numbers, options and variants give the game that is wanted."""

from __future__ import annotations

import math
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from interpreter.comparing.tuned import PRINTED_SETTING, FoundGoal, Tuned, tuned
from interpreter.comparing.tuning import GAMES, TuningQuestion, TuningRun
from rulelang.source import visible_json
from rulelang.words import several

from ..arguments import FormatOption, GamePath, Seed, seed_in_range
from ..bench import tuning_words, words
from ..interrupts import held_back
from ..loading import loading_errors
from ..output import FINDINGS, INTERRUPTED, Format, console, emit, fail, say, tell, write_file
from . import compare

_STYLES = {"meets": "bold green", "misses": "dark_orange3", "open": "dim"}
_PAUSE = 0.2

GamesOption = Annotated[
    int | None, typer.Option(min=1, help="Games of a setting at most, and again on fresh seeds. [default: 20000]")
]
MinutesOption = Annotated[float | None, typer.Option(help="The most time. [default: 3, without limit with --games]")]
KeepOption = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Keeps what is found and all games there.")]


def command(
    path: GamePath,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=A..B", help="A number from A to B, an option, or a variant (repeatable)."),
    ] = None,
    goal: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="'length -10%..-5%', 'seat 1 wins 32..35%', 'score >= 30'.")
    ] = None,
    players: compare.PlayersOption = None,
    bots: compare.BotNames = "random",
    games: GamesOption = None,
    minutes: MinutesOption = None,
    keep: KeepOption = None,
    scheduler: compare.SchedulerOption = None,
    seed: Seed = 0,
    threads: compare.ThreadsOption = None,
    format: FormatOption = Format.text,
) -> None:
    """Looks for the settings that give the game you want: which numbers, options and variants meet your goals.

    A goal names length, score, margin, `seat 1 wins`, `every seat wins` and the like, and a range: A..B, >= A, <= B.
    With a % it is a change (`length -10%..-5%`), with `by` one in turns or points (`length by -6..-3`), and `same` asks
    for no difference that matters. What comes out of the search is played again on fresh seeds before you are told of
    it. Ctrl-C shows what there is.

    \b
    Example:
      rulelang tune rules/mygame --vary stones=1..6 --goal 'length -10%..-5%'
      rulelang tune rules/mygame --vary stones=1..6 --vary short_slope --vary two_for_one --players 3 \\
        --goal 'length -10%..-5%' --goal 'every seat wins 30..37%' --goal 'score >= 30'
    """
    seed_in_range(seed)
    if minutes is not None and not 0 < minutes < 1e6:
        fail(f"--minutes {minutes:g}: that leaves no time to play; give more than 0, for example --minutes 1")
    compare.check_keeping(keep, scheduler)
    if minutes is None and games is None:
        minutes = compare.MINUTES
    with loading_errors(format), compare.told_of_studies():
        question = TuningQuestion(
            str(path), tuple(vary or ()), tuple(goal or ()), tuple(compare.numbers_of_players(players) or ()),
            tuple(compare.bots_named(bots)), games or GAMES, minutes, seed, threads, keep, scheduler,
        )  # fmt: skip
        run = TuningRun.of(question)
    with loading_errors(format), compare.told_of_studies(), closing(run.source):
        status = _searched(run)
        found = tuned(run)
    if format is Format.json:
        emit(found.as_json())
    else:
        _show(found, run)
    if keep is not None:
        write_file(keep / "tuning.json", visible_json(found.as_json()) + "\n")
        say(f"tuning.json written to {keep}")
    raise typer.Exit(status or (0 if found.of("meets") else FINDINGS))


def _show(found: Tuned, run: TuningRun) -> None:
    many = f"{several(found.size, 'setting')}, {several(len(found.goals), 'goal')}"
    tell(f"{found.title}, {', '.join(words.seats(n) for n in found.players)}, {', '.join(found.bots)}: {many}")
    for line in tuning_words.answer(found):
        tell(line)
    if found.settings:
        tell()
        console().print(_table(found))
    for line in _behind(found, run):
        tell(line)


def _searched(run: TuningRun) -> int:
    """Searches and confirms, and shows on a terminal how far that is. Returns the exit status so far."""
    shown: Any = None
    try:
        if sys.stderr.isatty():
            shown = console(stderr=True).status("searching; Ctrl-C shows what there is")
            shown.start()
        drawn = 0.0
        for doing in run.go(held_back):
            if shown is not None and time.monotonic() - drawn > _PAUSE:
                drawn = time.monotonic()
                shown.update(f"{doing}; Ctrl-C shows what there is")
    except KeyboardInterrupt:
        run.stopped = True
        say("stopped before the search was done; what there is follows")
        return INTERRUPTED
    finally:
        if shown is not None:
            shown.stop()
    return 0


def _table(found: Tuned) -> RenderableType:
    """The confirmed settings, with how they fare in each goal; below the printed game."""
    shown = Table(box=None, pad_edge=False, header_style="dim")
    shown.add_column("", overflow="fold", min_width=min(30, 2 + max(len(one.name) for one in found.settings)))
    for label in found.goals:
        shown.add_column(label, justify="right", overflow="fold")
    shown.add_column("games", justify="right")
    for one in found.settings:
        sign = Text(f"{tuning_words.SIGNS[one.verdict]} ", style=_STYLES[one.verdict])
        shown.add_row(sign + Text(one.name), *map(_cell, one.goals), f"{one.games:,}")
    printed = (Text(tuning_words.printed(goal), style="dim") for goal in found.settings[0].goals)
    shown.add_row(Text("  as printed", style="dim"), *printed, "")
    return shown


def _cell(goal: FoundGoal) -> Text:
    known = math.isfinite(goal.found.half_width)
    return Text(tuning_words.cell(goal), style=_STYLES[goal.found.verdict] if known else "dim")


def _behind(found: Tuned, run: TuningRun) -> Iterator[str]:
    """How sure all this is, and how to go on."""
    yield from tuning_words.behind(found)
    for name in found.bots:
        yield from (
            f"{beside} {words.who_plays(name)}" for n in found.players if (beside := words.peoples_games(name, n))
        )
    if found.stopped:
        yield "The time was up before everything was settled; --minutes gives it more."
    first = next((one.name for one in found.settings if one.name != PRINTED_SETTING), None)
    if first is not None:
        players = ",".join(map(str, found.players))
        where = shlex.join(["rulelang", "compare", run.question.path, "--variant", first])
        yield f"What else it changes: {where} --players {players} --bots {','.join(found.bots)}"
