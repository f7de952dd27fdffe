"""``rulelang play``: at the terminal, hot seat or against bots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import attrs
import typer

from interpreter.bots import make_bot
from interpreter.chance import luck
from interpreter.errors import GameError, RuleFault, SaveError
from interpreter.game import Game, State
from interpreter.outcomes.partings import replay_under
from interpreter.position.carrying import carries
from interpreter.position.position import Laid, follow, laid_first
from interpreter.position.saves import handed_on, identity, made

from .. import arguments
from ..arguments import bots as read_bots
from ..arguments import settings as read_settings
from ..loading import game_of_save, load_game, read_save, simulated_game
from ..output import UNUSABLE, console, fail, say
from ..rulebook.languages.catalogue import catalogues
from ..rulebook.languages.locale import language_for_reader
from ..savefile import Saved, SaveOrigin
from ..terminal.prompting import reader
from ..terminal.session import Session

LangOption = Annotated[
    str | None,
    typer.Option(
        metavar="LANGUAGE",
        help="Language of the labels and the rulebook's words; by default your own, where the game has it.",
    ),
]


StepOption = Annotated[
    int | None, typer.Option(min=0, help="With --game or --resume: goes on after so many decisions of that game.")
]
HintOption = Annotated[bool, typer.Option("--hint", help="Shows at each of your decisions how good the choices look.")]
CampaignOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Plays a campaign, game after game; FILE keeps it after every choice, and the same command goes on.",
    ),
]


def command(
    path: arguments.GamePathIfAny = None,
    players: arguments.Players = None,
    seed: arguments.SeedIfAny = None,
    bots: arguments.BotsOption = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Continues a saved game.")] = None,
    which: arguments.GameOrNumber = None,
    streams: arguments.StreamsOption = arguments.StreamsOf.seat,
    step: StepOption = None,
    hint: HintOption = False,
    campaign: CampaignOption = None,
    lang: LangOption = None,
    option: arguments.Settings = None,
    variant: arguments.Variants = None,
) -> None:
    """Plays a game at the terminal: everybody at one screen, or against bots.

    Type a choice by its number or its name; `help` lists the commands (why, why not, hint, undo, save, log).

    \b
    Example:
      rulelang play rules/mygame --players 3 --bots 2=greedy,3=random --seed 7
      rulelang play rules/mygame --players 3 --seed 1 --game 12 --step 40
      rulelang play rules/mygame --players 3 --campaign our-campaign.json
    """
    begun = SaveOrigin("" if path is None else str(path), read_settings(option), list(variant or ()), bots)
    if resume is not None and (begun.settings or begun.variants or players is not None or seed is not None):
        fail("--resume: a saved game keeps its players, seed, settings and variants; remove those arguments")
    if campaign is not None and (resume is not None or which is not None):
        fail("--campaign goes on with the game in its own file; leave out --resume and --game")
    file = resume if campaign is None or not campaign.exists() else campaign
    saved = None if file is None else read_save(file)
    if saved is not None and file is not None:
        begun, players = _as_saved(saved, file, begun, which), players or saved.players
    if not begun.path:
        fail("play needs a game's folder, for example: rulelang play rules/mygame")
    game_number = None if saved is not None or which is None else _number(which, seed)
    if step is not None and saved is None and game_number is None:
        fail("--step goes with --game, a game of a simulation, or with --resume, a saved one")
    game = load_game(Path(begun.path), players, begun.settings, begun.variants)
    language = _language(game, lang)
    playing = read_bots(begun.bots, game.program)
    number, before = luck() if seed is None else arguments.seed_in_range(seed), list[dict[str, Any]]()
    with _stopped_by_rules():
        if game_number is not None:
            by_question = Path(begun.path) if streams is arguments.StreamsOf.question else None
            state, number = simulated_game(game, number, game_number, playing, step, by_question=by_question)
        elif campaign is not None:
            state, before = _in_campaign(game, saved, campaign, number)
        elif saved is not None:
            state = _resumed(game, saved) if step is None else _earlier(game, saved, step)
        else:
            state = game.start(number)
    made = {seat: make_bot(name, game) for seat, name in playing.items()}
    session = Session(
        game=game, state=state, console=console(), bots=made, seed=number, origin=begun, ask=reader(), lang=language,
        hinting=hint, campaign=campaign, before=before,
    )  # fmt: skip
    raise typer.Exit(session.run())


def _as_saved(saved: Saved, file: Path, asked: SaveOrigin, which: str | None) -> SaveOrigin:
    """How a saved game is loaded: as it says itself, but for what was ``asked`` for."""
    path = asked.path or str(game_of_save(saved, file, None if which is None else Path(which)))
    if saved.origin is None:
        return attrs.evolve(asked, path=path)
    return SaveOrigin(
        path,
        asked.settings or saved.origin.settings,
        asked.variants or saved.origin.variants,
        saved.origin.bots if asked.bots is None else asked.bots,
    )


def _in_campaign(game: Game, saved: Saved | None, file: Path, seed: int) -> tuple[State, list[dict[str, Any]]]:
    """The game of a campaign that is to be played now, and who won those before it."""
    if not carries(game.program):
        fail(f"--campaign: the rules of {game.title} carry nothing to the next game; name it with `carry NAME`")
    if saved is None:
        if not file.absolute().parent.is_dir():
            fail(f"--campaign {file}: there is no folder {file.parent} to keep it in")
        return game.start(seed), []
    match saved.game:
        case {"campaign": list(before), "state": {"winners": list(winners)}} if all(
            isinstance(each, dict) and isinstance(each.get("winners"), list) for each in before
        ):
            carried = handed_on(game.program, saved.game)
            if carried is None:
                return game.resume(saved.game), before
            return game.start(seed, carried=carried), [*before, {"winners": winners}]
    raise SaveError(f"{file} is a saved game, but not of a campaign; go on with it by --resume")


@contextmanager
def _stopped_by_rules() -> Iterator[None]:
    """Ends the command where a save is damaged, or the rules cannot be carried out."""
    try:
        yield
    except RuleFault as error:
        fail(str(error), 1)
    except GameError as error:
        fail(str(error), UNUSABLE)


def _language(game: Game, lang: str | None) -> str | None:
    """The language of the table: the one asked for, or the reader's own; stops where there are no words in it."""
    if lang is None:
        return language_for_reader(game.program.languages)
    known = sorted({*catalogues(), *game.program.languages})
    if lang not in known:
        fail(f"--lang {lang}: the game has no words in this language; choose one of {', '.join(known)}")
    return lang


