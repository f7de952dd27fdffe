"""The machine that runs a module: one engine for the process, one instance for each thread or purpose.

Calls go through the C interface of wasmtime with arguments laid out beforehand: a call takes about a microsecond.
Memory is read and written through its address.

Where this program runs in a browser, the browser is the machine; see ``browser``.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from ctypes import byref, c_void_p
from functools import cache
from typing import Any

from . import library
from .layout.addresses import FLOOR, LEFT, WORD
from .library import Bytes
from .traps import NotRunnable, Trap

MOST_VALUES = 8
"""Arguments of a call, or its results."""

_FLOOR, _LEFT = (FLOOR + WORD) // WORD, (LEFT + WORD) // WORD
"""The upper halves of two numbers of a module's budget, among the words of its memory."""

_STOP = 1 << 30
"""What must be left of a budget from now on: more than any leaves, so a call stops when it next looks."""


@cache
def engine() -> int:
    """The engine of this process."""
    return int(library.library().wasm_engine_new())


class Module:
    """Machine code, ready for instances. ``handle``: wasmtime's own."""

    def __init__(self, handle: c_void_p) -> None:
        self.handle = handle
        self._delete = library.library().wasmtime_module_delete

    @classmethod
    def of_text(cls, text: str) -> Module:
        """Assembled and compiled from the text of a module. Raises NotRunnable."""
        lib = library.library()
        binary, handle, given = Bytes(), c_void_p(), text.encode()
        _check(lib.wasmtime_wat2wasm(given, len(given), binary.room))
        error = lib.wasmtime_module_new(engine(), binary.data, binary.size, byref(handle))
        binary.delete()
        _check(error)
        return cls(handle)

    @classmethod
    def of_code(cls, code: bytes) -> Module:
        """From what ``code`` gave before. It is run as it is, so it must come from where only the user can write.

        Raises NotRunnable when it was made by another version of wasmtime or for another processor.
        """
        handle = c_void_p()
        _check(library.library().wasmtime_module_deserialize(engine(), code, len(code), byref(handle)))
        return cls(handle)

    def code(self) -> bytes:
        """The machine code, to be kept."""
        found = Bytes()
        _check(library.library().wasmtime_module_serialize(self.handle, found.room))
        return found.take()

    def __del__(self) -> None:
        self._delete(self.handle)


def _check(error: int | None) -> None:
    if error:
        raise NotRunnable(library.message(error))


_alive: dict[int, memoryview] = {}
"""The memory of every instance, by its store, for as long as it may be written to from another thread."""

_changing = threading.RLock()
_interrupts = 0
"""How often everything was interrupted so far."""


def interrupt() -> None:
    """Stops every call that runs now, in whatever thread, with KeyboardInterrupt. Later calls run as usual."""
    global _interrupts
    with _changing:
        _interrupts += 1
        for words in list(_alive.values()):
            words[_FLOOR] = _STOP


class Instance:
    """A module with a memory of its own. Not for two threads at a time.

    ``base``: the address of the memory in this process. What modules do is bounded by their budgets, and they stop when
    they see that more must be left of it than there can be.
    """

    def __init__(self, module: Module) -> None:
        lib = library.library()
        self._store = lib.wasmtime_store_new(engine(), None, None)
        self._delete = lib.wasmtime_store_delete
        self._context = c_void_p(lib.wasmtime_store_context(self._store))
        self._instance = library.structure("wasmtime_instance_t")
        self._trap = c_void_p()
        self._trap_out = byref(self._trap)
        error = lib.wasmtime_instance_new(self._context, module.handle, None, 0, self._instance, self._trap_out)
        if error or self._trap:
            self._failed(error)
        self._interrupts = _interrupts
        self.look()
        self._functions: dict[str, Any] = {}
        self._values = library.structure("wasmtime_val_raw_t", MOST_VALUES)
        self._stride = library.words_of("wasmtime_val_raw_t")
        self._call = lib.wasmtime_func_call_unchecked
        self.holds: bytes | None = None
        """The state whose bytes are in memory, if known; see the engine's states."""
        self.room: object = None
        """Whoever has laid out the memory behind the game's."""

    def look(self) -> None:
        """Finds out where the memory is and how large, which must be done again when it has grown."""
        lib, memory = library.library(), self._export("memory")
        self.base: int = lib.wasmtime_memory_data(self._context, memory)
        self.size: int = lib.wasmtime_memory_data_size(self._context, memory)
        self.bytes = memoryview((ctypes.c_ubyte * self.size).from_address(self.base)).cast("B")
        self.words = self.bytes.cast("i")
        with _changing:
            _alive[self._store] = self.words

    def __del__(self, changing: Any = _changing, alive: Any = _alive) -> None:
        with changing:  # a call into wasmtime lets other threads run, one that interrupts everything among them
            alive.pop(self._store, None)
        self._delete(self._store)

    def _export(self, name: str) -> Any:
        """An export by name, as an argument of a call."""
        found = library.structure("wasmtime_extern_t")
        given = name.encode()
        get = library.library().wasmtime_instance_export_get
        if not get(self._context, self._instance, given, len(given), found):
            raise KeyError(name)
        return library.field(found, "wasmtime_extern_t.of")

    def call(self, name: str, *arguments: int) -> int:
        """Calls an exported function; its result as an unsigned 32-bit number. Raises Trap."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._export(name)
        values, stride = self._values, self._stride
        for i, argument in enumerate(arguments):
            values[i * stride] = argument
        if self._interrupts != _interrupts:  # of calls before this one
            self._interrupts = _interrupts
            self.words[_FLOOR] = 0
        error = self._call(self._context, function, values, MOST_VALUES, self._trap_out)
        if error or self._trap:
            self._failed(error)
        return int(values[0] & 0xFFFFFFFF)

    def _failed(self, error: int | None) -> None:
        if error:
            raise Trap(library.message(error), late=False)
        assert self._trap.value is not None
        reason = library.trap(self._trap.value)
        self._trap.value = None
        if self.words[_FLOOR]:
            self.words[_FLOOR] = 0
            raise KeyboardInterrupt
        raise Trap(reason, late=self.words[_LEFT] < 0)

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


if sys.platform == "emscripten":
    from .browser import Instance, Module, interrupt

__all__ = ["Instance", "Module", "NotRunnable", "Trap", "engine", "interrupt"]
