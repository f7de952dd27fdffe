"""Masks as words of 64 bits: one bit for each member of a domain, the first member's lowest.

A mask of a domain of up to 64 members is one word. Bits behind the last member may be set while a mask is worked out;
who goes through one, or counts its bits, has cut them off (``whole``).
"""

from __future__ import annotations

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


def _each(a: Mask, b: Mask, join: Callable[[E, E], E]) -> Mask:
    return Mask(tuple(join(x, y) for x, y in zip(a.words, b.words, strict=True)))


def both(a: Mask, b: Mask) -> Mask:
    return _each(a, b, _and)


def either(a: Mask, b: Mask) -> Mask:
    return _each(a, b, _or)


def opposite(a: Mask) -> Mask:
    return Mask(tuple(_not(word) for word in a.words))


def without(a: Mask, b: Mask) -> Mask:
    return both(a, opposite(b))


def _and(a: E, b: E) -> E:
    for x, y in ((a, b), (b, a)):
        if x.is_const and x.value in (0, -1):
            return y if x.value else ir.ZERO64
    return ir.binary("and", a, b)


def _or(a: E, b: E) -> E:
    for x, y in ((a, b), (b, a)):
        if x.is_const and x.value in (0, -1):
            return ir.const(-1, "i64") if x.value else y
    return ir.binary("or", a, b)


def _not(a: E) -> E:
    return ir.binary("xor", a, ir.const(-1, "i64"))


def all_or_none(flag: E, words: int) -> Mask:
    """All bits for a flag that holds; ``flag`` must be fixed."""
    if flag.is_const:
        return constant(-1 if flag.value else 0, words)
    word = ir.binary("sub", ir.ZERO64, ir.unary("i64.extend_i32_u", flag, "i64"))
    return Mask((word,) * words)


def single(b: Builder, member: E, words: int) -> Mask:
    """The mask of one member, fixed."""
    member = b.fix(member)
    if member.is_const:
        return constant(1 << member.value if member.value >= 0 else 0, words)
    bit = b.fix(ir.bit(member))
    if words == 1:
        return Mask((bit,))
    place = b.fix(ir.binary("shr_u", member, ir.const(6)))
    return Mask(tuple(b.fix(ir.select(ir.eq(place, ir.const(i)), bit, ir.ZERO64)) for i in range(words)))


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
            near = _or(_shifted(towards, near, bits), _shifted(from_, far, WORD_BITS - bits))
        found.append(near)
    return Mask(tuple(found))


def _shifted(way: str, word: E, by: int) -> E:
    if word.is_const and word.value == 0:
        return word
    return ir.binary(way, word, ir.const(by, "i64"))


def turned(b: Builder, mask: Mask, by: int, size: int) -> Mask:
    """The members that come ``by`` places before those of a mask, on a ring."""
    mask = fixed(b, mask)
    return both(either(moved(b, mask, by), moved(b, mask, by - size)), whole(size))


def _joined(words: Sequence[E]) -> E:
    found = words[0]
    for word in words[1:]:
        found = _or(found, word)
    return found


def is_never(mask: Mask) -> bool:
    """Whether it is known while code is written that a mask has no member."""
    return all(word.is_const and word.value == 0 for word in mask.words)


def is_empty(mask: Mask) -> E:
    return ir.not_(_joined(mask.words))


def is_some(mask: Mask) -> E:
    return ir.ne(_joined(mask.words), ir.ZERO64)


def differ(a: Mask, b: Mask) -> E:
    """Whether two masks are not the same."""
    return ir.ne(_joined([ir.binary("xor", x, y) for x, y in zip(a.words, b.words, strict=True)]), ir.ZERO64)


def count(mask: Mask) -> E:
    total = ir.unary("i64.popcnt", mask.words[0], "i64")
    for word in mask.words[1:]:
        total = ir.add(total, ir.unary("i64.popcnt", word, "i64"))
    return ir.unary("i32.wrap_i64", total, "i32")


