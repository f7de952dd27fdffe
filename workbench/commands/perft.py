"""``rulelang perft``: counts the possible sequences of choices, to compare with published numbers."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from interpreter.errors import GameError, RuleFault

from ..arguments import FormatOption, GamePath, Players, Seed, Settings, Variants, seed_in_range
from ..arguments import settings as read_settings
from ..loading import Engine, EngineOption, compile_first, load_game
from ..output import FINDINGS, Format, emit, fail, say, tell


def command(
    path: GamePath,
    depth: Annotated[int, typer.Option(min=1, help="Longest sequence to count, in choices.")],
    players: Players = None,
    seed: Seed = 0,
    engine: EngineOption = Engine.wasm,
    option: Settings = None,
    variant: Variants = None,
    format: FormatOption = Format.text,
) -> None:
    """Counts the sequences of exactly 1, 2, ... DEPTH choices from the start of the game.

    A game that ends early counts only at the depth where it ends; a pass counts as a choice.

    \b
    Example:
      rulelang perft rules/mygame --depth 4
    """
    game = load_game(path, players, read_settings(option), variant or (), engine=engine.value, format=format)
    compile_first(game, batches=False)
    leaves: list[int] = []
    status = 0
    try:
        started = time.process_time()
        state = game.start(seed_in_range(seed))
        for number in range(1, depth + 1):
            leaves.append(state.sequences(number))
            if format is Format.text:
                tell(f"depth {number}: {leaves[-1]:,} ({time.process_time() - started:.2f} s)")
    except RuleFault as error:
        say(str(error))
        status = FINDINGS
    except GameError as error:
        fail(str(error))
    except KeyboardInterrupt:
        say(f"stopped; depths 1 to {len(leaves)} are complete")
        status = 130
    if format is Format.json:
        emit({"leaves": leaves})
    raise typer.Exit(status)
