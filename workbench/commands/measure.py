"""``rulelang measure``: the shape of play, whether thinking pays, and which readings matter."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..arguments import FormatOption, GamePath, Players, Seed, Settings, Variants, seed_in_range
from ..arguments import settings as read_settings
from ..interrupts import held_back
from ..loading import load_game, loading_errors
from ..output import Format, console, emit, fail, say, write_file
from ..progress import Progress
from .compare import bots_named, needs_numpy

if TYPE_CHECKING:
    from interpreter.comparing.measures import Thinking
    from interpreter.game import Game

_INTERRUPTED = 130


def command(
    path: GamePath,
    players: Players = None,
    bots: Annotated[str, typer.Option("--bots", metavar="NAME", help="Who plays, in all seats.")] = "random",
    games: Annotated[int, typer.Option("--games", min=1, help="Number of games.")] = 1000,
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="The most time for everything.")] = 2,
    thinking: Annotated[
        list[str] | None,
        typer.Option("--thinking", metavar="MORE>LESS", help="Who wins more: --thinking 'ismcts:100>random'."),
    ] = None,
    readings: Annotated[
        bool, typer.Option("--readings", help="Which other readings of unclear rules matter at all, in one table.")
    ] = False,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="With --readings: writes their page, *.html.")
    ] = None,
    option: Settings = None,
    variant: Variants = None,
    seed: Seed = 0,
    format: FormatOption = Format.text,
) -> None:
    """Measures how a game plays: length, branching, waiting, lead changes, comebacks, dead options.

    \b
    Example:
      rulelang measure rules/mygame --players 3
      rulelang measure rules/mygame --thinking 'ismcts:100>random' --thinking 'ismcts:200>ismcts:20' --minutes 5
      rulelang measure rules/mygame --readings --to readings.html
    """
    needs_numpy()
    seed_in_range(seed)
    (who,) = names if len(names := bots_named(bots)) == 1 else fail("--bots: name one kind of player")
    pairs = [_pair(text) for text in thinking or ()]
    if readings:
        if option or variant:
            fail("--readings looks at the game as it is; leave out --option and --variant")
        raise typer.Exit(_readings(path, players, who, games, minutes, seed, to, format))
    if to is not None:
        fail("--to belongs to --readings")
    game = load_game(path, players, read_settings(option), list(variant or ()), engine="wasm", format=format)
    raise typer.Exit(_shape(game, who, games, time.monotonic() + 60 * minutes, pairs, seed, format))


def _pair(text: str) -> tuple[str, str]:
    more, sign, less = text.partition(">")
    if not sign:
        fail(f"--thinking {text}: write MORE>LESS in quotes, for example 'ismcts:100>random'")
    (strong, *a), (weak, *b) = bots_named(more), bots_named(less)
    if a or b:
        fail(f"--thinking {text}: name one kind of player on each side")
    return strong, weak


def _shape(
    game: Game, who: str, games: int, until: float, pairs: list[tuple[str, str]], seed: int, format: Format
) -> int:
    from interpreter.comparing.measures import ShapeRun
    from interpreter.cores import cores

    from ..bench.measured import as_json, show
    from ..bench.words import players_called, seats

    run = ShapeRun(game, who, seed, cores())
    found: list[Thinking] = []
    status = 0
    # What thinking brings needs most of the time, if it is asked for.
    share = time.monotonic() + (until - time.monotonic()) / (1 + 2 * len(pairs))
    progress = Progress(games, "playing", rate=True)
    try:
        for done in run.go(games, held_back):
            progress.step(done)
            if time.monotonic() > share:
                break
        for place, (more, less) in enumerate(pairs):
            share = time.monotonic() + (until - time.monotonic()) / (len(pairs) - place)
            found += _thought(game, more, less, games, share, seed)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    finally:
        progress.close()
    if status or run.games < games:
        say(f"stopped after {run.games} of {games} games")
    shape = run.shape(found)
    if format is Format.json:
        emit({"game": game.name, "players": game.players, "bots": who, "seed": seed} | as_json(shape))
    else:
        show(console(), game.title, f"{seats(game.players)}, {players_called(who)}", shape)
    return status


def _thought(game: Game, more: str, less: str, games: int, until: float, seed: int) -> list[Thinking]:
    """What is known when the time is up."""
    from interpreter.comparing.measures import thinking

    last: list[Thinking] = []
    for one in thinking(game, more, less, games, seed):
        last = [one]
        if time.monotonic() > until:
            break
    return last


def _readings(
    path: Path, players: int | None, who: str, games: int, minutes: float, seed: int, to: Path | None, format: Format
) -> int:
    """Every other value of every reading beside the game as it is."""
    import rulelang
    from interpreter.comparing.alternatives import Choices
    from interpreter.comparing.run import Question, Run

    from ..bench.measured import show_readings
    from ..bench.page import page
    from .compare import played

    with loading_errors(format):
        program = rulelang.load(path, players=players)
        others = tuple(Choices.of(path, players=players).readings(("reading",), program.settings))
        if not others:
            fail(f"{program.title} has no readings: nothing about its rules is marked as unclear")
        question = Question(
            path=str(path), alternatives=others, players=(program.players,), bots=(who,), games=games,
            minutes=minutes, seed=seed,
        )  # fmt: skip
        run = Run.of(question)
    status, comparison = played(run, causes=False)
    if format is Format.json:
        emit(comparison.as_json())
    else:
        show_readings(console(), comparison)
    if to is not None:
        write_file(to, page(comparison, question))
        say(f"page written to {to}")
    return status
