"""The machine that runs a module: one engine for the process, one instance for each thread or purpose.

Calls go through the C interface of wasmtime with arguments laid out beforehand: a call takes about a microsecond.
Memory is read and written through its address.

Where this program runs in a browser, the browser is the machine; see ``browser``.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Mapping
from ctypes import byref, c_bool, c_int64, c_size_t, c_uint8, c_uint64, c_void_p
from functools import cache
from typing import Any, NamedTuple

from .layout.addresses import FLOOR, LEFT, WORD
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
    return int(library().wasm_engine_new())


class Module:
    """Machine code, ready for instances. ``handle``: wasmtime's own."""

    def __init__(self, handle: c_void_p) -> None:
        self.handle = handle
        self._delete = library().wasmtime_module_delete

    @classmethod
    def of_text(cls, text: str) -> Module:
        """Assembled and compiled from the text of a module. Raises NotRunnable."""
        lib = library()
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
        _check(library().wasmtime_module_deserialize(engine(), code, len(code), byref(handle)))
        return cls(handle)

    def code(self) -> bytes:
        """The machine code, to be kept."""
        found = Bytes()
        _check(library().wasmtime_module_serialize(self.handle, found.room))
        return found.take()

    def __del__(self) -> None:
        self._delete(self.handle)


def _check(error: int | None) -> None:
    if error:
        raise NotRunnable(message(error))


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
        lib = library()
        self._store = lib.wasmtime_store_new(engine(), None, None)
        self._delete = lib.wasmtime_store_delete
        self._context = c_void_p(lib.wasmtime_store_context(self._store))
        self._instance = structure("wasmtime_instance_t")
        self._trap = c_void_p()
        self._trap_out = byref(self._trap)
        error = lib.wasmtime_instance_new(self._context, module.handle, None, 0, self._instance, self._trap_out)
        if error or self._trap:
            self._failed(error)
        self._interrupts = _interrupts
        self.look()
        self._functions: dict[str, Any] = {}
        self._values = structure("wasmtime_val_raw_t", MOST_VALUES)
        self._stride = words_of("wasmtime_val_raw_t")
        self._call = lib.wasmtime_func_call_unchecked
        self.holds: bytes | None = None
        """The state whose bytes are in memory, if known; see the engine's states."""
        self.room: object = None
        """Whoever has laid out the memory behind the game's."""

    def look(self) -> None:
        """Finds out where the memory is and how large, which must be done again when it has grown."""
        lib, memory = library(), self._export("memory")
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
        found = structure("wasmtime_extern_t")
        given = name.encode()
        get = library().wasmtime_instance_export_get
        if not get(self._context, self._instance, given, len(given), found):
            raise KeyError(name)
        return field(found, "wasmtime_extern_t.of")

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
            raise Trap(message(error), late=False)
        assert self._trap.value is not None
        reason = trap(self._trap.value)
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


# The part of wasmtime's C interface that is needed to make modules and to run them.
#
# Functions and structures are used as the Python package ``wasmtime`` declares them, so they fit the library that it
# brings. Importing its declarations takes longer than a process needs to play a game from the cache. What is needed
# of them is therefore plain data, an :class:`Interface`, which is kept beside machine code and taken from there.


_FUNCTIONS = (
    "wasm_engine_new",
    "wasmtime_wat2wasm",
    "wasmtime_module_new",
    "wasmtime_module_serialize",
    "wasmtime_module_deserialize",
    "wasmtime_module_delete",
    "wasmtime_store_new",
    "wasmtime_store_context",
    "wasmtime_store_delete",
    "wasmtime_instance_new",
    "wasmtime_instance_export_get",
    "wasmtime_memory_data",
    "wasmtime_memory_data_size",
    "wasmtime_func_call_unchecked",
    "wasmtime_error_message",
    "wasmtime_error_delete",
    "wasm_trap_message",
    "wasm_trap_delete",
    "wasm_byte_vec_delete",
)

_STRUCTURES = {
    # Name: the fields that are looked at.
    "wasm_byte_vec_t": ("size", "data"),
    "wasmtime_instance_t": (),
    "wasmtime_extern_t": ("of",),
    "wasmtime_val_raw_t": (),
}

_NOTHING, _POINTER = "-", "P"

_LETTERS: dict[str, Any] = {
    _NOTHING: None,
    **{kind._type_: kind for kind in (c_bool, c_uint8, c_uint64, c_size_t, c_void_p)},
}
"""How each letter of a signature is passed; the letters are those of ctypes."""


