"""The functions of wasmtime's C interface that are needed to make modules and run them.

They are called directly because a process that finds machine code in the cache would otherwise spend most of its time
on importing the Python package ``wasmtime``, which declares the whole interface. The package brings the library.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import c_bool, c_char_p, c_size_t, c_uint8, c_uint64, c_void_p
from functools import cache
from importlib.util import find_spec
from typing import Any

_ERROR = c_void_p
"""Functions that can fail give None, or an error to be told and deleted."""

_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    # Name: what it gives, what it takes.
    "wasm_config_new": (c_void_p,),
    "wasmtime_config_epoch_interruption_set": (None, c_void_p, c_bool),
    "wasmtime_config_cranelift_opt_level_set": (None, c_void_p, c_uint8),
    "wasmtime_config_parallel_compilation_set": (None, c_void_p, c_bool),
    "wasm_engine_new_with_config": (c_void_p, c_void_p),
    "wasmtime_engine_increment_epoch": (None, c_void_p),
    "wasmtime_wat2wasm": (_ERROR, c_char_p, c_size_t, c_void_p),
    "wasmtime_module_new": (_ERROR, c_void_p, c_void_p, c_size_t, c_void_p),
    "wasmtime_module_serialize": (_ERROR, c_void_p, c_void_p),
    "wasmtime_module_deserialize": (_ERROR, c_void_p, c_char_p, c_size_t, c_void_p),
    "wasmtime_module_delete": (None, c_void_p),
    "wasmtime_store_new": (c_void_p, c_void_p, c_void_p, c_void_p),
    "wasmtime_store_context": (c_void_p, c_void_p),
    "wasmtime_store_delete": (None, c_void_p),
    "wasmtime_context_set_epoch_deadline": (None, c_void_p, c_uint64),
    "wasmtime_instance_new": (_ERROR, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p),
    "wasmtime_instance_export_get": (c_bool, c_void_p, c_void_p, c_char_p, c_size_t, c_void_p),
    "wasmtime_memory_data": (c_void_p, c_void_p, c_void_p),
    "wasmtime_memory_data_size": (c_size_t, c_void_p, c_void_p),
    "wasmtime_func_call_unchecked": (_ERROR, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p),
    "wasmtime_error_message": (None, c_void_p, c_void_p),
    "wasmtime_error_delete": (None, c_void_p),
    "wasm_trap_message": (None, c_void_p, c_void_p),
    "wasmtime_trap_code": (c_bool, c_void_p, c_void_p),
    "wasm_trap_delete": (None, c_void_p),
    "wasm_byte_vec_delete": (None, c_void_p),
}

OPTIMIZE_SPEED = 1
"""WASMTIME_OPT_LEVEL_SPEED"""


INTERRUPTED = 10
"""WASMTIME_TRAP_CODE_INTERRUPT: the epoch's deadline has passed."""


class Bytes(ctypes.Structure):
    """``wasm_byte_vec_t``"""

    _fields_ = [("size", c_size_t), ("data", c_void_p)]

    def take(self) -> bytes:
        """What it holds; it is deleted."""
        found = ctypes.string_at(self.data, self.size) if self.data else b""
        library().wasm_byte_vec_delete(ctypes.byref(self))
        return found


class Instance(ctypes.Structure):
    """``wasmtime_instance_t``"""

    _fields_ = [("store", c_uint64), ("private", c_size_t)]


class Export(ctypes.Structure):
    """``wasmtime_extern_t``: a function or a memory; ``held`` has room for the larger of them."""

    _fields_ = [("kind", c_uint8), ("held", c_uint64 * 4)]


class Value(ctypes.Structure):
    """``wasmtime_val_raw_t``: 16 bytes, of which a number takes the first 4 or 8."""

    _fields_ = [("number", ctypes.c_int64), ("rest", ctypes.c_int64)]


@cache
def library() -> Any:
    """The library with its functions declared. Raises ImportError when wasmtime is not installed."""
    found = ctypes.CDLL(_file())
    for name, (gives, *takes) in _FUNCTIONS.items():
        function = getattr(found, name)
        function.restype = gives
        function.argtypes = takes
    return found


def _file() -> str:
    spec = find_spec("wasmtime")
    if spec is None or spec.origin is None:
        raise ImportError("the fast engine needs wasmtime: pip install wasmtime", name="wasmtime")
    if sys.platform == "linux":
        machine = os.uname().machine.replace("arm64", "aarch64")
        usual = os.path.join(os.path.dirname(spec.origin), f"linux-{machine}", "_libwasmtime.so")
        if os.path.isfile(usual):
            return usual
    from wasmtime import _ffi

    return str(_ffi.filename)


def message(error: int) -> str:
    """What an error says; it is deleted."""
    text = Bytes()
    library().wasmtime_error_message(error, ctypes.byref(text))
    library().wasmtime_error_delete(error)
    return text.take().decode("utf-8", "replace")


def trap(pointer: int) -> tuple[str, int | None]:
    """What a trap says and its code, None when it has none; it is deleted."""
    text, code = Bytes(), c_uint8()
    library().wasm_trap_message(pointer, ctypes.byref(text))
    known = library().wasmtime_trap_code(pointer, ctypes.byref(code))
    library().wasm_trap_delete(pointer)
    return text.take().rstrip(b"\0").decode("utf-8", "replace"), code.value if known else None