def holds(mask: Mask, member: E) -> E:
    """Whether a member, which is fixed, is in a mask."""
    if member.is_const:
        place, bit = divmod(member.value, WORD_BITS)
        return ir.ne(_and(mask.words[place], ir.const(1 << bit, "i64")), ir.ZERO64)
    word = word_at(mask, ir.binary("shr_u", member, ir.const(6)))
    down = ir.binary("shr_u", word, ir.unary("i64.extend_i32_u", member, "i64"))
    return ir.binary("and", ir.unary("i32.wrap_i64", down, "i32"), ir.ONE)


def word_at(mask: Mask, place: E) -> E:
    """One of the words, which are fixed; ``place`` is written out once for each but the last."""
    found = mask.words[-1]
    for i in reversed(range(len(mask.words) - 1)):
        found = ir.select(ir.eq(place, ir.const(i)), mask.words[i], found)
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
        here = ir.add(ir.unary("i32.wrap_i64", E("i64.ctz", "i64", (word,)), "i32"), ir.const(WORD_BITS * i))
        found = b.fix(ir.select(ir.ne(word, ir.ZERO64), here, found))
    return found


def highest(b: Builder, mask: Mask, nothing: E) -> E:
    """The last member of a mask whose words are fixed; ``nothing`` if there is none."""
    found = nothing
    for i, word in enumerate(mask.words):
        clear = ir.unary("i32.wrap_i64", E("i64.clz", "i64", (word,)), "i32")
        here = ir.sub(ir.const(WORD_BITS * i + WORD_BITS - 1), clear)
        found = b.fix(ir.select(ir.ne(word, ir.ZERO64), here, found))
    return found


def below_lowest(b: Builder, within: Mask, against: Mask) -> Mask:
    """What of ``within`` lies below the first member of ``against``; all words are fixed."""
    blocked: E | None = None
    found = []
    for part, stop in zip(within.words, against.words, strict=True):
        low = ir.binary("and", stop, ir.binary("sub", ir.ZERO64, stop))
        free = _and(part, ir.binary("sub", low, ir.const(1, "i64")))
        found.append(free if blocked is None else ir.select(ir.ne(blocked, ir.ZERO64), ir.ZERO64, free))
        blocked = stop if blocked is None else b.fix(_or(blocked, stop))
    return Mask(tuple(found))


def above_highest(b: Builder, within: Mask, against: Mask) -> Mask:
    """What of ``within`` lies above the last member of ``against``; all words are fixed."""
    blocked: E | None = None
    found = []
    for part, stop in zip(reversed(within.words), reversed(against.words), strict=True):
        clear = E("i64.clz", "i64", (stop,))
        # With nothing in the way, clz is 64 and shifts count modulo 64: all is free in its stead.
        top = ir.binary("shl", ir.const(-2, "i64"), ir.binary("sub", ir.const(63, "i64"), clear))
        free = ir.select(E("i64.eqz", "i32", (stop,)), part, _and(part, top))
        found.append(free if blocked is None else ir.select(ir.ne(blocked, ir.ZERO64), ir.ZERO64, free))
        blocked = stop if blocked is None else b.fix(_or(blocked, stop))
    return Mask(tuple(reversed(found)))


def only_lowest(b: Builder, mask: Mask) -> Mask:
    """The first member of a mask by itself; all words are fixed."""
    return _only(b, mask.words, lambda word: ir.binary("and", word, ir.binary("sub", ir.ZERO64, word)))


def only_highest(b: Builder, mask: Mask) -> Mask:
    """The last member of a mask by itself; all words are fixed."""

    def top(word: E) -> E:
        bit = ir.binary("shr_u", ir.const(-(1 << 63), "i64"), E("i64.clz", "i64", (word,)))
        return ir.binary("and", word, bit)  # with no bit at all, the shift counts modulo 64

    return Mask(_only(b, mask.words[::-1], top).words[::-1])


def _only(b: Builder, words: Sequence[E], bit_of: Callable[[E], E]) -> Mask:
    """One bit of the first word that has any."""
    before: E | None = None
    found = []
    for word in words:
        bit = bit_of(word)
        found.append(bit if before is None else ir.select(ir.ne(before, ir.ZERO64), ir.ZERO64, bit))
        before = word if before is None else b.fix(_or(before, word))
    return Mask(tuple(found))


