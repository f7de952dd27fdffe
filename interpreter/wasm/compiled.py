"""Compiled programs: machine code, and the facts needed to run it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulelang.collection import no_collection

from . import host, library
from .host import Instance, Trap
from .layout.addresses import FAULT, NO_FAULT, WORD, Addresses
from .stored import Entry, Facts, Origin

if TYPE_CHECKING:
    from rulelang.program import Program

    from ..errors import RuleFault
    from ..position.blueprint import Blueprint
    from .layout.memory import Decoded, Encoded, Memory
    from .write.module import Module


class Compiled:
    """A module for playouts or for steps. ``instance`` gives the calling thread one of its own.

    ``facts`` and ``addresses`` are known from the start. Everything else is worked out when it is asked for, since
    machine code from the cache runs without it; ``make`` gives what wrote the module, or would write the same.
    """

    def __init__(self, module: host.Module, facts: Facts, addresses: Addresses, make: Callable[[], Module]) -> None:
        self.module = module
        self.facts = facts
        self.addresses = addresses
        self._make = make
        self._fault = (addresses.scratch + FAULT) // WORD
        self._local: Any = threading.local()
        self.encoded: Encoded = {}
        self.decoded: Decoded = {}

    @property
    def instance(self) -> Instance:
        try:
            found: Instance = self._local.instance
        except AttributeError:
            found = self._local.instance = Instance(self.module)
        return found

    @property
    def searching(self) -> Instance:
        """Another one, which never holds the position of a game that is played."""
        try:
            found: Instance = self._local.searching
        except AttributeError:
            found = self._local.searching = Instance(self.module)
        found.words[self._fault] = NO_FAULT
        return found

    @cached_property
    def writer(self) -> Module:
        """The writer of the module, or one that would write the same again."""
        return self._make()

    @property
    def program(self) -> Program:
        return self.writer.program

    @property
    def memory(self) -> Memory:
        return self.writer.memory

    @property
    def initial(self) -> bytes:
        """The header and cells of a state before anything has happened."""
        return self.memory.initial

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each rule."""
        return self.writer.context.numbers

    @property
    def units(self) -> list[str]:
        return self.writer.context.units

    def ready(self) -> Instance:
        """The calling thread's instance, an earlier fault forgotten."""
        instance = self.instance
        instance.words[self._fault] = NO_FAULT
        return instance

    def fault(self, instance: Instance, trap: Trap) -> RuleFault:
        """The fault behind a trap."""
        from .faults import fault_of

        found = fault_of(self.writer, instance, trap)
        if trap.late and getattr(self._local, "instance", None) is instance:
            # It may remember what it has worked out so far, and the same must be too much again.
            del self._local.instance
        return found


def compiled(
    facts: Facts,
    blueprint: Callable[[], Blueprint],
    origin: Origin | None,
    *,
    steps: bool,
    recorded: bool = False,
    counted: bool = False,
) -> Compiled:
    """The code of a program; machine code that was made before is taken from where ``origin`` keeps it.

    ``recorded``: the code counts what games leave behind; ``counted``: it counts
    its own work (give it no ``origin``, which does not tell it from the code that does not).
    """
    which = {"steps": steps, "recorded": recorded}

    def writer() -> Module:
        from .write.module import Module

        return Module(blueprint(), **which, counted=counted)

    found = _kept(facts, writer, origin, which) if origin else None
    if found is None:
        with no_collection():
            found = _made(facts, writer(), origin, which)
    return found


def _kept(facts: Facts, writer: Callable[[], Module], origin: Origin, which: dict[str, bool]) -> Compiled | None:
    entry = origin.get(**which)
    if entry is None or entry.facts != facts:
        return None
    library.use(entry.interface)
    try:
        module = host.Module.of_code(entry.code)
    except host.NotRunnable:  # made by another version of wasmtime, or for another processor
        return None
    return Compiled(module, facts, entry.addresses, writer)


def _made(facts: Facts, writer: Module, origin: Origin | None, which: dict[str, bool]) -> Compiled:
    try:
        module = host.Module.of_text(writer.text())
    except host.NotRunnable:
        raise writer.too_long() from None
    addresses = writer.memory.addresses
    if origin is not None:
        origin.put(Entry(facts, addresses, library.interface(), module.code()), **which)
    return Compiled(module, facts, addresses, lambda: writer)
