"""A function of the typed form, and its builder."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs

from rulelang.structural import Structural, frozen

from . import ir
from .ir import ZERO, E, Statement, Ty, const, get, load

SMALL = 64
"""Bytes up to which a copy is written out."""


T = TypeVar("T")


class NotWritten(Exception):
    """Something cannot be said in the way that was tried."""


@attrs.define(eq=False)
class Function:
    """``params`` and ``results`` are types; the locals are numbered from 0, parameters first.

    ``place``: whose text it is, as its builder says.
    """

    name: str
    params: tuple[Ty, ...]
    results: tuple[Ty, ...]
    locals: list[Ty] = attrs.field(factory=list)
    body: list[Statement] = attrs.field(factory=list)
    export: str | None = None
    place: Any = None


class Builder:
    """Writes the statements of one function. ``place``: gives whose text is being written, which loops remember."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.place: Callable[[], Any] = lambda: None
        self.function.locals = list(function.params)
        self._open: list[list[Statement]] = [function.body]
        self._labels = 0
        self._steady = set(range(len(function.params)))
        self._set_in: dict[int, list[Statement]] = {}
        self._fixed: dict[int, E] = {}
        self._loops: set[int] = set()

    @property
    def out(self) -> list[Statement]:
        """The statements that are being written."""
        return self._open[-1]

    @out.setter
    def out(self, body: list[Statement]) -> None:
        for i, known in enumerate(self._open):
            if known is body:
                del self._open[i + 1 :]
                return
        self._open.append(body)

    def is_open(self, body: list[Statement]) -> bool:
        """Whether what stands in ``body`` comes before whatever is written next."""
        return any(known is body for known in self._open)

    def level(self, body: list[Statement]) -> int | None:
        """How many open bodies there are around one of them; None for one that is not open."""
        return next((level for level, known in enumerate(self._open) if known is body), None)

    def level_of(self, local: int) -> int | None:
        """The level of the body in which a local was fixed; None where it was not, or that body is not open."""
        return self.level(self._set_in[local]) if local in self._set_in else None

    def fixed(self, local: int) -> E | None:
        """What was fixed in a local, if anything was."""
        return self._fixed.get(local)

    def loops_within(self, level: int) -> bool:
        """Whether what is written next may run several times while the body of a level runs once."""
        return any(id(body) in self._loops for body in self._open[level + 1 :])

    def local(self, ty: Ty = "i32") -> int:
        self.function.locals.append(ty)
        return len(self.function.locals) - 1

    def let(self, value: E) -> int:
        """A local that begins with a value, and may be set again."""
        local = self.local(value.ty)
        self.set(local, value)
        return local

    def ty(self, local: int) -> Ty:
        return self.function.locals[local]

    def get(self, local: int) -> E:
        return get(local, self.ty(local))

    def set(self, local: int, value: E) -> None:
        if not (value.op == "get" and value.imm == local):
            self.out.append(("set", local, value))

    def add(self, local: int, value: E | int) -> None:
        self.set(local, self.get(local) + value)

    def fix(self, value: E) -> E:
        """The value as a constant or a local that nothing else sets, so that it can be written out more than once."""
        if value.op == "const" or (value.op == "get" and value.imm in self._steady):
            return value
        local = self.local(value.ty)
        self._steady.add(local)
        self._set_in[local] = self.out
        self._fixed[local] = value
        self.set(local, value)
        return self.get(local)

    def store(self, address: E, value: E, offset: int = 0, width: str = "") -> None:
        address, offset = ir.split(address, offset)
        self.out.append(("store", f"{value.ty}.store{width}", address, value, offset))

    def set_global(self, name: str, value: E) -> None:
        self.out.append(("global", name, value))

    def call(self, name: str, args: Sequence[E], into: Sequence[int] = ()) -> None:
        """A call whose results go to the locals ``into``."""
        self.out.append(("call", name, tuple(args), tuple(into)))

    def copy(self, to: E, source: E, size: E) -> None:
        """Bytes from one address to another; the places may overlap. A few are moved by words."""
        if not _is_small(size):
            self.out.append(("copy", to, source, size))
            return
        to, source = self.fix(to), self.fix(source)
        for at, word in [(at, self.fix(load(source, at, ty))) for at, ty in _words(size.value)]:
            self.store(to, word, at)

    def fill(self, to: E, size: E) -> None:
        """Zeroes."""
        if not _is_small(size):
            self.out.append(("fill", to, size))
            return
        to = self.fix(to)
        for at, ty in _words(size.value):
            self.store(to, const(0, ty), at)

    def label(self) -> str:
        self._labels += 1
        return f"l{self._labels}"

    def br(self, label: str) -> None:
        self.out.append(("br", label))

    def br_if(self, label: str, condition: E) -> None:
        if condition.is_const:
            if condition.value:
                self.br(label)
            return
        self.out.append(("br_if", label, condition))

    def ret(self, *values: E) -> None:
        self.out.append(("return", values))

    def unreachable(self) -> None:
        self.out.append(("unreachable",))

    @contextmanager
    def aside(self) -> Iterator[list[Statement]]:
        """Collects what is written inside; it is not part of the function until it is put somewhere."""
        outer = self.out
        body: list[Statement] = []
        self.out = body
        try:
            yield body
        finally:
            self.out = outer

    def attempt(self, write: Callable[[], T | None]) -> T | None:
        """What ``write`` gives. What it wrote is dropped if that is None, or if it raises NotWritten."""
        try:
            with self.aside() as body:
                found = write()
        except NotWritten:
            return None
        if found is not None:
            self.out.extend(body)
        return found

    @contextmanager
    def block(self) -> Iterator[str]:
        """A block that ``br`` to the label leaves."""
        label = self.label()
        with self.aside() as body:
            yield label
        self.out.append(("block", label, body))

    @contextmanager
    def loop(self, most: int | E | None = None) -> Iterator[str]:
        """A loop that ``br`` to the label begins anew.

        ``most``: the passes it makes at most, as a number or as one that is known when it begins; None: nobody knows.
        """
        label, place = self.label(), self.place()
        with self.aside() as body:
            self._loops.add(id(body))
            yield label
        self._loops.discard(id(body))
        self.out.append(("loop", label, body, most, place))

    @contextmanager
    def until(self, end: E, most: int | E | None = None) -> Iterator[None]:
        """A loop whose passes begin by testing whether it has come to its end. ``most``: see ``loop``."""
        with self.block() as done, self.loop(most) as again:
            self.br_if(done, end)
            yield
            self.br(again)

    @contextmanager
    def counting(self, end: E, step: int = 1, i: int | None = None) -> Iterator[E]:
        """A loop of at least one pass, with a counter: 0, ``step``, 2 ``step``, ... up to before ``end``.

        ``i``: the local that counts, if there is one already.
        """
        counter = self.local() if i is None else i
        self.set(counter, ZERO)
        with self.loop(-(-end.value // step) if end.is_const else end) as again:
            yield self.get(counter)
            self.set(counter, self.get(counter) + step)
            self.br_if(again, self.get(counter) < end)

    @contextmanager
    def if_(self, condition: E) -> Iterator[None]:
        with self.aside() as body:
            yield
        if condition.is_const:
            if condition.value:
                self.out.extend(body)
            return
        self.out.append(("if", condition, body, []))

    @contextmanager
    def else_(self) -> Iterator[None]:
        """After an ``if_`` whose condition is no constant."""
        statement = self.out[-1]
        assert statement[0] == "if"
        with self.aside() as body:
            yield
        statement[3].extend(body)

    def either(self, condition: E, then: list[Statement], otherwise: list[Statement]) -> None:
        """An ``if`` with code written aside, for when the condition holds and for when it fails."""
        self.out.append(("if", condition, then, otherwise))


def _is_small(size: E) -> bool:
    """Whether so many bytes are moved word by word."""
    return size.is_const and 0 < size.value <= SMALL and size.value % 4 == 0


def _words(size: int) -> Iterator[tuple[int, Ty]]:
    """The places and types of the words that some bytes consist of."""
    for at in range(0, size, 8):
        yield at, "i64" if size - at >= 8 else "i32"


# Parts of a module's text that can be reached from outside; the rest would be compiled for nobody.


_PART = re.compile(r"^\((?:func|global|data|memory) ", re.MULTILINE)
_NAME = re.compile(r"\(func \$([\w.]+)")
_CALL = re.compile(r"\bcall \$([\w.]+)")


def reached(text: str) -> str:
    """The text of a module without the functions that no exported one calls, however indirectly.

    Each function and each other part begins a line, and nothing takes a function but by a call.
    """
    starts = [found.start() for found in _PART.finditer(text)]
    ends = [*starts[1:], text.rindex(")")]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    names: dict[str, int] = {}
    for i, part in enumerate(parts):
        if named := _NAME.match(part):
            assert named[1] not in names, f"two functions are called {named[1]}"
            names[named[1]] = i
    open_ = [i for i, part in enumerate(parts) if not part.startswith("(func") or "(export" in part]
    kept = set(open_)
    while open_:
        called = {names[name] for name in _called(parts[open_.pop()])} - kept
        kept |= called
        open_ += called
    return text[: starts[0]] + "".join(parts[i] for i in sorted(kept)) + text[ends[-1] :]


@functools.lru_cache(maxsize=4_096)
def _called(part: str) -> frozenset[str]:
    """The functions that a part calls; most parts are in every module."""
    return frozenset(_CALL.findall(part))


# Calls of the smallest helpers of the kernel, written out: taking room costs less than calling for it.
#
# Only calls that are the whole value of a local, with a size that is known, are written out. The local stands for what
# the helper keeps to itself.


@frozen
class _Room(Structural):
    """A helper that moves a global on by a number of bytes and gives where it stood. ``point``: of its fault."""

    at: str
    end: str
    aligned: bool
    point: int


_ROOMS = {
    "alloc": _Room("top", "limit", True, -1),
    "offer": _Room("offers", "offers_end", False, -2),
}
"""The helpers by name, as they stand in ``kernel.wat``."""


def unfolded(function: Function) -> Function:
    """The function without such calls."""
    return attrs.evolve(function, body=_body(function.body))


def _body(body: Sequence[Statement]) -> list[Statement]:
    return [found for statement in body for found in _statement(statement)]


def _statement(s: Statement) -> Iterator[Statement]:
    match s:
        case ("set", local, E(op="call", imm=name, args=(E(op="const") as size,))) if name in _ROOMS:
            yield from _taken(_ROOMS[name], local, size.value)
        case ("block" | "loop" as word, label, inner, *more):
            yield word, label, _body(inner), *more
        case ("if", condition, then, otherwise):
            yield "if", condition, _body(then), _body(otherwise)
        case _:
            yield s


def _taken(room: _Room, local: int, size: int) -> Iterator[Statement]:
    yield "set", local, ir.global_(room.at)
    end = ir.get(local) + ((size + 7) & ~7 if room.aligned else size)
    yield "global", room.at, end
    fault: Statement = ("call", "fault", (ir.const(room.point), ir.ZERO, ir.ZERO, ir.ZERO), ())
    yield "if", ir.binary("gt_u", ir.global_(room.at), ir.global_(room.end)), [fault], []


# WebAssembly text from the intermediate form.


def function_text(function: Function, without: Set[str] = frozenset()) -> str:
    """A function in the folded text format. ``without``: globals that nobody reads, so that none is set."""
    parts = [f"(func ${function.name}"]
    if function.export is not None:
        parts.append(f' (export "{function.export}")')
    if function.params:
        parts.append(f" (param {' '.join(function.params)})")
    if function.results:
        parts.append(f" (result {' '.join(function.results)})")
    further = function.locals[len(function.params) :]
    if further:
        parts.append(f" (local {' '.join(further)})")
    parts.append("\n")
    _write(parts, function.body, without)
    if function.results and not _returns(function.body):
        parts.append("unreachable")
    parts.append(")\n")
    return "".join(parts)


def _returns(body: Sequence[Statement]) -> bool:
    return bool(body) and body[-1][0] == "return"


def _write(out: list[str], body: Sequence[Statement], without: Set[str]) -> None:
    for s in body:
        match s:
            case ("set", _, E(op="global", imm=name)) | ("global", name, _) if name in without:
                pass
            case ("block" | "loop" as word, label, inner, *_):
                out.append(f"({word} ${label}\n")
                _write(out, inner, without)
                out.append(")\n")
            case ("if", _, [], []):
                pass  # conditions have no effects
            case ("if", condition, then, otherwise):
                out.append(f"(if {_expr(condition)} (then\n")
                _write(out, then, without)
                if otherwise:
                    out.append(")(else\n")
                    _write(out, otherwise, without)
                out.append("))\n")
            case (word, *rest):
                out.append(f"{_PLAIN[word](*rest)}\n")


_PLAIN: dict[str, Callable[..., str]] = {
    "set": lambda local, value: f"(local.set {local} {_expr(value)})",
    "store": lambda op, address, value, offset: f"({op} offset={offset} {_expr(address)} {_expr(value)})",
    "global": lambda name, value: f"(global.set ${name} {_expr(value)})",
    "call": lambda name, args, into: "\n".join(
        (f"(call ${name} {_all(args)})", *(f"local.set {local}" for local in reversed(into)))
    ),
    "copy": lambda *args: f"(memory.copy {_all(args)})",
    "fill": lambda to, size: f"(memory.fill {_expr(to)} (i32.const 0) {_expr(size)})",
    "br": lambda label: f"(br ${label})",
    "br_if": lambda label, condition: f"(br_if ${label} {_expr(condition)})",
    "return": lambda values: f"(return {_all(values)})",
    "unreachable": lambda: "unreachable",
}
"""The text of statements that have no others inside them, by what they do."""


def _all(args: Sequence[E]) -> str:
    return " ".join(map(_expr, args))


def _expr(e: E) -> str:
    match e.op:
        case "const":
            return f"({e.ty}.const {e.imm})"
        case "get":
            return f"(local.get {e.imm})"
        case "global":
            return f"(global.get ${e.imm})"
        case "call":
            return f"(call ${e.imm} {_all(e.args)})"
        case "ifelse":
            condition, a, b = e.args
            return f"(if (result {e.ty}) {_expr(condition)} (then {_expr(a)}) (else {_expr(b)}))"
    if e.imm is not None:
        return f"({e.op} offset={e.imm} {_all(e.args)})"
    return f"({e.op} {_all(e.args)})"
