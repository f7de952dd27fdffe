"""A program made into machine code, and remembered between runs."""

from __future__ import annotations

import functools
import hashlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program import Program
from rulelang.render_value import name_of

from .host import Instance, engine
from .memory import Memory
from .module import Module, Site

if TYPE_CHECKING:
    import wasmtime

    from ..reference.book import Book


@attrs.define(eq=False)
class Compiled:
    """A module for playouts or for steps. ``instance`` gives the calling thread one of its own."""

    program: Program
    memory: Memory
    sites: list[Site]
    numbers: dict[str, int]
    units: list[str]
    module: wasmtime.Module
    _local: Any = attrs.field(factory=threading.local)

    @property
    def instance(self) -> Instance:
        found: Instance | None = getattr(self._local, "instance", None)
        if found is None:
            found = self._local.instance = Instance(self.module)
        return found

    def place(self, address: int, variable: str) -> str:
        """A cell, given by its address, as people name it."""
        cell = self.memory.cells[variable]
        rest = address - cell.base
        names = []
        for stride, owner in zip(cell.strides, cell.variable.owners, strict=True):
            member, rest = divmod(rest, stride)
            names.append(name_of(member, owner) if 0 <= member < len(owner.domain) else "?")
        return f"{variable}[{', '.join(names)}]" if names else variable


def compile_program(book: Book, *, steps: bool) -> Compiled:
    """The code of a program; machine code made before from the same text is taken from the cache."""
    module = Module(book, steps=steps)
    text = module.write()
    return Compiled(
        book.program, module.memory, module.sites, module.numbers, module.units, machine_code(text)
    )


def machine_code(text: str) -> wasmtime.Module:
    """A module assembled and compiled, or remembered."""
    import wasmtime

    return wasmtime.Module(engine(), wasmtime.wat2wasm(text))


@functools.cache
def version() -> str:
    """A hash of what the code of a module depends on besides the program."""
    import wasmtime

    digest = hashlib.sha256(wasmtime.__version__.encode())
    folder = Path(__file__).parent
    for path in sorted((*folder.glob("*.py"), *folder.glob("*.wat"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:24]
