"""The games under rules/, found by looking, what they can be played as, and how their printed examples come out."""

from __future__ import annotations

import functools
from pathlib import Path

from paths import RULES

from interpreter.examples import ExampleReport, ExampleResult, run_examples
from rulelang import workspace
from rulelang.examples import examples_in
from rulelang.files.folder import GameFiles
from tests.tools.parity.setups import Setup, games_below
from workbench.checking import check_game

GAMES = games_below(RULES)


@functools.cache
def files(game: Path) -> GameFiles:
    return workspace.default().open(game)[0]


def example_names(game: Path) -> list[str]:
    """The examples of a game and of its variants; nothing is run."""
    return [example.id for example in examples_in(files(game))]


@functools.cache
def findings(game: Path, *variants: str) -> tuple[tuple[str, str], ...]:
    """Code and severity of all that ``check`` finds."""
    return tuple((d.code, d.severity) for d in check_game(game, variants=variants).diagnostics)


@functools.cache
def report(game: Path) -> ExampleReport:
    """How the examples come out; a process runs them once, whatever asks."""
    return run_examples(game)


@functools.cache
def results(game: Path) -> dict[str, ExampleResult]:
    return {result.name: result for result in report(game).results}


def setups(game: Path) -> list[Setup]:
    """Every number of players with the game as it is, with each variant, and with all of them.

    Variants in a folder ``examples`` are made-up boards to show something on: nobody plays on them.
    """
    header = files(game).game
    assert header is not None
    variants = [name for name, file in files(game).variants.items() if Path(file.span.file).parent.name != "examples"]
    choices = dict.fromkeys([(), *((name,) for name in variants), tuple(variants)])
    return [Setup(game, number, chosen) for number in range(header.low, header.high + 1) for chosen in choices]
