"""Recorders of simulated games, one row per game, for later queries: SQLite, Parquet or CSV, by the file's ending.

The columns: ``game`` (its number), ``seed`` (plays that game alone), ``finished``, ``turns``, ``decisions``, ``score_``
and the seat's name for each seat, ``winners`` (names of seats, separated by commas; empty in a draw, when all lost
together, and when the game did not end), ``fault`` (why the rules could not go on, else empty). Scores are final only
in finished games. What was simulated, and how often each rule ran, is kept beside the games: tables ``simulation`` and
``rules`` (SQLite), metadata of the file under the key ``rulelang`` (Parquet), a second file with ``.json`` added to the
name (CSV).
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import numpy as np

from rulelang.files import unfinished

from ..columns import NEEDS_PYARROW, SINKS, Column, Columns, Csv, NameColumn, Parquet
from .batch import Part, Record
from .records import Records, describe

ROWS = 50_000
"""Games held in memory before they are written."""


class RecordError(Exception):
    """Games cannot be recorded there; the message says why, and what would help."""


@attrs.frozen
class About:
    """Description of a simulation. ``bots``: the name of each seat's bot; ``stop_after``: most decisions per game."""

    game: str
    title: str
    version: str
    players: int
    seats: tuple[str, ...]
    bots: tuple[str, ...]
    settings: Mapping[str, str]
    variants: tuple[str, ...]
    seed: int
    engine: str
    stop_after: int

    def as_json(self) -> dict[str, Any]:
        """Plain data, with the seed as text: many JSON readers keep only 53 bits of a number."""
        return {**attrs.asdict(self), "seed": str(self.seed)}


class Recorder(ABC):
    """Writes games to a new file beside ``path``, which replaces it once it is complete.

    Every method raises RecordError when the file cannot be written; an earlier file at ``path`` is then left untouched.
    """

    def __init__(self, path: Path, about: About) -> None:
        self.path, self.about = path, about
        self._waiting: list[Iterable[Record]] = []
        self._held = 0
        self.games = 0
        self._target = path.resolve()
        self._temporary: Path
        self._lock = -1
        with self._reported():
            remove(self._target)
            self._temporary, self._lock = begin(self._target)
            self._open()

    @property
    def columns(self) -> list[str]:
        scores = (f"score_{seat}" for seat in self.about.seats)
        return ["game", "seed", "finished", "turns", "decisions", *scores, "winners", "fault"]

    def add(self, part: Part) -> None:
        """Add the next games."""
        self._waiting.append(part.records(self.about.players))
        self._held += part.games
        if self._held >= ROWS:
            self._flush()

    def close(self, rules: Mapping[str, int]) -> None:
        """Put the file in its place. ``rules``: how often each ran in the games added."""
        self._flush()
        with self._reported():
            self._finish(rules)
            if self._target.exists():
                os.chmod(self._temporary, self._target.stat().st_mode)
            with self._temporary.open("rb") as file:
                os.fsync(file.fileno())
            os.replace(self._temporary, self._target)
            self._end()

    def discard(self) -> None:
        """Remove the new file and leave everything as it was."""
        if self._lock < 0:
            return
        with contextlib.suppress(Exception):
            self._drop()
        self._temporary.unlink(missing_ok=True)
        self._end()

    def _end(self) -> None:
        end(self._temporary, self._lock)
        self._lock = -1

    def _flush(self) -> None:
        if not self._held:
            return
        names = self.about.seats
        known: dict[tuple[int, ...], str] = {}

        def rows() -> Iterator[Record]:
            for *numbers, winners, fault in chain.from_iterable(self._waiting):
                text = known.get(winners)
                if text is None:
                    text = known[winners] = ",".join(names[seat] for seat in winners)
                yield (*numbers, text, fault)

        with self._reported():
            self._write(rows())
        self.games += self._held
        self._waiting, self._held = [], 0

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        """Turn errors of the file into a RecordError, and leave nothing of the new file behind."""
        try:
            yield
        except (OSError, sqlite3.Error) as problem:
            self.discard()
            reason = getattr(problem, "strerror", None) or str(problem) or "unknown reason"
            raise RecordError(f"{self.path} cannot be written: {reason.lower()}") from None

    @abstractmethod
    def _open(self) -> None: ...

    @abstractmethod
    def _write(self, rows: Iterator[Record]) -> None: ...

    @abstractmethod
    def _finish(self, rules: Mapping[str, int]) -> None:
        """Complete and close the temporary file."""

    @abstractmethod
    def _drop(self) -> None:
        """Close the temporary file, whatever is in it."""


