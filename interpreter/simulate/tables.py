"""Tables of what simulated games left behind, in a folder: games, seats, rules, options and points.

Each is a file, in Parquet or CSV, whose rows say which game they belong to: one for each game, one for each seat of
it, and one for each rule, option or source of points and the player whom it concerned, as far as there is anything to
count. The columns are those of ``interpreter.record.shape`` and of ``records.DERIVED``; ``simulation.json`` says what
was played.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..columns import NEEDS_PYARROW, SINKS, Column, Columns, Named
from . import leftovers
from .recorders import About, RecordError
from .records import Records, describe

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
    found["ended"] = Named(records.column("ended"), records.shape.axes["rule"])
    found["winners"] = [",".join(seat for seat, its in zip(seats, row, strict=True) if its) for row in won.tolist()]
    found["fault"] = [records.faults.get(number) for number in records.numbers.tolist()]
    return found


def seats(records: Records) -> Columns:
    """One row for each seat of each game."""
    names = records.shape.axes["seat"]
    found: dict[str, Column] = {
        "game": np.repeat(records.numbers, len(names)),
        "seat": Named(np.tile(np.arange(len(names)), records.games), names),
    }
    return found | {name: records.column(name).reshape(-1) for name in OF_SEAT}


def _counts(records: Records, names: tuple[str, ...], first: str, second: str) -> Columns:
    """One row for each game and two places on the axes of some columns, where the first of the columns is not 0."""
    columns = [records.column(name) for name in names]
    game, one, other = np.nonzero(columns[0])
    axes = describe(names[0]).axes
    found: dict[str, Column] = {
        "game": records.numbers[game],
        first: Named(one, records.shape.axes[axes[0]]),
        second: Named(other, records.shape.axes[axes[1]]),
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


class Tables:
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
                leftovers.remove(target)
                temporary, lock = leftovers.begin(target)
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
            leftovers.end(temporary, lock)
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
