"""Running a study: what is missing is played, block by block, in processes of this machine or on a Dask cluster.

All cells advance in step: the first block of every cell comes before the second of any. A block that exists is done.
The files are written by the process that runs the study, so workers need no access to its folder, only to the rules.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property, partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from rulelang.files.contents import content

from ..record.shape import Shape
from ..simulate.records import Records
from .blocks import Block, about, column, keep, play_block, put, read
from .plan import Cell, Plan, StudyError

RETRIES = 3
"""How often a block is begun again after its worker was lost."""

_ABOUT = "study.json"


@attrs.frozen
class BlockDone:
    """``done`` of ``total`` blocks are there; ``block`` is the one that was just finished."""

    done: int
    total: int
    block: Block


def run(plan: Plan, workers: int = 1, scheduler: str | None = None) -> Generator[BlockDone]:
    """Plays what is missing of a study. Close the iterator to stop: what is finished is kept.

    ``workers``: processes, 1 for this one. ``scheduler``: the address of a Dask scheduler, whose workers are used
    instead. Raises StudyError.
    """
    prepare(plan)
    every = list(blocks(plan))
    missing = [block for block in every if not (plan.folder / block.cell.identity / block.file).exists()]
    done = len(every) - len(missing)
    if scheduler is not None:
        finished = on_cluster(missing, scheduler)
    else:
        finished = _here(missing) if workers == 1 else _in_processes(missing, workers)
    with contextlib.closing(finished):
        for block, content in finished:
            keep(plan.folder, block, content)
            done += 1
            yield BlockDone(done, len(every), block)


def prepare(plan: Plan) -> None:
    """Make the folders of a study. Raises StudyError for a folder that holds something else."""
    about = plan.folder / _ABOUT
    own = {"study": plan.name, "seed": str(plan.seed)}
    try:
        plan.folder.mkdir(parents=True, exist_ok=True)
        if about.exists():
            theirs = json.loads(content(about, plan.folder))
            if theirs != own:
                raise StudyError(f"{plan.folder} holds another study ({_said(theirs)}); name another folder")
        elif any(plan.folder.iterdir()):
            raise StudyError(f"{plan.folder} is not empty and holds no study; name another folder")
        else:
            put(about, (json.dumps(own, ensure_ascii=False) + "\n").encode())
        for cell in plan.cells:
            make_room(plan.folder, cell)
    except (OSError, ValueError) as problem:
        raise _unusable(plan.folder, problem) from None


def make_room(study: Path, cell: Cell) -> Path:
    """The folder of a cell in that of its study, made if need be. Raises StudyError."""
    folder = study / cell.identity
    try:
        folder.mkdir(exist_ok=True)
        for left in folder.glob(".*.part"):
            left.unlink(missing_ok=True)
        about = cell.about + "\n"
        described = folder / "cell.json"
        if not described.exists() or content(described, study) != about.encode():
            put(described, about.encode())
    except (OSError, ValueError) as problem:
        raise _unusable(study, problem) from None
    return folder


def _unusable(folder: Path, problem: Exception) -> StudyError:
    reason = getattr(problem, "strerror", None) or str(problem)
    return StudyError(f"{folder} cannot be used: {reason.lower()}")


def _said(theirs: Any) -> str:
    return f"{theirs.get('study')}, seed {theirs.get('seed')}" if isinstance(theirs, dict) else "unreadable"


def blocks(plan: Plan) -> Iterator[Block]:
    """All blocks of a study in the order in which they are played. A last block may be shorter."""
    for first in range(0, plan.games, plan.block):
        for cell in plan.cells:
            yield Block(cell, first, min(plan.block, plan.games - first))


def _here(missing: list[Block]) -> Generator[tuple[Block, bytes]]:
    for block in missing:
        yield block, play_block(block)


def _submitted(pool: Executor, block: Block) -> Future[bytes]:
    return pool.submit(play_block, block)


def _in_processes(missing: list[Block], workers: int) -> Generator[tuple[Block, bytes]]:
    """A pool that is broken, because a worker was killed, is made anew; its blocks are begun again."""
    left = list(missing)
    lost = 0
    while left:
        pool = ProcessPoolExecutor(workers, get_context("spawn"), _leave_interrupts)
        try:
            for block, content in in_step(left, 2 * workers, partial(_submitted, pool)):
                left.remove(block)
                lost = 0
                yield block, content
        except BrokenProcessPool:
            lost += 1
            if lost > RETRIES:
                raise StudyError(
                    f"a worker was lost {lost} times in a row without finishing a block; give it more memory, or play"
                    " smaller blocks. What was finished is kept"
                ) from None
        finally:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()
            pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that runs the study."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def in_step(
    missing: list[Block], most: int, submit: Callable[[Block], Future[bytes]]
) -> Generator[tuple[Block, bytes]]:
    """Blocks as they are finished, with at most so many under way, begun in order."""
    waiting = iter(list(missing))
    under_way: dict[Future[bytes], Block] = {}
    for block in waiting:
        under_way[submit(block)] = block
        if len(under_way) >= most:
            break
    while under_way:
        finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in finished:
            block = under_way.pop(future)
            content = future.result()
            following = next(waiting, None)
            if following is not None:
                under_way[submit(following)] = following
            yield block, content


# Blocks of a study on a Dask cluster: workers may join, leave and be lost while it runs.
#
# Workers need this package in the same version, and the rules at the same path. They give back the content of a
# block; the files are written here. Needs the extra ``cluster``.


PATIENCE = 10
"""Seconds to wait for the scheduler."""


def on_cluster(missing: list[Block], address: str) -> Generator[tuple[Block, bytes]]:
    """Blocks as workers finish them. A block whose worker is lost is begun again on another. Raises StudyError."""
    with Cluster(address) as cluster:
        yield from cluster.play(missing)


class Cluster:
    """The workers of a Dask scheduler. Raises StudyError when there is none."""

    def __init__(self, address: str) -> None:
        try:
            self._dask: Any = import_module("distributed")
        except ImportError:
            raise StudyError("--scheduler needs Dask: pip install 'rulelang[cluster]'") from None
        try:
            self._client = self._dask.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as problem:
            raise StudyError(
                f"there is no Dask scheduler at {address} ({problem}); start one with `dask scheduler`"
            ) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the scheduler."""
        self._client.close()

    @property
    def workers(self) -> int:
        """How many there are, at least 1."""
        return max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    def play(self, missing: list[Block]) -> Generator[tuple[Block, bytes]]:
        """Blocks as workers finish them. A block whose worker is lost is begun again on another. Raises StudyError."""
        waiting = iter(missing)
        under_way = self._dask.as_completed([], loop=self._client.loop)
        of: dict[str, Block] = {}

        def begin() -> None:
            block = next(waiting, None)
            if block is not None:
                future = self._client.submit(play_block, block, pure=False)
                of[future.key] = block
                under_way.add(future)

        for _ in range(2 * self.workers):
            begin()
        for future in under_way:
            block = of.pop(future.key)
            try:
                content = future.result()
            except self._dask.KilledWorker:
                raise StudyError(
                    f"workers were lost again and again on games {block.first} to {block.first + block.games - 1} of"
                    f" {block.cell.name}; give them more memory, or play smaller blocks. What was finished is kept"
                ) from None
            begin()
            yield block, content


