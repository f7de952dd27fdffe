"""Ctrl-C and the signals that end a process: at once while it loads, with what there is while it works."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

PATIENCE = 1.5
"""Seconds that work gets to notice an interrupt, before the process ends without it."""

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))

_heard = threading.Event()
_last: list[int] = []


def at_once() -> None:
    """From now on an interrupt ends the process then and there. For times when there is nothing to keep."""
    _install(lambda number, frame: os._exit(128 + number))


def gently() -> None:
    """From now on an interrupt raises KeyboardInterrupt, and also stops code of the fast engine.

    Python looks after signals only between its own instructions. So a thread of its own hears of them at once, stops
    what runs in the engine, and ends the process if Python does not come back soon.
    """
    _install(_raise)
    if os.name != "posix":  # pragma: no cover (Windows wakes up sockets only)
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reading,), name="interrupts", daemon=True).start()


def status(given: int) -> int:
    """The exit status of a process that wanted to end with the one given: what ended it counts."""
    return 128 + _last[-1] if given == 130 and _last else given


def _install(handler: signal._HANDLER) -> None:
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it, for instance
            signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> None:
    _heard.set()
    _last.append(number)
    raise KeyboardInterrupt


def _watch(reading: int) -> None:
    while True:
        for number in os.read(reading, 64):
            if number not in SIGNALS or signal.getsignal(number) is signal.SIG_IGN:
                continue
            host = sys.modules.get("interpreter.wasm.host")
            if host is not None:
                host.interrupt()
            if not _heard.wait(PATIENCE):
                _give_up(number)
            _heard.clear()


def _give_up(number: int) -> None:
    from rulelang.files import unfinished

    unfinished.remove_all()
    with contextlib.suppress(OSError):
        os.write(2, b"rulelang: stopped\n")
    os._exit(128 + number)


@contextlib.contextmanager
def left_to_block() -> Iterator[None]:
    """Lets the block deal with signals in its own way and time, as servers do."""
    before = signal.set_wakeup_fd(-1) if os.name == "posix" else -1
    try:
        yield
    finally:
        if before != -1:
            signal.set_wakeup_fd(before, warn_on_full_buffer=False)


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Makes an interrupt wait until the block is done, so that what the block counts or writes is complete."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    came: list[tuple[int, FrameType | None]] = []

    def note(number: int, frame: FrameType | None) -> None:
        _heard.set()
        came.append((number, frame))

    for number, handler in before.items():
        if callable(handler):
            signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)
    if came:
        number, frame = came[0]
        handler = before[number]
        assert callable(handler)
        handler(number, frame)