class SqliteRecorder(Recorder):
    """Seeds are unsigned 64-bit numbers, too big for SQLite's: they are kept as text."""

    def _open(self) -> None:
        self._db = sqlite3.connect(self._temporary, isolation_level=None)
        # Nobody uses the file before it is complete, so there is nothing to roll back to.
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("PRAGMA synchronous = OFF")
        about = self.about.as_json()
        self._table("simulation", about, {"players": "INTEGER", "stop_after": "INTEGER", "games": "INTEGER"}, ["games"])
        self._table("rules", ["rule", "fired"], {"rule": "TEXT PRIMARY KEY", "fired": "INTEGER"})
        types = dict.fromkeys(self.columns, "INTEGER")
        types |= {"game": "INTEGER PRIMARY KEY", "seed": "TEXT", "winners": "TEXT", "fault": "TEXT"}
        self._table("games", self.columns, types)

    def _table(self, name: str, columns: Iterable[str], types: Mapping[str, str], more: Sequence[str] = ()) -> None:
        fields = ", ".join(f'"{column}" {types.get(column, "TEXT")}' for column in (*columns, *more))
        self._db.execute(f"CREATE TABLE {name} ({fields})")

    def _write(self, rows: Iterator[Record]) -> None:
        marks = ", ".join("?" * len(self.columns))
        self._db.execute("BEGIN")
        self._db.executemany(
            f"INSERT INTO games VALUES ({marks})", ((game, str(seed), *rest) for game, seed, *rest in rows)
        )
        self._db.execute("COMMIT")

    def _finish(self, rules: Mapping[str, int]) -> None:
        about = [
            json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list, tuple)) else value
            for value in self.about.as_json().values()
        ]
        marks = ", ".join("?" * (len(about) + 1))
        self._db.execute(f"INSERT INTO simulation VALUES ({marks})", (*about, self.games))
        self._db.executemany("INSERT INTO rules VALUES (?, ?)", rules.items())
        self._db.close()

    def _drop(self) -> None:
        self._db.close()


class _ColumnsRecorder(Recorder):
    """Writes games column by column."""

    _file: Csv | Parquet

    def _write(self, rows: Iterator[Record]) -> None:
        self._put(list(zip(*rows, strict=True)))

    def _put(self, columns: Sequence[Sequence[Any]]) -> None:
        types = dict.fromkeys(self.columns, np.int64) | {"seed": np.uint64, "finished": np.bool_}
        self._file.write(
            {
                name: list(column) if name in ("winners", "fault") else np.array(column, types[name])
                for name, column in zip(self.columns, columns, strict=True)
            }
        )

    def _drop(self) -> None:
        self._file.close()


class CsvRecorder(_ColumnsRecorder):
    def _open(self) -> None:
        self._file = Csv(self._temporary, self.columns)

    def _finish(self, rules: Mapping[str, int]) -> None:
        from rulelang.api import replace_file

        self._file.close()
        beside = {**self.about.as_json(), "games": self.games, "rules": dict(rules)}
        replace_file(self.beside, json.dumps(beside, ensure_ascii=False, indent=2) + "\n")

    @property
    def beside(self) -> Path:
        """The file that describes the simulation."""
        return self._target.with_name(self._target.name + ".json")


class ParquetRecorder(_ColumnsRecorder):
    def __init__(self, path: Path, about: About) -> None:
        # Before any file is made: an ImportError must leave nothing behind.
        import pyarrow.parquet  # type: ignore[import-untyped] # noqa: F401

        super().__init__(path, about)

    def _open(self) -> None:
        self._file: Parquet = Parquet(self._temporary)

    def _finish(self, rules: Mapping[str, int]) -> None:
        if not self.games:
            self._put([()] * len(self.columns))  # so that the file knows its columns
        about = {**self.about.as_json(), "games": self.games, "rules": dict(rules)}
        self._file.note({"rulelang": json.dumps(about, ensure_ascii=False)})
        self._file.close()


