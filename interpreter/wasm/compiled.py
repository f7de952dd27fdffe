"""Compiled programs: machine code, and the facts needed to run it."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import rulelang
from rulelang.collection import no_collection
from rulelang.files import cache
from rulelang.files.contents import fingerprint
from rulelang.limits import Limits, standard

from .. import passes
from . import host
from .host import Instance, Interface, Trap
from .layout.addresses import FAULT, NO_FAULT, WORD, Addresses

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

    def __init__(
        self, module: host.Module, facts: CompiledFacts, addresses: Addresses, make: Callable[[], Module]
    ) -> None:
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
    facts: CompiledFacts,
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


def _kept(
    facts: CompiledFacts, writer: Callable[[], Module], origin: Origin, which: dict[str, bool]
) -> Compiled | None:
    entry = origin.get(**which)
    if entry is None or entry.facts != facts:
        return None
    host.use(entry.interface)
    try:
        module = host.Module.of_code(entry.code)
    except host.NotRunnable:  # made by another version of wasmtime, or for another processor
        return None
    return Compiled(module, facts, entry.addresses, writer)


def _made(facts: CompiledFacts, writer: Module, origin: Origin | None, which: dict[str, bool]) -> Compiled:
    try:
        module = host.Module.of_text(writer.text())
    except host.NotRunnable:
        raise writer.too_long() from None
    addresses = writer.memory.addresses
    if origin is not None:
        origin.put(CacheEntry(facts, addresses, host.interface(), module.code()), **which)
    return Compiled(module, facts, addresses, lambda: writer)


# Machine code kept between runs, and the little that must be known to run it, in the user's cache folder.
#
# An entry belongs to what was asked for: the contents of a game's files, variants, players and settings, and the code
# of this project. Machine code is run as it is, so an entry counts only when nobody but the user can have written it
# and its seal shows that it is whole; any other is made again. This module imports nothing heavy: with an entry
# available a playout needs neither the rules nor the compiler.


MOST_ENTRIES = 256
MOST_BYTES = 200 * 1024 * 1024
"""The most that is kept; the entries unused for the longest time go first."""

_MARK = b"rulelang machine code 2\n"
_PACKAGE = Path(__file__).parents[1]
_LEFT_OVER = 3600.0
"""Seconds after which a file that is not finished will never be."""


class CompiledFacts(NamedTuple):
    """Facts about a game that are known without its program. ``version``: the program's."""

    name: str
    title: str
    players: int
    rules: tuple[str, ...]
    version: str

    @classmethod
    def of(cls, program: Program) -> CompiledFacts:
        return cls(program.name, program.title, program.players, tuple(program.rules), program.version)


class CacheEntry(NamedTuple):
    """Machine code of a module, as wasmtime serializes it, and what must be known to run it.

    ``addresses``: where things lie in its memory; ``interface``: how to call wasmtime.
    """

    facts: CompiledFacts
    addresses: Addresses
    interface: Interface
    code: bytes


