"""``rulelang simulate``: many games played by bots, and a summary of them."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import closing
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from interpreter.bots import Bot, make_bot
from interpreter.comparing.alternatives import Alternative
from interpreter.cores import cores
from interpreter.game import Game
from interpreter.position.carrying import carries
from interpreter.simulate.batch import Part
from interpreter.simulate.games import in_batches, in_parallel, play_all, play_campaigns
from interpreter.simulate.recorders import About, Recorder, RecordError, TableFiles, recorder
from interpreter.simulate.tally import Summary, Tally
from interpreter.wasm.engine import WasmGame
from interpreter.wasm.profile import profile_of
from rulelang.program.sides import all_together, only_counts, sides, team_of
from rulelang.words import several

from ..arguments import BotsOption, FormatOption, GamePath, Players, Seed, Settings, Variants, seed_in_range
from ..arguments import bots as read_bots
from ..arguments import settings as read_settings
from ..bench.words import peoples_games, replay, who_plays
from ..interrupts import held_back
from ..loading import Engine, EngineOption, compile_first, load_game, loading_errors
from ..output import FINDINGS, INTERRUPTED, UNUSABLE, Format, Progress, console, emit, fail, failing, say
from ..terminal.palette import seat_styles
from . import simulate_report
from .simulate_report import Details

_FAULTS_SHOWN = 5
_MOST_DECISIONS = 1_000_000_000


class TableKind(StrEnum):
    """What the files of tables may be."""

    parquet = "parquet"
    csv = "csv"


@attrs.frozen
class _Spent:
    """CPU seconds of all threads together, and wall-clock seconds."""

    cpu: float
    wall: float
    threads: int

    def text(self, games: int) -> str:
        def rate(seconds: float) -> str:
            return f"{games / seconds:,.1f}" if seconds > 0 else "-"

        return (
            f"{self.wall:.2f} s on {several(self.threads, 'thread')}: {rate(self.wall)} games per second,"
            f" {rate(self.cpu)} per CPU second"
        )


GamesOption = Annotated[int, typer.Option(min=1, help="Number of games.")]
ThreadsOption = Annotated[int | None, typer.Option(min=1, max=1024, help="Number of cores to use (default: all).")]
LimitOption = Annotated[int, typer.Option(min=1, max=_MOST_DECISIONS, help="Stops a game after this many decisions.")]
InvariantsOption = Annotated[
    bool, typer.Option("--invariants", help="Checks every invariant after each choice, on either engine (slow).")
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE|FOLDER",
        help="Writes one row per game to FILE, which ends in .sqlite, .parquet or .csv; or tables to FOLDER.",
    ),
]
TablesOption = Annotated[TableKind | None, typer.Option(help="The files of --out FOLDER (default: parquet).")]
DetailsOption = Annotated[
    bool, typer.Option("--details", help="Shows how the games went: choices, waiting, the lead, dead options.")
]
CampaignOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Plays campaigns of N games, each of which begins with what the one before carried; --games counts them.",
    ),
]
ProfileOption = Annotated[
    bool, typer.Option("--profile", help="Shows which rules, definitions and lines cost most on the fast engine.")
]


def command(
    path: GamePath,
    games: GamesOption = 100,
    players: Players = None,
    seed: Seed = 0,
    engine: EngineOption = Engine.wasm,
    bots: BotsOption = None,
    threads: ThreadsOption = None,
    limit: LimitOption = 100_000,
    invariants: InvariantsOption = False,
    out: OutOption = None,
    tables: TablesOption = None,
    details: DetailsOption = False,
    profile: ProfileOption = False,
    campaign: CampaignOption = None,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Plays many games and summarises the results: lengths, scores, wins and draws, and how often each rule ran.

    Seats without a bot choose at random. The same seed gives the same games, on either engine and with any number of
    threads. Each finished game counts once, as a win, as parts of a win that some share, as a draw, or as a loss where
    all lose together. The fast engine uses all cores, which serves bots as far as they search; the reference engine and
    --invariants play one game at a time. Turns, decisions, scores and wins count finished games only. Ctrl-C keeps the
    games played so far. When every game ends in a fault, it stops after 100 games or 5 seconds. The exit status is 1 if
    a rule could not be carried out or an invariant was broken.

    With --profile, each piece of work counts for the line it was written for, and not for what uses that line, even
    where the compiler has put the code of a definition elsewhere. Work is counted in instructions of the compiled game,
    which is exact and the same in every run, but only roughly in step with time. Runs of rules and options are exact; a
    definition counts each time its code runs: once where all members are tested at the same time, and not at all where
    its value was known beforehand. The games are the same as without --profile, played in one thread.

    \b
    Example:
      rulelang simulate rules/mygame --players 3 --games 1000 --bots 1=greedy --option marked=yes
      rulelang simulate rules/mygame --players 2 --games 100000 --out games.sqlite
      rulelang simulate rules/mygame --players 2 --games 1000 --profile
      rulelang simulate rules/mygame --players 2 --games 1000 --campaign 3
    \b
    --out FOLDER counts more, which takes up to a third longer: tables of games, seats, rules, options and points, one
    row for each of a game, whose columns docs/studies.md lists.
      rulelang simulate rules/mygame --players 2 --games 10000 --out games --tables csv
    \b
    Then query games.sqlite (tables games, simulation, rules); here red is a seat of mygame, and nobody wins a draw:
      sqlite3 games.sqlite "SELECT winners, several(*), avg(turns) FROM games WHERE finished GROUP BY winners"
      sqlite3 games.sqlite "SELECT seed, score_red FROM games WHERE finished ORDER BY score_red DESC LIMIT 5"
    """
    seed_in_range(seed)
    chosen, files = read_settings(option), list(variant or ())
    game = load_game(path, players, chosen, files, engine=engine.value, invariants=invariants, format=format)
    special = read_bots(bots, game.program)
    names = [special.get(seat, "random") for seat in range(game.players)]
    with loading_errors(format):
        every = None if set(names) == {"random"} else [make_bot(name, game) for name in names]
    if profile:
        game, threads = _profiled(game, every), 1  # the counters are those of one instance
    asked = _Asked(game, names, every, seed, games, limit, _side_by_side(game, threads), campaign)
    folder = _folder(out, tables)
    more, counting = None, details or folder is not None
    if campaign is not None:
        _check_campaign(game, alone=not (profile or details or out is not None))
    if counting and profile:
        fail("--profile counts nothing else; leave out --details and --out FOLDER")

    def again(number: int) -> str:
        rules = Alternative.of(files, chosen)
        return replay(str(path), game.players, names, seed, number, rules, by_question=False)

    if not counting:
        compile_first(game, batches=in_batches(game, every) and campaign is None)
    with failing(RecordError):
        if counting:
            more = Details.of(game, seed, asked.about(), folder, (tables or TableKind.parquet).value, again)
        records = recorder(out, asked.about()) if out is not None and folder is None else None
    played = _played(asked, more, records)
    summary = played.summary
    measured = profile_of(game, summary.rules) if profile and isinstance(game, WasmGame) else None
    if format is Format.json:
        beside = {} if measured is None else {"profile": simulate_report.profile_as_json(measured, summary.games)}
        beside |= {} if more is None else {"details": more.as_json()}
        emit(_json(asked, played) | beside)
        say(played.spent.text(summary.games))
    else:
        _show(game, names, summary, played.spent)
        _show_campaign(game, asked.games, played.numbered)
        if more is not None:
            more.show()
        if measured is not None:
            simulate_report.show_profile(measured, summary.games)
    _tell_faults(summary)
    raise typer.Exit(played.status or (FINDINGS if summary.faulted else 0))