FORMATS: Mapping[str, type[Recorder]] = {
    ".parquet": ParquetRecorder,
    ".sqlite": SqliteRecorder,
    ".csv": CsvRecorder,
}
"""Recorders by the ending of the file."""


def recorder(path: Path, about: About) -> Recorder:
    """A recorder for the file, by its ending. RecordError when there cannot be such a file."""
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        *others, last = FORMATS
        raise RecordError(f"{path}: the file name must end in {', '.join(others)} or {last}")
    if path.is_dir():
        raise RecordError(f"{path} is a folder; name a file in it, for example {path / f'games{path.suffix}'}")
    if not path.parent.is_dir():
        raise RecordError(f"{path} cannot be written: there is no folder {path.parent}; create it first")
    try:
        return kind(path, about)
    except ImportError:
        raise RecordError(f"{path} {NEEDS_PYARROW}; .sqlite and .csv work without it") from None


# Files of games that are not finished: each is locked by the process that writes it, and removed once that is dead.


locks: ModuleType | None
try:
    import fcntl as locks
except ImportError:  # Windows: nobody can remove a file that is open there, so no lock is needed
    locks = None

_ENDING = ".part"


def begin(target: Path) -> tuple[Path, int]:
    """A new file beside ``target`` and the descriptor that keeps it locked. Raises OSError."""
    while True:
        path = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_ENDING}")
        # Not a temporary file of the library's, so that it gets the usual permissions of a new file.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        unfinished.begin(path)
        try:
            if _lock(descriptor) and _is_still(path, descriptor):
                return path, descriptor
        except OSError:  # a file system without locks: nobody removes the file either
            return path, descriptor
        end(path, descriptor)  # another process took it for left over before it was locked


def end(path: Path, descriptor: int) -> None:
    """The file is finished and has its name, or is gone."""
    unfinished.end(path)
    with contextlib.suppress(OSError):
        os.close(descriptor)


