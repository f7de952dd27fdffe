"""``rulelang measure``: the shape of play, whether thinking pays, and which readings matter."""

from __future__ import annotations

import time
from contextlib import closing
from html import escape
from pathlib import Path
from typing import Annotated

import attrs
import typer
from rich.text import Text

import rulelang
from interpreter.bots.ladder import Ladder, Thinking, keep, kept
from interpreter.bots.simple import BY_QUESTION
from interpreter.comparing.alternatives import Alternative, Choices
from interpreter.comparing.chances import Chances, ChancesRun
from interpreter.comparing.measures import Climb, PlayShape, ShapeRun, thinking
from interpreter.comparing.playing import ComparisonQuestion, ComparisonRun
from interpreter.cores import cores
from interpreter.errors import GameError
from interpreter.game import Game, State
from interpreter.simulate.games import simulated
from rulelang.program.sides import sides

from ..arguments import FormatOption, GamePath, Players, Seed, Settings, Variants, check_page, seed_in_range
from ..arguments import settings as read_settings
from ..bench import measured_page as told
from ..bench.details import SLOW
from ..bench.diff.case_words import in_short
from ..bench.measured import as_json, ladder_table, looks_of, show, show_readings, told_of_ladder
from ..bench.measured_page import page
from ..bench.text import show_looks
from ..bench.words import listed, players_called, replay, seats
from ..interrupts import held_back
from ..loading import load_game, loading_errors, printed_game
from ..output import INTERRUPTED, Format, Progress, console, emit, fail, failing, say, write_file
from .compare import bots_named, played, smallest_cases

BotsOption = Annotated[str, typer.Option(metavar="NAME", help="Who plays, in all seats.")]
GamesOption = Annotated[int, typer.Option(min=1, help="Number of games.")]
MinutesOption = Annotated[float, typer.Option(min=0.01, help="The most time for everything.")]


ToOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Writes the page: a file *.html.")]
LadderOption = Annotated[
    bool, typer.Option("--ladder", help="Who beats whom by how much, from random players to those who search.")
]


def command(
    path: GamePath,
    players: Players = None,
    bots: BotsOption = "random",
    games: GamesOption = 1000,
    minutes: MinutesOption = 2,
    thinking: Annotated[
        list[str] | None, typer.Option(metavar="MORE>LESS", help="Who wins more: --thinking 'ismcts:100>random'.")
    ] = None,
    readings: Annotated[
        bool, typer.Option("--readings", help="Which other readings of unclear rules matter at all, in one table.")
    ] = False,
    chances: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="GAMES",
            help="Who is how likely to win as a game goes on: so many games, played on at random from 21 moments.",
        ),
    ] = None,
    ladder: LadderOption = False,
    to: ToOption = None,
    option: Settings = None,
    variant: Variants = None,
    seed: Seed = 0,
    format: FormatOption = Format.text,
) -> None:
    """Measures how a game plays: length, branching, waiting, lead changes, comebacks, what options are worth.

    Ctrl-C keeps what there is.

    \b
    Example:
      rulelang measure rules/mygame --players 3
      rulelang measure rules/mygame --chances 100 --to shape.html
      rulelang measure rules/mygame --thinking 'ismcts:100>random' --thinking 'ismcts:200>ismcts:20' --minutes 5
      rulelang measure rules/mygame --readings --to readings.html
      rulelang measure rules/mygame --ladder --minutes 5
    """
    seed_in_range(seed)
    (who,) = names if len(names := bots_named(bots)) == 1 else fail("--bots: name one kind of player")
    pairs = [_pair(text) for text in thinking or ()]
    check_page(to)
    if readings:
        if any((chances, thinking, ladder, option, variant)):
            fail(
                "--readings is a table of its own, about the game as it is; leave out --chances, --thinking, --ladder,"
                " --option and --variant"
            )
        raise typer.Exit(_readings(path, players, who, games, minutes, seed, to, format))
    game = load_game(path, players, read_settings(option), list(variant or ()), engine="wasm", format=format)
    again = Alternative.of(variant or (), read_settings(option))
    printed = printed_game(path, game) if who != "random" else game
    measuring = _Measuring(game, printed, path, again, who, games, seed, time.monotonic() + 60 * minutes)
    status = measuring.go(pairs, chances, ladder=ladder)
    measuring.show(format)
    if to is not None:
        measuring.write(to)
    raise typer.Exit(status)