@attrs.frozen
class _Asked:
    """What is to be played: ``games`` by the bots ``names``; ``bots`` are None where all choose at random."""

    game: Game
    names: Sequence[str]
    bots: Sequence[Bot] | None
    seed: int
    games: int
    limit: int
    threads: int
    campaign: int | None = None
    """The games of each campaign, of which there are ``games``."""

    @property
    def total(self) -> int:
        return self.games * (self.campaign or 1)

    def about(self) -> About:
        """As files of games keep it."""
        program = self.game.program
        return About(
            game=self.game.name,
            title=self.game.title,
            version=program.version,
            players=self.game.players,
            seats=program.seats,
            bots=tuple(self.names),
            settings={name: setting.value for name, setting in program.settings.items()},
            variants=program.variants,
            seed=self.seed,
            engine=self.game.engine,
            stop_after=self.limit,
        )


@attrs.frozen
class _Played:
    """What was played. ``status``: of the command so far; ``hopeless``: whether there was no use in going on."""

    summary: Summary
    spent: _Spent
    status: int
    hopeless: bool
    numbered: Sequence[Summary] = ()
    """Of a campaign's games, those with each number."""


def _profiled(game: Game, bots: Sequence[Bot] | None) -> Game:
    """The game with counters. Ends the command where it cannot have any."""
    if not isinstance(game, WasmGame) or not in_batches(game, bots):
        fail("--profile is for random games on the fast engine, without --bots and --invariants")
    return game.profiled()


