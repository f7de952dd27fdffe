"""Plan of a study: which games, with which variants, settings, numbers of players and bots, and how many of each.

A plan is a TOML file::

    seed = 7
    games = 10000           # of each cell
    block = 1000            # games of a file (default 1000)
    limit = 100000          # decisions after which a game is stopped
    folder = "results"      # beside the plan; by default the plan's name without its ending

    [[game]]
    path = "rules/mygame"   # beside the plan
    players = [2, 3]
    variants = [[], ["long"]]
    settings = [{}, { ties = "shared" }]
    bots = ["random", ["greedy", "random"]]   # a name for all seats, or one for each

Every combination is a *cell*. What a cell is called by (its *identity*) depends on everything that its games depend on:
the text of the rules, the bots and how they are written, seed and limit.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.diagnostics import did_you_mean
from rulelang.files.contents import content

from ..bots import by_the_clock, misnamed
from ..bots.simple import BY_SEAT
from ..record.shape import COLUMNS
from ..simulate.batch import LIMIT

if TYPE_CHECKING:
    from ..game import Game

BLOCK = 1000
"""Games of a file, if the plan does not say how many."""

MOST_BLOCK = 100_000

_TOP = ("seed", "games", "block", "limit", "folder", "game")
_OF_GAME = ("path", "players", "variants", "settings", "bots")


@attrs.frozen
class Cell:
    """One combination. ``bots``: a name for each seat. ``numbers``: those that are set without a file. ``block``: games
    of a file, 0 where files have any number of them. ``streams``: the version of the streams of chance. ``printed``:
    of a cell of a comparison, the version of the rules that its players know. Paths are absolute."""

    path: Path
    players: int
    variants: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]
    seed: int
    limit: int
    block: int
    identity: str
    about: str
    """A description of all that, as JSON."""
    numbers: tuple[tuple[str, int], ...] = ()
    streams: int = BY_SEAT
    printed: str = ""

    @property
    def name(self) -> str:
        """The cell in words, as far as it differs from the plain game."""
        about = json.loads(self.about)
        parts = [about["game"], f"{self.players} players", *self.variants]
        parts += [f"{name}={value}" for name, value in (*self.settings, *self.numbers)]
        bots = self.bots if len(set(self.bots)) > 1 else self.bots[:1]
        return ", ".join([*parts, " against ".join(bots)])

    def load_printed(self) -> Game:
        """The game as it is printed, which players of a comparison know. Raises StudyError when it is another."""
        game = _load(self.path, self.players, (), ())
        if game.program.version != self.printed:
            raise StudyError(f"{self.path}: the rules are not those that the comparison began with; run it again")
        return game

    def load(self) -> Game:
        """The game, ready to play on the fast engine. Raises StudyError when it is not that of the plan."""
        game = _load(self.path, self.players, self.variants, self.settings, self.numbers)
        found = _identity(game, self.bots, self.seed, self.limit, self.block, self.streams, self.printed)[0]
        if found != self.identity:
            raise StudyError(
                f"{self.path}: the rules or the bots are not those that the study began with; run it again"
            )
        return game


@attrs.frozen
class Plan:
    """``games``: of each cell. ``folder``: where the results are kept."""

    name: str
    cells: tuple[Cell, ...]
    games: int
    seed: int
    block: int
    folder: Path


def read_plan(file: Path, games: int | None = None) -> Plan:
    """The plan in a file; ``games`` instead of the number it gives. Raises StudyError."""
    try:
        data = tomllib.loads(content(file, None).decode("utf-8"))
    except OSError as problem:
        raise StudyError(f"{file} cannot be read: {(problem.strerror or str(problem)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise StudyError(f"{file} is not TOML: {problem}") from None
    _known(file, data, _TOP)
    seed = _whole(file, data, "seed", 0, 0, 2**64 - 1)
    number = games if games is not None else _whole(file, data, "games", 1000, 1, 10**12)
    block = _whole(file, data, "block", BLOCK, 1, MOST_BLOCK)
    limit = _whole(file, data, "limit", LIMIT, 1, 10**9)
    here = file.resolve().parent
    wanted = data.get("game")
    if not isinstance(wanted, list) or not wanted or not all(isinstance(one, dict) for one in wanted):
        raise StudyError(f'{file} names no game: write [[game]] and below it path = "FOLDER"')
    cells = [cell for one in wanted for cell in _cells(file, here, one, seed, limit, block)]
    folder = data.get("folder", file.stem)
    if not isinstance(folder, str) or not folder:
        raise StudyError(f"{file}: `folder` must be the name of a folder, in quotes")
    return Plan(file.stem, tuple(dict.fromkeys(cells)), number, seed, block, here / folder)


def _cells(file: Path, here: Path, wanted: dict[str, Any], seed: int, limit: int, block: int) -> Iterator[Cell]:
    _known(file, wanted, _OF_GAME)
    path = wanted.get("path")
    if not isinstance(path, str):
        raise StudyError(f'{file}: a [[game]] needs path = "FOLDER"')
    numbers = _list(wanted.get("players", [None]))
    variants = [tuple(_list(one)) for one in wanted.get("variants", [[]])]
    settings = [tuple(sorted(one.items())) if isinstance(one, dict) else None for one in wanted.get("settings", [{}])]
    if not all(isinstance(v, str) for each in variants for v in each):
        raise StudyError(f'{file}: `variants` is a list of lists of names, for example [[], ["NAME"]]')
    if None in settings or not all(isinstance(value, str) for each in settings for _, value in each or ()):
        raise StudyError(f'{file}: `settings` is a list of tables, for example [{{}}, {{ NAME = "VALUE" }}]')
    bots = _list(wanted.get("bots", ["random"]))
    for players, some, chosen, playing in itertools.product(numbers, variants, settings, bots):
        assert chosen is not None
        if players is not None and type(players) is not int:
            raise StudyError(f"{file}: `players` is a list of numbers, for example [2, 3]")
        game = _load((here / path).resolve(), players, some, chosen)
        yield _cell(file, game, (here / path).resolve(), some, chosen, playing, seed, limit, block)


def _cell(
    file: Path,
    game: Game,
    path: Path,
    variants: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    bots: Any,
    seed: int,
    limit: int,
    block: int,
) -> Cell:

    names = (bots,) * game.players if isinstance(bots, str) else tuple(bots) if isinstance(bots, list) else ()
    if len(names) != game.players or not all(isinstance(name, str) for name in names):
        raise StudyError(
            f"{file}: `bots` has a name for all seats, or a list with one for each of {game.players} players"
        )
    for name in names:
        wrong = misnamed(name)
        if wrong is not None:
            raise StudyError(f"{file}: {wrong}")
        if by_the_clock(name):
            raise StudyError(f"{file}: {name} thinks by the clock, so its games cannot be repeated; give it playouts")
    return cell_of(game, path, variants, settings, names, seed, limit, block)


def cell_of(
    game: Game,
    path: Path,
    variants: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    bots: tuple[str, ...],
    seed: int,
    limit: int,
    block: int,
    numbers: tuple[tuple[str, int], ...] = (),
    streams: int = BY_SEAT,
    printed: str = "",
) -> Cell:
    """The cell that a game and who plays it make; see ``Cell``."""
    if set(bots) == {"random"}:
        printed = ""
    identity, about = _identity(game, bots, seed, limit, block, streams, printed)
    return Cell(
        path, game.players, variants, settings, bots, seed, limit, block, identity, about, numbers, streams, printed
    )  # fmt: skip


def _identity(
    game: Game, bots: tuple[str, ...], seed: int, limit: int, block: int, streams: int, printed: str
) -> tuple[str, str]:
    """A hash of all that the games of a cell depend on, and that as JSON."""
    program = game.program
    about = {
        "game": game.name,
        "title": game.title,
        "rules": program.version,
        "variants": list(program.variants),
        "settings": {name: setting.value for name, setting in program.settings.items()},
        "players": game.players,
        "seats": list(program.seats),
        "bots": list(bots),
        "bots_version": _version_of_bots() if set(bots) != {"random"} else "",
        **_what_people_chose(bots),
        "seed": str(seed),
        "limit": limit,
        "block": block,
        "streams": streams,
        **({"printed": printed} if printed else {}),
        "record": hashlib.sha256(repr(COLUMNS).encode()).hexdigest()[:16],
    }
    text = json.dumps(about, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16], text


def _what_people_chose(bots: tuple[str, ...]) -> dict[str, list[str]]:
    """Hashes of the evenings that bots learned from."""
    from ..bots import PEOPLE
    from ..bots.people import read

    found = [read(name).digest for name in bots if name.partition(":")[0] == PEOPLE]
    return {"people": found} if found else {}


@functools.cache
def _version_of_bots() -> str:
    """A hash of the code that bots think with."""
    here = Path(__file__).parents[1]
    patterns = ("bots/*.py", "redraw/*.py", "wasm/search.*", "wasm/learned.*", "wasm/habits.py", "wasm/greedy.*")
    files = [file for pattern in patterns for file in here.glob(pattern)]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@functools.lru_cache(maxsize=64)
def _load(
    path: Path,
    players: int | None,
    variants: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    numbers: tuple[tuple[str, int], ...] = (),
) -> Game:
    import rulelang
    from rulelang import RulesError, UnusablePath

    from ..loading import game_of, load
    from ..numbered import with_numbers

    try:
        if not numbers:
            return load(path, players=players, options=dict(settings), variants=list(variants), engine="wasm")
        name = rulelang.load(path, players=players, variants=variants).name
        with with_numbers(path, name, variants, dict(numbers)) as every:
            program = rulelang.load(path, players=players, settings=dict(settings), variants=every)
        return game_of(program, engine="wasm")
    except UnusablePath as problem:
        raise StudyError(str(problem)) from None
    except RulesError as problem:
        raise StudyError(f"{path} cannot be played: {problem}") from None


def _known(file: Path, data: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in data:
        if name not in names:
            raise StudyError(f"{file}: there is no `{name}`; {did_you_mean(name, names) or 'use ' + ', '.join(names)}")


def _whole(file: Path, data: dict[str, Any], name: str, default: int, low: int, high: int) -> int:
    value = data.get(name, default)
    if type(value) is not int or not low <= value <= high:
        raise StudyError(f"{file}: `{name}` must be a whole number from {low} to {high}")
    return value


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


class StudyError(Exception):
    """A study cannot be read, played or kept; the message says why, and what would help."""
