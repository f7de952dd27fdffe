"""``rulelang simulate``: many games by bots, and what they add up to."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..arguments import BotsOption, FormatOption, GamePath, Players, Seed, Settings, Variants, seed_in_range
from ..arguments import bots as read_bots
from ..arguments import settings as read_settings
from ..loading import count, load_game
from ..output import FINDINGS, Format, console, emit, say
from ..progress import Progress

if TYPE_CHECKING:
    from interpreter.simulate import Summary

_FAULTS_SHOWN = 5


class Engine(StrEnum):
    """What runs the rules."""

    reference = "reference"
    wasm = "wasm"


def command(
    path: GamePath,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    players: Players = None,
    seed: Seed = 0,
    engine: Annotated[Engine, typer.Option("--engine", help="What runs the rules.")] = Engine.reference,
    bots: BotsOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Decisions after which a game is stopped.")] = 100_000,
    invariants: Annotated[bool, typer.Option("--invariants", help="Check every invariant after each choice.")] = False,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Plays many games by themselves and adds them up: lengths, scores, wins, how often each rule ran.

    Seats without a bot choose at random. The same seed gives the same games. Turns, decisions, scores and wins count
    finished games. Exit status 1 when a rule could not be carried out or an invariant broke.

    \b
    Example:
      rulelang simulate rules/mygame --players 3 --games 1000 --bots 1=greedy --option marked=yes
    """
    from interpreter.bots import make
    from interpreter.simulate import Tally, play_many

    seed_in_range(seed)
    chosen, files = read_settings(option), list(variant or ())
    game = load_game(path, players, chosen, files, engine=engine.value, invariants=invariants, format=format)
    seats = game.program.seats
    special = read_bots(bots, seats)
    total = Tally(game.players, tuple(game.rules))
    status = 0
    started = time.process_time()
    progress = Progress(games, "simulating")
    try:
        every = [make(special.get(seat, "random"), game) for seat in range(game.players)]
        for result in play_many(game, seed, games, every, limit):
            total.add(result)
            progress.step(total.games)
    except KeyboardInterrupt:
        status = 130
    finally:
        progress.close()
    seconds = time.process_time() - started
    summary = total.summary()
    if status:
        say(f"stopped after {summary.games} of {games} games; the numbers below are theirs")
    if format is Format.json:
        emit(_json(game.name, game.players, engine.value, seed, seats, summary, seconds))
    else:
        _show(game.title, seats, special, summary, seconds)
    for result in summary.faults[:_FAULTS_SHOWN]:
        say(f"game {result.index} (seed {result.seed}): {result.fault}")
    if summary.faults:
        say(f"{count(len(summary.faults), 'game')} could not be played to the end")
        status = status or FINDINGS
    raise typer.Exit(status)


def _json(
    game: str, players: int, engine: str, seed: int, seats: Sequence[str], summary: Summary, seconds: float
) -> dict[str, Any]:
    spread = ("mean", "min", "max", "p50")
    return {
        "game": game,
        "players": players,
        "engine": engine,
        "seed": seed,
        "games": summary.games,
        "finished": summary.finished,
        "stopped_at_limit": summary.stopped_at_limit,
        "turns": summary.turns.as_json(*spread),
        "decisions": summary.decisions.as_json(*spread),
        "seats": list(seats),
        "scores": [s.as_json("mean", "min", "max", "sd") for s in summary.scores],
        "wins": list(summary.wins),
        "shared": summary.shared,
        "rules": summary.rules,
        "faults": [{"game": r.index, "seed": r.seed, "message": r.fault} for r in summary.faults],
        "cpu_seconds": round(seconds, 3),
        "games_per_cpu_second": round(summary.games / seconds, 2) if seconds > 0 else None,
        "digest": summary.digest,
    }


def _show(title: str, seats: Sequence[str], special: dict[int, str], summary: Summary, seconds: float) -> None:
    from rich.table import Table
    from rich.text import Text

    from ..terminal.palette import seat_styles

    out = console()
    pace = f"{summary.games / seconds:.1f} games a second" if seconds > 0 else "in no time"
    out.print(Text(title, style="bold"), f"- {count(summary.games, 'game')} in {seconds:.1f} s of work ({pace})")
    if summary.stopped_at_limit:
        out.print(f"{count(summary.stopped_at_limit, 'game')} stopped at the limit")
    styles = seat_styles(seats)
    lengths = Table("a game has", "mean", "least", "most", "median", box=None, pad_edge=False, header_style="dim")
    for name, spread in (("turns", summary.turns), ("decisions", summary.decisions)):
        lengths.add_row(name, _number(spread.mean), _whole(spread.min), _whole(spread.max), _whole(spread.p50))
    out.print(lengths)
    table = Table("seat", "plays", "wins", "share", "score", "sd", "least", "most", box=None, pad_edge=False)
    table.header_style = "dim"
    for column in table.columns[2:]:
        column.justify = "right"
    for seat, name in enumerate(seats):
        score = summary.scores[seat]
        share = f"{100 * summary.wins[seat] / summary.finished:.1f} %" if summary.finished else "-"
        table.add_row(
            Text(name, style=styles[seat]), special.get(seat, "random"), str(summary.wins[seat]), share,
            _number(score.mean), _number(score.sd), _whole(score.min), _whole(score.max),
        )  # fmt: skip
    out.print(table)
    if summary.shared:
        out.print(f"{count(summary.shared, 'game')} with more than one winner, counted for each")
    ran = {rule: n for rule, n in summary.rules.items() if n}
    never = [rule for rule, n in summary.rules.items() if not n]
    rules = Table("rule", "times", "a game", box=None, pad_edge=False, header_style="dim")
    rules.columns[1].justify = rules.columns[2].justify = "right"
    for rule, n in sorted(ran.items(), key=lambda item: -item[1]):
        rules.add_row(rule, f"{n:,}", f"{n / max(1, summary.games):.2f}")
    out.print(rules)
    if never:
        out.print(Text("never ran: ", style="yellow") + Text(", ".join(never)))
    out.print(Text(f"digest {summary.digest}", style="dim"))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _whole(value: int | None) -> str:
    return "-" if value is None else str(value)
