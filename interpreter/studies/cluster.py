"""Blocks of a study on a Dask cluster: workers may join, leave and be lost while it runs.

Workers need this package in the same version, and the rules at the same path. They give back the content of a block;
the files are written here. Needs the extra ``cluster``.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module
from typing import Any

from .blocks import Block, play_block
from .plan import StudyError

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
