"""``rulelang compare``: what house rules change, and whether it is real."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import attrs
import typer

from interpreter.bots import BOTS, PEOPLE, misnamed
from interpreter.columns import NEEDS_PYARROW
from interpreter.comparing.alternatives import Alternative
from interpreter.comparing.causes import Causes
from interpreter.comparing.one_call import causes_of, question_of
from interpreter.comparing.playing import ComparisonRun
from interpreter.comparing.results import Comparison, results
from interpreter.comparing.surprises import assess, confirm
from rulelang.source import visible_json

from ..arguments import FormatOption, GamePath, Seed, check_page, known, seed_in_range
from ..bench.comparison_page import page
from ..bench.details import illustrations_of
from ..bench.diff import changes_between, variant_side
from ..bench.diff.case_words import in_short
from ..bench.diff.shown import as_html
from ..bench.diff.smallest_case import RulesSide, SmallestCases, find
from ..bench.text import Live, show
from ..interrupts import held_back
from ..loading import loading_errors
from ..output import FINDINGS, INTERRUPTED, Format, console, emit, fail, failing, say, write_file

MINUTES = 3.0
"""The most time for all but writing what was found, where nobody says otherwise."""


VariantOption = Annotated[
    list[str] | None, typer.Option(metavar="A+B", help="A column: a variant, or several joined by + (repeatable).")
]
SettingOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="A column: another value of an option or a reading.")
]
SetsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NUMBER=A..B", help="A column for each value of a number; also NUMBER=2,4,6."),
]
PlayersOption = Annotated[str | None, typer.Option(metavar="N,M", help="Numbers of players.")]
BotNames = Annotated[
    str,
    typer.Option(
        metavar="NAME,...", help="Who plays, each in all seats of games of their own; people:FOLDER as in evenings."
    ),
]
GamesOption = Annotated[int | None, typer.Option(min=1, help="Pairs of games for each. [default: 1000]")]
UntilOption = Annotated[
    str | None, typer.Option(metavar="settled", help="Plays until all headlines are settled, or those in --matters.")
]
MinutesOption = Annotated[
    float | None,
    typer.Option(
        min=0.01, help="The most time for training, playing and confirming. [default: 3, without limit with --games]"
    ),
]
MattersOption = Annotated[
    str, typer.Option(metavar="NAME=D,...", help="The least important difference: length=3,score=5%,win=3.")
]
CausesOption = Annotated[
    bool, typer.Option("--causes", help="Plays all combinations of joined items: which of them does what.")
]
SeatsOption = Annotated[
    bool, typer.Option("--seats", help="How often each seat wins, and which rule set is the fairest.")
]
ToOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Writes the page: a file *.html.")]
KeepOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Keeps page, data and games there, to go on with.")
]
SchedulerOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler to play on, e.g. tcp://10.0.0.1:8786.")
]
ThreadsOption = Annotated[int | None, typer.Option(min=1, max=1024, help="Number of cores to use.")]


def command(
    path: GamePath,
    variant: VariantOption = None,
    option: SettingOption = None,
    sets: SetsOption = None,
    players: PlayersOption = None,
    bots: BotNames = "random",
    games: GamesOption = None,
    until: UntilOption = None,
    minutes: MinutesOption = None,
    matters: MattersOption = "",
    causes: CausesOption = False,
    seats: SeatsOption = False,
    to: ToOption = None,
    keep: KeepOption = None,
    scheduler: SchedulerOption = None,
    seed: Seed = 0,
    threads: ThreadsOption = None,
    format: FormatOption = Format.text,
) -> None:
    """Puts house rules beside the game as it is: the same seeds under each, what differs, and whether it is real.

    Every answer is one of: changed by so much; no difference that matters; not settled, and about how many more games
    would settle it. All headlines of a page hold together at 95 %. With --games, what barely stands out is played again
    on fresh seeds first. Ctrl-C shows what there is; with --keep, the same command goes on from there.

    \b
    Example:
      rulelang compare rules/mygame --variant two_for_one --players 3
      rulelang compare rules/mygame --variant two_for_one+stones=4 --causes --to report.html
      rulelang compare rules/mygame --set stones=2..5 --players 2,3 --bots random,learned --until settled
      rulelang compare rules/mygame --variant head_start --variant last_round --seats --games 10000
    """
    seed_in_range(seed)
    _check_until(until, games)
    check_page(to)
    check_keeping(keep, scheduler)
    if minutes is None and games is None:
        minutes = MINUTES
    with loading_errors(format):
        question = question_of(
            path, variant or (), numbers_of_players(players), None if until else games or 1000, bots_named(bots),
            option or (), sets or (), matters, minutes, seed, threads,
        )  # fmt: skip
        question = attrs.evolve(question, causes=causes, seats=seats, keep=keep, scheduler=scheduler)
        with told_of_studies():
            run = ComparisonRun.of(question)
    with told_of_studies(), closing(run.source):
        status, comparison = played(run)
    _show(comparison, format, seats=seats)
    _write(comparison, run, to, keep)
    if format is Format.json:  # the text says it already
        _say_problems(comparison)
    failed = any(column.problem is not None or any(column.faulted) for column in comparison.columns)
    raise typer.Exit(status or (FINDINGS if failed else 0))


def _show(comparison: Comparison, format: Format, *, seats: bool) -> None:
    if format is Format.json:
        emit(comparison.as_json())
    else:
        show(console(), comparison, seats=seats)


def _say_problems(comparison: Comparison) -> None:
    for column in comparison.columns:
        if column.problem is not None:
            say(f"{column.name}, with {column.players}: {column.problem}")


def _check_until(until: str | None, games: int | None) -> None:
    if until is not None and until != "settled":
        fail(f"--until {until}: write --until settled, or --games with a number")
    if until is not None and games is not None:
        fail("--games and --until settled exclude each other; leave one of them out")


@contextmanager
def told_of_studies() -> Iterator[None]:
    """Ends the command with what is wrong with a folder of games, or a scheduler."""
    if importlib.util.find_spec("pyarrow") is None:  # then there is neither
        yield
        return
    from interpreter.studies.plan import StudyError

    with failing(StudyError):
        yield


def numbers_of_players(text: str | None) -> list[int] | None:
    """``2,3,4`` as numbers."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and 0 < int(part) < 100 for part in parts):
        fail(f"--players {text}: write numbers with commas between them, for example --players 2,3")
    return list(dict.fromkeys(map(int, parts)))