def _number(text: str, seed: int | None) -> int:
    """The number of a game of the simulation with ``seed``."""
    if seed is None or not (text.isascii() and text.isdigit()):
        fail(f"--game {text}: give the number of a game of a simulation, and the --seed of that simulation")
    return int(text[:18])


def _resumed(game: Game, saved: Saved) -> State:
    """A saved game as it stands; under rules that have changed since as far as its choices fit."""
    own, was = identity(game.program), saved.game
    if was.get("version") == own["version"] or any(was.get(key) != own[key] for key in ("settings", "variants")):
        return game.resume(was)  # which says what does not fit
    replay = replay_under(game, was, beyond=True)
    parting = replay.parting
    if replay.state is None:
        why = "it cannot begin" if parting is None else parting.change
        raise SaveError(f"the rules have changed since this game was saved: {why}")
    fit = sum(not isinstance(each, Laid) for each in replay.made)
    say(f"the rules have changed since this game was saved; it goes on after {fit} of {replay.decisions} choices")
    if parting is not None and game.blueprint.knowers.all_in_the_open:
        say(f"choice {parting.decision} is the first that leads elsewhere: {parting.change}")
    return replay.state


def _earlier(game: Game, saved: Saved, step: int) -> State:
    """A saved game after its first decisions."""
    if "choices" not in saved.game:
        fail("--step: the save holds a position that was laid out by hand, not the choices that led to it")
    choices = made(saved.game)
    ends = [place for place, each in enumerate(choices, 1) if not isinstance(each, Laid)]
    if step > len(ends):
        fail(f"--step {step}: the save has {len(ends)} decisions; choose a number from 0 to {len(ends)}")
    state = game.start(saved.game["seed"], *laid_first(choices))
    follow(state, choices[: [0, *ends][step]])
    return state