class Interface(NamedTuple):
    """The facts needed to call the library in ``file``.

    ``functions``: for each a letter for its result and one for each parameter. ``sizes``: bytes of the structures.
    ``offsets``: where a field lies in its structure, as ``structure.field``.
    """

    file: str
    functions: Mapping[str, str]
    sizes: Mapping[str, int]
    offsets: Mapping[str, int]


def declared() -> Interface:
    """The interface as the package ``wasmtime`` declares it. Raises ImportError where there is none that will do."""
    try:
        from wasmtime import _bindings, _ffi
    except ImportError as missing:
        raise ImportError("the fast engine needs wasmtime: pip install wasmtime", name="wasmtime") from missing
    try:
        functions = {name: _signature(getattr(_bindings, f"_{name}")) for name in _FUNCTIONS}
        structures = {name: getattr(_bindings, name) for name in _STRUCTURES}
        return Interface(
            str(_ffi.filename),
            functions,
            {name: ctypes.sizeof(structure) for name, structure in structures.items()},
            {
                f"{name}.{field}": getattr(structures[name], field).offset
                for name, fields in _STRUCTURES.items()
                for field in fields
            },
        )
    except (AttributeError, TypeError) as problem:
        raise ImportError(
            f"the fast engine cannot use this version of wasmtime ({problem}): pip install --upgrade wasmtime",
            name="wasmtime",
        ) from problem


def _signature(function: Any) -> str:
    return "".join(_letter(kind) for kind in (function.restype, *function.argtypes))


def _letter(kind: Any) -> str:
    if kind is None:
        return _NOTHING
    if issubclass(kind, ctypes._Pointer) or hasattr(kind, "_restype_"):  # a callback is a pointer, too
        return _POINTER
    letter = getattr(kind, "_type_", None)
    if not isinstance(letter, str) or letter not in _LETTERS:
        raise TypeError(f"{kind.__name__} in a declaration")
    return letter


_kept: list[Interface] = []


def use(interface: Interface) -> None:
    """Spares ``interface`` the import of the declarations: they are known from an earlier process.

    They must be those of the package that is installed now. Has no effect once the library is in use.
    """
    _kept.append(interface)


@cache
def interface() -> Interface:
    """The interface that this process uses. Raises ImportError where wasmtime is not installed."""
    return _kept[0] if _kept else declared()


@cache
def library() -> Any:
    """The library; its functions are called with the types of the interface. Raises ImportError as ``interface``."""
    known = interface()
    found = ctypes.CDLL(known.file)
    for name, signature in known.functions.items():
        function = getattr(found, name)
        function.restype, *function.argtypes = (_LETTERS[letter] for letter in signature)
    return found


def structure(name: str, number: int = 1) -> Any:
    """Room for structures one after another, all zeroes, as an array of signed words of 64 bits."""
    return (c_int64 * (number * words_of(name)))()


def words_of(name: str) -> int:
    """The words of 64 bits of a structure."""
    return -(-interface().sizes[name] // ctypes.sizeof(c_int64))


def field(held: Any, name: str) -> Any:
    """The address of a field, ``structure.field``, of the structure in ``held``, as an argument of a call."""
    return ctypes.byref(held, interface().offsets[name])


class Bytes:
    """A ``wasm_byte_vec_t``: bytes that wasmtime has allocated. ``room``: what wasmtime fills in."""

    def __init__(self) -> None:
        self.room = structure("wasm_byte_vec_t")

    @property
    def size(self) -> int:
        return int(self._field("size"))

    @property
    def data(self) -> int:
        """The address of the first byte."""
        return int(self._field("data"))

    def _field(self, name: str) -> int:
        word: int = self.room[interface().offsets[f"wasm_byte_vec_t.{name}"] // ctypes.sizeof(c_int64)]
        return word

    def take(self) -> bytes:
        """Its content; it is deleted."""
        found = ctypes.string_at(self.data, self.size) if self.data else b""
        self.delete()
        return found

    def delete(self) -> None:
        library().wasm_byte_vec_delete(self.room)


def message(error: int) -> str:
    """The message of an error, which is deleted."""
    text = Bytes()
    library().wasmtime_error_message(error, text.room)
    library().wasmtime_error_delete(error)
    return text.take().decode("utf-8", "replace")


def trap(pointer: int) -> str:
    """The message of a trap, which is deleted."""
    text = Bytes()
    library().wasm_trap_message(pointer, text.room)
    library().wasm_trap_delete(pointer)
    return text.take().rstrip(b"\0").decode("utf-8", "replace")
