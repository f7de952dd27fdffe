"""The part of wasmtime's C interface that is needed to make modules and to run them.

Functions and structures are used as the Python package ``wasmtime`` declares them, so they fit the library that it
brings. Importing its declarations takes longer than a process needs to play a game from the cache. What is needed of
them is therefore plain data, an :class:`Interface`, which is kept beside machine code and taken from there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from ctypes import c_bool, c_int64, c_size_t, c_uint8, c_uint64, c_void_p
from functools import cache
from typing import Any, NamedTuple

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
