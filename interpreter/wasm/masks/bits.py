"""Masks as words of 64 bits: one bit for each member of a domain, the first member's lowest.

A mask of a domain of up to 64 members is one word. Bits behind the last member may be set while a mask is worked out;
who goes through one, or counts its bits, has cut them off (``whole``).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Sequence

import attrs

from ..wat import ir
from ..wat.builder import Builder
from ..wat.ir import E

WORD_BITS = 64


def words_of(size: int) -> int:
    """How many words a mask of so many members has."""
    return max(1, -(-size // WORD_BITS))


@attrs.frozen(eq=False)
class Mask:
    """A mask as its words, the lowest first."""

    words: tuple[E, ...]

    @property
    def is_const(self) -> bool:
        return all(word.is_const for word in self.words)

    def __and__(self, other: Mask) -> Mask:
        return Mask(tuple(a & b for a, b in zip(self.words, other.words, strict=True)))

    def __or__(self, other: Mask) -> Mask:
        return Mask(tuple(a | b for a, b in zip(self.words, other.words, strict=True)))

    def __xor__(self, other: Mask) -> Mask:
        return Mask(tuple(a ^ b for a, b in zip(self.words, other.words, strict=True)))

    def __invert__(self) -> Mask:
        return Mask(tuple(~word for word in self.words))


def constant(bits: int, words: int) -> Mask:
    """The mask with the bits of a number; -1 has all of them."""
    return Mask(tuple(ir.const(bits >> WORD_BITS * i, "i64") for i in range(words)))


def of_members(members: Iterable[int], words: int) -> Mask:
    return constant(sum(1 << member for member in set(members)), words)


def whole(size: int) -> Mask:
    """All members."""
    return constant((1 << size) - 1, words_of(size))


def fixed(b: Builder, mask: Mask) -> Mask:
    """The mask with words that may be written out more than once."""
    return Mask(tuple(b.fix(word) for word in mask.words))


def all_or_none(flag: E, words: int) -> Mask:
    """All bits for a flag that holds; ``flag`` must be fixed."""
    if flag.is_const:
        return constant(-1 if flag.value else 0, words)
    word = -ir.wide(flag)
    return Mask((word,) * words)


def single(b: Builder, member: E, words: int) -> Mask:
    """The mask of one member, fixed."""
    member = b.fix(member)
    if member.is_const:
        return constant(1 << member.value if member.value >= 0 else 0, words)
    bit = b.fix(ir.bit(member))
    if words == 1:
        return Mask((bit,))
    place = b.fix(member >> 6)
    return Mask(tuple(b.fix(ir.select(ir.eq(place, i), bit, ir.ZERO64)) for i in range(words)))


def moved(b: Builder, mask: Mask, by: int) -> Mask:
    """The mask with each member ``by`` places lower, or higher if it is less than 0; bits that leave it are lost."""
    if by == 0:
        return mask
    mask = fixed(b, mask)
    number = len(mask.words)
    across, bits = divmod(abs(by), WORD_BITS)
    towards, from_, step = ("shr_u", "shl", 1) if by > 0 else ("shl", "shr_u", -1)

    def word(place: int) -> E:
        return mask.words[place] if 0 <= place < number else ir.ZERO64

    found = []
    for i in range(number):
        near = word(i + step * across)
        if bits:
            far = word(i + step * (across + 1))
            near = ir.binary(towards, near, bits) | ir.binary(from_, far, WORD_BITS - bits)
        found.append(near)
    return Mask(tuple(found))


def turned(b: Builder, mask: Mask, by: int, size: int) -> Mask:
    """The members that come ``by`` places before those of a mask, on a ring."""
    mask = fixed(b, mask)
    return (moved(b, mask, by) | moved(b, mask, by - size)) & whole(size)


def _joined(words: Iterable[E]) -> E:
    return functools.reduce(operator.or_, words)


def any_of(masks: Iterable[Mask], words: int) -> Mask:
    """The members of any of some masks."""
    return functools.reduce(operator.or_, masks, constant(0, words))


def is_never(mask: Mask) -> bool:
    """Whether it is known while code is written that a mask has no member."""
    return all(word.is_const and word.value == 0 for word in mask.words)


def is_empty(mask: Mask) -> E:
    return ir.not_(_joined(mask.words))


def is_some(mask: Mask) -> E:
    return ir.ne(_joined(mask.words), 0)


def differ(a: Mask, b: Mask) -> E:
    """Whether two masks are not the same."""
    return is_some(a ^ b)


def count(mask: Mask) -> E:
    total = ir.popcount(mask.words[0])
    for word in mask.words[1:]:
        total += ir.popcount(word)
    return ir.narrow(total)


def holds(mask: Mask, member: E) -> E:
    """Whether a member, which is fixed, is in a mask."""
    if member.is_const:
        place, bit = divmod(member.value, WORD_BITS)
        return ir.ne(mask.words[place] & (1 << bit), 0)
    word = word_at(mask, member >> 6)
    down = word >> ir.wide(member)
    return ir.narrow(down) & 1


def word_at(mask: Mask, place: E) -> E:
    """One of the words, which are fixed; ``place`` is written out once for each but the last."""
    found = mask.words[-1]
    for i in reversed(range(len(mask.words) - 1)):
        found = ir.select(ir.eq(place, i), mask.words[i], found)
    return found


def load(address: E, offset: int, words: int) -> Mask:
    """The words that lie at a fixed address."""
    return Mask(tuple(ir.load(address, offset + 8 * i, "i64") for i in range(words)))


def packed(bits: int, words: int) -> bytes:
    """The bytes of a constant mask in memory."""
    return bits.to_bytes(8 * words, "little")


def lowest(b: Builder, mask: Mask, nothing: E) -> E:
    """The first member of a mask whose words are fixed; ``nothing`` if there is none."""
    found = nothing
    for i in reversed(range(len(mask.words))):
        word = mask.words[i]
        here = ir.narrow(ir.unary("i64.ctz", word)) + WORD_BITS * i
        found = b.fix(ir.select(ir.ne(word, 0), here, found))
    return found


def highest(b: Builder, mask: Mask, nothing: E) -> E:
    """The last member of a mask whose words are fixed; ``nothing`` if there is none."""
    found = nothing
    for i, word in enumerate(mask.words):
        clear = ir.narrow(ir.unary("i64.clz", word))
        here = WORD_BITS * i + WORD_BITS - 1 - clear
        found = b.fix(ir.select(ir.ne(word, 0), here, found))
    return found


def below_lowest(b: Builder, within: Mask, against: Mask) -> Mask:
    """What of ``within`` lies below the first member of ``against``; all words are fixed."""
    pairs = zip(within.words, against.words, strict=True)
    return Mask(_as_far_as(b, against.words, [part & ((stop & -stop) - 1) for part, stop in pairs]))


def above_highest(b: Builder, within: Mask, against: Mask) -> Mask:
    """What of ``within`` lies above the last member of ``against``; all words are fixed."""
    parts = []
    for part, stop in zip(within.words, against.words, strict=True):
        # With nothing in the way, clz is 64 and shifts count modulo 64: all is free in its stead.
        top = -2 << (63 - ir.unary("i64.clz", stop))
        parts.append(ir.select(ir.not_(stop), part, part & top))
    return Mask(_as_far_as(b, against.words[::-1], parts[::-1])[::-1])


def only_lowest(b: Builder, mask: Mask) -> Mask:
    """The first member of a mask by itself; all words are fixed."""
    return Mask(_as_far_as(b, mask.words, [word & -word for word in mask.words]))


def only_highest(b: Builder, mask: Mask) -> Mask:
    """The last member of a mask by itself; all words are fixed."""
    # With no bit at all, the shift counts modulo 64.
    tops = [word & (-(1 << 63) >> ir.unary("i64.clz", word)) for word in mask.words]
    return Mask(_as_far_as(b, mask.words[::-1], tops[::-1])[::-1])


def _as_far_as(b: Builder, stops: Sequence[E], parts: Sequence[E]) -> tuple[E, ...]:
    """The parts up to the one that belongs to the first stop with a bit; those behind it are empty."""
    stopped: E | None = None
    found = []
    for stop, part in zip(stops, parts, strict=True):
        found.append(part if stopped is None else ir.select(ir.ne(stopped, 0), ir.ZERO64, part))
        stopped = stop if stopped is None else b.fix(stopped | stop)
    return tuple(found)


class MaskVariable:
    """A mask that changes, in locals."""

    def __init__(self, b: Builder, begin: Mask) -> None:
        self._b = b
        self._locals = [b.local("i64") for _ in begin.words]
        self.set(begin)

    @property
    def now(self) -> Mask:
        return Mask(tuple(map(self._b.get, self._locals)))

    def set(self, mask: Mask) -> None:
        for local, word in zip(self._locals, mask.words, strict=True):
            self._b.set(local, word)

    def add(self, mask: Mask) -> None:
        self.set(self.now | mask)


def chosen(b: Builder, mask: Mask, number: E) -> E:
    """The member that comes after ``number`` others, of whom there are enough; the words are locals."""
    left, rest, start = b.let(number), b.let(mask.words[0]), b.let(ir.ZERO)
    # The word first, and in it one bit after another is taken away.
    with b.block() as found:
        for i, word in enumerate(mask.words[1:], 1):
            here = b.fix(count(Mask((b.get(rest),))))
            b.br_if(found, b.get(left) < here)
            b.set(left, b.get(left) - here)
            b.set(rest, word)
            b.set(start, ir.const(WORD_BITS * i))
    with b.until(ir.not_(b.get(left)), WORD_BITS):
        b.set(rest, b.get(rest) & (b.get(rest) - 1))
        b.add(left, -1)
    return ir.narrow(ir.unary("i64.ctz", b.get(rest))) + b.get(start)


def chosen_of(b: Builder, masks: Sequence[Mask], left: int) -> E:
    """Of the members of some masks, each as often as there are masks that have it, in rising order: the one that comes
    after as many as the local ``left`` says, of which there are enough. In the end ``left`` says how often it comes
    before. The words are locals."""
    words = [b.local("i64") for _ in masks]
    start, place = b.local(), b.local("i64")

    def number(of: Callable[[E], E]) -> E:
        total = ir.popcount(of(b.get(words[0])))
        for word in words[1:]:
            total += ir.popcount(of(b.get(word)))
        return b.fix(ir.narrow(total))

    for word, mask in zip(words, masks, strict=True):
        b.set(word, mask.words[0])
    b.set(start, ir.ZERO)
    with b.block() as found:
        for i in range(1, len(masks[0].words)):
            here = number(lambda word: word)
            b.br_if(found, b.get(left) < here)
            b.set(left, b.get(left) - here)
            b.set(start, ir.const(WORD_BITS * i))
            for word, mask in zip(words, masks, strict=True):
                b.set(word, mask.words[i])
    b.set(place, ir.ZERO64)
    half = WORD_BITS // 2
    while half:  # is it in the upper half of what is left, or the lower one?
        low = b.fix(((1 << half) - 1) << b.get(place))
        below = number(lambda word, low=low: word & low)  # type: ignore[misc]
        above = b.fix(b.get(left) >= below)
        b.set(left, b.get(left) - ir.select(above, below, ir.ZERO))
        b.add(place, ir.select(above, ir.const(half, "i64"), ir.ZERO64))
        half //= 2
    return ir.narrow(b.get(place)) + b.get(start)


@attrs.frozen(eq=False)
class Between:
    """Masks around the members for which something holds: those that ``must`` be among them, and those that ``may``.

    Where both are the same mask, it is exact.
    """

    must: Mask
    may: Mask

    @property
    def exact(self) -> bool:
        return self.must is self.may

    def __and__(self, other: Between) -> Between:
        may = self.may & other.may
        return Between(may if self.exact and other.exact else self.must & other.must, may)

    def __or__(self, other: Between) -> Between:
        may = self.may | other.may
        return Between(may if self.exact and other.exact else self.must | other.must, may)

    def __invert__(self) -> Between:
        must = ~self.may
        return Between(must, must if self.exact else ~self.must)

    def fixed(self, b: Builder) -> Between:
        may = fixed(b, self.may)
        return Between(may if self.exact else fixed(b, self.must), may)


def exact(mask: Mask) -> Between:
    """What is known exactly."""
    return Between(mask, mask)
