"""Threads for what would keep the server from answering: quick work on positions, and searches, which take long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Work:
    """``searches``: how many are made at a time; others wait for them, and nothing else does."""

    def __init__(self, searches: int = 2) -> None:
        self._quick = ThreadPoolExecutor(4, "table")
        self._searching = ThreadPoolExecutor(searches, "search")

    async def quick(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function gives that looks at a position, or makes a choice in one."""
        return await asyncio.get_running_loop().run_in_executor(self._quick, function, *arguments)

    async def search(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function gives that thinks ahead."""
        return await asyncio.get_running_loop().run_in_executor(self._searching, function, *arguments)

    def close(self) -> None:
        """Stops what still runs, without waiting for it."""
        import sys

        host = sys.modules.get("interpreter.wasm.host")
        self._quick.shutdown(wait=False, cancel_futures=True)
        self._searching.shutdown(wait=False, cancel_futures=True)
        if host is not None:
            host.interrupt()
