"""The worker: one thread that does all work on games, requests first.

A check gives way to requests and edits: it is broken off before its next larger piece of work, and begun again later.
What it had worked out by then is remembered, so it goes on where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import attrs

from .desk import Desk

T = TypeVar("T")


class BrokenOff(Exception):
    """A check gives way to something else."""


@attrs.define
class Worker:
    """Does the work of ``desk``. ``waiting``: requests that have come and are not answered yet."""

    desk: Desk
    waiting: int = 0
    _checking_at: int | None = None
    _thread: ThreadPoolExecutor = attrs.field(
        factory=lambda: ThreadPoolExecutor(max_workers=1, thread_name_prefix="games"), init=False
    )

    def __attrs_post_init__(self) -> None:
        self.desk.games.before_work = self._give_way
        self.desk.pressed = self._is_pressed

    async def answer(self, job: Callable[[], T]) -> T:
        """The result of a request's job. A request that is cancelled before its turn is never begun."""
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, job)
        finally:
            self.waiting -= 1

    async def check(self, job: Callable[[], T]) -> T | None:
        """The result of a check; None when it was broken off."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._check, job)
        except BrokenOff:
            return None

    def close(self) -> None:
        """Ends the thread as soon as it has finished what it is doing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _run(self, job: Callable[[], T]) -> T:
        self.desk.catch_up()
        return job()

    def _check(self, job: Callable[[], T]) -> T:
        self.desk.catch_up()
        self._checking_at = self.desk.changes
        try:
            return job()
        finally:
            self._checking_at = None

    def _is_pressed(self) -> bool:
        return bool(self.waiting) or self._checking_at != self.desk.changes

    def _give_way(self) -> None:
        if self._checking_at is not None and self._is_pressed():
            raise BrokenOff