def _pair(text: str) -> tuple[str, str]:
    more, sign, less = text.partition(">")
    if not sign:
        fail(f"--thinking {text}: write MORE>LESS in quotes, for example 'ismcts:100>random'")
    (strong, *a), (weak, *b) = bots_named(more), bots_named(less)
    if a or b:
        fail(f"--thinking {text}: name one kind of player on each side")
    return strong, weak


@attrs.define
class _Measuring:
    """What is asked and what has been found. ``printed``: the game as those who play know it; ``again``: the variants
    and settings in force; ``until``: when to stop, by ``time.monotonic()``."""

    game: Game
    printed: Game
    path: Path
    again: Alternative
    who: str
    games: int
    seed: int
    until: float
    shape: PlayShape | None = None
    chances: Chances | None = None

    def go(self, pairs: list[tuple[str, str]], sample: int | None, *, ladder: bool) -> int:
        """Plays until the time is up; the exit status."""
        run = ShapeRun(self.game, self.who, self.seed, cores(), self.printed)
        if ladder and len(set(sides(self.game.program))) < 2:
            fail(f"--ladder: in {self.game.title} nobody plays against anybody, so there is no telling who beats whom")
        found: list[Thinking] = []
        status = 0
        chances = None
        if sample is not None:
            with failing(GameError, before="--chances: "):
                chances = ChancesRun(self.game, self.who, self.seed, cores(), self.printed)
        try:
            others = len(pairs) + 3 * ladder
            self._play(run, 2 * others + (chances is not None))
            if chances is not None and sample is not None:
                self._look(chances, sample, others)
            for place, (more, less) in enumerate(pairs):
                found += _thought(self.game, more, less, self.games, self._share(others - place - 1), self.seed)
            if ladder:
                self._climb()
        except KeyboardInterrupt:
            status = INTERRUPTED
        if status or run.games < self.games:
            say(f"stopped after {run.games} of {self.games} games")
        self.shape = run.shape(found)
        self.chances = chances.chances() if chances is not None else None
        return status

    def _share(self, others: int) -> float:
        """Until when something may take, if so much more is to come."""
        now = time.monotonic()
        return now + (self.until - now) / (1 + others)

    def _play(self, run: ShapeRun, others: int) -> None:
        share = self._share(others)
        with Progress(self.games, "playing", rate=True) as progress:
            for done in run.go(self.games, held_back, share):
                progress.step(done)

    def _look(self, chances: ChancesRun, sample: int, others: int) -> None:
        try:
            looking = chances.go(sample, self._share(2 * others))
            with Progress(sample, "looking at chances", rate=True) as progress, closing(looking):
                for done in looking:
                    progress.step(done)
        finally:
            if chances.left_out or len(chances.games) < sample:
                say(f"chances: {len(chances.games)} of {sample} games; the others took too long or had no end")

    def _climb(self) -> None:
        """Measures who beats whom, and keeps it."""
        climb = Climb(self.game, self.seed)
        began = time.monotonic()
        try:
            with Progress(max(1, int(self.until - began)), "climbing the ladder, in seconds") as progress:
                for _ in climb.go(self.until):
                    progress.step(int(time.monotonic() - began))
        finally:
            found = climb.ladder()
            if found is None:
                say(f"ladder: {climb.games} games are too few for all pairs of players to meet; give it more --minutes")
            else:
                keep(self.game.program.version, self.game.players, found)

    def ladder(self) -> Ladder | None:
        """Who beats whom, if that was measured, now or before."""
        return kept(self.game.program.version, self.game.players)

    def command(self, number: int) -> str:
        """What replays and explains a game."""
        return replay(str(self.path), self.game.players, self.who, self.seed, number, self.again)

    def show(self, format: Format) -> None:
        assert self.shape is not None
        if format is Format.json:
            shown = {"game": self.game.name, "players": self.game.players, "bots": self.who, "seed": self.seed}
            shown |= as_json(self.shape) | {"ladder": (ladder := self.ladder()) and ladder.as_json()}
            emit(shown if self.chances is None else shown | {"chances": told.as_json(self.chances)})
            return
        show(console(), self.game.title, self._called(), self.shape)
        if self.chances is not None:
            told.show(console(), self.chances)
        if ladder := self.ladder():
            console().print(ladder_table(ladder).printed())
            console().print(Text("\n".join(told_of_ladder(ladder)), style="dim"))
        show_looks(console(), looks_of(self.shape, self.command))

    def write(self, to: Path) -> None:
        """Writes the page."""
        assert self.shape is not None
        looks = looks_of(self.shape, self.command)
        write_file(
            to, page(self.game.title, self._called(), self.shape, looks, self.chances, self._pictures(), self.ladder())
        )
        say(f"page written to {to}")

    def _called(self) -> str:
        return f"{seats(self.game.players)}, {players_called(self.who)}"

    def _pictures(self) -> list[tuple[str, State]]:
        """Where the greatest comeback began; or how the most typical game and the one that is least like others end."""
        assert self.shape is not None
        if self.who.partition(":")[0] in SLOW:
            return []
        if self.chances is None or self.chances.comeback is None:
            picked = self.shape.picked
            shown = {} if picked.typical is None else {picked.typical: "the most typical"}
            shown |= {one.game: "the least like the others" for one in picked.unusual[:1] if one.game not in shown}
            return [(f"The end of game {number}, {said}.", self._state(number)) for number, said in shown.items()]
        game = self.chances.comeback
        made = game.moments[game.lowest]
        there, end = self._state(game.number, made), self._state(game.number)
        who = listed(self.game.program.seats[seat] for seat in end.winners)
        verb = "win" if len(end.winners) > 1 else "wins"
        said = f"Game {game.number} after {made} decisions: {who}, who {verb}, had a chance of {100 * game.low:.0f} %."
        return [(said, there), (f"Its end: {who} {verb}.", end)]

    def _state(self, number: int, decisions: int | None = None) -> State:
        """A game that was played, at its end or after so many decisions."""
        bots = None if self.who == "random" else self.who
        return simulated(self.game, self.seed, number, bots, decisions, streams=BY_QUESTION, printed=self.printed)


