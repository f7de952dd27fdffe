"""``rulelang play``: at the terminal, hot seat or against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..arguments import (
    BotsOption,
    GamePathIfAny,
    Players,
    SeedIfAny,
    Settings,
    SimulatedGame,
    StreamsOf,
    StreamsOption,
    Variants,
    seed_in_range,
)
from ..arguments import bots as read_bots
from ..arguments import settings as read_settings
from ..loading import load_game, simulated_game
from ..output import UNUSABLE, console, fail

if TYPE_CHECKING:
    from interpreter.game import Game, State

    from ..savefile import Saved


def command(
    path: GamePathIfAny = None,
    players: Players = None,
    seed: SeedIfAny = None,
    bots: BotsOption = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Continues a saved game.")] = None,
    game_number: SimulatedGame = None,
    streams: StreamsOption = StreamsOf.seat,
    step: Annotated[
        int | None,
        typer.Option("--step", min=0, help="With --game or --resume: goes on after so many decisions of that game."),
    ] = None,
    hint: Annotated[
        bool, typer.Option("--hint", help="Shows at each of your decisions how good the choices look.")
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            metavar="LANGUAGE",
            help="Language of the labels and the rulebook's words; by default your own, where the game has it.",
        ),
    ] = None,
    option: Settings = None,
    variant: Variants = None,
) -> None:
    """Plays a game at the terminal: everybody at one screen, or against bots.

    Type a choice by its number or its name; `help` lists the commands (why, why not, hint, undo, save, log).

    \b
    Example:
      rulelang play rules/mygame --players 3 --bots 2=greedy,3=random --seed 7
      rulelang play rules/mygame --players 3 --seed 1 --game 12 --step 40
    """
    from interpreter.bots import make_bot
    from interpreter.errors import RuleFault, SaveError

    from ..rulebook.languages.locale import language_for_reader
    from ..savefile import Origin
    from ..terminal.reading import reader
    from ..terminal.session import Session

    saved: Saved | None = None
    settings, variants = read_settings(option), list(variant or ())
    if resume is not None:
        if settings or variants or players is not None or seed is not None:
            fail("--resume: a saved game keeps its players, seed, settings and variants; remove those arguments")
        saved = _read(resume)
        if saved.origin is not None:
            settings, variants = dict(saved.origin.settings), list(saved.origin.variants)
            path = path or Path(saved.origin.path)
            bots = bots if bots is not None else saved.origin.bots
        players = saved.players
    if path is None:
        fail("play needs a game's folder, for example: rulelang play rules/mygame")
    if step is not None and saved is None and game_number is None:
        fail("--step goes with --game, a game of a simulation, or with --resume, a saved one")
    if game_number is not None and (saved is not None or seed is None):
        fail("--game is the number of a game of a simulation: give the --seed of that simulation, and no saved game")
    game = load_game(path, players, settings, variants)
    if lang is not None:
        _speaks(game, lang)
    seats = game.program.seats
    playing = read_bots(bots, seats)
    number = _some_seed() if seed is None else seed_in_range(seed)
    try:
        if game_number is not None:
            state, number = simulated_game(
                game, number, game_number, playing, step, by_question=streams is StreamsOf.question
            )
        elif saved is not None:
            state = game.resume(saved.game)
            state = state if step is None else _earlier(game, saved, step)
        else:
            state = game.start(number)
    except SaveError as error:
        fail(str(error), UNUSABLE)
    except RuleFault as error:
        fail(str(error), 1)
    session = Session(
        game=game,
        state=state,
        console=console(),
        bots={seat: make_bot(name, game) for seat, name in playing.items()},
        seed=number,
        origin=Origin(str(path), settings, variants, bots),
        ask=reader(),
        lang=lang or language_for_reader(game.program.languages),
        hinting=hint,
    )
    raise typer.Exit(session.run())


def _speaks(game: Game, lang: str) -> None:
    """Stop where there are no words in a language."""
    from ..rulebook.languages.catalogue import catalogues

    known = sorted({*catalogues(), *game.program.languages})
    if lang not in known:
        fail(f"--lang {lang}: the game has no words in this language; choose one of {', '.join(known)}")


def _read(file: Path) -> Saved:
    from interpreter.errors import SaveError

    from ..savefile import read

    try:
        return read(file)
    except SaveError as error:
        fail(str(error))


def _earlier(game: Game, saved: Saved, step: int) -> State:
    """A saved game after its first decisions."""
    choices = saved.game.get("choices")
    if choices is None:
        fail("--step: the save holds a position that was laid out by hand, not the choices that led to it")
    if step > len(choices):
        fail(f"--step {step}: the save has {len(choices)} decisions; choose a number from 0 to {len(choices)}")
    state = game.start(saved.game["seed"])
    for choice in choices[:step]:
        state.choose(choice)
    return state


def _some_seed() -> int:
    import secrets

    return secrets.randbits(32)
