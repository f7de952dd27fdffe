"""Blocks of a study on a Dask cluster: workers may join, leave and be lost while it runs.

Workers need this package in the same version, and the rules at the same path. They give back the content of a block;
the files are written here. Needs the extra ``cluster``.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module
from typing import Any

from .blocks import Block, play_block
from .errors import StudyError

PATIENCE = 10
"""Seconds to wait for the scheduler."""


def on_cluster(missing: list[Block], address: str) -> Generator[tuple[Block, bytes]]:
    """Blocks as workers finish them. A block whose worker is lost is begun again on another. Raises StudyError."""
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise StudyError("--scheduler needs Dask: pip install 'rulelang[cluster]'") from None
    try:
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        raise StudyError(
            f"there is no Dask scheduler at {address} ({problem}); start one with `dask scheduler`"
        ) from None
    try:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        waiting = iter(missing)
        under_way = dask.as_completed([], loop=client.loop)
        of: dict[str, Block] = {}

        def begin() -> None:
            block = next(waiting, None)
            if block is not None:
                future = client.submit(play_block, block, pure=False)
                of[future.key] = block
                under_way.add(future)

        for _ in range(2 * max(1, workers)):
            begin()
        for future in under_way:
            block = of.pop(future.key)
            try:
                content = future.result()
            except dask.KilledWorker:
                raise StudyError(
                    f"workers were lost again and again on games {block.first} to {block.first + block.games - 1} of"
                    f" {block.cell.name}; give them more memory, or play smaller blocks. What was finished is kept"
                ) from None
            begin()
            yield block, content
    finally:
        client.close()
