"""``rulelang tune``: which numbers, options and variants give the game that is wanted."""

from __future__ import annotations

import math
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from interpreter.comparing.results import amount
from interpreter.comparing.tuned import PRINTED_SETTING, FoundGoal, FoundSetting, Tuned, tuned
from interpreter.comparing.tuning import GAMES, TuningQuestion, TuningRun
from interpreter.comparing.verdicts import LEVEL
from rulelang.source import visible_json
from rulelang.words import several

from ..arguments import FormatOption, GamePath, Seed, seed_in_range
from ..bench import words
from ..interrupts import held_back
from ..loading import loading_errors
from ..output import FINDINGS, INTERRUPTED, Format, console, emit, fail, say, tell, write_file
from . import compare

_SIGNS = {"meets": ("✓", "bold green"), "misses": ("✗", "dark_orange3"), "open": ("?", "dim")}
_PAUSE = 0.2
_MOST, _REASONS = 6, 3
"""Names of settings in a line, and reasons why some cannot be played."""


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
    _check_files(minutes, keep, scheduler)
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


def _check_files(minutes: float | None, keep: Path | None, scheduler: str | None) -> None:
    """Sees to it, before any game is played, that there is time and room."""
    if minutes is not None and not 0 < minutes < 1e6:
        fail(f"--minutes {minutes:g}: that leaves no time to play; give more than 0, for example --minutes 1")
    if keep is not None:
        compare.folder_to_keep(keep)
    if keep is not None or scheduler is not None:
        compare.needs_pyarrow("--scheduler" if keep is None else "--keep")


def _show(found: Tuned, run: TuningRun) -> None:
    for line in _answer(found):
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


def _answer(found: Tuned) -> Iterator[str]:
    """What comes first: what meets the goals, what comes nearest, and where goals pull apart."""
    many = f"{several(found.size, 'setting')}, {several(len(found.goals), 'goal')}"
    yield f"{found.title}, {', '.join(words.seats(n) for n in found.players)}, {', '.join(found.bots)}: {many}"
    meeting, may = found.of("meets"), found.of("open")
    if meeting:
        yield f"Meets all goals: {_names(meeting)}."
    elif found.none_meets:
        yield "No setting meets all goals: each misses one beyond doubt."
    elif not found.settings:
        yield "Nothing was confirmed; give it more time with --minutes."
    else:
        yield "Of no setting is it certain that it meets all goals."
    if may:
        yield f"May meet them all, but that is not settled: {_names(may)}{_more(may[0])}."
    yield from () if meeting else _nearest(found)
    for goal in found.unmet:
        yield f"Nothing that was tried meets “{goal}”."
    for one, two in found.apart:
        yield f"Pulling apart: “{one}” and “{two}”. Either can be had, but nothing that was tried has both."
    if found.promising:
        yield f"{several(found.promising, 'more setting')} met all goals in the search; only the best were confirmed."


def _nearest(found: Tuned) -> Iterator[str]:
    """Of those that miss a goal, what comes nearest, and what is better in some goal than that."""
    missing = found.of("misses")
    nearest = [one for one in missing if one.nearest]
    others = [one for one in missing if one.best and not one.nearest]
    if nearest:
        apart = ", which these games cannot tell apart" * (len(nearest) > 1)
        which = "Nearest of those that miss one" if found.of("open") else "Nearest"
        yield f"{which}: {_names(nearest)}{apart}."
    if others:
        yield f"Trade-off, further off in all but better in some goal than others: {_names(others)}."


def _more(one: FoundSetting) -> str:
    return "" if one.more_games is None else f"; about {one.more_games:,} more games of the first should tell"


def _names(settings: Sequence[FoundSetting]) -> str:
    names = [one.name for one in settings]
    more = [f"{len(names) - _MOST} more"] * (len(names) > _MOST)
    return words.listed(names[:_MOST] + more)


def _table(found: Tuned) -> RenderableType:
    """The confirmed settings, with how they fare in each goal; below the printed game."""
    shown = Table(box=None, pad_edge=False, header_style="dim")
    shown.add_column("", overflow="fold", min_width=min(30, 2 + max(len(one.name) for one in found.settings)))
    for label in found.goals:
        shown.add_column(label, justify="right", overflow="fold")
    shown.add_column("games", justify="right")
    for one in found.settings:
        sign, style = _SIGNS[one.verdict]
        shown.add_row(Text.assemble((f"{sign} ", style), one.name), *map(_cell, one.goals), f"{one.games:,}")
    printed = (_printed(goal) for goal in found.settings[0].goals)
    shown.add_row(Text("  as printed", style="dim"), *printed, "")
    return shown


def _cell(goal: FoundGoal) -> Text:
    found, quantity = goal.found, goal.goal.quantity
    sign, style = _SIGNS[found.verdict]
    if not math.isfinite(found.half_width):
        return Text("too few games", style="dim")
    if goal.goal.kind == "share":
        value, reach = amount(found.value, 1), amount(found.half_width, 1, signed=False)
        return Text(f"{sign} {value} % ±{reach}", style=style)
    value = words.number(quantity, found.value, signed=goal.goal.kind == "change")
    return Text(f"{sign} {value} ±{words.number(quantity, found.half_width)}", style=style)


def _printed(goal: FoundGoal) -> Text:
    known = math.isfinite(goal.found.printed)
    return Text(words.with_unit(goal.goal.quantity, goal.found.printed) if known else "", style="dim")


def _behind(found: Tuned, run: TuningRun) -> Iterator[str]:
    """What became of all the others, how sure all this is, and how to go on."""
    if found.settings:
        yield "✓ met   ✗ missed   ? not settled"
        yield f"± is from fresh seeds. All that is said here holds together at {100 * LEVEL:.0f} %, search included."
    rest = found.looked - found.out - len(found.of("meets")) - len(found.of("open"))
    rest -= found.promising + sum(map(len, found.unplayable.values()))
    parts = [f"{found.looked:,} of {found.size:,} settings were tried"]
    parts += [f"{found.out:,} miss a goal beyond doubt"] * bool(found.out)
    parts += [f"{rest:,} looked worse than others and were not played to an answer"] * (rest > 0)
    yield f"{'; '.join(parts)}."
    unplayable = list(found.unplayable.items())
    for why, names in unplayable[:_REASONS]:
        told = words.listed(names[:_MOST] + [f"{len(names) - _MOST} more"] * (len(names) > _MOST))
        yield f"Cannot be played: {told}: {words.ended(why)}"
    if more := sum(len(names) for _, names in unplayable[_REASONS:]):
        yield f"{several(more, 'more setting')} cannot be played, for reasons like these."
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
