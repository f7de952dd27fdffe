"""Fingerprints: 64 bits of values, by which histories tell positions apart.

The same on both engines, bit by bit: two positions with the same fingerprint count as the same on either.
"""

from __future__ import annotations

from typing import Any

from rulelang.program import Apply, Expr, Fold, Local, Program, Read, Variable
from rulelang.program.values import rising
from rulelang.types import ListType, NumberType, OptionalType, PiecesType, SetType, Type, values

SEED = 0x243F6A8885A308D3
FACTOR = 0x9E3779B97F4A7C15
_WORD = 0xFFFFFFFF
_ALL = 0xFFFFFFFFFFFFFFFF


def fingerprint(parts: tuple[Any, ...], types: tuple[Type, ...]) -> tuple[int, int]:
    """The two halves of the fingerprint of some values of these types, the lower one first, as signed numbers."""
    words: list[int] = []
    for value, type_ in zip(parts, types, strict=True):
        _words(value, type_, words)
    bits = SEED
    for word in words:
        bits = ((bits ^ (word & _WORD)) * FACTOR) & _ALL
        bits ^= bits >> 32
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


def _words(value: Any, type_: Type, words: list[int]) -> None:
    match type_:
        case OptionalType(item) if is_single(item):
            words.append(none_word(item) if value is None else int(value))
        case OptionalType(item):
            words.append(int(value is not None))
            if value is not None:
                _words(value, item, words)
        case PiecesType():
            words.extend(value)
        case SetType() if (every := bits_of(type_)) is not None:
            mask = sum(1 << place for place, member in enumerate(every) if member in value)
            words += (mask & _WORD, mask >> 32)
        case ListType(item) | SetType(item):
            words.append(len(value))
            for member in rising(value) if isinstance(type_, SetType) else value:
                _words(member, item, words)
        case _ if hasattr(type_, "items"):
            for part, item in zip(value, type_.items, strict=True):
                _words(part, item, words)
        case _:
            words.append(-1 if value is None else int(value))