def bots_named(text: str) -> list[str]:
    """``random,learned`` as names; ends the command for one that does not exist."""
    names = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if not names:
        fail("--bots: name who plays, for example --bots random,learned")
    for name in names:
        wrong = misnamed(name)
        if wrong is not None:
            kind = name.partition(":")[0]
            fail(f"--bots {name}: {wrong}" + ("" if kind in (*BOTS, PEOPLE) else f"; {known(kind, BOTS)}"))
    return names


def check_keeping(keep: Path | None, scheduler: str | None) -> None:
    """Sees to it, before any game is played, that there is a folder to keep games in, and a library that writes them;
    the folder is made if need be."""
    if keep is not None and keep.is_file():
        fail(f"--keep {keep} is a file; name a folder, which is made if there is none")
    if keep is not None:
        with failing(OSError, before=f"--keep {keep} cannot be made: "):
            keep.mkdir(parents=True, exist_ok=True)
    if (keep is not None or scheduler is not None) and importlib.util.find_spec("pyarrow") is None:
        fail(f"{'--scheduler' if keep is None else '--keep'} {NEEDS_PYARROW}")


def played(run: ComparisonRun) -> tuple[int, Comparison]:
    """The comparison, complete or as far as it came, and the exit status so far."""
    found: tuple[Causes, ...] = ()
    status = 0
    with Live(run) as live:
        try:
            for _ in run.go(held_back):
                live.show()
            surprises = assess(run)
            for _ in confirm(run, surprises, held_back):
                live.show("confirming on fresh seeds")
            if run.question.causes:
                live.show("playing all combinations")
                with loading_errors(Format.text):
                    found = causes_of(run, held_back)
        except KeyboardInterrupt:
            status = INTERRUPTED
            run.stopped = run.looked = True
            surprises = assess(run)
            for each in surprises:
                each.settle()
    if status or run.stopped:
        say("stopped before everything was played; what there is follows")
    return status, results(run, surprises, found)


def _write(comparison: Comparison, run: ComparisonRun, to: Path | None, keep: Path | None) -> None:
    if to is None and keep is None:
        return
    text = page(comparison, run.question, _changes(run), illustrations_of(run, comparison))
    if to is not None:
        write_file(to, text)
        say(f"page written to {to}")
    if keep is not None:
        write_file(keep / "comparison.json", visible_json(comparison.as_json()) + "\n")
        write_file(keep / "report.html", text)
        say(f"comparison.json and report.html written to {keep}")


def _changes(run: ComparisonRun) -> str:
    """What each alternative changes in the rules, and the smallest case that shows it, as HTML."""
    parts = []
    for before, after, found in smallest_cases(run):
        parts += [as_html(changes_between(before.rules, after.rules), after.rules.name), in_short(found, before, after)]
    return "".join(parts)


def smallest_cases(run: ComparisonRun) -> Iterator[tuple[RulesSide, RulesSide, SmallestCases]]:
    """What each alternative that was played does, in the smallest case that a short search finds.

    The rules of an alternative can be read as long as nobody asks for the next.
    """
    path = Path(run.question.path)
    before = RulesSide(variant_side(path, ()), path)
    played = [one for one in run.question.alternatives if any(_plays(run, one))]
    for alternative in played:
        with run.choices.arguments(alternative) as (variants, settings):
            rules = attrs.evolve(variant_side(path, variants, settings), name=alternative.name)
            after = RulesSide(rules, path, tuple(variants), settings)
            seconds = min(_SECONDS, _SECONDS_ALL / len(played))
            yield before, after, find(before, after, _GAMES, seconds, run.question.players[0])


def _plays(run: ComparisonRun, alternative: Alternative) -> Iterator[bool]:
    return (beside.plays for table in run.tables for beside in table.beside if beside.alternative == alternative)


_GAMES, _SECONDS, _SECONDS_ALL = 32, 5.0, 60.0
"""Random games in which a smallest case is looked for; seconds for one alternative, and for all of them."""