def _side_by_side(game: Game, threads: int | None) -> int:
    """How many games are played at a time: as asked, or as many as there are cores."""
    if in_parallel(game):
        return threads or cores()
    if threads is not None and threads > 1:
        say(f"--threads {threads}: only games on the fast engine, without --invariants, run in parallel")
    return 1


def _check_campaign(game: Game, *, alone: bool) -> None:
    if not alone:
        fail("--campaign tells of each game by its number, and goes without --details, --out and --profile")
    if not carries(game.program):
        fail(f"--campaign: the rules of {game.title} carry nothing to the next game; name it with `carry NAME`")


def _folder(out: Path | None, tables: TableKind | None) -> Path | None:
    """The folder that tables are written to, if any."""
    folder = out if out is not None and simulate_report.is_folder(out) else None
    if tables is not None and folder is None:
        fail("--tables is for --out FOLDER, where FOLDER is there or has no ending")
    return folder


def _played(asked: _Asked, more: Details | None, recorder: Recorder | None) -> _Played:
    """Plays the games, counts and records them; what was recorded is kept, unless something goes wrong."""
    game, total = asked.game, Tally.of(asked.game.program)
    numbered = [Tally.of(game.program) for _ in range(asked.campaign or 0)]
    kept = recorder if more is None or recorder is not None else more.tables
    try:
        wall, cpu = time.perf_counter(), time.process_time()
        if asked.campaign is not None:
            parts = _campaigns(asked, asked.campaign, numbered)
        else:
            play = partial(play_all, game) if more is None else more.parts
            parts = play(asked.seed, asked.games, asked.bots, asked.limit, asked.threads)
        status, hopeless = _play(parts, asked.total, total, recorder)
        spent = _Spent(time.process_time() - cpu, time.perf_counter() - wall, asked.threads)
        if status == INTERRUPTED:
            say(f"stopped after {total.games} of {asked.total} games; the numbers below are for these games")
        if hopeless:
            say(f"stopped after {total.games} of {asked.total} games, because none of them could be played to the end")
        if kept is not None and status != UNUSABLE:
            status = _keep(kept, total) or status
    except BaseException:
        if kept is not None:
            kept.discard()
        raise
    return _Played(total.summary(), spent, status, hopeless, [each.summary() for each in numbered])


def _campaigns(asked: _Asked, length: int, numbered: Sequence[Tally]) -> Generator[Part]:
    """The games of all campaigns; those with the same number in their campaigns are counted together."""
    found = play_campaigns(asked.game, asked.seed, asked.games, length, asked.bots, asked.limit, asked.threads)
    with closing(found) as results:
        for result in results:
            numbered[result.index % length].add(result)
            yield result


def _tell_faults(summary: Summary) -> None:
    for result in summary.faults[:_FAULTS_SHOWN]:
        say(f"game {result.index} (seed {result.seed}): {result.fault}")
    _tell_replays(summary)
    if summary.faulted:
        say(f"{several(summary.faulted, 'game')} could not be played to the end")


def _tell_replays(summary: Summary) -> None:
    """Games that the fast engine played again step by step, and why; a fault is told as such."""
    if not summary.replayed:
        return
    were = "was" if summary.replayed == 1 else "were"
    say(f"{several(summary.replayed, 'game')} could not be played in one go and {were} played again step by step")
    for result in summary.astray[:_FAULTS_SHOWN]:
        say(
            f"game {result.index} (seed {result.seed}): in one go: {result.replayed}; "
            f"step by step: {result.fault or 'played to the end'}"
        )
    if summary.astray:
        say("this is a mistake of the fast engine: the results are those of the slower way; please report it")