def chosen(b: Builder, mask: Mask, number: E) -> E:
    """The member that comes after ``number`` others, of whom there are enough; the words are locals."""
    left, rest, start = b.local(), b.local("i64"), b.local()
    b.set(left, number)
    b.set(rest, mask.words[0])
    b.set(start, ir.ZERO)
    # The word first, and in it one bit after another is taken away.
    with b.block() as found:
        for i, word in enumerate(mask.words[1:], 1):
            here = b.fix(count(Mask((b.get(rest),))))
            b.br_if(found, ir.lt(b.get(left), here))
            b.set(left, ir.sub(b.get(left), here))
            b.set(rest, word)
            b.set(start, ir.const(WORD_BITS * i))
    with b.until(ir.not_(b.get(left)), WORD_BITS):
        b.set(rest, ir.binary("and", b.get(rest), ir.binary("sub", b.get(rest), ir.const(1, "i64"))))
        b.set(left, ir.sub(b.get(left), ir.ONE))
    return ir.add(ir.unary("i32.wrap_i64", E("i64.ctz", "i64", (b.get(rest),)), "i32"), b.get(start))


def chosen_of(b: Builder, masks: Sequence[Mask], left: int) -> E:
    """Of the members of some masks, each as often as there are masks that have it, in rising order: the one that comes
    after as many as the local ``left`` says, of which there are enough. In the end ``left`` says how often it comes
    before. The words are locals."""
    words = [b.local("i64") for _ in masks]
    start, place = b.local(), b.local("i64")

    def number(of: Callable[[E], E]) -> E:
        total = ir.unary("i64.popcnt", of(b.get(words[0])), "i64")
        for word in words[1:]:
            total = ir.add(total, ir.unary("i64.popcnt", of(b.get(word)), "i64"))
        return b.fix(ir.unary("i32.wrap_i64", total, "i32"))

    for word, mask in zip(words, masks, strict=True):
        b.set(word, mask.words[0])
    b.set(start, ir.ZERO)
    with b.block() as found:
        for i in range(1, len(masks[0].words)):
            here = number(lambda word: word)
            b.br_if(found, ir.lt(b.get(left), here))
            b.set(left, ir.sub(b.get(left), here))
            b.set(start, ir.const(WORD_BITS * i))
            for word, mask in zip(words, masks, strict=True):
                b.set(word, mask.words[i])
    b.set(place, ir.ZERO64)
    half = WORD_BITS // 2
    while half:  # is it in the upper half of what is left, or the lower one?
        low = b.fix(ir.binary("shl", ir.const((1 << half) - 1, "i64"), b.get(place)))
        below = number(lambda word, low=low: _and(word, low))  # type: ignore[misc]
        above = b.fix(ir.ge(b.get(left), below))
        b.set(left, ir.sub(b.get(left), ir.select(above, below, ir.ZERO)))
        b.set(place, ir.add(b.get(place), ir.select(above, ir.const(half, "i64"), ir.ZERO64)))
        half //= 2
    return ir.add(ir.unary("i32.wrap_i64", b.get(place), "i32"), b.get(start))


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

    def both(self, other: Between) -> Between:
        return self._joined(other, both)

    def either(self, other: Between) -> Between:
        return self._joined(other, either)

    def _joined(self, other: Between, join: Callable[[Mask, Mask], Mask]) -> Between:
        may = join(self.may, other.may)
        return Between(may if self.exact and other.exact else join(self.must, other.must), may)

    def opposite(self) -> Between:
        must = opposite(self.may)
        return Between(must, must if self.exact else opposite(self.must))

    def fixed(self, b: Builder) -> Between:
        may = fixed(b, self.may)
        return Between(may if self.exact else fixed(b, self.must), may)


def exact(mask: Mask) -> Between:
    """What is known exactly."""
    return Between(mask, mask)
