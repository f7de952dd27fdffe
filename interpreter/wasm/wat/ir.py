"""The typed intermediate form: expressions and structured statements close to WebAssembly.

Expressions are trees of ``E`` without side effects. The functions that make them fold constants, so what is known when
a game is compiled leaves no code behind. An expression may be written out once only, or must be ``fix``ed in a local
first. Statements are tuples, a word for what they do and then what they need; a ``Builder`` makes them.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
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


def _instruction(op: str) -> Callable[[E, E | int], E]:
    return lambda a, b: binary(op, a, b)


def _swapped(op: str) -> Callable[[E, int], E]:
    return lambda b, a: binary(op, const(a, b.ty), b)


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

    # ``>>`` is that of a number without a sign, comparisons are of signed ones; ``==`` asks if it is the same object.
    __add__, __radd__ = _instruction("add"), _swapped("add")
    __sub__, __rsub__ = _instruction("sub"), _swapped("sub")
    __mul__, __rmul__ = _instruction("mul"), _swapped("mul")
    __and__, __rand__ = _instruction("and"), _swapped("and")
    __or__, __ror__ = _instruction("or"), _swapped("or")
    __xor__, __rxor__ = _instruction("xor"), _swapped("xor")
    __lshift__, __rlshift__ = _instruction("shl"), _swapped("shl")
    __rshift__, __rrshift__ = _instruction("shr_u"), _swapped("shr_u")
    __lt__, __le__ = _instruction("lt_s"), _instruction("le_s")
    __gt__, __ge__ = _instruction("gt_s"), _instruction("ge_s")

    def __neg__(self) -> E:
        return 0 - self

    def __invert__(self) -> E:
        return self ^ -1


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


_FOLDED: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "shl": operator.lshift,
    "shr_u": operator.rshift,
    "shr_s": operator.rshift,
}
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt_s": operator.lt,
    "le_s": operator.le,
    "gt_s": operator.gt,
    "ge_s": operator.ge,
    "lt_u": operator.lt,
    "le_u": operator.le,
    "gt_u": operator.gt,
    "ge_u": operator.ge,
}
_OPPOSITE = {
    "eq": "ne", "ne": "eq", "lt_s": "ge_s", "ge_s": "lt_s", "gt_s": "le_s", "le_s": "gt_s",
    "lt_u": "ge_u", "ge_u": "lt_u", "gt_u": "le_u", "le_u": "gt_u",
}  # fmt: skip


def _fold(op: str, a: E, b: E) -> E | None:
    """What an instruction makes of two constants, where that is worked out."""
    mask = MASK32 if a.ty == "i32" else MASK64
    unsigned = mask if op.endswith("_u") else -1
    if op in _COMPARED:
        return const(_COMPARED[op](a.value & unsigned, b.value & unsigned))
    if op not in _FOLDED:
        return None
    right = b.value & (mask.bit_length() - 1) if op.startswith("sh") else b.value
    return const(_FOLDED[op](a.value & unsigned, right), a.ty)


_UNCHANGED = {0: ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"), 1: ("mul",), -1: ("and",)}
"""By a constant, the instructions that with it give the other value."""


def _simplified(op: str, a: E, b: int) -> E | None:
    """The same with a constant for less, if there is anything less."""
    if op in _UNCHANGED.get(b, ()):
        return a
    if (op, b) in (("mul", 0), ("and", 0), ("or", -1)):
        return const(b, a.ty)
    if (op, b, a.ty) == ("eq", 0, "i32"):
        return not_(a)
    if op == "mul" and b > 0 and b & (b - 1) == 0:
        return a << (b.bit_length() - 1)
    if op in ("add", "sub") and a.op == f"{a.ty}.add" and a.args[1].is_const:
        # (x + c) + d is x + (c + d): offsets of bounds meet all the time.
        return a.args[0] + (a.args[1].value + (b if op == "add" else -b))
    return a + -b if op == "sub" else None


def binary(op: str, a: E, b: E | int) -> E:
    """``add``, ``lt_u``, ... of two values of one type; a comparison gives an ``i32``."""
    if isinstance(b, int):
        b = const(b, a.ty)
    found = None
    if a.is_const and b.is_const:
        found = _fold(op, a, b)
    elif a.is_const and op in ("add", "mul", "and", "or", "xor", "eq", "ne"):
        return binary(op, b, a)
    if found is None and b.is_const:
        found = _simplified(op, a, b.value)
    return found or E(f"{a.ty}.{op}", "i32" if op in _COMPARED else a.ty, (a, b))


def eq(a: E, b: E | int) -> E:
    return binary("eq", a, b)


def ne(a: E, b: E | int) -> E:
    return binary("ne", a, b)


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
    return a if name in _COMPARED or name == "eqz" else ne(a, 0)


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


def least(a: E, b: E) -> E:
    """The lesser of two numbers, both of which are written out twice."""
    return select(a < b, a, b)


def greatest(a: E, b: E) -> E:
    return select(a > b, a, b)


def if_else(condition: E, a: E, b: E) -> E:
    """Like ``select``, but only one of the two is worked out."""
    if condition.is_const or (_cheap(a) and _cheap(b)):
        return select(condition, a, b)
    return E("ifelse", a.ty, (condition, a, b))


def _cheap(e: E) -> bool:
    return not e.args


def unary(op: str, a: E) -> E:
    """``i64.clz``, ``i64.extend_i32_s``, ... of a value; the name begins with the type of the result."""
    ty: Ty = "i32" if op.startswith("i32") else "i64"
    if a.is_const and op in _FOLDED_UNARY:
        return const(_FOLDED_UNARY[op](a.value), ty)
    return E(op, ty, (a,))


_FOLDED_UNARY: Mapping[str, Callable[[int], int]] = {
    "i64.extend_i32_s": lambda value: value,
    "i64.extend_i32_u": lambda value: value & MASK32,
    "i32.wrap_i64": lambda value: value,
    "i64.popcnt": lambda value: (value & MASK64).bit_count(),
}


def wide(a: E) -> E:
    """A number of 32 bits without a sign, as one of 64."""
    return unary("i64.extend_i32_u", a)


def narrow(a: E) -> E:
    """The lower half of 64 bits."""
    return unary("i32.wrap_i64", a)


def popcount(a: E) -> E:
    """How many of 64 bits are set, as a number of 64."""
    return unary("i64.popcnt", a)


def bit(member: E) -> E:
    """The mask of one member."""
    return 1 << wide(member)


def load(address: E, offset: int = 0, ty: Ty = "i32", width: str = "") -> E:
    """``width``: ``8_u`` and so on for a part of a word.

    A constant in the address becomes an offset, which is added without wrapping: what is left must not be negative.
    """
    address, offset = split(address, offset)
    return E(f"{ty}.load{width}", ty, (address,), offset)


def split(address: E, offset: int) -> tuple[E, int]:
    """An address and an offset, as much as can be in the offset."""
    if address.op == "i32.add" and address.args[1].is_const and address.args[1].value >= 0:
        return address.args[0], offset + address.args[1].value
    if address.is_const and address.value >= 0:
        return ZERO, offset + address.value
    return address, offset


Statement: TypeAlias = tuple[Any, ...]
"""A word for what is done, and what that needs; see ``Builder``."""


def parts(code: Any) -> Iterator[E | Statement]:
    """All expressions and statements in some code, in no order."""
    todo = [code]
    while todo:
        part = todo.pop()
        if isinstance(part, E):
            yield part
            todo += part.args
        elif isinstance(part, (list, tuple)):
            if isinstance(part, tuple):
                yield part
            todo += part


def calls(code: Any) -> Iterator[str]:
    """The functions that some code calls, as often as it does."""
    for part in parts(code):
        if isinstance(part, E):
            if part.op == "call":
                yield part.imm
        elif part and part[0] == "call":
            yield part[1]


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
    return any(isinstance(part, E) and part.op in ("ifelse", "call") for part in parts(e))


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
