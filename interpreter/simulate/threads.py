"""Work on several threads, collected in the order in which it was handed out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, TypeVar

from ..wasm.host import interrupt

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


def in_order(work: Iterable[Callable[[], T]], threads: int, stop: Callable[[], object] = lambda: None) -> Generator[T]:
    """The results of pieces of work, in their order. Each thread has one in progress and one waiting; ``work`` is asked
    for the next one only then. Closing the iterator calls ``stop`` and ends whatever runs in the fast engine."""
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[T]] = deque()
    pool = ThreadPoolExecutor(threads, "games")
    try:
        for piece in work:
            waiting.append(pool.submit(piece))
            if len(waiting) == 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BaseException:
        stop()
        interrupt()  # nobody waits for what the other threads are at
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
