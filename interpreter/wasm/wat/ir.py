"""The typed intermediate form: expressions and structured statements close to WebAssembly.

Expressions are trees of ``E`` without side effects. The functions that make them fold constants, so what is known when
a game is compiled leaves no code behind. An expression may be written out once only, or must be ``fix``ed in a local
first. Statements are tuples, a word for what they do and then what they need; a ``Builder`` makes them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Concatenate, Literal, ParamSpec, Protocol, TypeAlias, TypeVar

import attrs

from rulelang.source import Span

Ty: TypeAlias = Literal["i32", "i64"]

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF


# The text that code is written for, noted in the typed form while a module is written whose work is to be counted.
#
# Every expression that is made remembers the source at work. Any other module is written without one, at no cost.


P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class Spanned(Protocol):
    """A node of a program."""

    @property
    def span(self) -> Span: ...


@attrs.frozen(eq=False)
class CodeSource:
    """A stretch of code that was written for a line of text.

    ``outer``: the source inside which it was written. ``ran``: the definition that has run whenever this code has.
    """

    file: str
    line: int
    outer: CodeSource | None = None
    ran: str | None = None
    node: Spanned | None = None


_bodies: dict[int, str] | None = None
_current: CodeSource | None = None
_noting = threading.Lock()


def current() -> CodeSource | None:
    """The source at work; None unless sources are noted."""
    return _current


@contextmanager
def noted(bodies: dict[int, str]) -> Iterator[None]:
    """Sources are noted inside. ``bodies``: the names of definitions by the identity of their bodies."""
    global _bodies, _current
    with _noting:
        _bodies = bodies
        try:
            yield
        finally:
            _bodies = _current = None


@contextmanager
def written_for(node: Spanned) -> Iterator[None]:
    """What is written inside is for a node of the rules, where sources are noted."""
    global _current
    outer = _current
    if _bodies is not None and node.span.line and (outer is None or outer.node is not node):
        ran = _bodies.get(id(node))
        if ran is not None or outer is None or (outer.file, outer.line) != (node.span.file, node.span.line):
            _current = CodeSource(node.span.file, node.span.line, outer, ran, node)
    try:
        yield
    finally:
        _current = outer


def sourced(write: Callable[Concatenate[S, Any, P], R]) -> Callable[Concatenate[S, Any, P], R]:
    """A method that writes code for the node it is given first."""

    def writing(self: S, node: Any, /, *rest: P.args, **named: P.kwargs) -> R:
        if _bodies is None:
            return write(self, node, *rest, **named)
        with written_for(node):
            return write(self, node, *rest, **named)

    return writing


# Expressions


@attrs.frozen(eq=False)
class E:
    """``op``: ``const``, ``get`` (a local), ``global``, ``call``, or an instruction. ``imm``: its immediate.

    ``source``: what it was written for, where that is noted.
    """

    op: str
    ty: Ty
    args: tuple[E, ...] = ()
    imm: Any = None
    source: CodeSource | None = attrs.field(factory=current, repr=False)

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
    """``width``: ``8_u`` and so on for a part of a word.

    A constant in the address becomes an offset, which is added without wrapping: what is left must not be negative.
    """
    if address.op == "i32.add" and address.args[1].is_const and address.args[1].value >= 0:
        offset += address.args[1].value
        address = address.args[0]
    elif address.is_const and address.value >= 0:
        offset += address.value
        address = ZERO
    return E(f"{ty}.load{width}", ty, (address,), offset)


Statement: TypeAlias = tuple[Any, ...]
"""A word for what is done, and what that needs; see ``Builder``."""


# Costs of working something out: may it be done before it is known to be needed?


def light(e: E) -> bool:
    """Whether working something out costs less than a jump round it."""
    return weight(e) <= 6


def straight(code: Sequence[Statement], result: E, most: int) -> bool:
    """Whether statements only set locals, without a jump or a call, and take little work with the result."""
    if not all(s[0] == "set" and not jumps(s[2]) for s in code) or jumps(result):
        return False
    return sum(weight(s[2]) for s in code) + weight(result) <= most


def jumps(e: E) -> bool:
    return e.op in ("ifelse", "call") or any(jumps(arg) for arg in e.args)


def all_weight(code: Sequence[Statement]) -> int:
    """The weight of the expressions in statements, of two branches the greater; a loop counts as a call."""
    total = 0
    for statement in code:
        match statement:
            case ("if", condition, then, otherwise):
                total += weight(condition) + max(all_weight(then), all_weight(otherwise))
            case ("block", _, inner):
                total += all_weight(inner)
            case ("loop", *_) | ("call", *_):
                total += 100
            case _:
                total += sum(weight(part) for part in statement if isinstance(part, E))
    return total


def weight(e: E) -> int:
    if e.op == "call":
        return 100
    if ".div" in e.op or ".rem" in e.op:
        return 100
    return (2 if ".load" in e.op else 1 if e.args else 0) + sum(map(weight, e.args))