def _play(parts: Generator[Part], games: int, total: Tally, recorder: Recorder | None) -> tuple[int, bool]:
    """Counts and records the games as they come, up to the last one, to Ctrl-C, or until all of many ended in a fault.

    Returns the exit status so far, and whether there was no use in going on.
    """
    began = time.monotonic()
    try:
        with closing(parts), Progress(games, "simulating", rate=True) as progress:
            for part in parts:
                with held_back():
                    if recorder is not None:
                        recorder.add(part)
                    total.add(part)
                progress.step(total.games)
                if total.games < games and total.is_hopeless(time.monotonic() - began):
                    return 0, True
    except KeyboardInterrupt:
        return INTERRUPTED, False
    except RecordError as problem:
        say(f"{problem}; the numbers below are for the games before that")
        return UNUSABLE, False
    return 0, False


def _keep(recorder: Recorder | TableFiles, total: Tally) -> int:
    """Puts the file of games in its place and returns the exit status. If no game was played, an older file stays."""
    if not total.games:
        recorder.discard()
        return 0
    status = 0
    try:
        with held_back():
            recorder.close(total.summary().rules)
    except RecordError as problem:
        say(str(problem))
        return UNUSABLE
    except KeyboardInterrupt:
        status = INTERRUPTED  # it waited until the file was in its place
    say(f"{several(total.games, 'game')} written to {recorder.path}")
    return status


def _json(asked: _Asked, played: _Played) -> dict[str, Any]:
    game, summary, spent = asked.game, played.summary, played.spent
    return {
        "game": game.name,
        "players": game.players,
        "engine": game.engine,
        "seed": asked.seed,
        "seats": list(game.program.seats),
        **_counted(summary),
        **({"teams": list(_teams(game))} if _teams(game) else {}),
        "rules": summary.rules,
        "faults": [{"game": r.index, "seed": r.seed, "message": r.fault} for r in summary.faults],
        "faulted": summary.faulted,
        "replayed": summary.replayed,
        "replays": [{"game": r.index, "seed": r.seed, "reason": r.replayed} for r in summary.replays],
        # The only two that differ from run to run.
        "cpu_seconds": round(spent.cpu, 3),
        "games_per_cpu_second": round(summary.games / spent.cpu, 2) if spent.cpu > 0 else None,
        "digest": summary.digest,
        "games_asked": asked.total,
        "stopped_early": played.hopeless,
        **({"campaign": list(map(_counted, played.numbered))} if played.numbered else {}),
    }


def _counted(summary: Summary) -> dict[str, Any]:
    spread = ("mean", "min", "max", "p50")
    return {
        "games": summary.games,
        "finished": summary.finished,
        "stopped_at_limit": summary.stopped_at_limit,
        "turns": summary.turns.as_json(*spread),
        "decisions": summary.decisions.as_json(*spread),
        "scores": [s.as_json("mean", "min", "max", "sd") for s in summary.scores],
        "wins": list(summary.wins),
        "shares": list(summary.shares),
        "shared": summary.shared,
        "draws": summary.draws,
        "losses": summary.losses,
    }


def _show_campaign(game: Game, campaigns: int, numbered: Sequence[Summary]) -> None:
    """A line for the first games of all campaigns, one for the second, and so on."""
    if not numbered:
        return
    out = console()
    out.print(Text(f"{several(campaigns, 'campaign')} of {several(len(numbered), 'game')}", style="bold"))
    head = ["game", "played", "decisions", *(f"{name} wins" for name in game.program.seats)]
    scored = game.program.score is not None
    table = Table(*head, *(game.program.seats if scored else ()), box=None, pad_edge=False, header_style="dim")
    for number, each in enumerate(numbered, 1):
        wins = [_percent(sum(won), each) for won in _by_side(game, each)]
        scores = [_number(score.mean) for score in each.scores] if scored else []
        table.add_row(str(number), f"{each.games:,}", _number(each.decisions.mean), *wins, *scores)
    for column in table.columns:
        column.justify = "right"
    out.print(table)


def _show_people(out: Console, game: Game, names: Sequence[str]) -> None:
    """People's own games, beside those of players who choose as they did."""
    for name in dict.fromkeys(names):
        if beside := peoples_games(name, game.players):
            out.print(f"{beside} {who_plays(name)}", markup=False, highlight=False)