def _thought(game: Game, more: str, less: str, games: int, until: float, seed: int) -> list[Thinking]:
    """What is known when the time is up."""
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
    from ..bench.comparison_page import page
    from ..bench.diff.smallest_case import as_json, looked, told

    with loading_errors(format):
        program = rulelang.load(path, players=players)
        others = tuple(Choices.of(path, players=players).readings(("reading",), program.settings))
        if not others:
            fail(f"{program.title} has no readings: nothing about its rules is marked as unclear")
        question = ComparisonQuestion(
            path=str(path), alternatives=others, players=(program.players,), bots=(who,), games=games,
            minutes=minutes, seed=seed,
        )  # fmt: skip
        run = ComparisonRun.of(question)
    status, comparison = played(run)
    shorts, partings = [], {}
    for before, after, found in smallest_cases(run):
        partings[after.rules.name] = as_json(found, before, after)
        case = list(told(found.cases[0], before, after) if found.cases else looked(found))
        shorts.append((after.rules.name, case, in_short(found, before, after)))
    if format is Format.json:
        emit(comparison.as_json() | {"partings": partings})
    else:
        show_readings(console(), comparison, [(name, case) for name, case, _ in shorts])
    if to is not None:
        cases = "".join(f"<h3>{escape(name)}</h3>{shown}" for name, _, shown in shorts)
        write_file(to, page(comparison, question, f"<h2>Where each first matters</h2>{cases}"))
        say(f"page written to {to}")
    return status
