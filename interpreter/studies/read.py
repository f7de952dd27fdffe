"""Reading a study: its cells, their columns, a digest. Only the columns that are asked for are read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from ..record.shape import Shape
from ..simulate.records import Records
from . import blocks
from .plan import Cell, Plan, StudyError


@attrs.define(eq=False, slots=False)
class Played:
    """The games of a cell that are there without a gap, from game 0 on. ``files``: in order."""

    cell: Cell
    files: tuple[Path, ...]
    games: int

    @cached_property
    def shape(self) -> Shape:
        """The shape of the records. Raises StudyError when no block is finished."""
        if not self.files:
            raise StudyError(f"no games of {self.cell.name} have been played yet")
        return blocks.about(self.files[0])[0]

    def column(self, name: str) -> Any:
        """A column that was counted: (games, and its axes)."""
        return np.concatenate([blocks.column(file, self.shape, name) for file in self.files])

    def records(self) -> Iterator[Records]:
        """All columns, and those that follow from them, block by block."""
        for file in self.files:
            yield blocks.read(file, self.cell.seed)

    def digest(self) -> str:
        """SHA-256 over the digests of the blocks: the same whoever played them, and in whatever order."""
        found = hashlib.sha256()
        for file in self.files:
            found.update(blocks.about(file)[1].encode())
        return found.hexdigest()


@attrs.frozen
class Study:
    """What there is of a study."""

    plan: Plan
    cells: tuple[Played, ...]

    @property
    def games(self) -> int:
        """The games that every cell has."""
        return min((cell.games for cell in self.cells), default=0)


def open_study(plan: Plan) -> Study:
    """The results of a plan as far as they are there."""
    return Study(plan, tuple(_played(plan, cell) for cell in plan.cells))


def _played(plan: Plan, cell: Cell) -> Played:
    from .run import blocks as all_blocks

    files, games = [], 0
    for block in all_blocks(attrs.evolve(plan, cells=(cell,))):
        file = plan.folder / cell.identity / block.file
        if not file.exists():
            break
        files.append(file)
        games += block.games
    return Played(cell, tuple(files), games)
