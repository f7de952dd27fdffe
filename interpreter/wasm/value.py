"""Values of positions: a linear one over what lies in places, scores and counts, fitted on random games.

What a position is worth to a seat is the mean reward of those who came by such positions and went on at random, by
ridge regression (Hoerl and Kennard, "Ridge Regression", Technometrics 12, 1970). ``search.wat`` judges by it where
random play is cut short. All sums are of whole numbers, so that it is the same on every machine. Needs numpy.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs
import numpy as np

from rulelang import types as ty

from ..chance import mix
from .host import Instance, Trap
from .layout import addresses as mem
from .layout.shapes import fixed_words, is_scalar, mask_size, none_of
from .stakes import Stakes
from .whole import Whole

if TYPE_CHECKING:
    from .engine import WasmGame

Array: TypeAlias = "np.ndarray[Any, Any]"

POSITIONS, DECISIONS = 12_000, 800_000
"""One position is taken of each random game, until there are so many or the games had so many decisions."""

LONGEST = 5_000
"""Decisions after which one of these games is judged as it stands."""

FEWEST = 500
"""Positions without which nothing is fitted."""

MOST_VALUES, MOST_MEMBERS = 64, 64
"""Of more values a member counts as nothing; so many members of a list are looked at."""

_RIDGE = 20.0
_LENGTHS = mem.MARGINS_SEEN
_NUMBER, _ONE_OF, _MEMBERS, _BIT = range(4)
_ENTRY = struct.Struct("<6i")
_SEED = 0x7A1E

Key: TypeAlias = tuple[str, int, int, int]
"""A variable, the number of its cell, a word of the cell and the kind of what it tells."""


@attrs.frozen
class Word:
    """What a word of a position tells. ``kind``: a number; one of ``size`` values from ``low`` on; the length of a
    list, whose members (each ``stride`` bytes) are that; or bit ``low``."""

    address: int
    kind: int
    low: int = 0
    size: int = 1
    stride: int = 0


@attrs.frozen(eq=False)
class Value:
    """``weights``: of what a word tells, as an array of (values, seats); ``base``: by seat, what a position is worth
    of which nothing is known; ``scale``: see ``Search.judge_by``."""

    weights: Mapping[Key, Array]
    base: Array
    scale: int

    @classmethod
    def of(cls, game: WasmGame, seed: int, short: int = 1) -> Value | None:
        """That of a game, from random games of which there are so many times fewer; None where that tells nothing."""
        words = words_of(game)
        sample = _Sample.of(game, words, seed, short)
        return None if sample is None else sample.fitted()

    def room(self, game: WasmGame) -> int:
        """The bytes that it takes in a game."""
        known = words_of(game)
        return 8 * game.players + sum(
            _ENTRY.size + 8 * weights.size for key, weights in self.weights.items() if key in known
        )

    def lay_out(self, game: WasmGame, instance: Instance, at: int) -> None:
        """Writes it there, for ``search.wat``."""
        known = words_of(game)
        found = [(known[key], weights) for key, weights in self.weights.items() if key in known]
        table, place = self.base.tobytes(), at + 8 * game.players + _ENTRY.size * len(found)
        numbers = b""
        for word, weights in found:
            table += _ENTRY.pack(word.address, word.kind, word.low, len(weights), word.stride, place + len(numbers))
            numbers += weights.tobytes()
        instance.write(at, table + numbers)
        base = game.steps.addresses.search
        instance.put_word(base + mem.SEARCH_VALUE, at)
        instance.put_word(base + mem.SEARCH_VALUES, len(found))


def words_of(game: WasmGame) -> Mapping[Key, Word]:
    """What can be told of positions of a game; which is worked out once."""
    found: Mapping[Key, Word] | None = game.kept.get("words")
    if found is None:
        found = game.kept["words"] = dict(_words(game))
    return found


def _words(game: WasmGame) -> Iterator[tuple[Key, Word]]:
    scratch, search = game.steps.addresses.scratch, game.steps.addresses.search
    yield ("", 0, 0, _ONE_OF), Word(scratch + mem.ASK_PLAYER, _ONE_OF, 0, game.players)
    for seat in range(game.players):
        yield ("", 1, seat, _NUMBER), Word(search + mem.SEARCH_SCORES + mem.WORD * seat, _NUMBER)
    for name, cell in game.steps.memory.cells.items():
        if cell.variable.seen_by == "nobody" or cell.variable.history:
            continue
        for number, owners in enumerate(itertools.product(*(range(len(o.domain)) for o in cell.variable.owners))):
            at = cell.base + sum(stride * owner for stride, owner in zip(cell.strides, owners, strict=True))
            for word in _told(cell.type, at):
                yield (name, number, word.address - at if word.kind != _BIT else word.low, word.kind), word


def _told(type_: ty.Type, at: int) -> Iterator[Word]:
    """What the words of a value tell that lies there."""
    match type_:
        case ty.NumberType():
            yield Word(at, _NUMBER)
        case ty.FlagType() | ty.MemberType():
            yield from _one_of(Word(at, _ONE_OF), 0, len(ty.values(type_)))
        case ty.OptionalType(ty.NumberType()):
            pass
        case ty.OptionalType(item) if is_scalar(item):
            yield from _one_of(Word(at, _ONE_OF), none_of(item), 1 + len(ty.values(item)))
        case ty.OptionalType(item):
            yield Word(at, _NUMBER)
            yield from _told(item, at + mem.WORD)
        case ty.PiecesType(kind):
            for place in range(len(ty.kinds(kind))):
                yield Word(at + mem.WORD * place, _NUMBER)
        case ty.TupleType() | ty.RecordType():
            for part in type_.items:
                size = fixed_words(part)
                yield from _told(part, at)
                if size is None:
                    return
                at += mem.WORD * size
        case ty.SetType() if (size := mask_size(type_)) is not None:
            for bit in range(size):
                yield Word(at + mem.WORD * (bit // 32), _BIT, bit % 32)
        case ty.ListType(item) | ty.SetType(item):
            yield Word(at, _NUMBER)
            if isinstance(item, ty.MemberType):
                yield from _one_of(Word(at, _MEMBERS, stride=mem.WORD), 0, len(ty.values(item)))


def _one_of(word: Word, low: int, size: int) -> Iterator[Word]:
    if size <= MOST_VALUES:
        yield attrs.evolve(word, low=low, size=size)


@attrs.frozen(eq=False)
class _Sample:
    """Positions of random games. ``told``: of each word, an array of (positions, values); ``rewards``: of (positions,
    seats), as fractions of 65,536."""

    told: Mapping[Key, Array]
    rewards: Array
    scale: int

    @classmethod
    def of(cls, game: WasmGame, words: Mapping[Key, Word], seed: int, short: int) -> _Sample | None:
        room = _Room(game, words)
        rows, rewards = room.sample(mix(_SEED, seed), POSITIONS // short, DECISIONS // short)
        if len(rows) < FEWEST:
            return None
        data = np.array(rows)
        return cls({key: room.column(data, key) for key in words}, np.array(rewards, dtype=np.float64), room.scale)

    def fitted(self) -> Value | None:
        """The value that comes nearest to the rewards; None where all positions are worth the same."""
        varied = {key: told[:, shown] for key, told in self.told.items() if (shown := np.ptp(told, axis=0) > 0).any()}
        count, seats = self.rewards.shape
        if not varied or not np.ptp(self.rewards):
            return None
        table = np.concatenate([*varied.values(), np.ones((count, 1))], axis=1)
        squares, products = table.T @ table, table.T @ self.rewards  # whole numbers, in whatever order they are added
        spread = squares.diagonal() / count - (squares[-1] / count) ** 2
        squares[np.diag_indices(len(spread))] += _RIDGE * np.maximum(spread, 0.0)
        found = _solved(squares, products)
        weights, at = {}, 0
        for key, told in varied.items():
            shown = np.ptp(self.told[key], axis=0) > 0
            weights[key] = np.zeros((len(shown), seats))
            weights[key][shown] = found[at : at + told.shape[1]]
            at += told.shape[1]
        return Value(weights, found[-1], self.scale)


def _solved(squares: Array, products: Array) -> Array:
    """The solution of equations by Gaussian elimination, element by element and so in one order everywhere."""
    rows = np.concatenate([squares, products], axis=1)
    size = len(rows)
    for k in range(size):
        pivot = rows[k, k]
        factors = rows[k + 1 :, k] / pivot if pivot > 1e-6 else np.zeros(size - k - 1)
        rows[k + 1 :, k:] -= factors[:, None] * rows[k, k:]
    found = np.zeros(products.shape)
    for k in range(size - 1, -1, -1):
        if rows[k, k] > 1e-6:
            found[k] = rows[k, size:] / rows[k, k]
            rows[:k, size:] -= rows[:k, k, None] * found[k]
    return found


class _Room:
    """The room of a search, laid out for playing at random and looking at one position of each game."""

    def __init__(self, game: WasmGame, words: Mapping[Key, Word]) -> None:
        self.game, self.words = game, words
        self._base = base = game.steps.addresses.search
        self._instance = instance = game.steps.searching
        self._whole = Whole.of(game, instance, mem.SEARCH_SIZE, 1)
        if not instance.call("reserve", self._whole.end):
            raise MemoryError(f"values of positions need {self._whole.end:,} bytes")
        instance.look()
        instance.room = self
        instance.write(base, bytes(mem.SEARCH_SIZE))
        self._whole.lay_out()
        Stakes.at(game).lay_out(instance, base, 0.5)
        self._places: dict[Key, slice] = {}
        read: list[Array] = []
        at = 0
        for key, word in words.items():
            size = 1 + MOST_MEMBERS if word.kind == _MEMBERS else 1
            self._places[key] = slice(at, at + size)
            read.append(self._place_of(word.address) + np.arange(size))
            at += size
        self._read = np.concatenate(read)

    @property
    def scale(self) -> int:
        return int.from_bytes(self._instance.read(self._base + mem.SEARCH_SCALE, 8), "little")

    def sample(self, seed: int, positions: int, most: int) -> tuple[list[Array], list[Array]]:
        """Positions, one of each game, and what came of them."""
        rows: list[Array] = []
        rewards: list[Array] = []
        lengths: list[int] = []
        games = decisions = 0
        seats = self.game.players
        while len(rows) < positions and decisions < most and games < 4 * positions:
            own = mix(seed, games)
            games += 1
            until = LONGEST if games <= _LENGTHS else own % max(1, max(lengths, default=1))
            try:
                played, status = self._played(own, until)
                decisions += played
                if games <= _LENGTHS:
                    lengths.append(played)
                if games <= _LENGTHS or status != mem.ASKED:
                    continue
                row = self._row()
                decisions += self._played(own, LONGEST)[0]  # the same game, to its end
            except Trap as trap:
                self._instance = self.game.steps.searching
                if trap.late:
                    break
                continue
            rows.append(row)
            rewards.append(
                np.frombuffer(self._instance.read(self._base + mem.SEARCH_REWARDS, mem.WORD * seats), dtype="<i4")
            )
        return rows, rewards

    def _played(self, seed: int, until: int) -> tuple[int, int]:
        """How many decisions there were of at most so many, and the status then."""
        status = self._whole.begin(seed, [mix(seed)], by_question=False)
        status = self._instance.call("sample", status, until)
        return self._instance.word(self.game.steps.addresses.scratch + mem.DECISIONS), status

    def _place_of(self, address: int) -> int:
        """The place of a word in what is read of a position: its state, who is asked, and scores."""
        state, scratch = self.game.steps.addresses.open_size, self.game.steps.addresses.scratch
        if address < scratch:
            return (address - mem.STATE) // mem.WORD
        if address == scratch + mem.ASK_PLAYER:
            return state // mem.WORD
        return (state + mem.WORD + address - self._base - mem.SEARCH_SCORES) // mem.WORD

    def _row(self) -> Array:
        addresses = self.game.steps.addresses
        read = self._instance.read
        told = read(mem.STATE, addresses.open_size) + read(addresses.scratch + mem.ASK_PLAYER, mem.WORD)
        told += read(self._base + mem.SEARCH_SCORES, mem.WORD * max(self.game.players, MOST_MEMBERS + 1))
        row: Array = np.frombuffer(told, dtype="<i4")[self._read]
        return row

    def column(self, rows: Array, key: Key) -> Array:
        """What a word tells in all rows."""
        word, told = self.words[key], rows[:, self._places[key]]
        if word.kind == _NUMBER:
            return told.astype(np.float64)
        found: Array
        if word.kind == _BIT:
            found = (told >> word.low) & 1
        elif word.kind == _ONE_OF:
            found = told == word.low + np.arange(word.size)
        else:
            there = np.arange(MOST_MEMBERS) < told[:, :1]
            found = np.stack([((told[:, 1:] == value) & there).sum(axis=1) for value in range(word.size)], axis=1)
        return found.astype(np.float64)
