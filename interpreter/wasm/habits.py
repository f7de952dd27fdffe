"""Habits: what options were worth in random games of one rule set, brought to the questions of another.

Two rule sets are to be played by the same players, so what they have in common is learned once, in the printed game;
``interpreter.lowered.counterparts`` says what that is. Of an option that only the other has, its own random games say
what it is worth. Needs numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import numpy as np

from rulelang.program import Binds
from rulelang.types import MemberType, NumberType, OptionalType, PiecesType, RecordType, TupleType, Type

from ..lowered import code
from ..lowered.counterparts import counterparts, options
from .layout.shapes import is_scalar, none_of, row_size

if TYPE_CHECKING:
    from .engine import WasmGame

Array: TypeAlias = "np.ndarray[Any, Any]"

_TIMES, _NOTHING = np.uint64(0x9E3779B97F4A7C15), np.uint64(0x5DEECE66D)
_HEAD = 4
"""Words of a note before those of the row: unit, site, seat (-1: all), words of the row or -1 for choosing nothing."""

Kind: TypeAlias = tuple[int, int, int, int, int]
"""Unit, site, seat, words of a row, and the option of a menu (-1: none)."""


@attrs.frozen(eq=False)
class Habits:
    """By the question, the seat and the option of a menu: rows of options, and what they are worth."""

    kinds: Mapping[Kind, tuple[Array, Array]]

    @classmethod
    def of(cls, game: WasmGame, notes: Array, places: Array, worths: Array) -> Habits:
        """Those noted in words; ``places``: the word of each note, ``worths``: of what it notes."""
        heads = notes[places[:, None] + np.arange(_HEAD)]
        menus = np.array([[isinstance(ask, code.Menu), unit, site] for (unit, site), ask in _asks(game)]).reshape(-1, 3)
        menu = {(unit, site) for is_menu, unit, site in menus.tolist() if is_menu}
        item = np.full(len(places), -1)
        for at, (unit, site, _, words) in enumerate(heads.tolist()):
            if words > 0 and (unit, site) in menu:
                item[at] = notes[places[at] + _HEAD]
        every, kind = np.unique(np.column_stack([heads, item]), axis=0, return_inverse=True)
        found: dict[Kind, tuple[Array, Array]] = {}
        for number, (unit, site, seat, words, option) in enumerate(every.tolist()):
            mine = kind.ravel() == number
            rows = notes[places[mine][:, None] + _HEAD + np.arange(max(0, words))]
            found[unit, site, seat, words, option] = rows, worths[mine]
        return cls(found)

    def known(self, more: Habits | None = None) -> tuple[Array, Array]:
        """Every option by the key that the module knows it by, with what it is worth; ``more``: of others."""
        kinds = [*self.kinds.items(), *(more.kinds.items() if more is not None else ())]
        keys = [_keys(kind, rows) for kind, (rows, _) in kinds]
        worths = [worths for _, (_, worths) in kinds]
        return np.concatenate([np.zeros(0, np.uint64), *keys]), np.concatenate([np.zeros(0), *worths])


@attrs.define(eq=False)
class Bridge:
    """From the questions of one rule set to those of another. ``sites``: by unit and site; ``items``: by these, the
    options of menus; ``words``: by these and the option, what becomes of each word of a row, None where nobody can
    say."""

    sites: dict[tuple[int, int], tuple[int, int]] = attrs.field(factory=dict)
    items: dict[tuple[int, int], dict[int, int]] = attrs.field(factory=dict)
    words: dict[tuple[int, int, int], list[Word] | None] = attrs.field(factory=dict)

    @classmethod
    def between(cls, base: WasmGame, other: WasmGame) -> tuple[Bridge, Bridge]:
        """From ``base`` to ``other``, and back."""
        there, back = cls(), cls()
        places = {ask: (place, game) for game in (base, other) for place, ask in _asks(game)}
        for theirs, mine in counterparts(base.blueprint.units, other.blueprint.units).items():
            same = options(mine, theirs) if isinstance(mine, code.Menu) and isinstance(theirs, code.Menu) else {}
            there._add(mine, theirs, places, {one: two for two, one in same.items()})
            back._add(theirs, mine, places, same)
        return there, back

    def _add(
        self,
        one: code.Ask,
        two: code.Ask,
        places: Mapping[code.Ask, tuple[tuple[int, int], WasmGame]],
        items: dict[int, int],
    ) -> None:
        (place, mine), (to, theirs) = places[one], places[two]
        self.sites[place], self.items[place] = to, items
        if isinstance(one, code.Menu) and isinstance(two, code.Menu):
            for at, there in items.items():
                self.words[*place, at] = _of_binds(one.items[at].binds, two.items[there].binds)
        elif isinstance(one, code.Choose) and isinstance(two, code.Choose):
            self.words[*place, -1] = _of_binds(one.binds, two.binds)
        elif isinstance(one, code.Pay) and isinstance(two, code.Pay):
            self.words[*place, -1] = _of_type(_paid(one, mine), _paid(two, theirs))

    def leaves(self, game: WasmGame) -> bool:
        """Whether anything in ``game``, which it is from, has no counterpart."""
        for place, ask in _asks(game):
            every = range(len(ask.items)) if isinstance(ask, code.Menu) else (-1,)
            for item in every:
                words = self.words.get((*place, item))
                if words is None or any(word is not None for word in words):
                    return True
        return False

    def carry(self, kind: Kind, rows: Array) -> tuple[Kind | None, Array, Array]:
        """What rows become: their kind, the rows, and which of them there are."""
        unit, site, seat, width, item = kind
        place = unit, site
        if place not in self.sites:
            return None, rows, np.zeros(len(rows), bool)
        to = self.sites[place]
        if width < 0:
            return (*to, seat, width, -1), rows, np.ones(len(rows), bool)
        other = self.items[place].get(item, -1)
        words = self.words.get((*place, item))
        if words is None or (item >= 0 and other < 0):
            return None, rows, np.zeros(len(rows), bool)
        first = int(item >= 0)
        if len(words) != width - first:
            return None, rows, np.zeros(len(rows), bool)
        carried, there = rows.copy(), np.ones(len(rows), bool)
        if first:
            carried[:, 0] = other
        for place_, word in enumerate(words, first):
            if word is not None:
                carried[:, place_], known = word(rows[:, place_])
                there &= known
        return (*to, seat, width, other), carried[there], there

    def left_of(self, habits: Habits) -> Habits:
        """Those of what has no counterpart."""
        found = {}
        for kind, (rows, worths) in habits.kinds.items():
            left = ~self.carry(kind, rows)[2]
            if left.any():
                found[kind] = rows[left], worths[left]
        return Habits(found)

    def brought(self, habits: Habits) -> Habits:
        """Habits of one rule set as the other has them."""
        found: dict[Kind, tuple[Array, Array]] = {}
        for kind, (rows, worths) in habits.kinds.items():
            to, carried, there = self.carry(kind, rows)
            if to is not None and there.any():
                found[to] = carried, worths[there]
        return Habits(found)


Word: TypeAlias = "Callable[[Array], tuple[Array, Array]] | None"
"""What becomes of a word of a row, and where that is anything; None where it stays what it is."""


def _asks(game: WasmGame) -> Iterator[tuple[tuple[int, int], code.Ask]]:
    """Every question by its unit and site, as the module numbers them."""
    for number, name in enumerate(game.steps.units):
        unit = game.blueprint.units.get(name)
        for site, ask in enumerate(unit.sites if unit is not None else ()):
            if isinstance(ask, code.Ask):
                yield (number, site), ask


def _of_binds(base: Binds | None, other: Binds | None) -> list[Word] | None:
    mine, theirs = (tuple(bind.type for bind in each.binds) if each is not None else () for each in (base, other))
    return _of_type(TupleType(mine), TupleType(theirs))


def _of_type(base: Type, other: Type) -> list[Word] | None:
    """What becomes of the words of a value; None where nobody can say."""
    if base == other:
        return [None] * (row_size(base) or 0)
    match base, other:
        case (TupleType(items=mine), TupleType(items=theirs)) | (RecordType(items=mine), RecordType(items=theirs)) if (
            len(mine) == len(theirs)
        ):
            parts = [_of_type(one, two) for one, two in zip(mine, theirs, strict=True)]
            return None if None in parts else [word for part in parts for word in part or ()]
        case OptionalType(one), OptionalType(two) if is_scalar(one) and is_scalar(two):
            words = _of_type(one, two)
            return None if words is None else [_or_none(words[0], none_of(one), none_of(two))]
        case MemberType(one), MemberType(two) if one.name == two.name:
            names = {name: number for number, name in enumerate(two.members)}
            numbers = np.array([names.get(name, -1) for name in one.members])
            return [lambda column: (numbers[column], numbers[column] >= 0)]
        case NumberType(), NumberType():
            low, high = max(base.low, other.low), min(base.high, other.high)
            return [lambda column: (column, (column >= low) & (column <= high))]
    return None


def _or_none(word: Word, none: int, other: int) -> Word:
    """What becomes of an optional one."""

    def carried(column: Array) -> tuple[Array, Array]:
        empty = column == none
        some = np.where(empty, 0, column)
        values, there = (some, np.ones(len(some), bool)) if word is None else word(some)
        return np.where(empty, other, values), there | empty

    return carried


def _paid(ask: code.Pay, game: WasmGame) -> Type:
    """What a payment is."""
    kind = game.program.variables[ask.source.variable].element
    assert kind is not None
    return PiecesType(kind)


def _after(before: Array, key: Array) -> Array:
    """``after`` of ``search.wat``."""
    mixed = (_turned(before) ^ key) * _TIMES
    return mixed ^ (mixed >> np.uint64(32))


def _turned(number: Array) -> Array:
    return (number << np.uint64(23)) | (number >> np.uint64(41))


def _keys(kind: Kind, rows: Array) -> Array:
    """The keys that ``learned.wat`` works out for rows: ``asked`` or ``asked_of_anybody``, then ``key``."""
    unit, site, seat = (np.array(number % 2**64, np.uint64) for number in kind[:3])
    with np.errstate(over="ignore"):
        if kind[2] < 0:
            asked = _after(_after(np.array(0, np.uint64), unit), site)
        else:
            asked = _after(unit << np.uint64(32) | site, seat)
        if kind[3] < 0:
            return np.full(len(rows), asked ^ _NOTHING)
        keys = np.full(len(rows), asked)
        for column in rows.astype(np.uint32).T:
            keys = (_turned(keys) ^ column.astype(np.uint64)) * _TIMES
        found: Array = keys ^ (keys >> np.uint64(32))
        return found


def table_of(keys: Array, worths: Array) -> bytes:
    """The table that ``learned.wat`` looks up, at most half full: how much each option is liked, e to the power of its
    worth nearly, and to the last bit the same on every machine."""
    liked = 1 + np.clip(worths, -8.0, 8.0) / 4096
    for _ in range(12):
        liked *= liked
    keys = np.where(keys == 0, np.uint64(1), keys)
    places = 1 << (2 * len(keys)).bit_length()
    table = np.zeros(places, np.dtype([("key", "<u8"), ("liked", "<f8")]))
    at, left = ((keys >> np.uint64(20)) % np.uint64(places)).astype(np.int64), np.arange(len(keys))
    while len(left):
        _, first = np.unique(at[left], return_index=True)
        free = left[first][table["key"][at[left[first]]] == 0]
        table["key"][at[free]], table["liked"][at[free]] = keys[free], liked[free]
        left = np.setdiff1d(left, free, assume_unique=True)
        at[left] = (at[left] + 1) % places
    return table.tobytes()


__all__ = ["Bridge", "Habits", "table_of"]
