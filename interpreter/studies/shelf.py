"""Games of cells in a folder, in files of any length: what is there is read, and what is missing is told.

A study whose blocks have one size finds its files by their names; here games may be put together from several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from ..simulate.records import Records
from . import blocks
from .blocks import Block
from .plan import Cell, Plan, StudyError
from .run import make_room, prepare


@attrs.define(eq=False)
class Shelf:
    """A study's folder. ``folder``: what the files are in."""

    folder: Path
    _ready: set[str] = attrs.field(factory=set)

    @classmethod
    def of(cls, folder: Path, name: str, seed: int) -> Shelf:
        """The folder of the study with a name and a seed, begun if need be. Raises StudyError for any other."""
        prepare(Plan(name, (), 0, seed, 0, folder))
        return cls(folder)

    def missing(self, cell: Cell, first: int, games: int) -> Iterator[range]:
        """Which of these games are not there yet."""
        at, end = first, first + games
        for some, _ in self._files(cell, first, games):
            if some.start > at:
                yield range(at, some.start)
            at = some.stop
        if at < end:
            yield range(at, end)

    def keep(self, block: Block, content: bytes) -> None:
        """Add the file of a block. Raises StudyError when that is impossible."""
        self._room(block.cell)
        blocks.keep(self.folder, block, content)

    def records(self, cell: Cell, first: int, games: int) -> Records:
        """So many games, all of which are there. Raises StudyError for files that are damaged."""
        found = []
        for some, (file, begins) in self._files(cell, first, games):
            whole = blocks.read(file, cell.seed)
            rows = whole.rows[some.start - begins : some.stop - begins]
            faults = {number: why for number, why in whole.faults.items() if number in some}
            found.append(Records(whole.shape, cell.seed, some.start, rows, faults))
        if sum(part.games for part in found) < games:
            raise StudyError(
                f"{self.folder / cell.identity} has lost files while it was read; go on to play them again"
            )
        return Records.joined(found)

    def _files(self, cell: Cell, first: int, games: int) -> Iterator[tuple[range, tuple[Path, int]]]:
        """Files that hold any of these games, in order and without overlap: which of the games to take from each, and
        the first game that it has."""
        at, end = first, first + games
        kept = self._kept(self._room(cell))
        while at < end:
            here = [(has, file) for has, file in kept if has.stop > at and has.start < end]
            if not here:
                return
            # Of those that go on without a gap the one that reaches furthest, else the next.
            has, file = max(here, key=lambda each: (min(0, at - each[0].start), each[0].stop))
            some = range(max(at, has.start), min(end, has.stop))
            yield some, (file, has.start)
            at = some.stop

    def _kept(self, folder: Path) -> Sequence[tuple[range, Path]]:
        found = []
        for file in sorted(folder.glob("*.parquet")):
            first, _, last = file.stem.partition("-")
            if first.isdecimal() and last.isdecimal():
                found.append((range(int(first), int(last) + 1), file))
        return found

    def _room(self, cell: Cell) -> Path:
        if cell.identity not in self._ready:
            make_room(self.folder, cell)
            self._ready.add(cell.identity)
        return self.folder / cell.identity


__all__ = ["Shelf"]
