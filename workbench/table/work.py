"""Threads for what would keep the server from answering: quick work on positions, and searches, which take long.

Tables take turns, and what people wait for comes before what bots do. Quick work that turns out to be slow gives its
place away and goes on beside the others, so a rule that takes long holds up its own table and no other. What takes far
too long is given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import queue
import sys
import threading
import time
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from functools import partial
from typing import Any, Protocol, TypeVar

import attrs

from .access import Refused, TableLimits, WaitingTurns

T = TypeVar("T")

BY_ITSELF: ContextVar[bool] = ContextVar("by itself", default=False)
"""Whether what is done now is done for a bot, and no person waits for it."""

_AT_ONCE = 4
"""Quick pieces of work at the same time."""

_SHARE = 0.0005
"""Seconds that a thread keeps Python to itself while others want it. With Python's own 5 milliseconds, each step of an
answer waits so long for each thread that is busy."""

_PONDERING = 900.0
"""Seconds of processor time that a bot may take to choose: it may have been told to think for ten minutes."""


class GivenUp(Refused):
    """It took too long, and was given up; nothing has changed."""

    def __init__(self, seconds: float) -> None:
        super().__init__("given_up", seconds=round(seconds))


class Doer(Protocol):
    """Does what is asked of it, for ``whose`` sake: quick work on a position, or a search. Raises GivenUp."""

    async def quick(self, whose: Hashable, call: Callable[[], T]) -> T: ...

    async def search(self, whose: Hashable, call: Callable[[], T]) -> T: ...

    def of(self, whose: Hashable) -> Desk: ...

    def close(self) -> None: ...


class AtOnce:
    """Does everything where and when it is asked for: for a table that has one page, and no threads."""

    async def quick(self, whose: Hashable, call: Callable[[], T]) -> T:
        return call()

    async def search(self, whose: Hashable, call: Callable[[], T]) -> T:
        await asyncio.sleep(0)  # what was sent before is on its way
        return call()

    def of(self, whose: Hashable) -> Desk:
        """Where a table asks for work."""
        return Desk(self, whose)

    def close(self) -> None:
        """Nothing goes on beside."""


class Work:
    """All that tables have done, on threads; ``of`` gives the place at which one of them asks."""

    def __init__(self, limits: TableLimits | None = None) -> None:
        limits = limits or TableLimits()
        self._thinking = limits.thinking
        self._quick = _Lane("table", _AT_ONCE, limits.quick, limits.aside)
        self._searching = _Lane("search", limits.searches)
        sys.setswitchinterval(_SHARE)

    def of(self, whose: Hashable) -> Desk:
        """Where a table asks for work, or anybody else by whatever name."""
        return Desk(self, whose)

    async def quick(self, whose: Hashable, call: Callable[[], T]) -> T:
        return await self._quick.do(whose, call, self._thinking)

    async def search(self, whose: Hashable, call: Callable[[], T]) -> T:
        return await self._searching.do(whose, call, _PONDERING if BY_ITSELF.get() else self._thinking)

    def close(self) -> None:
        """Stops what still runs, without waiting for it."""
        self._quick.close()
        self._searching.close()
        host = sys.modules.get("interpreter.wasm.host")
        if host is not None:
            host.interrupt()


@attrs.frozen
class Desk:
    """Where one of those who share the threads asks for work."""

    work: Doer
    whose: Hashable

    async def quick(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function gives that looks at a position, or makes a choice in one. Raises GivenUp."""
        return await self.work.quick(self.whose, partial(function, *arguments))

    async def search(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function gives that thinks ahead. Raises GivenUp."""
        return await self.work.search(self.whose, partial(function, *arguments))


@attrs.define(eq=False)
class _Job:
    """``most``: seconds of processor time; ``worker``: who does it, ``began``: its processor time by then; ``aside``:
    whether it has turned out to be slow."""

    call: Callable[[], Any]
    most: float
    done: asyncio.Future[Any]
    worker: _Worker | None = None
    began: float = 0.0
    aside: bool = False
    timer: asyncio.TimerHandle | None = None


class _Lane:
    """``places``: jobs at a time. One that takes longer than ``quick`` seconds gives its place away, as long as no more
    than ``aside`` have done so. All of it happens on the thread of the event loop, but for the jobs."""

    def __init__(self, name: str, places: int, quick: float | None = None, aside: int = 0) -> None:
        self._name, self._free, self._quick, self._aside = name, places, quick, aside
        self._waiting: dict[bool, WaitingTurns[_Job]] = {False: WaitingTurns(), True: WaitingTurns()}
        self._idle: list[_Worker] = []
        self._running: set[_Job] = set()

    async def do(self, whose: Hashable, call: Callable[[], T], most: float) -> T:
        """What a call gives, when it is its turn. Whoever no longer waits for one that runs is held until it ends:
        what it works on may be used by others then."""
        job = _Job(call, most, asyncio.get_running_loop().create_future())
        self._waiting[BY_ITSELF.get()].put(whose, job)
        self._begin()
        try:
            found: T = await asyncio.shield(job.done)
        except asyncio.CancelledError:
            if job.worker is None:
                job.done.cancel()
            else:
                await asyncio.wait({job.done})
                job.done.exception()
            raise
        return found

    def _begin(self) -> None:
        while self._free > 0 and (job := self._waiting[False].take() or self._waiting[True].take()) is not None:
            if job.done.cancelled():
                continue
            self._free -= 1
            job.worker = self._idle.pop() if self._idle else _Worker(self._name)
            job.began = job.worker.used()
            loop = job.done.get_loop()
            job.timer = loop.call_later(job.most if self._quick is None else self._quick, self._watch, job)
            self._running.add(job)
            job.worker.give(job.call, partial(_in_loop, loop, partial(self._ended, job)))

    def _watch(self, job: _Job) -> None:
        """A job has not ended by now."""
        assert job.worker is not None
        if self._quick is not None and not job.aside and self._aside > 0:
            job.aside = True
            self._aside -= 1
            self._free += 1
            self._begin()
        left = job.most - (job.worker.used() - job.began)
        if left <= 0:
            job.worker.stop()
            return
        job.timer = job.done.get_loop().call_later(max(left, self._quick or 1.0), self._watch, job)

    def _ended(self, job: _Job, found: Any, problem: BaseException | None) -> None:
        assert job.worker is not None and job.timer is not None
        if job not in self._running:  # told twice, see below
            return
        job.timer.cancel()
        self._running.discard(job)
        self._aside += job.aside
        self._free += not job.aside
        if not job.worker.stopped:
            self._idle.append(job.worker)
        if isinstance(problem, _Interrupted):
            problem = GivenUp(job.most)
        if problem is not None:
            job.done.set_exception(problem)
        else:
            job.done.set_result(found)
        self._begin()

    def close(self) -> None:
        for job in self._running:
            assert job.worker is not None
            job.worker.stop()
        for worker in self._idle:
            worker.leave()


def _in_loop(loop: asyncio.AbstractEventLoop, tell: Callable[..., None], *what: Any) -> None:
    """Tells it to the thread of a loop, unless that has ended."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(tell, *what)


# ---------------------------------------------------------------- threads that can be stopped


class _Interrupted(BaseException):
    """Raised in a thread from outside."""


class _Worker(threading.Thread):
    """Does one call after another. It can be stopped in the middle of one, and does no more then: what it kept for
    itself (threads keep what they count and remember) may be unfinished."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.stopped = False
        self._given: queue.SimpleQueue[tuple[Callable[[], Any], Callable[[Any, BaseException | None], None]] | None]
        self._given = queue.SimpleQueue()
        self._calling = threading.Lock()
        self.start()

    def give(self, call: Callable[[], Any], tell: Callable[[Any, BaseException | None], None]) -> None:
        """Something to do, and who is told what became of it."""
        self._given.put((call, tell))

    def leave(self) -> None:
        """Nothing more is to be done."""
        self._given.put(None)

    def used(self) -> float:
        """Seconds of processor time so far; where the system does not tell, seconds on the clock."""
        if sys.platform == "win32" or self.ident is None or not self.is_alive():
            return time.monotonic()
        return time.clock_gettime(time.pthread_getcpuclockid(self.ident))

    def stop(self) -> None:
        """Ends the call that runs at its next step in Python; one inside the fast engine has a limit of its own."""
        if self.stopped:
            return
        self.stopped = True
        if not self._calling.acquire(blocking=False):  # so it is calling, and notices
            _raise_in(self, _Interrupted)
        else:
            self._calling.release()
            self.leave()

    def run(self) -> None:
        while (given := self._given.get()) is not None:
            call, tell = given
            outcome: tuple[Any, BaseException | None] = None, _Interrupted()
            try:
                try:
                    outcome = self._outcome(call)
                finally:
                    tell(*outcome)
            except _Interrupted:  # which came as it was told, perhaps before anybody heard
                tell(*outcome)
            if self.stopped:
                return

    def _outcome(self, call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
        try:
            with self._calling:
                return call(), None
        except BaseException as problem:
            return None, problem


def _raise_in(thread: threading.Thread, what: type[BaseException]) -> None:
    """Raises an exception in another thread, when it next runs Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(what))
