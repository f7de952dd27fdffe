"""Fingerprints: 64 bits of values, by which histories tell positions apart.

The same on both engines, bit by bit: two positions with the same fingerprint count as the same on either. A value is
told by words. Words that lie one after another in the fast engine's memory are a *row*, mixed several at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.program import Apply, Expr, Fold, Local, Program, Read, Variable
from rulelang.program.values import rising
from rulelang.types import ListType, NumberType, OptionalType, PiecesType, SetType, Type, values

SEED = 0x243F6A8885A308D3
FACTOR = 0x9E3779B97F4A7C15
LANES = (0xC2B2AE3D27D4EB4F, 0x9E3779B185EBCA87)
"""Factors of XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md)."""
_WORD = 0xFFFFFFFF
_ALL = 0xFFFFFFFFFFFFFFFF


def fingerprint(parts: tuple[Any, ...], types: tuple[Type, ...]) -> tuple[int, int]:
    """The two halves of the fingerprint of some values of these types, the lower one first, as signed numbers."""
    bits = SEED
    for value, type_ in zip(parts, types, strict=True):
        bits = _mixed(bits, value, type_)
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


def _mixed(bits: int, value: Any, type_: Type) -> int:
    """Bits with those of a value mixed in."""
    match type_:
        case PiecesType():
            return _row(bits, value)
        case OptionalType(item) if not is_single(item):
            bits = _word(bits, int(value is not None))
            return bits if value is None else _mixed(bits, value, item)
        case ListType(item) | SetType(item) if not is_row(type_):
            bits = _word(bits, len(value))
            members = rising(value) if isinstance(type_, SetType) else value
            if is_row(item):
                row: list[int] = []
                for member in members:
                    _words(member, item, row)
                return _row(bits, row)
            for member in members:
                bits = _mixed(bits, member, item)
            return bits
        case _ if hasattr(type_, "items"):
            for part, item in zip(value, type_.items, strict=True):
                bits = _mixed(bits, part, item)
            return bits
    words: list[int] = []
    _words(value, type_, words)
    for word in words:
        bits = _word(bits, word)
    return bits


def _word(bits: int, word: int) -> int:
    return _wide(bits, word & _WORD)


def _wide(bits: int, word: int) -> int:
    bits = ((bits ^ word) * FACTOR) & _ALL
    return bits ^ (bits >> 32)


def _row(bits: int, words: Sequence[int]) -> int:
    """Eight words at a time in four lanes, the rest one by one."""
    in_lanes = len(words) - len(words) % 8
    if in_lanes:
        lanes = [bits] * 4
        for at in range(0, in_lanes, 2):
            lanes[at // 2 % 4] = _lane(lanes[at // 2 % 4], words[at] & _WORD | (words[at + 1] & _WORD) << 32)
        for lane in lanes:
            bits = _wide(bits, lane)
    for word in words[in_lanes:]:
        bits = _word(bits, word)
    return bits


def _lane(bits: int, pair: int) -> int:
    """A round of XXH64."""
    bits = (bits + pair * LANES[0]) & _ALL
    return (bits << 31 | bits >> 33) * LANES[1] & _ALL


def _words(value: Any, type_: Type, words: list[int]) -> None:
    """Adds the words of a value that is always told by as many."""
    match type_:
        case OptionalType(item) if is_single(item):
            words.append(none_word(item) if value is None else int(value))
        case SetType() if (every := bits_of(type_)) is not None:
            mask = sum(1 << place for place, member in enumerate(every) if member in value)
            words += (mask & _WORD, mask >> 32)
        case _ if hasattr(type_, "items"):
            for part, item in zip(value, type_.items, strict=True):
                _words(part, item, words)
        case _:
            words.append(-1 if value is None else int(value))
