"""Games that were played, as tests: replayed under the rules as they are now, and grouped by where they part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Any

import attrs

from interpreter import load
from interpreter.errors import GameError, SaveError
from interpreter.game import Game
from interpreter.outcomes.accepted import Accepted, read_outcomes, write_outcomes
from interpreter.outcomes.partings import Parting, replay_under
from rulelang import workspace
from rulelang.diagnostics import RulesError, UnusablePath

KEPT = "games.expected"
"""The file beside the games that says which partings are accepted."""

_WIDE, _NAMED = 120, 5


@attrs.frozen
class SavedGame:
    """A saved game. ``parting``: where it parts; ``why``: what keeps it from being followed; neither: all the same."""

    file: str
    decisions: int = 0
    parting: Parting | None = None
    why: str = ""
    accepted: bool = False


@attrs.frozen
class Group:
    """Games that part for one cause: the ``rule``, and what happens now, without names and numbers."""

    rule: str | None
    change: str
    games: tuple[SavedGame, ...]


@attrs.frozen
class GamesReport:
    """``gone``: accepted partings that do not happen any more; ``stopped``: it was interrupted."""

    games: tuple[SavedGame, ...]
    gone: tuple[str, ...]
    stopped: bool = False

    @property
    def groups(self) -> list[Group]:
        found: dict[tuple[str | None, str], list[SavedGame]] = {}
        for game in self.games:
            if game.parting is not None:
                found.setdefault((game.parting.rule, game.parting.sort), []).append(game)
        every = [Group(rule, change, tuple(games)) for (rule, change), games in found.items()]
        return sorted(every, key=lambda group: -len(group.games))

    @property
    def passed(self) -> bool:
        return not any(game.why or (game.parting is not None and not game.accepted) for game in self.games)


def files_in(place: Path) -> list[Path]:
    """The saves of a folder, or one. Raises UnusablePath where there are none."""
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise UnusablePath(f"There is no {place}.")
    found = sorted(file for file in place.iterdir() if file.suffix in (".save", ".json") and file.is_file())
    if not found:
        raise UnusablePath(f"{place} holds no saved games: files *.save or *.json.")
    return found


Reader = Callable[[Path], dict[str, Any]]
"""Reads what a program saved from a file. Raises SaveError."""


def replay(path: Path, files: Iterable[Path], kept: Path, update: bool, read: Reader) -> GamesReport:
    """Follows saved games under the rules at ``path``. ``kept``: the file of what is accepted; ``update`` writes it.

    Raises UnusablePath, and RulesError where the game itself cannot be read.
    """
    accepted = read_outcomes(kept)
    made: dict[Any, Game | str] = {}
    games: list[SavedGame] = []
    stopped = False
    try:
        for file in files:
            games.append(_followed(path, read, file, made, accepted))
    except KeyboardInterrupt:
        stopped = True
    now = {game.file: _said(game.parting) for game in games if game.parting is not None}
    followed = {game.file for game in games}
    gone = [name for name in accepted.outcomes if name in followed and name not in now]
    if update and not stopped:
        others = {name: said for name, said in accepted.outcomes.items() if name not in followed}
        head = "Saved games that part from what was played, as accepted with --update."
        write_outcomes(accepted, head, {**others, **now})
        games = [attrs.evolve(game, accepted=game.parting is not None) for game in games]
        gone = []
    return GamesReport(tuple(games), tuple(gone), stopped)


def _said(parting: Parting) -> tuple[str, ...]:
    return (f"{parting.rule or 'somewhere'}: {parting.sort}",)


def _followed(path: Path, read: Reader, file: Path, made: dict[Any, Game | str], accepted: Accepted) -> SavedGame:
    try:
        saved = read(file)
        game = _game(path, saved, made)
        if isinstance(game, str):
            return SavedGame(file.name, why=game)
        replayed = replay_under(game, saved)
    except (SaveError, GameError) as problem:
        return SavedGame(file.name, why=str(problem).removeprefix(f"{file} "))
    parting = replayed.parting
    known = parting is not None and accepted.holds(file.name, _said(parting))
    return SavedGame(file.name, replayed.decisions, parting, accepted=known)


def _game(path: Path, saved: Mapping[str, Any], made: dict[Any, Game | str]) -> Game | str:
    """The game for the number of players, the settings and the variants of a save; or what is in the way."""
    players, settings, variants = saved.get("players"), saved.get("settings") or {}, saved.get("variants") or []
    if type(players) is not int or not isinstance(settings, dict) or not isinstance(variants, list):
        return "the save is damaged"
    key = saved.get("game"), players, repr(sorted(settings.items())), repr(variants)
    if key not in made:
        own = workspace.default().open(path)[0].game
        if own is not None and own.name != saved.get("game"):
            return f"the save is of the game {saved.get('game')}, not of {own.name}"
        try:
            made[key] = load(path, players=players, options=dict(settings), variants=variants)
        except UnusablePath as problem:
            made[key] = str(problem)
        except RulesError as problem:
            if not variants and not settings:
                raise
            made[key] = str(problem).splitlines()[0]
    return made[key]


def told(report: GamesReport) -> Iterator[str]:
    """The report, line by line."""
    yield _summary(report)
    for group in report.groups:
        yield from _group(group)
    reasons: dict[str, list[str]] = {}
    for game in report.games:
        if game.why:
            reasons.setdefault(game.why, []).append(game.file)
    for why, names in reasons.items():
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield f"  not followed: {', '.join(names[:_NAMED])}{more}: {why}"
    if report.gone:
        yield f"  accepted, and now the same: {', '.join(report.gone[:_NAMED])}; --update forgets that"


def _summary(report: GamesReport) -> str:
    total, causes = len(report.games), len(report.groups)
    parted = sum(game.parting is not None for game in report.games)
    lost = sum(bool(game.why) for game in report.games)
    cut = " (stopped before the rest)" if report.stopped else ""
    text = f"{total} game{'s' * (total != 1)}{cut}: {total - parted - lost} the same"
    text += f", {parted} part, of {causes} cause{'s' * (causes != 1)}" if parted else ""
    return text + (f", {lost} not followed" if lost else "")


def _group(group: Group) -> Iterator[str]:
    new = [game for game in group.games if not game.accepted]
    mark = "accepted" if not new else "new" if len(new) == len(group.games) else f"{len(new)} new"
    first = min(group.games, key=lambda game: game.parting.decision if game.parting else 0)
    assert first.parting is not None
    by = "" if group.rule is None else f" by {group.rule}"
    yield f"  {len(group.games)}{by} ({mark}): {group.change}"
    where = f"{first.file}, decision {first.parting.decision} of {first.decisions}"
    yield f"    first in {where}: {shorten(first.parting.change.split('. ')[0], _WIDE, placeholder='…')}"


def as_json(report: GamesReport) -> dict[str, Any]:
    return {
        "games": len(report.games),
        "passed": report.passed,
        "stopped": report.stopped,
        "groups": [
            {
                "rule": group.rule,
                "change": group.change,
                "saves": [game.file for game in group.games],
                "accepted": all(game.accepted for game in group.games),
            }
            for group in report.groups
        ],
        "same": [game.file for game in report.games if game.parting is None and not game.why],
        "not followed": {game.file: game.why for game in report.games if game.why},
        "gone": list(report.gone),
    }