# Games of cells in a folder, in files of any length: what is there is read, and what is missing is told.
#
# A study whose blocks have one size finds its files by their names; here games may be put together from several.


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
        keep(self.folder, block, content)

    def records(self, cell: Cell, first: int, games: int) -> Records:
        """So many games, all of which are there. Raises StudyError for files that are damaged."""
        found = []
        for some, (file, begins) in self._files(cell, first, games):
            whole = read(file, cell.seed)
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


# Reading a study: its cells, their columns, a digest. Only the columns that are asked for are read.


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
        return about(self.files[0])[0]

    def column(self, name: str) -> Any:
        """A column that was counted: (games, and its axes)."""
        return np.concatenate([column(file, self.shape, name) for file in self.files])

    def records(self) -> Iterator[Records]:
        """All columns, and those that follow from them, block by block."""
        for file in self.files:
            yield read(file, self.cell.seed)

    def digest(self) -> str:
        """SHA-256 over the digests of the blocks: the same whoever played them, and in whatever order."""
        found = hashlib.sha256()
        for file in self.files:
            found.update(about(file)[1].encode())
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
    files, games = [], 0
    for block in blocks(attrs.evolve(plan, cells=(cell,))):
        file = plan.folder / cell.identity / block.file
        if not file.exists():
            break
        files.append(file)
        games += block.games
    return Played(cell, tuple(files), games)
