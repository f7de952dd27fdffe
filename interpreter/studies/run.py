"""Running a study: what is missing is played, block by block, in processes of this machine or on a Dask cluster.

All cells advance in step: the first block of every cell comes before the second of any. A block that exists is done.
The files are written by the process that runs the study, so workers need no access to its folder, only to the rules.
"""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import attrs

from rulelang.files.contents import content

from .blocks import Block, keep, play_block, put
from .plan import Cell, Plan, StudyError

RETRIES = 3
"""How often a block is begun again after its worker was lost."""

_ABOUT = "study.json"


@attrs.frozen
class Progress:
    """``done`` of ``total`` blocks are there; ``block`` is the one that was just finished."""

    done: int
    total: int
    block: Block


def run(plan: Plan, workers: int = 1, scheduler: str | None = None) -> Generator[Progress]:
    """Plays what is missing of a study. Close the iterator to stop: what is finished is kept.

    ``workers``: processes, 1 for this one. ``scheduler``: the address of a Dask scheduler, whose workers are used
    instead. Raises StudyError.
    """
    prepare(plan)
    every = list(blocks(plan))
    missing = [block for block in every if not (plan.folder / block.cell.identity / block.file).exists()]
    done = len(every) - len(missing)
    if scheduler is not None:
        from .cluster import on_cluster

        finished = on_cluster(missing, scheduler)
    else:
        finished = _here(missing) if workers == 1 else _in_processes(missing, workers)
    with contextlib.closing(finished):
        for block, content in finished:
            keep(plan.folder, block, content)
            done += 1
            yield Progress(done, len(every), block)


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
