"""Setups of the games in a folder: each game with its numbers of players, variants and settings."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import attrs

import rulelang
from interpreter.errors import GameError
from rulelang import workspace
from rulelang.diagnostics import Sink
from rulelang.files.contents import files_below, game_in
from rulelang.files.folder import GameFiles
from rulelang.program import Program
from rulelang.syntax import tree
from rulelang.workspace import Workspace

from . import compare

Settings = Literal["defaults", "all"]


@attrs.frozen
class Setup:
    """One way to load a game: number of players, variants by name, and settings by name."""

    path: Path
    players: int
    variants: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    def load(self) -> Program:
        """The checked program. Raises RulesError where variants or settings do not go together."""
        return rulelang.load(self.path, players=self.players, settings=dict(self.settings), variants=self.variants)

    def code(self) -> str:
        """Python code that loads it on the engine named by ``engine``."""
        parts = [repr(str(self.path)), f"players={self.players}"]
        if self.settings:
            parts.append(f"options={dict(self.settings)}")
        if self.variants:
            parts.append(f"variants={list(self.variants)}")
        return f"load({', '.join(parts)}, engine=engine)"

    def __str__(self) -> str:
        extra = [*self.variants, *(f"{name}={value}" for name, value in self.settings)]
        return f"{self.path.name} {self.players}p {' '.join(extra)}".rstrip()


def games_below(root: Path) -> list[Path]:
    """The folders of games at or below ``root``. UnusablePath when there are none."""
    found = sorted({path.parent for path in files_below(root, ".rules") if game_in(path, root) is not None})
    if not found:
        raise rulelang.UnusablePath(f"There is no game at or below {root}.")
    return found


def setups(path: Path, players: int | None = None, settings: Settings = "defaults") -> Iterator[Setup]:
    """One game with every number of players (or ``players``): as it is, with each variant, and with many at a time.

    ``settings`` "all": also every value of every option and reading other than its default, one at a time; a variant's
    own settings with that variant.
    """
    games = workspace.default()
    files, own = games.open(path)
    assert files.game is not None
    numbers = range(files.game.low, files.game.high + 1)
    chosen: list[tuple[str, ...]] = [own, *(tuple(dict.fromkeys((*own, name))) for name in files.variants)]
    chosen.append(_together(games, files))
    for number in numbers if players is None else [p for p in numbers if p == players]:
        for variants in dict.fromkeys(chosen):
            yield Setup(path, number, variants)
        if settings == "all":
            for name, item in _settings_in(files.parts):
                yield from _values(Setup(path, number, own), name, item)
            for variant, file in files.variants.items():
                for name, item in _settings_in((file,)):
                    yield from _values(Setup(path, number, (variant,)), name, item)


def _together(games: Workspace, files: GameFiles) -> tuple[str, ...]:
    """As many variants as go together, in order."""
    chosen: tuple[str, ...] = ()
    for name in files.variants:
        sink = Sink()
        if games.linked(files, (*chosen, name), sink) is not None and not sink.has_errors:
            chosen = (*chosen, name)
    return chosen


def _settings_in(files: tuple[tree.File, ...]) -> Iterator[tuple[str, tree.Setting]]:
    for file in files:
        for item in file.items:
            if isinstance(item, tree.Setting):
                yield item.name, item


def _values(setup: Setup, name: str, item: tree.Setting) -> Iterator[Setup]:
    for value in item.values:
        if value != item.default:
            yield attrs.evolve(setup, settings=((name, value),))


# Tasks: some games of one setup, compared in a process of their own.


@attrs.frozen
class Task:
    """Some games of one setup; ``number`` is that of the setup."""

    number: int
    setup: Setup
    seed: int
    first: int
    games: int
    limit: int


@attrs.frozen
class SetupReport:
    """``found``: the difference, as text. ``left_out``: why the setup cannot be played at all."""

    task: Task
    seconds: float
    found: str | None = None
    left_out: str | None = None


def play(task: Task) -> SetupReport:
    """Play the games of a task."""
    started = time.perf_counter()
    try:
        program = task.setup.load()
    except rulelang.RulesError as error:
        return SetupReport(task, time.perf_counter() - started, left_out=str(error).splitlines()[0])
    try:
        difference = compare(program, task.games, task.seed, first=task.first, limit=task.limit)
    except GameError as error:
        return SetupReport(task, time.perf_counter() - started, found=f"The fast engine cannot play it: {error}")
    found = None if difference is None else difference.text(task.setup.code())
    return SetupReport(task, time.perf_counter() - started, found)
