"""A function of the typed form, and its builder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from .ir import ZERO, E, Statement, Ty, add, const, get, load, lt

SMALL = 64
"""Bytes up to which a copy is written out."""


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

    def ty(self, local: int) -> Ty:
        return self.function.locals[local]

    def get(self, local: int) -> E:
        return get(local, self.ty(local))

    def set(self, local: int, value: E) -> None:
        if not (value.op == "get" and value.imm == local):
            self.out.append(("set", local, value))

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
        if address.op == "i32.add" and address.args[1].is_const and address.args[1].value >= 0:
            offset += address.args[1].value
            address = address.args[0]
        elif address.is_const and address.value >= 0:
            offset += address.value
            address = ZERO
        self.out.append(("store", f"{value.ty}.store{width}", address, value, offset))

    def set_global(self, name: str, value: E) -> None:
        self.out.append(("global", name, value))

    def call(self, name: str, args: Sequence[E], into: Sequence[int] = ()) -> None:
        """A call whose results go to the locals ``into``."""
        self.out.append(("call", name, tuple(args), tuple(into)))

    def copy(self, to: E, source: E, size: E) -> None:
        """Bytes from one address to another; the places may overlap. A few are moved by words."""
        if size.is_const and 0 < size.value <= SMALL and size.value % 4 == 0:
            to, source = self.fix(to), self.fix(source)
            found = []
            at = 0
            while at < size.value:
                ty: Ty = "i64" if size.value - at >= 8 else "i32"
                found.append((at, self.fix(load(source, at, ty))))
                at += 8 if ty == "i64" else 4
            for at, word in found:
                self.store(to, word, at)
            return
        self.out.append(("copy", to, source, size))

    def fill(self, to: E, size: E) -> None:
        """Zeroes."""
        if size.is_const and 0 < size.value <= SMALL and size.value % 4 == 0:
            to = self.fix(to)
            at = 0
            while at < size.value:
                ty: Ty = "i64" if size.value - at >= 8 else "i32"
                self.store(to, const(0, ty), at)
                at += 8 if ty == "i64" else 4
            return
        self.out.append(("fill", to, size))

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
            self.set(counter, add(self.get(counter), const(step)))
            self.br_if(again, lt(self.get(counter), end))

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