def _show(game: Game, names: Sequence[str], summary: Summary, spent: _Spent) -> None:
    out, seats = console(), game.program.seats
    out.print(Text(game.title, style="bold"), f"- {summary.games:,} {'game' if summary.games == 1 else 'games'}")
    out.print(f"{spent.text(summary.games)} (engine {game.engine})")
    if summary.stopped_at_limit:
        out.print(f"{several(summary.stopped_at_limit, 'game')} stopped at the limit")
    styles = seat_styles(seats)
    lengths = Table("per game", "mean", "min", "max", "median", box=None, pad_edge=False, header_style="dim")
    spreads = [("turns", summary.turns)] if summary.turns.max else []  # in some games nobody takes turns
    for name, spread in (*spreads, ("decisions", summary.decisions)):
        lengths.add_row(name, _number(spread.mean), _whole(spread.min), _whole(spread.max), _whole(spread.p50))
    out.print(lengths)
    out.print(_came_off(game, summary))
    teams = _teams(game)
    head = ["seat", *(["team"] if teams else []), "played by"]
    wins = ["wins", "share"] if not all_together(game.program) else []
    by_side = _by_side(game, summary)
    table = Table(*head, *wins, "score", "sd", "min", "max", box=None, pad_edge=False)
    table.header_style = "dim"
    for column in table.columns[len(head) :]:
        column.justify = "right"
    for seat, name in enumerate(seats):
        score = summary.scores[seat]
        table.add_row(
            Text(name, style=styles[seat]), *teams[seat : seat + 1], names[seat],
            *([f"{by_side[seat][0]:,}", _percent(sum(by_side[seat]), summary)] if wins else []),
            _number(score.mean), _number(score.sd), _whole(score.min), _whole(score.max),
        )  # fmt: skip
    out.print(table)
    _show_people(out, game, names)
    ran = {rule: n for rule, n in summary.rules.items() if n}
    never = [rule for rule, n in summary.rules.items() if not n]
    rules = Table("rule", "times", "per game", box=None, pad_edge=False, header_style="dim")
    rules.columns[1].justify = rules.columns[2].justify = "right"
    for rule, n in sorted(ran.items(), key=lambda item: -item[1]):
        rules.add_row(rule, f"{n:,}", f"{n / max(1, summary.games):.2f}")
    out.print(rules)
    if never:
        out.print(Text("never ran: ", style="yellow") + Text(", ".join(never)))
    out.print(Text(f"digest {summary.digest}", style="dim"))


def _came_off(game: Game, summary: Summary) -> str:
    """How the games came off: ``white wins 3.3 %, black wins 0.0 %, drawn 96.7 %``."""
    if only_counts(game.program):
        return f"played for points: {several(summary.finished, 'game')}"
    if not summary.finished:
        return "no game was finished"
    by_side, names = _by_side(game, summary), _teams(game) or game.program.seats
    if all_together(game.program):
        won = round(by_side[0][0])
        return f"won {won:,} of {several(summary.finished, 'game')} ({_percent(won, summary)})"
    alone = {name: wins for name, (wins, _) in zip(names, by_side, strict=True)}
    told = [f"{name} wins {_percent(wins, summary)}" for name, wins in alone.items()]
    rest = {"shared": summary.shared, "drawn": summary.draws}
    return ", ".join([*told, *(f"{what} {_percent(games, summary)}" for what, games in rest.items() if games)])


def _by_side(game: Game, summary: Summary) -> list[tuple[int, float]]:
    """For each seat, the games that its side won alone, and its side's parts of the games won with others."""
    side = sides(game.program)
    totals = [
        [sum(part for part, other in zip(parts, side, strict=True) if other == one) for one in side]
        for parts in (summary.wins, summary.shares)
    ]
    return [(round(wins), shares) for wins, shares in zip(*totals, strict=True)]


def _percent(games: float, summary: Summary) -> str:
    return f"{100 * games / summary.finished:.1f} %" if summary.finished else "-"


def _teams(game: Game) -> tuple[str, ...]:
    """By seat, the name of its team; empty in a game without teams."""
    return tuple(game.program.domains["Team"].members[team] for team in team_of(game.program) or ())


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _whole(value: int | None) -> str:
    return "-" if value is None else str(value)
