"""The machine of a browser, where this program itself runs as WebAssembly: the counterpart of ``host``.

The page's worker offers ``rulelang``, an object of JavaScript, with ``assemble(text)``, which gives a module or throws,
and ``instance(module)``. Numbers cross by value. Nothing interrupts a call here but its own budget: whoever cannot wait
ends the worker.
"""

from __future__ import annotations

import importlib
import re
from functools import cache
from typing import Any

from .layout.addresses import LEFT, WORD
from .traps import NotRunnable, Trap

_LEFT = (LEFT + WORD) // WORD
"""The upper half of what is left of a module's budget, among the words of its memory."""

_EXPORTED = re.compile(r'\(func[^()\n]*\(export "(\w+)"\)((?: \(param[^()]*\))*)')


@cache
def _machine() -> Any:
    return importlib.import_module("js").rulelang


class Module:
    """A compiled module, ready for instances."""

    def __init__(self, handle: Any, wide: dict[str, frozenset[int]]) -> None:
        self.handle, self.wide = handle, wide

    @classmethod
    def of_text(cls, text: str) -> Module:
        """Assembled and compiled from the text of a module. Raises NotRunnable."""
        try:
            return cls(_machine().assemble(text), _wide(text))
        except Exception as problem:  # of whatever kind JavaScript throws
            raise NotRunnable(str(problem)) from None

    @classmethod
    def of_code(cls, code: bytes) -> Module:
        """Nothing is kept between visits of a page. Raises NotRunnable."""
        raise NotRunnable("a browser keeps no machine code")

    def code(self) -> bytes:
        """Nothing that would be worth keeping."""
        return b""


def _wide(text: str) -> dict[str, frozenset[int]]:
    """For exported functions the places of arguments of 64 bits, which JavaScript takes as another kind of number."""
    found = {}
    for name, params in _EXPORTED.findall(text):
        kinds = re.findall(r"\bi32\b|\bi64\b", params)
        wide = frozenset(place for place, kind in enumerate(kinds) if kind == "i64")
        if wide:
            found[name] = wide
    return found


class _Words:
    """The words of a memory, read one at a time or as a slice."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return memoryview(self._held.read(4 * which.start, 4 * (which.stop - which.start)).to_bytes()).cast("i")
        return self._held.word(which)

    def __setitem__(self, which: int, value: int) -> None:
        self._held.put(which, value)


class Instance:
    """A module with a memory of its own; see ``host.Instance``."""

    def __init__(self, module: Module) -> None:
        self._held = _machine().instance(module.handle)
        self._wide = module.wide
        self.words: Any = _Words(self._held)
        self.holds: bytes | None = None
        self.room: object = None

    def look(self) -> None:
        """The memory is found anew by whoever reads it."""

    def call(self, name: str, *arguments: int) -> int:
        """Calls an exported function; its result as an unsigned 32-bit number. Raises Trap, and KeyError."""
        wide = self._wide.get(name)
        if wide:
            given = [str(each) if place in wide else each for place, each in enumerate(arguments)]
            found = self._held.call(name, *given)
        else:
            found = self._held.call(name, *arguments)
        if isinstance(found, str):
            if found == name:
                raise KeyError(name)
            raise Trap(found, late=self.words[_LEFT] < 0)
        return int(found)

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory."""
        return bytes(self._held.read(address, size).to_bytes())

    def write(self, address: int, data: bytes) -> None:
        self._held.write(address, data)

    def word(self, address: int) -> int:
        """A signed word of the memory; the address is a multiple of 4."""
        return int(self._held.word(address >> 2))

    def put_word(self, address: int, value: int) -> None:
        self._held.put(address >> 2, value)


def interrupt() -> None:
    """Nothing runs beside what asks for this."""
