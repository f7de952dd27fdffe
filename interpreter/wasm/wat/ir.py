"""The typed intermediate form: expressions and structured statements close to WebAssembly.

Expressions are trees of ``E`` without side effects; statements are appended to the block that is open in a ``Builder``.
The functions that make expressions fold constants, so what is known when a game is compiled leaves no code behind.
An expression may be written out once only, or must be ``fix``ed in a local first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

import attrs

Ty: TypeAlias = Literal["i32", "i64"]

SMALL = 64
"""Bytes up to which a copy is written out."""

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF


@attrs.frozen(eq=False)
class E:
    """``op``: ``const``, ``get`` (a local), ``global``, ``call``, or an instruction. ``imm``: its immediate."""

    op: str
    ty: Ty
    args: tuple[E, ...] = ()
    imm: Any = None

    @property
    def is_const(self) -> bool:
        return self.op == "const"

    @property
    def value(self) -> int:
        """The signed value of a constant."""
        assert self.op == "const"
        found: int = self.imm
        return found


def signed(value: int, ty: Ty = "i32") -> int:
    """The number that the bits of a value mean."""
    if ty == "i32":
        value &= MASK32
        return value - (1 << 32) if value >> 31 else value
    value &= MASK64
    return value - (1 << 64) if value >> 63 else value


def const(value: int, ty: Ty = "i32") -> E:
    return E("const", ty, imm=signed(value, ty))


ZERO = const(0)
ONE = const(1)
ZERO64 = const(0, "i64")


def get(local: int, ty: Ty = "i32") -> E:
    return E("get", ty, imm=local)


def global_(name: str, ty: Ty = "i32") -> E:
    return E("global", ty, imm=name)


def call(name: str, args: Sequence[E], ty: Ty = "i32") -> E:
    """A call that gives one value. The function must have no effect but on memory that is not state."""
    return E("call", ty, tuple(args), name)


def _fold(op: str, a: int, b: int, ty: Ty) -> int | None:
    mask = MASK32 if ty == "i32" else MASK64
    bits = 31 if ty == "i32" else 63
    ua, ub = a & mask, b & mask
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "and":
            return a & b
        case "or":
            return a | b
        case "xor":
            return a ^ b
        case "shl":
            return a << (b & bits)
        case "shr_u":
            return ua >> (b & bits)
        case "shr_s":
            return a >> (b & bits)
        case "eq":
            return int(a == b)
        case "ne":
            return int(a != b)
        case "lt_s":
            return int(a < b)
        case "le_s":
            return int(a <= b)
        case "gt_s":
            return int(a > b)
        case "ge_s":
            return int(a >= b)
        case "lt_u":
            return int(ua < ub)
        case "le_u":
            return int(ua <= ub)
        case "gt_u":
            return int(ua > ub)
        case "ge_u":
            return int(ua >= ub)
    return None


_COMPARISONS = frozenset(("eq", "ne", "lt_s", "le_s", "gt_s", "ge_s", "lt_u", "le_u", "gt_u", "ge_u"))
_OPPOSITE = {
    "eq": "ne", "ne": "eq", "lt_s": "ge_s", "ge_s": "lt_s", "gt_s": "le_s", "le_s": "gt_s",
    "lt_u": "ge_u", "ge_u": "lt_u", "gt_u": "le_u", "le_u": "gt_u",
}  # fmt: skip


def binary(op: str, a: E, b: E) -> E:
    """``add``, ``lt_s``, ... of two values of one type; a comparison gives an ``i32``."""
    ty: Ty = "i32" if op in _COMPARISONS else a.ty
    if a.is_const and b.is_const:
        folded = _fold(op, a.value, b.value, a.ty)
        if folded is not None:
            return const(folded, ty)
    if b.is_const:
        if b.value == 0 and op in ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"):
            return a
        if b.value == 0 and op in ("mul", "and"):
            return const(0, ty)
        if b.value == 1 and op == "mul":
            return a
        if op == "mul" and b.value > 1 and b.value & (b.value - 1) == 0:
            return E(f"{a.ty}.shl", ty, (a, const(b.value.bit_length() - 1, a.ty)))
        # (x + c) + d is x + (c + d): offsets of bounds meet all the time.
        if op in ("add", "sub") and a.op == f"{a.ty}.add" and a.args[1].is_const:
            d = b.value if op == "add" else -b.value
            return binary("add", a.args[0], const(a.args[1].value + d, a.ty))
        if op == "sub":
            return binary("add", a, const(-b.value, a.ty))
        if op == "eq" and b.value == 0 and a.ty == "i32":
            return not_(a)
    elif a.is_const:
        if op in ("add", "mul", "and", "or", "xor", "eq", "ne"):
            return binary(op, b, a)
    return E(f"{a.ty}.{op}", ty, (a, b))


def add(a: E, b: E) -> E:
    return binary("add", a, b)


def sub(a: E, b: E) -> E:
    return binary("sub", a, b)


def mul(a: E, b: E) -> E:
    return binary("mul", a, b)


def eq(a: E, b: E) -> E:
    return binary("eq", a, b)


def ne(a: E, b: E) -> E:
    return binary("ne", a, b)


def lt(a: E, b: E) -> E:
    return binary("lt_s", a, b)


def le(a: E, b: E) -> E:
    return binary("le_s", a, b)


def gt(a: E, b: E) -> E:
    return binary("gt_s", a, b)


def ge(a: E, b: E) -> E:
    return binary("ge_s", a, b)


def not_(a: E) -> E:
    """1 for 0, else 0."""
    if a.is_const:
        return const(int(a.value == 0))
    name = a.op.partition(".")[2]
    if name in _OPPOSITE:
        return E(f"{a.op.partition('.')[0]}.{_OPPOSITE[name]}", "i32", a.args)
    return E(f"{a.ty}.eqz", "i32", (a,))


def truth(a: E) -> E:
    """1 for anything but 0."""
    name = a.op.partition(".")[2]
    return a if name in _COMPARISONS or name == "eqz" else ne(a, const(0, a.ty))


def both(a: E, b: E) -> E:
    """The ``and`` of two flags, both worked out."""
    if a.is_const:
        return b if a.value else ZERO
    if b.is_const:
        return a if b.value else ZERO
    return E("i32.and", "i32", (a, b))


def either(a: E, b: E) -> E:
    if a.is_const:
        return ONE if a.value else b
    if b.is_const:
        return ONE if b.value else a
    return E("i32.or", "i32", (a, b))


def select(condition: E, a: E, b: E) -> E:
    """``a`` when the condition holds, else ``b``; both are worked out."""
    if condition.is_const:
        return a if condition.value else b
    if a.is_const and b.is_const:
        if a.value == b.value:
            return a
        if a.ty == "i32" and (a.value, b.value) == (1, 0):
            return truth(condition)
        if a.ty == "i32" and (a.value, b.value) == (0, 1):
            return not_(condition)
    return E("select", a.ty, (a, b, condition))


def if_else(condition: E, a: E, b: E) -> E:
    """Like ``select``, but only one of the two is worked out."""
    if condition.is_const or (_cheap(a) and _cheap(b)):
        return select(condition, a, b)
    return E("ifelse", a.ty, (condition, a, b))


def _cheap(e: E) -> bool:
    return not e.args


def unary(op: str, a: E, ty: Ty) -> E:
    """``i64.extend_i32_s``, ``i64.popcnt``, ``i32.wrap_i64``, ..."""
    if a.is_const:
        match op:
            case "i64.extend_i32_s":
                return const(a.value, "i64")
            case "i64.extend_i32_u":
                return const(a.value & MASK32, "i64")
            case "i32.wrap_i64":
                return const(a.value, "i32")
            case "i64.popcnt":
                return const((a.value & MASK64).bit_count(), "i64")
    return E(op, ty, (a,))


def bit(member: E) -> E:
    """The mask of one member."""
    return binary("shl", const(1, "i64"), unary("i64.extend_i32_u", member, "i64"))


def load(address: E, offset: int = 0, ty: Ty = "i32", width: str = "") -> E:
    """``width``: ``8_u`` and so on for a part of a word."""
    if address.op == "i32.add" and address.args[1].is_const and address.args[1].value >= 0:
        offset += address.args[1].value
        address = address.args[0]
    elif address.is_const and address.value >= 0:
        offset += address.value
        address = ZERO
    return E(f"{ty}.load{width}", ty, (address,), offset)


# ---------------------------------------------------------------- statements

Statement: TypeAlias = tuple[Any, ...]


@attrs.define(eq=False)
class Function:
    """``params`` and ``results`` are types; the locals are numbered from 0, parameters first."""

    name: str
    params: tuple[Ty, ...]
    results: tuple[Ty, ...]
    locals: list[Ty] = attrs.field(factory=list)
    body: list[Statement] = attrs.field(factory=list)
    export: str | None = None


class Builder:
    """Writes the statements of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.function.locals = list(function.params)
        self._open: list[list[Statement]] = [function.body]
        self._labels = 0
        self._steady = set(range(len(function.params)))

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
        """What ``br`` to the label leaves."""
        label = self.label()
        with self.aside() as body:
            yield label
        self.out.append(("block", label, body))

    @contextmanager
    def loop(self) -> Iterator[str]:
        """What ``br`` to the label begins anew."""
        label = self.label()
        with self.aside() as body:
            yield label
        self.out.append(("loop", label, body))

    @contextmanager
    def until(self, end: E) -> Iterator[None]:
        """A loop whose passes begin by testing whether it has come to its end."""
        with self.block() as done, self.loop() as again:
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
        with self.loop() as again:
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
        """What was written aside, to be carried out when the condition holds, and when it fails."""
        self.out.append(("if", condition, then, otherwise))
