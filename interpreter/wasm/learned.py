"""Worth of options, learned from random games, and games played by it inside the module that stops at decisions.

``learned.wat`` does the work. The value of an option is the mean reward of those who took it, less that of all who
could have. In a random game every option is taken with a known chance, so that weighing each game by one over it
(Horvitz and Thompson, "A Generalization of Sampling Without Replacement from a Finite Universe", 1952) makes the two
comparable: an option is not thought good because only leaders have it. Values with few games behind them are drawn
towards those of all seats together, and these towards 0. Playing by average values of moves is what the Move-Average
Sampling Technique does (Finnsson and Björnsson, "Simulation-Based Approach to General Game Playing", AAAI 2008).
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from ..chance import Stream, mix
from ..lowered import code
from .host import Trap
from .layout import addresses as mem
from .layout.shapes import row_words
from .search import WINNING
from .stakes import Stakes
from .whole import Whole

if TYPE_CHECKING:
    from .engine import WasmGame
    from .habits import Habits
    from .state import WasmState

T = TypeVar("T")

DECISIONS_LEARNED, GAMES_LEARNED = 1_000_000, 10_000
"""Random games are played until they had so many decisions, or until there are so many games."""

SHORT = 4
"""Where players are to be trained several times over, each training is so many times shorter."""

LONGEST = 5_000
"""Decisions after which one of these games is judged as it stands."""

DOUBT = 80.0
"""Games that must have taken an option before its value counts for half of what they say."""

WARMTH = 0.01
"""The worth that makes an option e times as likely."""

_LEARNING = struct.Struct("<qi4xddddii")
_KNOWN = struct.Struct("<qd")
_PLACES = 1 << 18
_LOG, _LOGGED = 1 << 18, 12
_NOTES = 1 << 23
_SEED = 0x1EA54
_KEPT = 32
"""Trainings that are kept of a game."""

_one_at_a_time = threading.Lock()


@attrs.frozen(eq=False)
class Learned:
    """Values of options. ``table``: as it lies in the memory of a module; ``options``: how many it has; ``games``: how
    many were played to learn them."""

    table: bytes
    options: int
    games: int

    @classmethod
    def of(cls, game: WasmGame) -> Learned:
        """Those of a game, which are learned when they are first asked for, and the same on every machine."""
        with _one_at_a_time:
            found: Learned | None = game.kept.get("learned")
            if found is None:
                found = game.kept["learned"] = _learned(game)
        return found

    @classmethod
    def brought(cls, game: WasmGame, printed: WasmGame, training: int) -> Learned:
        """Those that players have who were trained in the printed game, in one of many short trainings; of what only
        ``game`` has, those of a training in it. Needs numpy."""
        with _one_at_a_time:
            kept: dict[int, Learned] = game.kept.setdefault(("brought", printed), {})
            return _kept(kept, training, lambda: _brought(game, printed, training))


class LearningRoom:
    """The room of a search, laid out for learning or for playing by what was learned. ``longest``: the most
    decisions of a game; ``notes``: bytes for what options are, where that is to be known."""

    def __init__(self, game: WasmGame, table: bytes, stride: int, longest: int, notes: int = 0) -> None:
        self.game = game
        self._steps = game.steps
        self._base = base = game.steps.addresses.search
        self.longest = longest
        self.instance = instance = game.steps.searching
        at = -mem.SEARCH_SIZE % 8 + mem.SEARCH_SIZE
        log = at + len(table)
        noted = log + _LOGGED * _LOG
        self._whole = Whole.of(game, instance, noted + notes, longest)
        if not instance.call("reserve", self._whole.end):
            raise MemoryError(f"values of options need {self._whole.end:,} bytes")
        instance.look()
        instance.write(base, bytes(mem.SEARCH_SIZE))
        self._whole.lay_out()
        Stakes.at(game).lay_out(instance, base, WINNING)
        instance.write(base + at, table)
        for field, value in {
            mem.LEARN_TABLE: base + at,
            mem.LEARN_STRIDE: stride,
            mem.LEARN_MASK: len(table) // stride - 1,
            mem.LEARN_LOG: base + log,
            mem.LEARN_ROOM: _LOG,
            mem.LEARN_NOTED: base + noted,
            mem.LEARN_NOTES_END: base + noted + notes,
        }.items():
            instance.put_word(base + field, value)
        self._learned: Learned | None = None
        self._table, self._room = base + at, len(table)
        instance.room = self

    @classmethod
    def playing(cls, learned: Learned, game: WasmGame, longest: int) -> LearningRoom:
        """One for playing, on this thread: that of the last game, unless somebody else was there meanwhile."""
        found = game.steps.searching.room
        table = learned.table
        if not isinstance(found, LearningRoom) or found.longest != longest or found._room < len(table):
            found = cls(game, table, _KNOWN.size, longest)
            found._learned = learned
        elif found._learned is not learned:
            found.instance.write(found._table, table)
            found.instance.put_word(found._base + mem.LEARN_MASK, len(table) // _KNOWN.size - 1)
            found._learned = learned
        return found

    @property
    def decisions(self) -> int:
        """How many there were in the game played last."""
        return self.instance.word(self._steps.addresses.scratch + mem.DECISIONS)

    def play(
        self, seed: int, streams: Sequence[int], limit: int, *, learning: bool = False, by_question: bool = False
    ) -> int:
        """Plays the game of a seed, at most so many decisions of it; the status then. ``streams``: the state of each
        stream of chance, by seat; ``by_question``: from which each rule that asks has its own.

        Raises Trap.
        """
        status = self._whole.begin(seed, streams, by_question=by_question)
        return self._steps.searching.call("play_on", status, limit, learning)

    def state(self, seed: int, status: int) -> WasmState:
        """How the game of a seed stands that was played last."""
        return self._whole.state(seed, status, self.decisions)

    def prefer(self, state: WasmState, stream: Stream) -> int:
        """The option that is taken in a state. Of the state nothing is looked at but its decision."""
        instance, scratch = self._steps.searching, self._steps.addresses.scratch
        assert state._ask is not None
        instance.write(scratch + mem.ASK_PLAYER, struct.pack("<5i", *state._ask))
        instance.put_word(scratch + mem.ASK_WIDTHS, self._widths(state))
        instance.write(self._steps.addresses.options, state._rows)
        instance.write(scratch + mem.STREAMS, struct.pack("<Q", stream.state))
        choice = instance.call("prefer", scratch + mem.STREAMS)
        stream.state = int.from_bytes(instance.read(scratch + mem.STREAMS, 8), "little")
        return choice

    def _widths(self, state: WasmState) -> int:
        """Where it lies how many words of a row are used, as the module has it for the open decision."""
        assert state._ask is not None
        _, unit, site, _, _ = state._ask
        asked = self.game.blueprint.units[self._steps.units[unit]].sites[site]
        if isinstance(asked, code.Choose):
            return -1 if asked.may else 0
        if not isinstance(asked, code.Menu):
            return 0
        used = [1 + row_words(item.binds) for item in asked.items]
        at = self.instance.word(self._base + mem.LEARN_LOG)  # nothing is logged meanwhile
        self.instance.write(at, struct.pack(f"<{len(used)}i", *used))
        return at

    def learned(self) -> bytes:
        """The table as it is in the memory."""
        at, places = (self.instance.word(self._base + field) for field in (mem.LEARN_TABLE, mem.LEARN_MASK))
        return self.instance.read(at, _LEARNING.size * (places + 1))


def _learned(game: WasmGame) -> Learned:
    """What players have learned who were trained in the game that they play."""
    room, games = _random_games(game, _SEED, 1)
    at = room.instance.word(game.steps.addresses.search + mem.LEARN_TABLE)
    values = {row[0]: value for row, value in _values(room.learned(), at)}
    return Learned(_table(values), len(values), games)


def _random_games(game: WasmGame, seed: int, short: int, notes: int = 0) -> tuple[LearningRoom, int]:
    """The room after so many games from which one learns, and their number. A game that faults teaches nothing."""
    room = LearningRoom(game, bytes(_PLACES * _LEARNING.size), _LEARNING.size, LONGEST, notes)
    games = decisions = 0
    while games < GAMES_LEARNED // short and decisions < DECISIONS_LEARNED // short:
        own = mix(seed, games)
        try:
            room.play(own, [mix(own)], LONGEST, learning=True)
        except Trap as trap:
            if trap.late:
                break
        games += 1
        decisions += room.decisions
    return room, games


def _trained(game: WasmGame, training: int) -> Habits:
    """What one of many short trainings in a game teaches."""
    kept: dict[int, Habits] = game.kept.setdefault("trainings", {})
    return _kept(kept, training, lambda: _training(game, training))


def _training(game: WasmGame, training: int) -> Habits:
    import numpy as np

    from .habits import Habits

    room, _ = _random_games(game, mix(_SEED, training), SHORT, _NOTES)
    base = game.steps.addresses.search
    at, end = room.instance.word(base + mem.LEARN_TABLE), room.instance.word(base + mem.LEARN_NOTED)
    first = room.instance.word(base + mem.LEARN_NOTES_END) - _NOTES
    notes = np.frombuffer(room.instance.read(first, end - first), dtype="<i4")
    found = [((row[1] - first) // 4, worth) for row, worth in _values(room.learned(), at) if row[1]]
    places = np.array([place for place, _ in found], dtype=np.int64)
    return Habits.of(game, notes, places, np.array([worth for _, worth in found]))


def _brought(game: WasmGame, printed: WasmGame, training: int) -> Learned:
    from .habits import Bridge, table_of

    habits = _trained(printed, training)
    new = None
    if game is not printed:
        bridges = game.kept.get(("bridges", printed))
        if bridges is None:
            bridges = game.kept["bridges", printed] = Bridge.between(printed, game)
        there, back = bridges
        habits = there.brought(habits)
        if back.leaves(game):
            new = back.left_of(_trained(game, training))
    keys, worths = habits.known(new)
    return Learned(table_of(keys, worths / WARMTH), len(keys), 0)


def _kept(kept: dict[int, T], number: int, make: Callable[[], T]) -> T:
    """What is kept under a number, or made; few are kept, the last ones."""
    if number not in kept:
        while len(kept) >= _KEPT:
            kept.pop(next(iter(kept)))
        kept[number] = make()
    return kept[number]


def _values(table: bytes, at: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Each option with its worth; ``at``: where the table lay."""
    rows: dict[int, tuple[Any, ...]] = {place: row for place, row in enumerate(_LEARNING.iter_unpack(table)) if row[0]}
    common = {place: _drawn(_said(row), row[6], 0.0) for place, row in rows.items()}
    for place, row in rows.items():
        link = row[7]
        together = common[(link - at) // _LEARNING.size] if link else 0.0
        yield row, _drawn(_said(row), row[6], together) if link else common[place]


def _exponential(x: float) -> float:
    """e**x nearly, between -8 and 8, and to the last bit the same on every machine."""
    found = 1 + min(8.0, max(-8.0, x)) / 4096
    for _ in range(12):
        found *= found
    return found


def _said(row: tuple[Any, ...]) -> float:
    """What the games say that an option is worth."""
    _, _, possible, rewards, weight, weighted, *_ = row
    return weighted / weight - rewards / possible if weight else 0.0


def _drawn(said: float, taken: float, towards: float) -> float:
    return towards + (said - towards) * taken / (taken + DOUBT)


def _table(values: dict[int, float]) -> bytes:
    """The table that ``learned.wat`` looks up, at most half full: how much each option is liked."""
    places = 1 << (2 * len(values)).bit_length()
    table = bytearray(places * _KNOWN.size)
    for key, worth in values.items():
        place = (key % 2**64 >> 20) % places
        while table[place * _KNOWN.size : place * _KNOWN.size + 8] != bytes(8):
            place = (place + 1) % places
        _KNOWN.pack_into(table, place * _KNOWN.size, key, _exponential(worth / WARMTH))
    return bytes(table)
