"""The machine that runs a module: one engine for the process, one instance for each thread or purpose.

Calls go through the C interface of wasmtime with arguments laid out beforehand, because the general way of
wasmtime-py costs about ten microseconds a call. Memory is read and written through its address.
"""

from __future__ import annotations

import ctypes
import threading
import time
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import wasmtime

TICK = 0.1
"""Seconds from one epoch to the next."""

DEADLINE = 10.0
"""Seconds that a module may run without coming back."""


class Trap(Exception):
    """A module stopped. ``late``: it ran longer than it may; ``reason``: what wasmtime says."""

    def __init__(self, reason: str, *, late: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.late = late


@cache
def engine() -> wasmtime.Engine:
    """The engine of this process. Its epochs pass while something runs."""
    import wasmtime

    config = wasmtime.Config()
    config.epoch_interruption = True
    config.cranelift_opt_level = "speed"
    config.parallel_compilation = True
    return wasmtime.Engine(config)


class _Clock:
    """Lets epochs pass: a thread that ticks while instances are in use, and sleeps for good when none is."""

    def __init__(self) -> None:
        self.now = 0
        self._wanted = threading.Event()
        self._last = 0.0
        self._thread: threading.Thread | None = None

    def wake(self) -> int:
        """Called before a module runs. The number of the epoch."""
        self._last = time.monotonic()
        if self._thread is None:
            self._thread = threading.Thread(target=self._tick, name="wasm clock", daemon=True)
            self._thread.start()
        if not self._wanted.is_set():
            self._wanted.set()
        return self.now

    def _tick(self) -> None:
        ticking = engine()
        while True:
            self._wanted.wait()
            time.sleep(TICK)
            ticking.increment_epoch()
            self.now += 1
            if time.monotonic() - self._last > 2 * DEADLINE:
                self._wanted.clear()


_clock = _Clock()


class Instance:
    """A module with a memory of its own. Not for two threads at a time.

    ``base``: the address of the memory in this process.
    """

    def __init__(self, module: wasmtime.Module) -> None:
        import wasmtime
        from wasmtime import _ffi as ffi

        self._ffi: Any = ffi
        self._wasmtime: Any = wasmtime
        self.store = wasmtime.Store(engine())
        self.instance = wasmtime.Instance(self.store, module, [])
        exports = self.instance.exports(self.store)
        self.memory: Any = exports["memory"]
        self.base = ctypes.addressof(self.memory.data_ptr(self.store).contents)
        self.size = self.memory.data_len(self.store)
        # The memory never grows, so it stays where it is.
        self.bytes = memoryview((ctypes.c_ubyte * self.size).from_address(self.base)).cast("B")
        self.words = self.bytes.cast("i")
        self._context = self.store._context()
        self._functions = {
            name: (ctypes.byref(export._func), export)
            for name, export in ((e.name, exports[e.name]) for e in module.exports)
            if isinstance(export, wasmtime.Func)
        }
        self._raw = (ffi.wasmtime_val_raw_t * 8)()
        self._raw_words = ctypes.cast(self._raw, ctypes.POINTER(ctypes.c_int64))
        self._stride = ctypes.sizeof(ffi.wasmtime_val_raw_t) // 8
        self._trap = ctypes.POINTER(ffi.wasm_trap_t)()
        self._trap_out = ctypes.byref(self._trap)
        self._call = ffi.wasmtime_func_call_unchecked
        self._armed = -1000

    def call(self, name: str, *arguments: int) -> int:
        """Calls an exported function; its result as an unsigned 32-bit number. Raises Trap."""
        function = self._functions[name][0]
        words, stride = self._raw_words, self._stride
        for i, argument in enumerate(arguments):
            words[i * stride] = argument
        epoch = _clock.wake()
        if epoch - self._armed > 10:
            self.store.set_epoch_deadline(int(DEADLINE / TICK) + 10)
            self._armed = epoch
        error = self._call(self._context, function, self._raw, 8, self._trap_out)
        if error or self._trap:
            self._failed(error)
        return words[0] & 0xFFFFFFFF

    def _failed(self, error: Any) -> None:
        if error:
            raise Trap(str(self._wasmtime.WasmtimeError._from_ptr(error)), late=False)
        pointer = self._trap
        self._trap = ctypes.POINTER(self._ffi.wasm_trap_t)()
        self._trap_out = ctypes.byref(self._trap)
        trap = self._wasmtime.Trap._from_ptr(pointer)
        late = trap.trap_code == self._wasmtime.TrapCode.INTERRUPT
        self._armed = -1000
        raise Trap(str(trap), late=late)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        return self.bytes[address : address + size].tobytes()

    def write(self, address: int, data: bytes) -> None:
        self.bytes[address : address + len(data)] = data

    def word(self, address: int) -> int:
        """A signed word of the memory; the address is a multiple of 4."""
        return self.words[address >> 2]

    def put_word(self, address: int, value: int) -> None:
        self.words[address >> 2] = value
