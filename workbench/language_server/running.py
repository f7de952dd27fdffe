"""Running things from the text: examples again, random games for a rule, and what needs a terminal."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types

from interpreter.loading import game_of
from interpreter.simulate.games import at_random, game_seed, play_one
from rulelang.program import Program

from ..loading import count
from . import verdicts
from .session import Desk, Done

RUN = "rulelang.run"
EXAMPLES = "rulelang.examples"
SIMULATE = "rulelang.simulate"
TERMINAL = "rulelang.terminal"

_GAMES, _SECONDS, _SLICE = 200, 10.0, 0.1
"""Random games of one simulation at most, the seconds they may take, and those of one step."""

_SEED = 1


# ---------------------------------------------------------------- examples


def run(desk: Desk, root: str, example: str = "") -> None:
    """Runs an example again, with all its cases; all examples of the game, if none is named."""
    verdicts.forget(desk, Path(root), example)
    desk.look_again(Path(root))


def show_examples(desk: Desk, root: str, rule: str) -> None:
    """Says which examples run a rule."""
    known = verdicts.verdicts_of(desk, Path(root))
    names = list(dict.fromkeys(verdict.example for verdict in known if rule in verdict.rules))
    left, why = verdicts.not_run(known)
    listed = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    told = f"`{rule}` runs in {listed}." if names else f"No example runs `{rule}`."
    say(desk, f"{told} {count(left, 'example')} {why}." if left else told)


def say(desk: Desk, message: str) -> None:
    desk.client.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(types.MessageType.Info, message))


# ---------------------------------------------------------------- random games


@attrs.define
class Simulation:
    """Random games of one version of a game, as far as they have been played."""

    version: str
    players: int
    games: int = 0
    seconds: float = 0.0
    fired: Counter[str] = attrs.field(factory=Counter)

    @property
    def done(self) -> bool:
        return self.games >= _GAMES or self.seconds >= _SECONDS


class Simulations(dict[Path, Simulation]):
    """The newest simulation of each game."""


def simulate(desk: Desk, root: str) -> None:
    """Plays random games in the background; how often each rule ran is then told over it."""
    program = _program(desk, Path(root))
    if program is None:
        say(desk, "The rules have mistakes; games can be played once they are mended.")
        return
    desk.of(Simulations)[Path(root)] = Simulation(program.version, program.players)
    desk.look_again(Path(root))


def simulated(desk: Desk, root: Path) -> Simulation | None:
    """The simulation of the game as it is now."""
    found, program = desk.of(Simulations).get(root), _program(desk, root)
    return found if found is not None and program is not None and found.version == program.version else None


def play_some(desk: Desk) -> Done:
    """Plays random games that were asked for, for a moment."""
    for root in desk.of(Simulations):
        found, program = simulated(desk, root), _program(desk, root)
        if found is None or program is None or found.done:
            continue
        game = desk.kept(("game", root), lambda program=program: game_of(program))  # type: ignore[misc]
        before = time.monotonic()
        while not found.done and time.monotonic() < before + _SLICE:
            result = play_one(game, game_seed(_SEED, found.games), at_random(game))
            found.games += 1
            found.fired += result.fired
            if result.fault is not None:
                found.seconds = _SECONDS
                say(desk, f"Game {found.games - 1} of seed {_SEED} could not go on: {result.fault}")
        found.seconds += time.monotonic() - before
        if found.done:
            verdicts.refresh_lenses(desk)
        return Done(True)
    return Done(False)


def _program(desk: Desk, root: Path) -> Program | None:
    """The game for the most players as the texts are now; None with mistakes, and before they are checked."""
    report = desk.present(root)
    return report.programs[-1] if report is not None and report.programs else None


# ---------------------------------------------------------------- terminals


def in_terminal(desk: Desk, root: str, verb: str, variant: str | None = None) -> None:
    """Has the editor open a terminal, or says what to type into one. The commands read the files as they are saved."""
    program = _program(desk, Path(root))
    players = [] if program is None else ["--players", str(program.players)]
    words = {
        "play": ["play", root, *players],
        "test": ["test", root, "--variant", variant or ""],
        "compare": ["compare", root, "--variant", variant or "", *players, "--games", "200"],
    }[verb]
    if _has_terminals(desk):
        command = [sys.executable, "-m", "workbench.entry", *words]
        params = {"title": f"{verb} {variant or Path(root).name}", "command": command, "folder": str(Path.cwd())}
        desk.client.notify("rulelang/terminal", params)
    else:
        say(desk, f"Type in a terminal: rulelang {' '.join(words)}")


def _has_terminals(desk: Desk) -> bool:
    told: Any = desk.client.capabilities.experimental
    return bool(told.get("rulelangTerminal") if isinstance(told, dict) else getattr(told, "rulelangTerminal", False))