def remove(target: Path) -> None:
    """Removes what killed processes have left of files that were to become ``target``."""
    for path in target.parent.glob(f".{_escaped(target.name)}.*{_ENDING}"):
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            try:
                if _lock(descriptor):
                    path.unlink()
            finally:
                os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Whether the file is locked for this process now, so that no other one writes it. Raises OSError."""
    if locks is None:
        return True
    try:
        locks.flock(descriptor, locks.LOCK_EX | locks.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _escaped(name: str) -> str:
    return "".join(f"[{c}]" if c in "[?*" else c for c in name)


# Tables of what simulated games left behind, in a folder: games, seats, rules, options and points.
#
# Each is a file, in Parquet or CSV, whose rows say which game they belong to: one for each game, one for each seat of
# it, and one for each rule, option or source of points and the player whom it concerned, as far as there is anything
# to count. The columns are those of ``interpreter.record.shape`` and of ``records.DERIVED``; ``simulation.json`` says
# what was played.


ABOUT = "simulation.json"

OF_GAME = (
    "finished", "turns", "rounds", "decisions", "forced", "offers", "choice_bits", "lead_changes", "margin", "spread",
    "settled", "deficit", "leader_won", "last_won",
)  # fmt: skip
OF_SEAT = ("score", "won", "win", "rank", "order", "asked", "chose", "waited", "behind")


def games(records: Records) -> Columns:
    """One row for each game."""
    seats = records.shape.axes["seat"]
    won = records.column("won")
    found: dict[str, Column] = {"game": records.numbers, "seed": records.seeds}
    found |= {name: records.column(name) for name in OF_GAME}
    found["ended"] = NameColumn(records.column("ended"), records.shape.axes["rule"])
    found["winners"] = [",".join(seat for seat, its in zip(seats, row, strict=True) if its) for row in won.tolist()]
    found["fault"] = [records.faults.get(number) for number in records.numbers.tolist()]
    return found


def seats(records: Records) -> Columns:
    """One row for each seat of each game."""
    names = records.shape.axes["seat"]
    found: dict[str, Column] = {
        "game": np.repeat(records.numbers, len(names)),
        "seat": NameColumn(np.tile(np.arange(len(names)), records.games), names),
    }
    return found | {name: records.column(name).reshape(-1) for name in OF_SEAT}


def _counts(records: Records, names: tuple[str, ...], first: str, second: str) -> Columns:
    """One row for each game and two places on the axes of some columns, where the first of the columns is not 0."""
    columns = [records.column(name) for name in names]
    game, one, other = np.nonzero(columns[0])
    axes = describe(names[0]).axes
    found: dict[str, Column] = {
        "game": records.numbers[game],
        first: NameColumn(one, records.shape.axes[axes[0]]),
        second: NameColumn(other, records.shape.axes[axes[1]]),
    }
    return found | {name: column[game, one, other] for name, column in zip(names, columns, strict=True)}


TABLES: Mapping[str, Callable[[Records], Columns]] = {
    "games": games,
    "seats": seats,
    "rules": lambda records: _counts(records, ("ran",), "rule", "player"),
    "options": lambda records: _counts(records, ("offered", "taken", "expected"), "option", "seat"),
    "points": lambda records: _counts(records, ("points",), "rule", "player"),
}
"""What makes the rows of each table."""


class TableFiles:
    """Writes the tables of a simulation to new files, which take their places in the folder once all are complete.

    Every method raises RecordError when that is impossible; earlier tables are then left as they are.
    """

    def __init__(self, folder: Path, about: About, kind: str = "parquet") -> None:
        self.folder, self.about, self.kind = folder, about, kind
        self.games = 0
        self._files: dict[str, tuple[Path, int, Any]] = {}
        _look_at(folder)
        self._made = not folder.exists()
        with self._reported():
            folder.mkdir(exist_ok=True)
            for name in TABLES:
                target = self._target(name)
                remove(target)
                temporary, lock = begin(target)
                self._files[name] = temporary, lock, SINKS[kind](temporary)

    def _target(self, name: str) -> Path:
        return self.folder / f"{name}.{self.kind}"

    def add(self, records: Records) -> None:
        """Add the next games."""
        with self._reported():
            for name, rows in TABLES.items():
                self._files[name][2].write(rows(records))
        self.games += records.games

    @property
    def path(self) -> Path:
        return self.folder

    def close(self, rules: Mapping[str, int]) -> None:
        """Put the files in their places. ``rules``: how often each ran in the games added."""
        from rulelang.api import replace_file

        with self._reported():
            for _, _, file in self._files.values():
                file.close()
            about = {**self.about.as_json(), "games": self.games, "rules": dict(rules), "tables": list(TABLES)}
            replace_file(self.folder / ABOUT, json.dumps(about, ensure_ascii=False, indent=2) + "\n")
            for name, (temporary, _, _) in self._files.items():
                os.replace(temporary, self._target(name))
                for other in SINKS:
                    if other != self.kind:
                        (self.folder / f"{name}.{other}").unlink(missing_ok=True)
        self._end()

    def discard(self) -> None:
        """Remove the new files and leave everything else as it was."""
        for temporary, _, file in self._files.values():
            with contextlib.suppress(Exception):
                file.close()
            temporary.unlink(missing_ok=True)
        self._end()
        if self._made:
            with contextlib.suppress(OSError):
                self.folder.rmdir()

    def _end(self) -> None:
        for temporary, lock, _ in self._files.values():
            end(temporary, lock)
        self._files = {}

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            self.discard()
            reason = problem.strerror or str(problem) or "unknown reason"
            raise RecordError(f"{self.folder} cannot be written: {reason.lower()}") from None
        except ImportError:
            self.discard()
            raise RecordError(f"{self.folder}: Parquet {NEEDS_PYARROW}; --tables csv works without it") from None


def _look_at(folder: Path) -> None:
    """Raises RecordError where there cannot be such a folder, or it holds something else than tables."""
    if not folder.parent.is_dir():
        raise RecordError(f"{folder} cannot be written: there is no folder {folder.parent}; create it first")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise RecordError(f"{folder} is a file; name a folder for the tables")
    own = {ABOUT, *(f"{name}.{kind}" for name in TABLES for kind in SINKS)}
    others = sorted(file.name for file in folder.iterdir() if file.name not in own and not file.name.startswith("."))
    if others:
        raise RecordError(f"{folder} holds something else ({others[0]}); name a folder of its own for the tables")