class Origin:
    """Origin of a game: its files and the settings asked for. Finds what is kept of it between runs.

    ``path``, ``players``, ``settings`` and ``variants`` as for ``rulelang.load``.
    """

    path: Path

    def __init__(
        self,
        path: str | Path,
        players: int | None,
        settings: Mapping[str, Any],
        variants: Sequence[str | Path],
        limits: Limits | None = None,
    ) -> None:
        self._folder = cache.here()
        self.path = Path(path)
        self._players = players
        self._settings = dict(settings)
        self._limits = limits or standard()
        # A variant that is no file is a name.
        self._variants = [Path(v) if os.path.isfile(v) else os.fspath(v) for v in variants]
        self._contents = self._fingerprint()
        self._found: dict[tuple[bool, bool], CacheEntry | None] = {}

    def _fingerprint(self) -> str | None:
        return fingerprint(self.path, [v for v in self._variants if isinstance(v, Path)])

    def program(self) -> Program:
        """The checked program; raises what ``rulelang.load`` does."""
        folder = Path("" if cache.here() == self._folder else self._folder)
        variants = [folder / v if isinstance(v, Path) else v for v in self._variants]
        return rulelang.load(folder / self.path, self._players, self._settings, variants)

    def get(self, *, steps: bool, recorded: bool = False) -> CacheEntry | None:
        """The entry for playouts, recorded or not, or for steps, if there is one that can be trusted."""
        which = (steps, recorded)
        if which not in self._found:
            key = self._key(*which)
            file = _file(key)
            self._found[which] = None if key is None or file is None else _read(file, key)
        return self._found[which]

    def put(self, entry: CacheEntry, *, steps: bool, recorded: bool = False) -> None:
        """Keeps an entry, unless the game or the code may have changed while it was made."""
        key = self._key(steps, recorded)
        file = _file(key)
        if key is None or file is None or not code_as_imported():
            return
        if cache.here() != self._folder or self._fingerprint() != self._contents:
            return
        known = {"key": key, "facts": entry.facts, "addresses": entry.addresses, "interface": entry.interface}
        head = json.dumps(known).encode()
        body = len(head).to_bytes(4, "little") + head + entry.code
        cache.write(file, _MARK, body)
        _prune(file.parent)

    def _key(self, steps: bool, recorded: bool) -> str | None:
        if self._contents is None:
            return None
        asked = (
            self._folder,
            str(self.path),
            self._players,
            sorted(self._settings.items()),
            self._variants,
            self._limits,
        )
        whole = repr((version(), asked, self._contents, steps, recorded))
        return hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()


# ---------------------------------------------------------------- the code that makes machine code


@functools.cache
def _code() -> tuple[str, float]:
    """A hash over the code of this project, Python and wasmtime, and when a file of it last changed.

    Files are told apart by size and times, not by contents, which would take longer than all the rest.
    """
    digest = hashlib.sha256(repr((sys.version, sys.platform, os.name, sorted(passes.off()))).encode())
    wasmtime = find_spec("wasmtime")
    newest = 0.0
    files = [*_files_below(_PACKAGE), *_files_below(Path(rulelang.__file__).parent)]
    for file in [*files, wasmtime.origin] if wasmtime is not None and wasmtime.origin else files:
        found = os.stat(file)
        digest.update(repr((file, found.st_size, found.st_mtime_ns, found.st_ctime_ns)).encode())
        newest = max(newest, found.st_mtime, found.st_ctime)
    return digest.hexdigest(), newest


def _files_below(folder: str | Path) -> list[str]:
    found: list[str] = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                found += _files_below(entry.path)
        elif entry.name.endswith((".py", ".wat", ".lark")):
            found.append(entry.path)
    return found


def version() -> str:
    """A fingerprint of the code that makes and runs machine code."""
    return _code()[0]


def code_as_imported() -> bool:
    """Whether no file of the code can have changed since this process began to import it."""
    return _code()[1] < rulelang.IMPORTED


# ---------------------------------------------------------------- files


def _file(key: str | None) -> Path | None:
    """The place of an entry; None where nothing can be kept in safety."""
    folder = None if key is None else cache.room("machine")
    return None if folder is None else folder / f"{key}.code"


def _read(file: Path, key: str) -> CacheEntry | None:
    body = cache.read(file, _MARK)
    if body is None:
        return None
    try:
        size = int.from_bytes(body[:4], "little")
        record = json.loads(bytes(body[4 : 4 + size]))
        if record["key"] != key:
            return None
        os.utime(file)  # the entry is in use
        name, title, players, rules, made = record["facts"]
        facts = CompiledFacts(name, title, players, tuple(rules), made)
        return CacheEntry(
            facts, Addresses(*record["addresses"]), Interface(*record["interface"]), bytes(body[4 + size :])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _prune(folder: Path) -> None:
    """Remove entries above the limit, the longest unused first, and files that were never finished."""
    entries: list[tuple[float, int, str]] = []
    now = time.time()
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name == cache.SECRET:
                continue
            with contextlib.suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                if not entry.name.startswith(cache.TEMPORARY):
                    entries.append((found.st_mtime, found.st_size, entry.path))
                elif now - found.st_mtime > _LEFT_OVER:
                    os.unlink(entry.path)
    total = 0
    for number, (_, size, path) in enumerate(sorted(entries, reverse=True), 1):
        total += size
        if number > MOST_ENTRIES or total > MOST_BYTES:
            with contextlib.suppress(OSError):
                os.unlink(path)
