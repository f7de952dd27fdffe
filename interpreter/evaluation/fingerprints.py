"""Fingerprints: 64 bits of values, by which histories tell positions apart.

The same on both engines, bit by bit: two positions with the same fingerprint count as the same on either. A value is
told by words. Words that lie one after another in the fast engine's memory are a *row*, mixed several at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from struct import pack, unpack
from typing import Any, TypeAlias

from rulelang.program import Apply, Expr, Fold, Local, Program, Read, Variable
from rulelang.program.values import rising
from rulelang.types import ListType, NumberType, OptionalType, PiecesType, SetType, Type, values

SEED = 0x243F6A8885A308D3
FACTOR = 0x9E3779B97F4A7C15
LANES = (0xC2B2AE3D27D4EB4F, 0x9E3779B185EBCA87)
"""Factors of XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md)."""
Mixer: TypeAlias = Callable[[int, Any], int]
_WORD = 0xFFFFFFFF
_ALL = 0xFFFFFFFFFFFFFFFF


MEMORY = 64
"""Positions whose fingerprints are remembered: each is asked for several times in a row."""


def fingerprint(parts: tuple[Any, ...], types: tuple[Type, ...]) -> tuple[int, int]:
    """The two halves of the fingerprint of some values of these types, the lower one first, as signed numbers."""
    return _fingerprint(parts, tuple(map(_mixer, types)))


def fingerprints(types: tuple[Type, ...]) -> Callable[[tuple[Any, ...]], tuple[int, int]]:
    """A function that gives the fingerprints of values of these types, and remembers some. Lists are tuples."""
    mixers = tuple(map(_mixer, types))
    return lru_cache(MEMORY)(lambda parts: _fingerprint(parts, mixers))


def _fingerprint(parts: tuple[Any, ...], mixers: tuple[Mixer, ...]) -> tuple[int, int]:
    bits = SEED
    for value, mixed in zip(parts, mixers, strict=True):
        bits = mixed(bits, value)
    bits = (bits + FACTOR) & _ALL
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & _ALL
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & _ALL
    bits ^= bits >> 31
    return _signed(bits & _WORD), _signed(bits >> 32)


def whole(program: Program, expr: Expr) -> Variable | None:
    """The variable all of whose cells an expression lists, in their order; None for any other expression."""
    match expr:
        case Fold("list", Read(name, indices), binds) if binds.condition is None and not binds.stop_at_first_failure:
            variable = program.variables[name]
            slots = tuple(index.slot for index in indices if isinstance(index, Local))
            domains = tuple(b.type for b in binds.binds if isinstance(b.domain, Apply) and b.domain.op == "members")
            if slots == tuple(bind.slot for bind in binds.binds) and domains == variable.owners:
                return variable if binds.passing is None and slots else None
    return None


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def is_single(type_: Type) -> bool:
    """Whether a value is told by one word."""
    return not isinstance(type_, (ListType, SetType, PiecesType, OptionalType)) and not hasattr(type_, "items")


def none_word(type_: Type) -> int:
    """The word for none among values of one word."""
    return -(2**31) if isinstance(type_, NumberType) and type_.low < 0 else -1


def bits_of(type_: SetType) -> range | tuple[bool, bool] | None:
    """The values that a set of 64 bits tells of one by one; None for a set that is told by its members."""
    if not is_single(type_.item) or (not hasattr(type_.item, "low") and not hasattr(type_.item, "domain")):
        return (False, True) if is_single(type_.item) and type(type_.item).__name__ == "FlagType" else None
    every = values(type_.item)
    return every if len(every) <= 64 else None


def is_row(type_: Type) -> bool:
    """Whether the words of such values, one value after another, are mixed as a row."""
    match type_:
        case OptionalType(item):
            return is_single(item)
        case ListType() | PiecesType():
            return False
        case SetType():
            return bits_of(type_) is not None
    return all(map(is_row, getattr(type_, "items", ())))


# ---------------------------------------------------------------- mixing


def _mixer(type_: Type) -> Mixer:
    """A function of bits and a value of a type that gives the bits with those of the value mixed in."""
    match type_:
        case PiecesType():
            return _row
        case OptionalType(item) if not is_single(item):
            inner = _mixer(item)

            def optional(bits: int, value: Any) -> int:
                bits = _word(bits, int(value is not None))
                return bits if value is None else inner(bits, value)

            return optional
        case ListType(item) | SetType(item) if not is_row(type_):
            return _members(item, ordered=isinstance(type_, ListType))
        case _ if hasattr(type_, "items"):
            mixers = [_mixer(item) for item in type_.items]

            def together(bits: int, value: Any) -> int:
                for part, mixed in zip(value, mixers, strict=True):
                    bits = mixed(bits, part)
                return bits

            return together
    words = _words(type_)

    def one_by_one(bits: int, value: Any) -> int:
        for word in words((value,)):
            bits = _word(bits, word)
        return bits

    return one_by_one


def _members(item: Type, *, ordered: bool) -> Mixer:
    """The mixer of lists or sets with such members."""
    if is_row(item):
        words = _words(item)

        def row(bits: int, value: Any) -> int:
            return _row(_word(bits, len(value)), words(value if ordered else rising(value)))

        return row
    inner = _mixer(item)

    def each(bits: int, value: Any) -> int:
        bits = _word(bits, len(value))
        for member in value if ordered else rising(value):
            bits = inner(bits, member)
        return bits

    return each


def _word(bits: int, word: int) -> int:
    return _wide(bits, word & _WORD)


def _wide(bits: int, word: int) -> int:
    bits = ((bits ^ word) * FACTOR) & _ALL
    return bits ^ (bits >> 32)


def _row(bits: int, words: Sequence[int]) -> int:
    """Eight words at a time in four lanes, the rest one by one."""
    in_lanes = len(words) - len(words) % 8
    if in_lanes:
        pairs = unpack(f"<{in_lanes // 2}Q", pack(f"<{in_lanes}i", *words[:in_lanes]))
        for lane in [_lane(bits, pairs[at::4]) for at in range(4)]:
            bits = _wide(bits, lane)
    for word in words[in_lanes:]:
        bits = _word(bits, word)
    return bits


def _lane(bits: int, pairs: Iterable[int]) -> int:
    """Rounds of XXH64."""
    first, second = LANES
    for pair in pairs:
        bits = (bits + pair * first) & _ALL
        bits = (bits << 31 | bits >> 33) * second & _ALL
    return bits


def _words(type_: Type) -> Callable[[Iterable[Any]], list[int]]:
    """A function that gives the words of values of a type, each of which is told by as many."""
    match type_:
        case OptionalType(item) if is_single(item):
            none = none_word(item)
            return lambda values: [none if value is None else value for value in values]
        case SetType() if (every := bits_of(type_)) is not None:
            places = [(1 << place, member) for place, member in enumerate(every)]

            def masks(values: Iterable[Any]) -> list[int]:
                found = (sum(bit for bit, member in places if member in value) for value in values)
                return [word for mask in found for word in (_signed(mask & _WORD), _signed(mask >> 32))]

            return masks
        case _ if hasattr(type_, "items"):
            parts = [_words(item) for item in type_.items]
            return lambda values: [
                word for value in values for part, words in zip(value, parts, strict=True) for word in words((part,))
            ]
    return lambda values: [-1 if value is None else value for value in values]
